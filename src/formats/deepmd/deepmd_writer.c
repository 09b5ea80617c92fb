/* SPDX-License-Identifier: BSD-3-Clause */
/* deepmd_writer.c - DeePMD-kit's systems out of frames */
#include "base/base.h"

#include <endian.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "formats/deepmd/deepmd_set.h"
#include "formats/deepmd/deepmd_writer.h"
#include "formats/frame.h"
#include "formats/frame_origin.h"
#include "formats/lines.h"
#include "formats/npy/npy.h"

enum {
    BLOCK_BYTES = 256 * 1024, /* of an array are written together */
    NAME_MAX_BYTES = 200,     /* a longer formula is no name of a directory */
};

/* One array of a set: rows that wait to be written behind those that are. */
struct array {
    size_t width; /* of a row; 0: frames of this system have none */
    struct strbuf rows;
    bool is_started; /* the file is there */
};

struct system {
    char *name;
    int *types;
    size_t n_atoms;
    bool is_periodic;
    struct array arrays[DEEPMD_ARRAYS];
    size_t n_frames;       /* of the set at hand */
    size_t n_sets;         /* before it */
    size_t n_all;          /* frames of all sets */
    struct strbuf origins; /* of the first so many of them */
    size_t n_origins;
};

/* What a frame has for each array. */
struct row {
    const double *values; /* NULL: nothing */
    size_t width;
};

struct deepmd_writer {
    struct deepmd_writing writing;
    char *dir;
    struct system *systems;
    size_t n_systems;
    size_t alloc;
    struct strvec paths; /* of files and directories, to be synced */
};

/* --- frames --- */

/* The numbers of key="..." in the frame's info, in 'values' (caller frees), and
 * how many there are; 0 without the key.  False when something there is none.
 */
static bool info_numbers (const struct frame *frame, const char *key,
                          double **values, size_t *n)
{
    struct lines words = { 0 };
    size_t alloc = 0, len;

    *values = NULL;
    *n = 0;
    if (!frame_info_value (frame, key, &words.at, &len))
        return true;
    words.end = words.at + len;
    while (!lines_at_end (&words)) {
        *values = grow_array (*values, *n, &alloc, sizeof (**values));
        if (!lines_take_number (&words, &(*values)[*n]))
            return false;
        ++*n;
    }
    return true;
}

/* Parameters of the frame, or as many of each of n_each atoms. */
static int check_parameters (const struct frame *frame, const char *key,
                             size_t n_each, struct error *err)
{
    _cleanup_free_ double *values = NULL;
    size_t n;
    int rc = 0;

    if (!info_numbers (frame, key, &values, &n))
        rc = error_set (err, "%s: expected numbers", key);
    else if (!all_finite (values, n))
        rc = error_set (err, "%s: a number is not finite", key);
    else if (n % n_each != 0)
        rc = error_set (err,
                        "%s: %zu numbers for %zu atoms; write as many "
                        "for each atom",
                        key, n, n_each);
    return rc;
}

int deepmd_frame_check (const struct frame *frame,
                        const struct deepmd_writing *writing, bool for_training,
                        struct error *err)
{
    int n_periodic = 0;

    for (int i = 0; i < 3; i++)
        n_periodic += frame->periodic[i];
    if (frame->n_atoms == 0)
        return error_set (err, "no atoms");
    if (for_training && (!frame->has_energy || !frame->forces))
        return error_set (err, "no %s",
                          frame->has_energy ? "forces" : "energy");
    if (n_periodic != 0 && n_periodic != 3)
        return error_set (err, "periodic in some directions only; DeePMD "
                               "data are in all of them or in none");
    if (frame_check_finite (frame, err) < 0
        || check_parameters (frame, "fparam", 1, err) < 0
        || check_parameters (frame, "aparam", frame->n_atoms, err) < 0)
        return -1;
    for (size_t i = 0; i < frame->n_atoms; i++) {
        if (words_index (writing->elements, writing->n_elements,
                         frame->symbols[i])
            == writing->n_elements)
            return error_set (err, "'%s' is not among the elements",
                              frame->symbols[i]);
    }
    return 0;
}

static int *frame_types (const struct deepmd_writer *writer,
                         const struct frame *frame)
{
    int *types = xcalloc (frame->n_atoms, sizeof (*types));

    for (size_t i = 0; i < frame->n_atoms; i++)
        types[i] =
            (int)words_index (writer->writing.elements,
                              writer->writing.n_elements, frame->symbols[i]);
    return types;
}

/* --- systems --- */

/* "Si8", "H2O1" (elements in the order of the type map). */
static char *formula (const struct deepmd_writer *writer, const int *types,
                      size_t n_atoms)
{
    struct strbuf name = STRBUF_INIT;

    for (size_t type = 0; type < writer->writing.n_elements; type++) {
        size_t n = 0;

        for (size_t i = 0; i < n_atoms; i++)
            n += types[i] == (int)type;
        if (n > 0)
            strbuf_addf (&name, "%s%zu", writer->writing.elements[type], n);
    }
    if (name.len > NAME_MAX_BYTES) {
        strbuf_reset (&name);
        strbuf_addf (&name, "atoms%zu", n_atoms);
    }
    return strbuf_detach (&name);
}

static bool is_of_system (const struct system *system, const int *types,
                          const struct row rows[DEEPMD_ARRAYS], bool is_mixed,
                          const struct frame *frame)
{
    if (system->n_atoms != frame->n_atoms
        || system->is_periodic != frame->periodic[0]
        || (!is_mixed
            && memcmp (system->types, types, frame->n_atoms * sizeof (*types))
                   != 0))
        return false;
    for (int i = 0; i < DEEPMD_ARRAYS; i++) {
        if (system->arrays[i].width != rows[i].width)
            return false;
    }
    return true;
}

/* How many systems have this name, with whatever suffix. */
static int count_named (const struct deepmd_writer *writer, const char *name)
{
    size_t len = strlen (name);
    int n = 0;

    for (size_t i = 0; i < writer->n_systems; i++) {
        const char *other = writer->systems[i].name;

        n += strncmp (other, name, len) == 0
             && (other[len] == '\0' || other[len] == '-');
    }
    return n;
}

/* Takes over 'types'. */
static struct system *add_system (struct deepmd_writer *writer, int *types,
                                  const struct row rows[DEEPMD_ARRAYS],
                                  const struct frame *frame)
{
    char *name = writer->writing.form == DEEPMD_MIXED
                     ? xasprintf ("%zu", frame->n_atoms)
                     : formula (writer, types, frame->n_atoms);
    int others = count_named (writer, name);
    struct system *system;

    writer->systems = grow_array (writer->systems, writer->n_systems,
                                  &writer->alloc, sizeof (*system));
    system = &writer->systems[writer->n_systems++];
    *system = (struct system){ .name = name,
                               .types = types,
                               .n_atoms = frame->n_atoms,
                               .is_periodic = frame->periodic[0],
                               .origins = STRBUF_INIT };
    for (int i = 0; i < DEEPMD_ARRAYS; i++)
        system->arrays[i] =
            (struct array){ .width = rows[i].width, .rows = STRBUF_INIT };
    if (others > 0) {
        system->name = xasprintf ("%s-%d", name, others);
        free (name);
    }
    return system;
}

/* --- files --- */

static char *array_path (const struct deepmd_writer *writer,
                         const struct system *system, enum deepmd_array array)
{
    const char *name = deepmd_array_name (array);

    if (writer->writing.form == DEEPMD_RAW)
        return xasprintf ("%s/%s/%s.raw", writer->dir, system->name, name);
    return xasprintf ("%s/%s/set.%03zu/%s.npy", writer->dir, system->name,
                      system->n_sets, name);
}

/* Write at the end of the file, or its header at the beginning. */
static int write_part (const char *path, const struct strbuf *part,
                       bool is_header, struct error *err)
{
    int fd =
        file_open (path, O_WRONLY | O_CREAT | (is_header ? 0 : O_APPEND), 0666);
    int rc = -1;

    if (fd < 0)
        return error_errno (err, "cannot write '%s'", path);
    if (file_write_all (fd, part->buf, part->len, err) == 0)
        rc = 0;
    else
        error_prefix (err, "%s", path);
    file_close (fd);
    return rc;
}

static int write_text (struct deepmd_writer *writer, const char *system,
                       const char *name, const struct strbuf *text,
                       struct error *err)
{
    _cleanup_free_ char *path =
        xasprintf ("%s/%s/%s", writer->dir, system, name);
    int rc = write_part (path, text, false, err);

    strvec_push (&writer->paths, path);
    return rc;
}

/* The types of the atoms, and what they are called. */
static int write_types (struct deepmd_writer *writer,
                        const struct system *system, struct error *err)
{
    bool is_mixed = writer->writing.form == DEEPMD_MIXED;
    _cleanup_ (strbuf_release) struct strbuf types = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf names = STRBUF_INIT;
    const struct strbuf nothing = STRBUF_INIT;
    int rc = -1;

    for (size_t i = 0; i < system->n_atoms; i++)
        strbuf_addf (&types, "%d\n", is_mixed ? 0 : system->types[i]);
    for (size_t i = 0; i < writer->writing.n_elements; i++)
        strbuf_addf (&names, "%s\n", writer->writing.elements[i]);
    if (write_text (writer, system->name, "type.raw", &types, err) == 0
        && write_text (writer, system->name, "type_map.raw", &names, err) == 0
        && (system->is_periodic
            || write_text (writer, system->name, "nopbc", &nothing, err) == 0))
        rc = 0;
    return rc;
}

static const char *dtype_of (const struct deepmd_writer *writer,
                             enum deepmd_array array)
{
    return array == DEEPMD_REAL_TYPES ? "<i4"
           : writer->writing.float32  ? "<f4"
                                      : "<f8";
}

/* The header of an array of so many rows.  It has one length, so that it can be
 * written before the rows are counted.
 */
static void add_header (const struct deepmd_writer *writer,
                        enum deepmd_array array, size_t n_rows, size_t width,
                        struct strbuf *out)
{
    const uint64_t shape[2] = { n_rows, width };

    npy_format_header (dtype_of (writer, array), array == DEEPMD_ENERGY ? 1 : 2,
                       shape, out);
}

static int flush_array (struct deepmd_writer *writer, struct system *system,
                        enum deepmd_array array, struct error *err)
{
    struct array *a = &system->arrays[array];
    _cleanup_free_ char *path = array_path (writer, system, array);
    _cleanup_ (strbuf_release) struct strbuf header = STRBUF_INIT;
    int rc = 0;

    if (!a->is_started && writer->writing.form != DEEPMD_RAW) {
        add_header (writer, array, system->n_frames, a->width, &header);
        rc = write_part (path, &header, false, err);
    }
    if (!a->is_started)
        strvec_push (&writer->paths, path);
    if (rc == 0)
        rc = write_part (path, &a->rows, false, err);
    a->is_started = true;
    strbuf_reset (&a->rows);
    return rc;
}

/* Write the rest of a set, and how much there is. */
static int finish_array (struct deepmd_writer *writer, struct system *system,
                         enum deepmd_array array, struct error *err)
{
    struct array *a = &system->arrays[array];
    _cleanup_free_ char *path = array_path (writer, system, array);
    _cleanup_ (strbuf_release) struct strbuf header = STRBUF_INIT;
    bool was_started = a->is_started;
    int rc = flush_array (writer, system, array, err);

    if (rc == 0 && was_started && writer->writing.form != DEEPMD_RAW) {
        add_header (writer, array, system->n_frames, a->width, &header);
        rc = write_part (path, &header, true, err);
    }
    a->is_started = false;
    return rc;
}

/* The directory of a set, and that of the system, if it is new. */
static int make_dirs (struct deepmd_writer *writer, const struct system *system,
                      struct error *err)
{
    _cleanup_free_ char *coord = array_path (writer, system, DEEPMD_COORD);
    int rc = file_make_parent (coord, err);

    if (writer->writing.form != DEEPMD_RAW)
        strvec_pushf (&writer->paths, "%s/%s/set.%03zu", writer->dir,
                      system->name, system->n_sets);
    if (system->n_sets == 0)
        strvec_pushf (&writer->paths, "%s/%s", writer->dir, system->name);
    return rc;
}

/* Frames without an origin have a line, too, if another has one. */
static void add_origin (struct system *system, const struct frame *frame)
{
    const char *origin;
    size_t len;

    if (frame_info_value (frame, FRAME_ORIGIN, &origin, &len)) {
        for (; system->n_origins < system->n_all; system->n_origins++)
            strbuf_add_str (&system->origins, "-\n");
        strbuf_addf (&system->origins, "%.*s\n", (int)len, origin);
        system->n_origins++;
    }
    system->n_all++;
}

static int write_origins (struct deepmd_writer *writer, struct system *system,
                          struct error *err)
{
    if (system->n_origins == 0)
        return 0;
    for (; system->n_origins < system->n_all; system->n_origins++)
        strbuf_add_str (&system->origins, "-\n");
    return write_text (writer, system->name, "origins.txt", &system->origins,
                       err);
}

static int finish_set (struct deepmd_writer *writer, struct system *system,
                       struct error *err)
{
    for (int i = 0; i < DEEPMD_ARRAYS; i++) {
        if (system->arrays[i].width > 0
            && finish_array (writer, system, i, err) < 0)
            return -1;
    }
    system->n_sets++;
    system->n_frames = 0;
    return 0;
}

/* --- rows --- */

static void add_number (double value, const char *dtype, struct strbuf *out)
{
    union {
        double f8;
        float f4;
        int32_t i4;
        uint64_t u8;
        uint32_t u4;
    } item;

    if (strcmp (dtype, "<f8") == 0) {
        item.f8 = value;
        item.u8 = htole64 (item.u8);
        strbuf_add (out, &item.u8, sizeof (item.u8));
        return;
    }
    if (strcmp (dtype, "<f4") == 0)
        item.f4 = (float)value;
    else
        item.i4 = (int32_t)value;
    item.u4 = htole32 (item.u4);
    strbuf_add (out, &item.u4, sizeof (item.u4));
}

static void add_row (const struct deepmd_writer *writer,
                     enum deepmd_array array, const struct row *row,
                     struct strbuf *out)
{
    bool is_raw = writer->writing.form == DEEPMD_RAW;

    for (size_t i = 0; i < row->width; i++) {
        if (!is_raw) {
            add_number (row->values[i], dtype_of (writer, array), out);
            continue;
        }
        if (i > 0)
            strbuf_add_char (out, ' ');
        strbuf_add_double (out, row->values[i]);
    }
    if (is_raw)
        strbuf_add_char (out, '\n');
}

static int add_rows (struct deepmd_writer *writer, struct system *system,
                     const struct row rows[DEEPMD_ARRAYS], struct error *err)
{
    if (system->n_frames == 0
        && (make_dirs (writer, system, err) < 0
            || (system->n_sets == 0 && write_types (writer, system, err) < 0)))
        return -1;
    system->n_frames++;
    for (int i = 0; i < DEEPMD_ARRAYS; i++) {
        struct strbuf *waiting = &system->arrays[i].rows;

        if (rows[i].width > 0)
            add_row (writer, i, &rows[i], waiting);
        if (waiting->len >= BLOCK_BYTES
            && flush_array (writer, system, i, err) < 0)
            return -1;
    }
    return system->n_frames == writer->writing.set_size
               ? finish_set (writer, system, err)
               : 0;
}

/* What the frame has; 'own' are its parameters and types as numbers, which the
 * caller frees.
 */
static void make_rows (const struct deepmd_writer *writer,
                       const struct frame *frame, const int *types,
                       double *own[3], struct row rows[DEEPMD_ARRAYS])
{
    size_t n = frame->n_atoms;

    memset (rows, 0, DEEPMD_ARRAYS * sizeof (*rows));
    rows[DEEPMD_COORD] = (struct row){ frame->positions, 3 * n };
    if (frame->periodic[0])
        rows[DEEPMD_BOX] = (struct row){ frame->cell, 9 };
    if (frame->has_energy)
        rows[DEEPMD_ENERGY] = (struct row){ &frame->energy, 1 };
    if (frame->forces)
        rows[DEEPMD_FORCE] = (struct row){ frame->forces, 3 * n };
    if (frame->has_virial)
        rows[DEEPMD_VIRIAL] = (struct row){ frame->virial, 9 };
    (void)info_numbers (frame, "fparam", &own[0], &rows[DEEPMD_FPARAM].width);
    rows[DEEPMD_FPARAM].values = own[0];
    (void)info_numbers (frame, "aparam", &own[1], &rows[DEEPMD_APARAM].width);
    rows[DEEPMD_APARAM].values = own[1];
    if (writer->writing.form != DEEPMD_MIXED)
        return;
    own[2] = xcalloc (n, sizeof (*own[2]));
    for (size_t i = 0; i < n; i++)
        own[2][i] = types[i];
    rows[DEEPMD_REAL_TYPES] = (struct row){ own[2], n };
}

int deepmd_writer_add (struct deepmd_writer *writer, const struct frame *frame,
                       struct error *err)
{
    bool is_mixed = writer->writing.form == DEEPMD_MIXED;
    int *types = frame_types (writer, frame), rc;
    double *own[3] = { NULL, NULL, NULL };
    struct row rows[DEEPMD_ARRAYS];
    struct system *system = NULL;

    make_rows (writer, frame, types, own, rows);
    for (size_t i = 0; !system && i < writer->n_systems; i++) {
        if (is_of_system (&writer->systems[i], types, rows, is_mixed, frame))
            system = &writer->systems[i];
    }
    if (!system) {
        system = add_system (writer, types, rows, frame);
        types = NULL;
    }
    add_origin (system, frame);
    rc = add_rows (writer, system, rows, err);
    free (types);
    for (int i = 0; i < 3; i++)
        free (own[i]);
    return rc;
}

struct deepmd_writer *deepmd_writer_create (
    const char *dir, const struct deepmd_writing *writing, struct error *err)
{
    struct deepmd_writer *writer;

    if (mkdir (dir, 0777) < 0) {
        error_errno (err, "cannot create '%s'", dir);
        return NULL;
    }
    writer = xcalloc (1, sizeof (*writer));
    writer->writing = *writing;
    writer->dir = xstrdup (dir);
    strvec_init (&writer->paths);
    return writer;
}

int deepmd_writer_finish (struct deepmd_writer *writer, struct error *err)
{
    for (size_t i = 0; i < writer->n_systems; i++) {
        struct system *system = &writer->systems[i];

        if ((system->n_frames > 0 && finish_set (writer, system, err) < 0)
            || write_origins (writer, system, err) < 0)
            return -1;
    }
    strvec_push (&writer->paths, writer->dir);
    return file_sync_all (&writer->paths, NULL, err);
}

void deepmd_writer_destroy (struct deepmd_writer *writer)
{
    if (!writer)
        return;
    for (size_t i = 0; i < writer->n_systems; i++) {
        struct system *system = &writer->systems[i];

        for (int array = 0; array < DEEPMD_ARRAYS; array++)
            strbuf_release (&system->arrays[array].rows);
        strbuf_release (&system->origins);
        free (system->name);
        free (system->types);
    }
    free (writer->systems);
    strvec_release (&writer->paths);
    free (writer->dir);
    free (writer);
}
