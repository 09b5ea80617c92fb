/* SPDX-License-Identifier: BSD-3-Clause */
/* deepmd_frames.c - frames out of DeePMD-kit's directories */
#include "base/base.h"

#include <sys/stat.h>

#include "base/file.h"
#include "formats/deepmd/deepmd_frames.h"
#include "formats/deepmd/deepmd_set.h"
#include "formats/deepmd/deepmd_systems.h"
#include "formats/deepmd/deepmd_types.h"
#include "formats/frame.h"
#include "formats/frame_reader.h"

enum {
    TYPES_MAX = 1000000,
};

struct deepmd_frames {
    char *const *elements;
    size_t n_elements;
    struct strvec systems;
    size_t next_system;
    struct deepmd_types types; /* of the system at hand */
    struct strvec sets;        /* of it that are not opened yet, from 'next' */
    size_t next_set;
    bool is_raw;
    struct deepmd_set *set; /* NULL: none is open */
    size_t n_frames;        /* of it, so far */
};

/* --- frames --- */

/* What type 'type' (from 0) is called; NULL with 'err'. */
static const char *name_of (const struct deepmd_frames *f, size_t type,
                            struct error *err)
{
    const struct strvec *names = &f->types.names;

    if (names->n == 0 && type < f->n_elements)
        return f->elements[type];
    if (type < names->n)
        return names->v[type];
    error_set (err,
               names->n > 0 || f->n_elements > 0
                   ? "no element is of type %zu; add it to type_map.raw"
                   : "no element is of type %zu; add type_map.raw, or say "
                     "`--elements`",
               type);
    return NULL;
}

static int set_atom (const struct deepmd_frames *f, size_t atom, double type,
                     struct frame *frame, size_t to, struct error *err)
{
    const double *positions = deepmd_set_row (f->set, DEEPMD_COORD, NULL);
    const double *forces = deepmd_set_row (f->set, DEEPMD_FORCE, NULL);
    const char *name;

    if (type > TYPES_MAX)
        return error_set (err, "type %g of an atom", type);
    if (!(name = name_of (f, (size_t)type, err)))
        return -1;
    if (symbol_set (frame->symbols[to], name, strlen (name)) < 0)
        return error_set (err, "'%s' is no name of an element", name);
    memcpy (frame->positions + 3 * to, positions + 3 * atom,
            3 * sizeof (*positions));
    if (forces)
        memcpy (frame->forces + 3 * to, forces + 3 * atom,
                3 * sizeof (*forces));
    return 0;
}

/* The types of the frame's atoms, from 0; below 0: no atom. */
static double type_of (const struct deepmd_frames *f, size_t atom)
{
    const double *real = deepmd_set_row (f->set, DEEPMD_REAL_TYPES, NULL);

    return real ? real[atom] : f->types.types[atom] - 1;
}

static int set_atoms (const struct deepmd_frames *f, struct frame *frame,
                      struct error *err)
{
    bool with_forces = deepmd_set_row (f->set, DEEPMD_FORCE, NULL) != NULL;
    size_t n = 0;

    for (size_t i = 0; i < f->types.n_atoms; i++) {
        double type = type_of (f, i);

        if (!(type >= -1) || type != floor (type))
            return error_set (err,
                              "atom %zu has type %g; types are whole numbers "
                              "from 0 on, and -1 is no atom",
                              i + 1, type);
        n += type >= 0;
    }
    if (n == 0)
        return error_set (err, "it has no atoms");
    if (frame_resize (frame, n, with_forces, err) < 0)
        return -1;
    n = 0;
    for (size_t i = 0; i < f->types.n_atoms; i++) {
        double type = type_of (f, i);

        if (type >= 0 && set_atom (f, i, type, frame, n++, err) < 0)
            return -1;
    }
    return 0;
}

/* Does number i of the parameters belong to an atom that is none? */
static bool is_virtual (const struct deepmd_frames *f, enum deepmd_array array,
                        size_t i, size_t width)
{
    size_t n_atoms = f->types.n_atoms;

    return array == DEEPMD_APARAM && n_atoms > 0 && width % n_atoms == 0
           && type_of (f, i / (width / n_atoms)) < 0;
}

/* fparam="1.0 2.0" */
static void add_parameters (const struct deepmd_frames *f,
                            enum deepmd_array array, struct strbuf *info)
{
    size_t width = 0;
    const double *row = deepmd_set_row (f->set, array, &width);
    const char *before = "";

    if (!row)
        return;
    strbuf_addf (info, "%s%s=\"", info->len > 0 ? " " : "",
                 deepmd_array_name (array));
    for (size_t i = 0; i < width; i++) {
        if (is_virtual (f, array, i, width))
            continue;
        strbuf_add_str (info, before);
        strbuf_add_double (info, row[i]);
        before = " ";
    }
    strbuf_add_char (info, '"');
}

static void set_labels (const struct deepmd_frames *f, struct frame *frame)
{
    const double *box = deepmd_set_row (f->set, DEEPMD_BOX, NULL);
    const double *energy = deepmd_set_row (f->set, DEEPMD_ENERGY, NULL);
    const double *virial = deepmd_set_row (f->set, DEEPMD_VIRIAL, NULL);
    struct strbuf info = STRBUF_INIT;

    for (int i = 0; i < 3; i++)
        frame->periodic[i] = f->types.periodic;
    if (box)
        memcpy (frame->cell, box, sizeof (frame->cell));
    frame->has_energy = energy != NULL;
    frame->has_virial = virial != NULL;
    if (energy)
        frame->energy = energy[0];
    if (virial)
        memcpy (frame->virial, virial, sizeof (frame->virial));
    add_parameters (f, DEEPMD_FPARAM, &info);
    add_parameters (f, DEEPMD_APARAM, &info);
    if (info.len > 0)
        frame->info = strbuf_detach (&info);
}

static int make_frame (struct deepmd_frames *f, struct frame *frame,
                       struct error *err)
{
    struct frame made = FRAME_INIT;

    if (set_atoms (f, &made, err) < 0) {
        frame_release (&made);
        return error_prefix (err, "%s: frame %zu", deepmd_set_name (f->set),
                             f->n_frames);
    }
    set_labels (f, &made);
    f->n_frames++;
    frame_release (frame);
    *frame = made;
    return 1;
}

/* --- systems --- */

static bool is_dir (const char *path)
{
    struct stat st;

    return stat (path, &st) == 0 && S_ISDIR (st.st_mode);
}

/* All its sets; without any the raw form.  DP-GEN leaves both. */
static int find_sets (struct deepmd_frames *f, const char *dir,
                      struct error *err)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    int rc = file_list_dir (dir, &names, err);

    strvec_release (&f->sets);
    f->next_set = 0;
    for (size_t i = 0; rc == 0 && i < names.n; i++) {
        _cleanup_free_ char *set = path_join (dir, names.v[i]);

        if (strncmp (names.v[i], "set.", 4) == 0 && is_dir (set))
            strvec_push (&f->sets, set);
    }
    f->is_raw = f->sets.n == 0;
    if (f->is_raw)
        strvec_push (&f->sets, dir);
    return rc;
}

/* 1, 0 when there is none left, or -1. */
static int next_system (struct deepmd_frames *f, struct error *err)
{
    const char *dir;

    if (f->next_system == f->systems.n)
        return 0;
    dir = f->systems.v[f->next_system++];
    deepmd_types_release (&f->types);
    if (deepmd_types_read_system (&f->types, dir, err) < 0
        || find_sets (f, dir, err) < 0)
        return -1;
    return 1;
}

static int next_set (struct deepmd_frames *f, struct strvec *notes,
                     struct error *err)
{
    const char *dir = f->sets.v[f->next_set++];
    _cleanup_ (strvec_release) struct strvec others = STRVEC_INIT;

    deepmd_set_close (f->set);
    f->n_frames = 0;
    f->set = deepmd_set_open (dir, f->is_raw, f->types.n_atoms,
                              f->types.periodic, err);
    if (notes)
        deepmd_set_others (dir, f->is_raw, &others);
    for (size_t i = 0; f->set && i < others.n; i++)
        frame_note (notes, "%s is left out: frames have no place for it",
                    others.v[i]);
    return f->set ? 0 : -1;
}

int deepmd_frames_next (struct deepmd_frames *f, struct frame *frame,
                        struct strvec *notes, struct error *err)
{
    for (;;) {
        int rc = f->set ? deepmd_set_next (f->set, err) : 0;

        if (rc == 1)
            return make_frame (f, frame, err);
        if (rc == 0 && f->next_set == f->sets.n)
            rc = next_system (f, err);
        else if (rc == 0)
            rc = 1;
        if (rc == 1 && next_set (f, notes, err) < 0)
            rc = -1;
        if (rc != 1)
            return rc;
    }
}

struct deepmd_frames *deepmd_frames_open (const char *dir,
                                          char *const *elements,
                                          size_t n_elements, struct error *err)
{
    struct deepmd_frames *f = xcalloc (1, sizeof (*f));
    int rc;

    f->elements = elements;
    f->n_elements = n_elements;
    strvec_init (&f->systems);
    strvec_init (&f->sets);
    rc = deepmd_systems_find (dir, 0, &f->systems, err);
    if (rc == 0 && f->systems.n == 0)
        rc = error_set (err,
                        "'%s' has no type.raw, nor has a directory in it; "
                        "name an extended XYZ file or DeePMD data",
                        dir);
    if (rc == 0)
        return f;
    deepmd_frames_close (f);
    return NULL;
}

void deepmd_frames_close (struct deepmd_frames *f)
{
    if (!f)
        return;
    deepmd_set_close (f->set);
    deepmd_types_release (&f->types);
    strvec_release (&f->systems);
    strvec_release (&f->sets);
    free (f);
}
