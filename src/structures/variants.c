/* SPDX-License-Identifier: BSD-3-Clause */
/* variants.c - the frames that a construction makes of structures */
#include "base/base.h"

#include "base/hash.h"
#include "selection/geometry/duplicate.h"
#include "selection/geometry/geometry.h"
#include "structures/deform.h"
#include "base/random_stream.h"
#include "structures/construction.h"
#include "structures/supercell.h"
#include "structures/variants.h"

/* What tells most frames apart at once. */
struct variant_mark {
    uint64_t key;
    double seen[3]; /* the last atom from the first, in fractions; without a
                       cell in angstrom */
    double heights[3];
};

/* A frame on its way; what was done to it, ", scale 0.96", is in 'done'. */
struct making {
    const struct construction *construction;
    const struct variant_source *source;
    struct variants *variants;
    struct strbuf done;
    int64_t draw, scale, strain, displacement;
};

/* --- equal ones --- */

static struct variant_mark mark_of (const struct frame *frame)
{
    struct variant_mark mark = { duplicate_key (frame), { 0 }, { 1, 1, 1 } };
    const double *first = frame->positions;
    const double *last = first + 3 * (frame->n_atoms - 1);
    double inverse[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };

    geometry_invert_cell (frame->cell, inverse, mark.heights);
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < 3; j++)
            mark.seen[k] += inverse[3 * k + j] * (last[j] - first[j]);
    }
    return mark;
}

/* The cells may differ a little, too: a margin of ten. */
static bool may_be_equal (const struct variant_mark *a,
                          const struct variant_mark *b, const bool periodic[3])
{
    if (a->key != b->key)
        return false;
    for (int k = 0; k < 3; k++) {
        double apart = a->seen[k] - b->seen[k];

        if (periodic[k])
            apart -= round (apart);
        if (fabs (apart) * a->heights[k] > 10 * VARIANTS_TOLERANCE)
            return false;
    }
    return true;
}

static bool is_there (const struct variants *variants,
                      const struct frame *frame,
                      const struct variant_mark *mark)
{
    for (size_t i = 0; i < variants->n; i++) {
        if (may_be_equal (&variants->marks[i], mark, frame->periodic)
            && duplicate_same (&variants->v[i], frame, VARIANTS_TOLERANCE))
            return true;
    }
    return false;
}

/* --- atoms that are too close --- */

struct pair {
    size_t atoms[2];
    double squared;
};

static bool take_pair (size_t a, size_t b, double squared, void *arg)
{
    struct pair *nearest = arg;

    if (squared < nearest->squared)
        *nearest = (struct pair){ { a, b }, squared };
    return false;
}

/* A molecule without a cell is looked at in a box of its own. */
static void box_around (const struct frame *frame, double cell[9])
{
    memset (cell, 0, 9 * sizeof (*cell));
    for (size_t j = 0; j < 3; j++) {
        double low = frame->positions[j], high = low;

        for (size_t i = 0; i < frame->n_atoms; i++) {
            low = fmin (low, frame->positions[3 * i + j]);
            high = fmax (high, frame->positions[3 * i + j]);
        }
        cell[4 * j] = high - low + 1;
    }
}

static int check_distances (const struct frame *frame, double least_A,
                            struct error *err)
{
    static const bool nowhere[3] = { false };
    bool has_cell = frame_volume (frame) != 0;
    struct pair nearest = { { 0 }, INFINITY };
    double box[9];
    const struct geometry geometry = { .n_atoms = frame->n_atoms,
                                       .positions = frame->positions,
                                       .cell = has_cell ? frame->cell : box,
                                       .periodic = has_cell ? frame->periodic
                                                            : nowhere };

    box_around (frame, box);
    geometry_each_pair (&geometry, least_A, take_pair, &nearest);
    if (isinf (nearest.squared))
        return 0;
    return error_set (
        err,
        "atoms %zu (%s) and %zu (%s) are %.3g A apart, closer than "
        "least_distance (%g); displace or strain less, or write that smaller",
        nearest.atoms[0] + 1, frame->symbols[nearest.atoms[0]],
        nearest.atoms[1] + 1, frame->symbols[nearest.atoms[1]],
        sqrt (nearest.squared), least_A);
}

/* --- one more frame --- */

/* Quotes, backslashes and control characters have no place in a value. */
static void add_value (const char *key, const char *text, struct strbuf *info)
{
    strbuf_addf (info, "%s%s=\"", info->len > 0 ? " " : "", key);
    for (; *text; text++) {
        bool plain = (unsigned char)*text >= ' ' && !strchr ("\"\\", *text);

        strbuf_add_char (info, plain ? *text : '_');
    }
    strbuf_add_char (info, '"');
}

static char *info_of (const struct making *m)
{
    struct strbuf info = STRBUF_INIT;

    add_value ("structure", m->source->name, &info);
    strbuf_addf (&info, " number=%" PRIu64, m->source->number[0]);
    if (m->done.len > 0)
        add_value ("made", m->done.buf + strlen (", "), &info);
    return strbuf_detach (&info);
}

static int check_room (const struct variants *variants,
                       const struct frame *frame, struct error *err)
{
    if (variants->n >= CONSTRUCTION_FRAMES_MAX)
        return error_set (err, "more than %d frames; write fewer values",
                          CONSTRUCTION_FRAMES_MAX);
    if (variants->n_atoms + frame->n_atoms > VARIANTS_ATOMS_MAX)
        return error_set (err,
                          "more than %d atoms in all frames; write fewer "
                          "values, or smaller supercells",
                          VARIANTS_ATOMS_MAX);
    return 0;
}

/* 'frame' is taken over, unless it is there. */
static int add_frame (struct making *m, struct frame *frame, struct error *err)
{
    struct variants *variants = m->variants;
    struct variant_mark mark = mark_of (frame);

    if (frame_check_finite (frame, err) < 0
        || check_distances (frame, m->construction->least_distance_A, err) < 0
        || check_room (variants, frame, err) < 0)
        return error_prefix (err, "frame %zu (%s%s)", variants->n,
                             m->source->name, m->done.len ? m->done.buf : "");
    if (is_there (variants, frame, &mark)) {
        variants->n_equal++;
        return 0;
    }
    variants->v = grow_array (variants->v, variants->n, &variants->alloc,
                              sizeof (*variants->v));
    variants->marks =
        grow_array (variants->marks, variants->n, &variants->marks_alloc,
                    sizeof (*variants->marks));
    variants->marks[variants->n] = mark;
    variants->v[variants->n] = *frame;
    variants->v[variants->n++].info = info_of (m);
    variants->n_atoms += frame->n_atoms;
    *frame = (struct frame)FRAME_INIT;
    return 0;
}

/* --- the choices --- */

/* The stream of what is random in 'what'. */
static struct random_stream stream_of (const struct making *m, const char *what)
{
    const uint64_t words[] = { (uint64_t)m->construction->seed,
                               m->source->number[0],
                               m->source->number[1],
                               (uint64_t)m->draw,
                               (uint64_t)m->scale,
                               (uint64_t)m->strain,
                               (uint64_t)m->displacement };

    return (struct random_stream){
        hash_words (hash_string (0, what), words, ARRAY_SIZE (words)), 0
    };
}

static int add_displaced (struct making *m, const struct frame *frame,
                          struct error *err)
{
    const struct construction *c = m->construction;
    size_t len = m->done.len;
    int rc = 0;

    for (int64_t i = 0; rc == 0 && i < c->displacements; i++) {
        _cleanup_ (frame_release) struct frame displaced = FRAME_INIT;
        struct random_stream random;

        m->displacement = i + 1;
        random = stream_of (m, "displace");
        strbuf_addf (&m->done, ", displaced %" PRId64, i + 1);
        if ((rc = structure_copy (frame, 0, &displaced, err)) == 0) {
            structure_displace (&displaced, c->sigma_A, &random);
            rc = add_frame (m, &displaced, err);
        }
        strbuf_truncate (&m->done, len);
    }
    m->displacement = 0;
    return rc;
}

/* 'frame' is spent. */
static int add_deformed (struct making *m, struct frame *frame, double scale,
                         const double *strain, struct error *err)
{
    size_t len = m->done.len;
    int rc;

    if (scale != 1) {
        structure_scale (frame, scale);
        strbuf_addf (&m->done, ", scale %g", scale);
    }
    if (strain) {
        structure_strain (frame, strain);
        strbuf_add_str (&m->done, ", strain");
        for (int i = 0; i < 6; i++)
            strbuf_addf (&m->done, " %g", strain[i]);
    }
    rc = m->construction->displacements > 0 ? add_displaced (m, frame, err)
                                            : add_frame (m, frame, err);
    strbuf_truncate (&m->done, len);
    return rc;
}

static int add_all_deformed (struct making *m, const struct frame *frame,
                             struct error *err)
{
    const struct construction *c = m->construction;
    size_t n_strains = c->n_strains > 0 ? c->n_strains : 1;
    size_t n = c->n_scales * n_strains;
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < n; i++) {
        _cleanup_ (frame_release) struct frame deformed = FRAME_INIT;
        size_t strain = i % n_strains;

        m->scale = (int64_t)(i / n_strains);
        m->strain = (int64_t)strain;
        rc = structure_copy (frame, 0, &deformed, err);
        if (rc == 0)
            rc = add_deformed (m, &deformed, c->scales[m->scale],
                               c->n_strains > 0 ? c->strains[strain] : NULL,
                               err);
    }
    m->scale = m->strain = 0;
    return rc;
}

/* --- what is done once for all choices --- */

static int make_defects (struct making *m, struct frame *frame,
                         struct error *err)
{
    const struct construction *c = m->construction;
    struct random_stream random = stream_of (m, "defects");
    int rc = 0;

    if (c->vacancies > 0)
        rc = vacancies_make (frame, c->vacancies, &random, err);
    if (rc == 0 && c->n_exchanges > 0)
        rc = exchanges_make (frame, c->exchanges, c->n_exchanges, &random, err);
    for (size_t i = 0; rc == 0 && i < c->n_interstitials; i++)
        rc = interstitials_make (frame, &c->interstitials[i], &random, err);
    return rc;
}

static void tell_defects (struct making *m)
{
    const struct construction *c = m->construction;

    if (c->vacancies > 0)
        strbuf_addf (&m->done, ", vacancies %" PRId64, c->vacancies);
    for (size_t i = 0; i < c->n_exchanges; i++)
        strbuf_addf (&m->done, ", %g of %s is %s", c->exchanges[i].share,
                     c->exchanges[i].of, c->exchanges[i].by);
    for (size_t i = 0; i < c->n_interstitials; i++)
        strbuf_addf (&m->done, ", interstitials %" PRId64 " of %s",
                     c->interstitials[i].n, c->interstitials[i].symbol);
    if (c->draws > 1)
        strbuf_addf (&m->done, ", draw %" PRId64, m->draw + 1);
}

static int64_t interstitial_atoms (const struct construction *c)
{
    int64_t n = 0;

    for (size_t i = 0; i < c->n_interstitials; i++)
        n += c->interstitials[i].n;
    return n;
}

static int add_draws (struct making *m, const struct frame *frame,
                      struct error *err)
{
    size_t len = m->done.len;
    size_t more = (size_t)interstitial_atoms (m->construction);
    int rc = 0;

    for (m->draw = 0; rc == 0 && m->draw < m->construction->draws; m->draw++) {
        _cleanup_ (frame_release) struct frame drawn = FRAME_INIT;

        tell_defects (m);
        if ((rc = structure_copy (frame, more, &drawn, err)) == 0
            && (rc = make_defects (m, &drawn, err)) < 0)
            error_prefix (err, "%s", m->source->name);
        if (rc == 0)
            rc = add_all_deformed (m, &drawn, err);
        strbuf_truncate (&m->done, len);
    }
    return rc;
}

static int cut_surface (struct making *m, struct frame *frame,
                        struct error *err)
{
    const struct surface_cut *cut = &m->construction->surface;

    if (cut->layers == 0)
        return 0;
    strbuf_addf (&m->done,
                 ", surface %" PRId64 " %" PRId64 " %" PRId64 " of %" PRId64
                 " layers",
                 cut->miller[0], cut->miller[1], cut->miller[2], cut->layers);
    return surface_make (frame, cut, frame, err);
}

static int repeat (struct making *m, struct frame *frame, struct error *err)
{
    const struct construction *c = m->construction;
    int64_t rows[9];

    if (!c->repeats)
        return 0;
    memcpy (rows, c->rows, sizeof (rows));
    if (c->most_atoms > 0
        && supercell_choose (frame, c->most_atoms, c->surface.layers > 0, rows,
                             err)
               < 0)
        return -1;
    strbuf_add_str (&m->done, ", supercell");
    for (int i = 0; i < 9; i++) {
        if (i % 4 == 0 || rows[1] || rows[2] || rows[3] || rows[5] || rows[6]
            || rows[7])
            strbuf_addf (&m->done, " %" PRId64, rows[i]);
    }
    return supercell_make (frame, rows, frame, err);
}

static int check_source (const struct construction *c,
                         const struct frame *frame, struct error *err)
{
    bool periodic =
        frame->periodic[0] || frame->periodic[1] || frame->periodic[2];
    bool has_cell = frame_volume (frame) != 0;

    if (frame->n_atoms == 0)
        return error_set (err, "it has no atoms");
    if (frame_check_finite (frame, err) < 0)
        return -1;
    if (!has_cell && periodic)
        return error_set (err, "it is periodic, and its cell has no volume; "
                               "write three vectors that are independent");
    if (!has_cell && c->n_strains > 0)
        return error_set (err, "strain: it has no cell that could be strained; "
                               "write one with a volume");
    return 0;
}

int variants_add (const struct construction *c,
                  const struct variant_source *source,
                  struct variants *variants, struct error *err)
{
    struct making m = { .construction = c,
                        .source = source,
                        .variants = variants,
                        .done = STRBUF_INIT };
    _cleanup_ (frame_release) struct frame frame = FRAME_INIT;
    int rc = -1;

    if (structure_copy (source->frame, 0, &frame, err) < 0)
        return -1;
    if (check_source (c, &frame, err) < 0 || cut_surface (&m, &frame, err) < 0
        || repeat (&m, &frame, err) < 0)
        error_prefix (err, "%s", source->name);
    else
        rc = add_draws (&m, &frame, err);
    strbuf_release (&m.done);
    return rc;
}

void variants_release (struct variants *variants)
{
    for (size_t i = 0; i < variants->n; i++)
        frame_release (&variants->v[i]);
    free (variants->v);
    free (variants->marks);
}
