/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_frame_reader.c - any bytes as a file of each format, and as each file of
 * a DeePMD system; what is read is written in each form and looked at as data
 */
#include "base/base.h"

#include "formats/frame.h"
#include "formats/frame_reader.h"
#include "formats/frame_source.h"
#include "formats/frame_writer.h"
#include "fuzz.h"
#include "fuzz_dir.h"
#include "selection/dataset/closest_pairs.h"
#include "selection/dataset/dataset_stats.h"
#include "selection/dataset/like_frames.h"
#include "selection/dataset/virial_check.h"

enum { FRAMES_MAX = 20, ATOMS_MAX = 50 };

static char *const elements[] = { "Si", "O" };

struct dataset {
    struct dataset_stats stats;
    struct closest_pairs closest;
    struct like_frames like;
    struct virial_check virials;
};

/* Written as extended XYZ a frame is one that can be read. */
static void write_and_read (const struct frame *frame)
{
    struct strbuf text = STRBUF_INIT;
    struct frame again = FRAME_INIT;
    struct error err = ERROR_INIT;

    extxyz_format (frame, &text);
    if (extxyz_parse (text.buf, text.len, "w", 1, &again, &err) < 0)
        fprintf (stderr, "%s\n%s\n", err.text, text.buf);
    must_hold (again.n_atoms == frame->n_atoms, "what was written is read");
    must_hold (again.has_energy == frame->has_energy, "with its energy");
    frame_release (&again);
    strbuf_release (&text);
}

/* No form crashes, and what it refuses it says. */
static void write_all (const struct frame *frame)
{
    static const char *const forms[] = { "lammps-data", "lammps-dump",
                                         "deepmd-raw", "deepmd-mixed" };
    char *path = path_join (fuzz_dir (), "written");

    for (size_t i = 0; i < sizeof (forms) / sizeof (forms[0]); i++) {
        const struct frame_writing writing = { .format = forms[i],
                                               .elements = elements,
                                               .n_elements = 2 };
        struct error err = ERROR_INIT;
        struct frame_writer *writer = frame_writer_open (path, &writing, &err);

        must_hold (writer != NULL, "there is room for files");
        if (frame_writer_add (writer, frame, &err) < 0)
            must_hold (err.text[0], "a complaint");
        frame_writer_close (writer);
    }
    must_hold (!file_exists (path), "what is not committed is not there");
    free (path);
}

static void take_frame (const struct frame *frame, size_t number,
                        struct dataset *dataset)
{
    const struct frame_mark mark = { 0, number };

    dataset_stats_add (&dataset->stats, frame, mark);
    like_frames_add (&dataset->like, frame, mark);
    if (frame->n_atoms > ATOMS_MAX)
        return;
    closest_pairs_add (&dataset->closest, frame, mark);
    write_and_read (frame);
    if (number == 0)
        write_all (frame);
}

static void note_same (const struct like_frame *a, const struct like_frame *b,
                       void *arg)
{
    (void)arg;
    must_hold (a->n_atoms == b->n_atoms, "the same frames have the same atoms");
}

static void note_strained (const struct like_frame *a,
                           const struct like_frame *b, void *arg)
{
    virial_check_add (&((struct dataset *)arg)->virials, a, b);
}

static void look_at (struct dataset *dataset)
{
    struct virial_finding finding;

    like_frames_each (&dataset->like, note_same, note_strained, dataset);
    finding = virial_check_judge (&dataset->virials);
    must_hold (dataset->virials.n_pairs > 0
                   || finding.verdict == VIRIAL_UNKNOWN,
               "nothing follows from no pairs");
    dataset_stats_release (&dataset->stats);
    closest_pairs_release (&dataset->closest);
    like_frames_release (&dataset->like);
}

static void read_frames (const char *path, const char *format)
{
    const struct frame_options options = { .format = format,
                                           .elements = elements,
                                           .n_elements = 2,
                                           .columns = "id type x y z",
                                           .labels = EXTXYZ_LABELS_OF_ANYBODY };
    struct error err = ERROR_INIT;
    struct frame_reader *reader = frame_reader_open (path, &options, &err);
    struct frame frame = FRAME_INIT;
    struct dataset dataset = { .virials = VIRIAL_CHECK_INIT };
    size_t n = 0;
    int rc = -1;

    while (reader && n < FRAMES_MAX
           && (rc = frame_reader_next (reader, &frame, &err)) == 1)
        take_frame (&frame, n++, &dataset);
    if (rc < 0)
        must_hold (err.text[0], "a complaint");
    look_at (&dataset);
    frame_release (&frame);
    frame_reader_close (reader);
}

/* A system of two atoms, one of whose files are the bytes. */
static void read_system (const char *name, const uint8_t *data, size_t size)
{
    static const char coord[] = "0 0 0 1 1 1\n", box[] = "5 0 0 0 5 0 0 0 5\n";
    char *system = path_join (fuzz_dir (), "system");
    char *file = xasprintf ("system/%s", name);

    must_hold (file_remove_tree (system, NULL, NULL) == 0
                   && file_make_dirs (system, NULL) == 0,
               "a directory can be made");
    fuzz_file ("system/type.raw", "0 1\n", 4);
    fuzz_file ("system/coord.raw", coord, sizeof (coord) - 1);
    fuzz_file ("system/box.raw", box, sizeof (box) - 1);
    if (strncmp (name, "set.", 4) == 0) {
        char *set = path_join (system, "set.000");

        must_hold (file_make_dirs (set, NULL) == 0, "a directory can be made");
        free (set);
        fuzz_file ("system/set.000/coord.npy", data, size);
        fuzz_file ("system/nopbc", "", 0);
    }
    fuzz_file (file, data, size);
    read_frames (system, NULL);
    free (system);
    free (file);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    static const char *const parts[] = {
        "type.raw",   "type_map.raw",
        "coord.raw",  "box.raw",
        "fparam.raw", "set.000/coord.npy",
        "force.raw",  "set.000/real_atom_types.npy",
    };
    char *path = path_join (fuzz_dir (), "frames");

    fuzz_file ("frames", data, size);
    read_frames (path, NULL);
    for (const struct frame_source *s = frame_sources; s->name; s++)
        read_frames (path, s->name);
    for (size_t i = 0; i < sizeof (parts) / sizeof (parts[0]); i++)
        read_system (parts[i], data, size);
    free (path);
    return 0;
}
