/* SPDX-License-Identifier: BSD-3-Clause */
/* test_frame_reader.c - any file as frames, and frames as any file */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <sys/stat.h>
#include <zlib.h>

#include "base/file.h"
#include "fixture.h"
#include "formats/frame.h"
#include "formats/frame_reader.h"
#include "formats/frame_writer.h"
#include "temp_dir.h"

static char *const elements[] = { "Si", "O" };

/* What is seen of a file: "extxyz: Si0 O1 e-1 f6 v9 T ... |" and the notes. */
static int describe (const char *path, const struct frame_options *options,
                     struct strbuf *text, struct strbuf *notes,
                     struct error *err)
{
    struct frame_reader *reader = frame_reader_open (path, options, err);
    struct frame frame = FRAME_INIT;
    int rc = -1;

    if (reader)
        strbuf_addf (text, "%s:", frame_reader_format (reader));
    while (reader && (rc = frame_reader_next (reader, &frame, err)) == 1) {
        size_t n = frame.n_atoms;

        for (size_t i = 0; i < n && i < 2; i++)
            strbuf_addf (text, " %s%.6g", frame.symbols[i],
                         frame.positions[3 * i]);
        if (frame.has_energy)
            strbuf_addf (text, " e%.6g", frame.energy);
        if (frame.forces)
            strbuf_addf (text, " f%.6g", frame.forces[3 * n - 1]);
        if (frame.has_virial)
            strbuf_addf (text, " v%.6g", frame.virial[8]);
        strbuf_addf (text, " %c%g |", frame.periodic[2] ? 'T' : 'F',
                     frame.cell[8]);
    }
    for (size_t i = 0; reader && i < frame_reader_notes (reader)->n; i++)
        strbuf_addf (notes, "%s\n", frame_reader_notes (reader)->v[i]);
    frame_release (&frame);
    frame_reader_close (reader);
    return rc;
}

static void expect (const char *path, const struct frame_options *options,
                    const char *expected, const char *expected_notes)
{
    struct strbuf text = STRBUF_INIT, notes = STRBUF_INIT;
    struct error err = ERROR_INIT;

    if (describe (path, options, &text, &notes, &err) < 0)
        fail_msg ("%s", err.text);
    assert_string_equal (text.buf, expected);
    assert_string_equal (notes.buf, expected_notes);
    strbuf_release (&text);
    strbuf_release (&notes);
}

static void expect_error (const char *path, const struct frame_options *options,
                          const char *expected)
{
    struct strbuf text = STRBUF_INIT, notes = STRBUF_INIT;
    struct error err = ERROR_INIT;

    assert_int_equal (describe (path, options, &text, &notes, &err), -1);
    err.text[strlen (expected)] = '\0'; /* formats that are added follow */
    assert_string_equal (err.text, expected);
    strbuf_release (&text);
    strbuf_release (&notes);
}

#define HEAD "Lattice=\"9 0 0 0 9 0 0 0 9\" Properties=species:S:1:pos:R:3"
#define SIO "2\n" HEAD "\nSi 0 0 0\nO 1 1 1\n"

/* Each format is told by what the file looks like, whatever its name. */
static void test_formats (void **state)
{
    struct frame_options options = FRAME_OPTIONS_INIT;
    struct strbuf data = STRBUF_INIT, xml = STRBUF_INIT, cp2k = STRBUF_INIT,
                  abacus = STRBUF_INIT;
    struct temp_dir dir;

    (void)state;
    fixture_read ("lammps/final.data", &data);
    fixture_read ("qe/si8.xml", &xml);
    fixture_read ("cp2k/h2o-2025.out", &cp2k);
    fixture_read ("abacus/nacl-3.out", &abacus);
    temp_dir_enter (&dir);
    write_text ("a", SIO);
    expect ("a", &options, "extxyz: Si0 O1 T9 |", "");
    write_text ("c", "ITEM: TIMESTEP\n7\nITEM: NUMBER OF ATOMS\n2\n"
                     "ITEM: BOX BOUNDS pp pp ff\n0 8\n0 8\n1 5\n"
                     "ITEM: ATOMS id type xs ys zs fx fy fz\n"
                     "2 2 0.5 0 0 4 5 6\n1 1 0.25 0 0 1 2 3\n");
    expect_error ("c", &options,
                  "frame 0: c: its atoms have types and no symbols; say what "
                  "types 1, 2 ... are, as in `--elements Si,O`");
    options.elements = elements;
    options.n_elements = 2;
    expect ("c", &options, "lammps-dump: Si2 O4 f6 F4 |",
            "units are taken to be LAMMPS's `metal`; say `--units` if they "
            "are others\n");
    options.units = "real";
    expect ("c", &options, "lammps-dump: Si2 O4 f0.260185 F4 |", "");
    options.units = "lj";
    expect_error ("c", &options,
                  "LAMMPS's units 'lj' are not read; `metal` and `real` are");
    options.units = NULL;
    write_text ("d", data.buf);
    expect ("d", &options, "lammps-data: Si0.0936163 Si10.7968 T10.862 |", "");
    options.n_elements = 0;
    expect_error ("d", &options,
                  "d: a LAMMPS data file has types of atoms and no symbols; "
                  "say what types 1, 2 ... are, as in `--elements Si,O`");
    write_text ("x", xml.buf);
    expect ("x", &options,
            "qe-xml: Si0.05431 Si0 e-849.901 f0.0233226 v3.63084 T5.431 |", "");
    write_text ("b", abacus.buf);
    expect ("b", &options,
            "abacus-log: Na0.0529177 Na2.64589 e-631.5 f-0.421195 v-0.175745 "
            "T5.29177 |",
            "");
    write_text ("s", "ATOMIC_SPECIES\nSi 28 Si.upf\nLATTICE_CONSTANT\n10\n"
                     "LATTICE_VECTORS\n1 0 0\n0 1 0\n0 0 1\n"
                     "ATOMIC_POSITIONS\nCartesian_angstrom\nSi\n0\n1\n"
                     "0.5 0 0\n");
    expect ("s", &options, "stru: Si0.5 T5.29177 |", "");
    write_text ("o", cp2k.buf);
    expect ("o", &options,
            "cp2k-out: O4 H4.757 e-468.575 f0.0447753 v-0.0186418 T8 |", "");
    temp_dir_leave (&dir);
    strbuf_release (&data);
    strbuf_release (&xml);
    strbuf_release (&cp2k);
    strbuf_release (&abacus);
}

static void test_vasp (void **state)
{
    struct frame_options options = FRAME_OPTIONS_INIT;
    struct strbuf outcar = STRBUF_INIT, xml = STRBUF_INIT;
    struct temp_dir dir;

    (void)state;
    fixture_read ("vasp/md.OUTCAR", &outcar);
    fixture_read ("vasp/md.xml", &xml);
    temp_dir_enter (&dir);
    write_text ("x", xml.buf);
    expect ("x", &options,
            "vasprun: Si0.107 Si2.515 e0.783213 f-4.35157 v7.82754 T5.3 | "
            "Si0.0938212 Si2.59536 e0.0631497 f-0.148562 v3.50362 T5.3 | "
            "Si0.0750275 Si2.60797 e-0.0556186 f-0.128188 v2.74704 T5.3 |",
            "");
    strstr (outcar.buf, "aborting loop because EDIFF")[9] = '?';
    outcar.buf[outcar.len - 900] = '\0';
    write_text ("o", outcar.buf);
    expect ("o", &options,
            "outcar: Si0.09382 Si2.59536 e0.0631497 f-0.148562 v3.50362 T5.3 |",
            "1 step is left out: the SCF did not converge\n"
            "the file ends within a step, which is left out\n");
    write_text ("CONTCAR.1", "x\n1\n9 0 0\n0 9 0\n0 0 9\nSi O\n1 1\nC\n0 0 "
                             "0\n1 1 1\n\n");
    expect ("CONTCAR.1", &options, "poscar: Si0 O1 T9 |", "");
    write_text ("POSCARs.extxyz", SIO);
    expect ("POSCARs.extxyz", &options, "extxyz: Si0 O1 T9 |", "");
    temp_dir_leave (&dir);
    strbuf_release (&outcar);
    strbuf_release (&xml);
}

/* --- files that end in a number --- */

/* A file whose last line ends in 1.5488, which "1." was, too. */
static const struct {
    const char *name;
    const char *text;
    const char *read; /* what is read: NAME, or the directory that it is in */
} ended[] = {
    { "a", "1\n" HEAD "\nSi 0 0 1.5488\n", "a" },
    { "POSCAR", "x\n1\n9 0 0\n0 9 0\n0 0 9\nSi\n1\nC\n0 0 1.5488\n", "POSCAR" },
    { "s",
      "ATOMIC_SPECIES\nSi 28 Si.upf\nLATTICE_CONSTANT\n10\n"
      "LATTICE_VECTORS\n1 0 0\n0 1 0\n0 0 1\nATOMIC_POSITIONS\n"
      "Cartesian_angstrom\nSi\n0\n1\n0.5 0 1.5488\n",
      "s" },
    { "d",
      "one atom\n\n1 atoms\n1 atom types\n\n0 5 xlo xhi\n0 5 ylo yhi\n"
      "0 5 zlo zhi\n\nAtoms # atomic\n\n1 1 0 0 1.5488\n",
      "d" },
    { "raw/coord.raw", "0 0 1\n0 0 1.5488\n", "raw" },
    { "raw/energy.raw", "1\n1.5488\n", "raw" },
    { "raw/type.raw", "0\n", "raw" },
    { "raw/type_map.raw", "Si\n", "raw" },
};

static void test_ended (void **state)
{
    struct frame_options options = FRAME_OPTIONS_INIT;
    struct temp_dir dir;

    (void)state;
    options.elements = elements;
    options.n_elements = 2;
    temp_dir_enter (&dir);
    assert_int_equal (file_make_dirs ("raw", NULL), 0);
    write_text ("raw/box.raw", "9 0 0 0 9 0 0 0 9\n9 0 0 0 9 0 0 0 9\n");
    for (size_t i = 0; i < ARRAY_SIZE (ended); i++)
        write_text (ended[i].name, ended[i].text);
    for (size_t i = 0; i < ARRAY_SIZE (ended); i++) {
        struct strbuf text = STRBUF_INIT, notes = STRBUF_INIT;
        size_t len = strlen (ended[i].text);

        if (describe (ended[i].read, &options, &text, &notes, NULL) < 0)
            fail_msg ("%s is not read", ended[i].name);
        for (size_t cut = 1; cut < 4 && cut < len; cut++) {
            struct error err = ERROR_INIT;

            strbuf_reset (&text);
            assert_int_equal (file_write_atomic (ended[i].name, ended[i].text,
                                                 len - cut, NULL),
                              0);
            if (ended[i].text[len - cut - 1] == '\n')
                break;
            if (describe (ended[i].read, &options, &text, &notes, &err) >= 0)
                fail_msg ("%s without its last %zu bytes: %s", ended[i].name,
                          cut, text.buf);
            if (!strstr (err.text, "without a line break")
                || !strstr (err.text, ended[i].name))
                fail_msg ("%s: %s", ended[i].name, err.text);
        }
        write_text (ended[i].name, ended[i].text);
        strbuf_release (&text);
        strbuf_release (&notes);
    }
    temp_dir_leave (&dir);
}

static void test_deepmd (void **state)
{
    struct frame_options options = FRAME_OPTIONS_INIT;
    char *path = fixture_path ("deepmd/cu4");
    struct strbuf text = STRBUF_INIT, notes = STRBUF_INIT;
    size_t n = 0;

    (void)state;
    assert_int_equal (describe (path, &options, &text, &notes, NULL), 0);
    for (const char *at = text.buf; (at = strchr (at, '|')); at++)
        n++;
    assert_int_equal (n, 20);
    assert_memory_equal (text.buf, "deepmd: Cu", 10);
    assert_string_equal (notes.buf, "");
    strbuf_release (&text);
    strbuf_release (&notes);
    free (path);
}

static void test_packed (void **state)
{
    struct frame_options options = FRAME_OPTIONS_INIT;
    struct temp_dir dir;
    gzFile f;

    (void)state;
    temp_dir_enter (&dir);
    f = gzopen ("a.gz", "w");
    assert_true (gzputs (f, SIO SIO) > 0);
    assert_int_equal (gzclose (f), Z_OK);
    expect ("a.gz", &options, "extxyz: Si0 O1 T9 | Si0 O1 T9 |", "");
    temp_dir_leave (&dir);
}

#define FRAME(keys, columns, numbers)                                          \
    "1\n" HEAD columns " " keys "\nSi 0 0 0 " numbers "\n"
#define VIRIAL "virial=\"1 2 3 4 5 6 7 8 9\""
static const struct {
    const char *text;
    struct extxyz_labels labels;
    const char *seen;
    const char *notes;
} label_cases[] = {
    { FRAME ("energy=-1 free_energy=-2", ":forces:R:3", "1 2 3"),
      EXTXYZ_LABELS_OF_ANYBODY, "extxyz: Si0 e-1 f3 T9 |",
      "energy: 'energy' is taken, 'free_energy' is left out; say "
      "--energy-key for another\n" },
    { FRAME ("energy=-1 REF_energy=-3", ":forces:R:3:REF_forces:R:3",
             "1 2 3 4 5 6"),
      EXTXYZ_LABELS_OF_ANYBODY, "extxyz: Si0 e-3 f6 T9 |",
      "forces: 'REF_forces' is taken, 'forces' is left out; say "
      "--force-key for another\n"
      "energy: 'REF_energy' is taken, 'energy' is left out; say "
      "--energy-key for another\n" },
    { FRAME ("energy=-1 REF_energy=-3", ":forces:R:3:REF_forces:R:3",
             "1 2 3 4 5 6"),
      { .of_anybody = true,
        .key = { [EXTXYZ_ENERGY] = "energy", [EXTXYZ_FORCES] = "forces" } },
      "extxyz: Si0 e-1 f3 T9 |",
      "the column 'REF_forces' is left out\n" },
    { FRAME ("Energy=-4", ":force:R:3", "1 2 3"), EXTXYZ_LABELS_OF_ANYBODY,
      "extxyz: Si0 e-4 f3 T9 |", "" },
    { FRAME ("my=-5", "", ""),
      { .key = { [EXTXYZ_ENERGY] = "my" } },
      "extxyz: Si0 e-5 T9 |",
      "" },
    { FRAME ("REF_stress=\"0 0 1e-2 0 0 0\"", "", ""), EXTXYZ_LABELS_OF_ANYBODY,
      "extxyz: Si0 v-7.29 T9 |", "" },
    { FRAME ("virial=[[1,2,3],[2,4,5],[3,5,6]] pbc=[T,T,F]", "", ""),
      EXTXYZ_LABELS_OF_ANYBODY, "extxyz: Si0 v6 F9 |", "" },
    { FRAME (VIRIAL " REF_stress=\"0 0 1e-2 0 0 0\"", "", ""),
      EXTXYZ_LABELS_OF_ANYBODY, "extxyz: Si0 v-7.29 T9 |",
      "'REF_stress' is taken, 'virial' is left out; --virial-key and "
      "--stress-key choose\n" },
    { FRAME (VIRIAL " stress=\"0 0 1e-2 0 0 0\"", "", ""),
      EXTXYZ_LABELS_OF_ANYBODY, "extxyz: Si0 v9 T9 |",
      "'virial' is taken, 'stress' is left out; --virial-key and "
      "--stress-key choose\n" },
    { FRAME (VIRIAL " stress=\"0 0 1e-2 0 0 0\"", "", ""),
      { .of_anybody = true, .key = { [EXTXYZ_STRESS] = "stress" } },
      "extxyz: Si0 v-7.29 T9 |",
      "'stress' is taken, 'virial' is left out; --virial-key and "
      "--stress-key choose\n" },
    { FRAME (VIRIAL " REF_stress=\"0 0 1e-2 0 0 0\"", "", ""),
      { .of_anybody = true, .key = { [EXTXYZ_VIRIAL] = "virial" } },
      "extxyz: Si0 v9 T9 |",
      "'virial' is taken, 'REF_stress' is left out; --virial-key and "
      "--stress-key choose\n" },
    { "1\nlattice=\"9 0 0 0 9 0 0 0 9\" properties=species:S:1:pos:R:3:"
      "force:R:3 PBC=\"T T F\" energy=-1\nSi 0 0 0 1 2 3\n",
      EXTXYZ_LABELS_OF_ANYBODY, "extxyz: Si0 e-1 f3 F9 |", "" },
    { FRAME ("dft_energy=1 dft_virial={1 2 3 4 5 6 7 8 9} pbc=F",
             ":dft_force:R:3:tags:I:1:move_mask:L:1", "1 2 3 0 T"),
      EXTXYZ_LABELS_OF_ANYBODY, "extxyz: Si0 e1 f3 v9 F9 |",
      "the column 'tags' is left out\n"
      "the column 'move_mask' is left out\n" },
    { FRAME ("d=\"_JSON {\\\"a\\\": [1, 2]}\" empty= energy=-6", "", ""),
      EXTXYZ_LABELS_OF_ANYBODY, "extxyz: Si0 e-6 T9 |", "" },
    { "1\nProperties=pos:R:3:Z:I:1 energy=1\n2 0 0 8\n",
      EXTXYZ_LABELS_OF_ANYBODY, "extxyz: O2 e1 F0 |", "" },
};

/* What ASE and others call their labels. */
static void test_labels (void **state)
{
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    for (size_t i = 0; i < ARRAY_SIZE (label_cases); i++) {
        const struct frame_options options = { .labels =
                                                   label_cases[i].labels };

        write_text ("f", label_cases[i].text);
        expect ("f", &options, label_cases[i].seen, label_cases[i].notes);
    }
    temp_dir_leave (&dir);
}

#define DUMP(units)                                                            \
    units "ITEM: TIMESTEP\n7\nITEM: NUMBER OF ATOMS\n1\n"                      \
          "ITEM: BOX BOUNDS pp pp pp\n0 8\n0 8\n1 5\n"                         \
          "ITEM: ATOMS element x y z fx fy fz\nSi 1 1 1 4 5 6\n"

/* LAMMPS tells units once, before the first frame. */
static void test_units_of_dumps (void **state)
{
    struct frame_options options = FRAME_OPTIONS_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    write_text ("f", DUMP ("ITEM: UNITS\nreal\n") DUMP (""));
    expect ("f", &options, "lammps-dump: Si1 f0.260185 T4 | Si1 f0.260185 T4 |",
            "");
    options.units = "metal";
    expect_error ("f", &options,
                  "frame 0: f: its units are 'real', and 'metal' were said; "
                  "leave out `--units`");
    temp_dir_leave (&dir);
}

/* It would be opened twice, and wait for ever for who writes. */
static void test_pipes (void **state)
{
    struct frame_options options = FRAME_OPTIONS_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    assert_int_equal (mkfifo ("p", 0600), 0);
    expect_error ("p", &options,
                  "'p' is a pipe or a device, which cannot be read twice; "
                  "write it to a file");
    options.format = "extxyz";
    expect_error ("p", &options, "'p' is a pipe or a device");
    options.format = NULL;
    assert_int_equal (file_make_dirs ("d", NULL), 0);
    write_text ("d/type.raw", "0\n");
    write_text ("d/nopbc", "");
    assert_int_equal (mkfifo ("d/coord.raw", 0600), 0);
    expect_error ("d", &options, "frame 0: 'd/coord.raw' is a pipe");
    assert_int_equal (mkfifo ("d/type_map.raw", 0600), 0);
    expect_error ("d", &options, "frame 0: 'd/type_map.raw' is a pipe");
    temp_dir_leave (&dir);
}

/* Refused, naming the place. */
static void test_broken (void **state)
{
    static const struct {
        const char *text;
        const char *format;
        const char *message;
    } cases[] = {
        { SIO "2\n" HEAD "\nSi 0 0 0\n", NULL,
          "frame 1: f:7: the file ends within a frame" },
        { SIO "2\n" HEAD "\nSi 0 0 0\nO 1 x 1\n", NULL,
          "frame 1: f:8: expected three coordinates from column 2 on" },
        { "1\nProperties=pos:R:3:Z:I:1\n0 0 0 999\n", NULL,
          "frame 0: f:3: expected an atomic number from column 4 on" },
        { "1\nLattice=[[1,0,0],[0,1,0],[0,0,1]]\nSi 0 0 0\n", NULL,
          "frame 0: f:2: Lattice: expected 9 numbers in one list" },
        { "1\nREF_energy=low\nSi 0 0 0\n", NULL,
          "frame 0: f:2: REF_energy: expected a number" },
        { "ITEM: TIMESTEP\n7\nITEM: NUMBER OF ATOMS\n2\n", NULL,
          "frame 0: f: the file ends within a frame" },
        { "ITEM: UNITS\nlj\nITEM: TIMESTEP\n7\nITEM: NUMBER OF ATOMS\n1\n"
          "ITEM: BOX BOUNDS pp pp pp\n0 8\n0 8\n1 5\n"
          "ITEM: ATOMS element x y z\nSi 1 1 1\n",
          NULL,
          "frame 0: f: LAMMPS's units 'lj' are not read; `metal` and `real` "
          "are" },
        { DUMP ("ITEM: UNITS\nreal\n") DUMP ("ITEM: UNITS\nmetal\n"), NULL,
          "frame 1: f: its units are 'metal', and 'real' were those of frames "
          "before it; read them one by one" },
        { "ITEM: TIMESTEP\n7\nITEM: NUMBER OF ATOMS\n1\n"
          "ITEM: BOX BOUNDS pp pp pp\n0 8\n0 8\n1 5\n"
          "ITEM: ATOMS id x y z\n1 1 1 1\n",
          NULL, "frame 0: f: neither a column 'element' nor 'type'; dump one" },
        { "hello\n", NULL,
          "'f' shows no format that is known; say it with --from: deepmd, " },
        { SIO, "vtk", "there is no format 'vtk'; there is deepmd, " },
        { SIO, "qe-xml", "frame 0: f:1: syntax error" },
    };
    struct frame_options options = FRAME_OPTIONS_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        options.format = cases[i].format;
        write_text ("f", cases[i].text);
        expect_error ("f", &options, cases[i].message);
    }
    options.format = NULL;
    assert_int_equal (file_make_dirs ("d", NULL), 0);
    expect_error ("d", &options,
                  "'d' is a directory without DeePMD data (type.raw); name a "
                  "file, or say its format with --from: deepmd, ");
    expect_error ("none", &options,
                  "cannot open 'none': No such file or directory");
    temp_dir_leave (&dir);
}

/* --- writing --- */

#define LABELLED                                                               \
    "2\nLattice=\"9.5 0.0 0.0 0.5 9.0 0.0 0.0 0.0 9.0\" "                      \
    "Properties=species:S:1:pos:R:3:forces:R:3 energy=-2.25 "                  \
    "virial=\"1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0\" pbc=\"T T T\""             \
    " fparam=\"0.5\" aparam=\"1.5 2.5\"\n"                                     \
    "O 0.1 0.0 0.0 1.0 2.0 3.0\nSi 1.0 1.0 1.0 4.0 5.0 6.0\n"

static int convert (const char *from, const struct frame_options *options,
                    const char *to, const struct frame_writing *writing,
                    struct error *err)
{
    struct frame_reader *reader = frame_reader_open (from, options, err);
    struct frame_writer *writer =
        reader ? frame_writer_open (to, writing, err) : NULL;
    struct frame frame = FRAME_INIT;
    int rc = writer ? 0 : -1, more = 1;

    while (rc == 0 && (more = frame_reader_next (reader, &frame, err)) == 1)
        rc = frame_writer_add (writer, &frame, err);
    if (rc == 0 && more == 0)
        rc = frame_writer_commit (writer, err);
    frame_release (&frame);
    frame_writer_close (writer);
    frame_reader_close (reader);
    return more < 0 ? -1 : rc;
}

static void must_convert (const char *from, const char *to, const char *format)
{
    const struct frame_options options = { .elements = elements,
                                           .n_elements = 2,
                                           .units = "metal",
                                           .labels = EXTXYZ_LABELS_OF_ANYBODY };
    const struct frame_writing writing = { .format = format,
                                           .elements = elements,
                                           .n_elements = 2,
                                           .names = EXTXYZ_NAMES_OURS };
    struct error err = ERROR_INIT;

    if (convert (from, &options, to, &writing, &err) < 0)
        fail_msg ("%s", err.text);
}

/* Through a format and back: what it holds comes back to the last bit. */
static void test_round_trips (void **state)
{
    static const struct {
        const char *format;
        const char *lost; /* of the second line */
    } cases[] = {
        { "extxyz", "" },
        { "deepmd", "" },
        { "deepmd-raw", "" },
        { "deepmd-mixed", "" },
        { "lammps-dump", " energy=-2.25 virial fparam aparam" },
    };
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    write_text ("a.xyz", LABELLED LABELLED);
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        must_convert ("a.xyz", "there", cases[i].format);
        must_convert ("there", "back.xyz", NULL);
        if (cases[i].lost[0] == '\0')
            assert_file_text ("back.xyz", LABELLED LABELLED);
        else
            assert_file_text (
                "back.xyz",
                "2\nLattice=\"9.5 0.0 0.0 0.5 9.0 0.0 0.0 0.0 9.0\" "
                "Properties=species:S:1:pos:R:3:forces:R:3 pbc=\"T T T\" "
                "step=0\n"
                "O 0.1 0.0 0.0 1.0 2.0 3.0\nSi 1.0 1.0 1.0 4.0 5.0 6.0\n"
                "2\nLattice=\"9.5 0.0 0.0 0.5 9.0 0.0 0.0 0.0 9.0\" "
                "Properties=species:S:1:pos:R:3:forces:R:3 pbc=\"T T T\" "
                "step=0\n"
                "O 0.1 0.0 0.0 1.0 2.0 3.0\nSi 1.0 1.0 1.0 4.0 5.0 6.0\n");
        assert_int_equal (file_remove_tree ("there", NULL, NULL), 0);
    }
    temp_dir_leave (&dir);
}

/* LAMMPS has a along x and b in the plane of x and y: another cell is turned,
 * with all that is in it.
 */
static void test_turned (void **state)
{
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    write_text ("a.xyz",
                "1\nLattice=\"0 4 0 0 0 5 6 0 0\" "
                "Properties=species:S:1:pos:R:3:forces:R:3 pbc=\"T T T\"\n"
                "Si 3 1 2 0.3 0.1 0.2\n");
    must_convert ("a.xyz", "b", "lammps-dump");
    must_convert ("b", "c.xyz", NULL);
    assert_file_text ("c.xyz",
                      "1\nLattice=\"4.0 0.0 0.0 0.0 5.0 0.0 0.0 0.0 6.0\" "
                      "Properties=species:S:1:pos:R:3:forces:R:3 pbc=\"T T T\" "
                      "step=0\nSi 1.0 2.0 3.0 0.1 0.2 0.3\n");
    temp_dir_leave (&dir);
}

/* A system that DeePMD-kit's people made is written as it was read. */
static void test_npy_to_the_bit (void **state)
{
    static const char *const names[] = { "coord", "box", "energy", "force",
                                         "virial" };
    static char *const copper[] = { "Cu" };
    const struct frame_options options = FRAME_OPTIONS_INIT;
    const struct frame_writing writing = { .format = "deepmd",
                                           .elements = copper,
                                           .n_elements = 1 };
    char *from = fixture_path ("deepmd/cu4");
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    assert_int_equal (convert (from, &options, "to", &writing, NULL), 0);
    for (size_t i = 0; i < ARRAY_SIZE (names); i++) {
        char *was = xasprintf ("%s/set.000/%s.npy", from, names[i]);
        char *is = xasprintf ("to/Cu4/set.000/%s.npy", names[i]);
        struct strbuf a = STRBUF_INIT, b = STRBUF_INIT;

        assert_int_equal (file_read (was, 1 << 20, &a, NULL), 0);
        assert_int_equal (file_read (is, 1 << 20, &b, NULL), 0);
        assert_int_equal (a.len, b.len);
        assert_memory_equal (a.buf, b.buf, a.len);
        strbuf_release (&a);
        strbuf_release (&b);
        free (was);
        free (is);
    }
    temp_dir_leave (&dir);
    free (from);
}

static void test_consumers (void **state)
{
#define ATOMS "O 0.1 0.0 0.0 1.0 2.0 3.0\nSi 1.0 1.0 1.0 4.0 5.0 6.0\n"
    static const struct {
        const char *name;
        const char *text;
    } cases[] = {
        { "nep", "2\nLattice=\"2.0 0.0 0.0 0.0 2.0 0.0 0.0 0.0 2.0\" "
                 "Properties=species:S:1:pos:R:3:force:R:3 energy=-2.25 "
                 "virial=\"8.0 0.0 0.0 0.0 8.0 0.0 0.0 0.0 8.0\" "
                 "pbc=\"T T T\" a=b\n" ATOMS },
        { "mace", "2\nLattice=\"2.0 0.0 0.0 0.0 2.0 0.0 0.0 0.0 2.0\" "
                  "Properties=species:S:1:pos:R:3:REF_forces:R:3 "
                  "REF_energy=-2.25 "
                  "REF_stress=\"-1.0 -0.0 -0.0 -0.0 -1.0 -0.0 -0.0 -0.0 -1.0\""
                  " pbc=\"T T T\" a=b\n" ATOMS },
        { "gap", "2\nLattice=\"2.0 0.0 0.0 0.0 2.0 0.0 0.0 0.0 2.0\" "
                 "Properties=species:S:1:pos:R:3:dft_force:R:3 "
                 "dft_energy=-2.25 "
                 "dft_virial=\"8.0 0.0 0.0 0.0 8.0 0.0 0.0 0.0 8.0\" "
                 "pbc=\"T T T\" a=b\n" ATOMS },
    };
    const struct frame_options options = FRAME_OPTIONS_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    write_text ("ours", cases[0].text);
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        const struct frame_consumer *consumer =
            frame_consumer_find (cases[i].name);
        struct frame_writing writing = { .format = consumer->format,
                                         .names = consumer->names };

        assert_int_equal (convert ("ours", &options, "to", &writing, NULL), 0);
        assert_file_text ("to", cases[i].text);
        /* ... and back, by names that are told apart */
        writing.names = frame_consumer_find ("nep")->names;
        assert_int_equal (convert ("to", &options, "again", &writing, NULL), 0);
        if (strcmp (cases[i].name, "mace") != 0) /* its zeros are negative */
            assert_file_text ("again", cases[0].text);
    }
    assert_null (frame_consumer_find ("pacemaker"));
    temp_dir_leave (&dir);
}

static void test_refused_writing (void **state)
{
    static const struct {
        const char *text;
        const char *to;
        size_t n_elements;
        const char *message;
    } cases[] = {
        { SIO, "b", 2,
          "the name 'b' says no format; say it with --to (extxyz, " },
        { SIO, "b.data", 0,
          "lammps-data numbers the elements; say in which order, as in "
          "`--elements Si,O`" },
        { SIO SIO, "b.data", 2,
          "lammps-data holds one frame, and there are more; choose one with "
          "--frames, or another format" },
        { SIO SIO, "POSCAR", 0, "poscar holds one frame, and there are more" },
        { "1\n\nSi 0 0 0\n", "b.vasp", 0,
          "a POSCAR needs a cell with a volume" },
        { SIO, "b.lammpstrj", 1, "atom 2: 'O' is not among the elements" },
        { "1\nLattice=\"9 0 0 9 0 0 0 0 9\"\nSi 0 0 0\n", "b.lammpstrj", 1,
          "the cell has no volume" },
    };
    const struct frame_options options = FRAME_OPTIONS_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        const struct frame_writing writing = { .elements = elements,
                                               .n_elements =
                                                   cases[i].n_elements };
        struct strvec names = STRVEC_INIT;
        struct error err = ERROR_INIT;

        write_text ("a", cases[i].text);
        assert_int_equal (convert ("a", &options, cases[i].to, &writing, &err),
                          -1);
        err.text[strlen (cases[i].message)] = '\0';
        assert_string_equal (err.text, cases[i].message);
        assert_int_equal (file_list_dir (".", &names, NULL), 0);
        assert_int_equal (names.n, 1); /* nothing was left */
        strvec_release (&names);
    }
    temp_dir_leave (&dir);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_formats),
        cmocka_unit_test (test_vasp),
        cmocka_unit_test (test_ended),
        cmocka_unit_test (test_deepmd),
        cmocka_unit_test (test_packed),
        cmocka_unit_test (test_labels),
        cmocka_unit_test (test_units_of_dumps),
        cmocka_unit_test (test_pipes),
        cmocka_unit_test (test_broken),
        cmocka_unit_test (test_round_trips),
        cmocka_unit_test (test_turned),
        cmocka_unit_test (test_npy_to_the_bit),
        cmocka_unit_test (test_consumers),
        cmocka_unit_test (test_refused_writing),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
