/* SPDX-License-Identifier: BSD-3-Clause */
/* frame_sources.c - the formats that frames are read from */
#include "base/base.h"

#include "formats/abacus/running_log.h"
#include "formats/abacus/stru.h"
#include "formats/cp2k/cp2k_out.h"
#include "formats/deepmd/deepmd_frames.h"
#include "formats/deepmd/deepmd_systems.h"
#include "formats/extxyz/extxyz.h"
#include "formats/extxyz/extxyz_header.h"
#include "formats/frame_reader.h"
#include "formats/frame_source.h"
#include "formats/lammps/dump_frames.h"
#include "formats/lammps/lammps_binary.h"
#include "formats/lammps/lammps_data.h"
#include "formats/lines.h"
#include "formats/qe/qe_xml.h"
#include "formats/vasp/poscar.h"
#include "formats/vasp/vasp_frames.h"

static bool has (const struct frame_look *look, const char *words)
{
    return !look->is_dir && strstr (look->bytes, words);
}

/* --- extended XYZ --- */

struct extxyz_frames {
    struct lines lines;
    struct extxyz_reading reading;
};

/* The first line is the number of atoms; the second has keys or is a comment.
 */
static bool is_extxyz (const struct frame_look *look)
{
    size_t digits = strspn (look->bytes, " \t\r\n");
    const char *at = look->bytes + digits;
    const char *end = at + strspn (at, "0123456789");

    end += strspn (end, " \t\r");
    return !look->is_dir && end > at && *end == '\n';
}

static void *open_extxyz (const char *path, const struct frame_options *options,
                          struct error *err)
{
    struct extxyz_frames *frames = xcalloc (1, sizeof (*frames));

    frames->lines = (struct lines)LINES_INIT;
    frames->reading.labels = &options->labels;
    if (lines_open (&frames->lines, path, 0, err) == 0)
        return frames;
    free (frames);
    return NULL;
}

static int next_extxyz (void *source, struct frame *frame, struct strvec *notes,
                        struct error *err)
{
    struct extxyz_frames *frames = source;

    frames->reading.notes = notes;
    return extxyz_next_whole (&frames->lines, &frames->reading, frame, err);
}

static void close_extxyz (void *source)
{
    _cleanup_free_ struct extxyz_frames *frames = source;

    lines_close (&frames->lines);
}

/* --- LAMMPS --- */

static bool is_dump (const struct frame_look *look)
{
    size_t blank = strspn (look->bytes, " \t\r\n");

    return !look->is_dir
           && (strncmp (look->bytes + blank, "ITEM: ", 6) == 0
               || binary_dump_is_one (look->bytes, look->n));
}

static bool is_data (const struct frame_look *look)
{
    return has (look, "xlo xhi") && has (look, " atoms");
}

static int parse_data (const char *text, size_t len, const char *name,
                       const struct frame_options *options, struct frame *frame,
                       bool *converged, struct error *err)
{
    (void)converged;
    return lammps_data_parse (text, len, name, options->elements,
                              options->n_elements, frame, err);
}

/* --- DeePMD systems --- */

static bool is_deepmd (const struct frame_look *look)
{
    return look->is_dir && deepmd_has_system (look->path);
}

static void *open_deepmd (const char *path, const struct frame_options *options,
                          struct error *err)
{
    return deepmd_frames_open (path, options->elements, options->n_elements,
                               err);
}

static int next_deepmd (void *source, struct frame *frame, struct strvec *notes,
                        struct error *err)
{
    return deepmd_frames_next (source, frame, notes, err);
}

static void close_deepmd (void *source)
{
    deepmd_frames_close (source);
}

/* --- Quantum ESPRESSO --- */

static bool is_qe_xml (const struct frame_look *look)
{
    return has (look, "<qes:espresso");
}

static int parse_qe_xml (const char *text, size_t len, const char *name,
                         const struct frame_options *options,
                         struct frame *frame, bool *converged,
                         struct error *err)
{
    (void)options;
    return qe_xml_parse (text, len, name, frame, converged, err);
}

/* --- ABACUS --- */

static bool is_abacus_log (const struct frame_look *look)
{
    return has (look, "ABACUS") && has (look, "READING UNITCELL");
}

static int parse_abacus_log (const char *text, size_t len, const char *name,
                             const struct frame_options *options,
                             struct frame *frame, bool *converged,
                             struct error *err)
{
    (void)options;
    return abacus_log_parse (text, len, name, frame, converged, err);
}

static bool is_stru (const struct frame_look *look)
{
    return has (look, "ATOMIC_SPECIES") && has (look, "LATTICE_CONSTANT");
}

static int parse_stru (const char *text, size_t len, const char *name,
                       const struct frame_options *options, struct frame *frame,
                       bool *converged, struct error *err)
{
    (void)options;
    (void)converged;
    return stru_parse (text, len, name, frame, err);
}

/* --- CP2K --- */

/* Its first lines may be those of libraries and launchers. */
static bool is_cp2k_out (const struct frame_look *look)
{
    return has (look, " CP2K| version string:");
}

static int parse_cp2k_out (const char *text, size_t len, const char *name,
                           const struct frame_options *options,
                           struct frame *frame, bool *converged,
                           struct error *err)
{
    (void)options;
    return cp2k_out_parse (text, len, name, frame, converged, err);
}

/* --- VASP --- */

static bool is_outcar (const struct frame_look *look)
{
    return !look->is_dir && has (look, " executed on ")
           && strncmp (look->bytes + strspn (look->bytes, " "), "vasp.", 5)
                  == 0;
}

static bool is_vasprun (const struct frame_look *look)
{
    return has (look, "<modeling>");
}

/* By its name: any text may be one, but a name that tells extended XYZ. */
static bool is_poscar (const struct frame_look *look)
{
    const char *dot = strrchr (look->name, '.');

    return !look->is_dir && !(strstr (look->name, "xyz") && is_extxyz (look))
           && (strncmp (look->name, "POSCAR", 6) == 0
               || strncmp (look->name, "CONTCAR", 7) == 0
               || (dot
                   && (strcmp (dot, ".vasp") == 0
                       || strcmp (dot, ".poscar") == 0)));
}

static int parse_poscar (const char *text, size_t len, const char *name,
                         const struct frame_options *options,
                         struct frame *frame, bool *converged,
                         struct error *err)
{
    (void)options;
    (void)converged;
    return poscar_parse (text, len, name, frame, err);
}

const struct frame_source frame_sources[] = {
    { .name = "deepmd",
      .what = "a directory of DeePMD systems",
      .is_one = is_deepmd,
      .open = open_deepmd,
      .next = next_deepmd,
      .close = close_deepmd },
    { .name = "qe-xml",
      .what = "Quantum ESPRESSO's data-file-schema.xml",
      .is_one = is_qe_xml,
      .parse = parse_qe_xml },
    { .name = "abacus-log",
      .what = "the running_scf.log of ABACUS",
      .is_one = is_abacus_log,
      .parse = parse_abacus_log },
    { .name = "stru",
      .what = "the STRU of ABACUS",
      .is_one = is_stru,
      .parse = parse_stru },
    { .name = "cp2k-out",
      .what = "the output of CP2K",
      .is_one = is_cp2k_out,
      .parse = parse_cp2k_out },
    { .name = "outcar",
      .what = "VASP's OUTCAR",
      .is_one = is_outcar,
      .open = outcar_frames_open,
      .next = outcar_frames_next,
      .close = outcar_frames_close },
    { .name = "vasprun",
      .what = "VASP's vasprun.xml",
      .is_one = is_vasprun,
      .open = vasprun_frames_open,
      .next = vasprun_frames_next,
      .close = vasprun_frames_close },
    { .name = "lammps-dump",
      .what = "a LAMMPS dump",
      .is_one = is_dump,
      .open = dump_frames_open,
      .next = dump_frames_next,
      .close = dump_frames_close },
    { .name = "lammps-data",
      .what = "a LAMMPS data file",
      .has_types = true,
      .is_one = is_data,
      .parse = parse_data },
    { .name = "poscar",
      .what = "a POSCAR of VASP",
      .is_one = is_poscar,
      .parse = parse_poscar },
    { .name = "extxyz",
      .what = "extended XYZ",
      .is_one = is_extxyz,
      .open = open_extxyz,
      .next = next_extxyz,
      .close = close_extxyz },
    { 0 },
};
