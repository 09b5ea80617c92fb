/* SPDX-License-Identifier: BSD-3-Clause */
/* data_doubts.c - what looks wrong with the labelled frames of `data:` */
#include "base/base.h"

#include "campaign/data_doubts.h"
#include "campaign/field_reader.h"
#include "formats/element.h"
#include "formats/frame.h"

/* In each file pairs of so many atoms are looked at. */
enum { PAIRED_ATOMS = 20000 };

static const struct doubted_file *last_file (const struct data_doubts *d)
{
    return &d->files[d->n_files - 1];
}

void data_doubts_begin_file (struct data_doubts *d,
                             const struct yaml_node *node, const char *name,
                             const char *path, bool held_out)
{
    d->files = grow_array (d->files, d->n_files, &d->alloc, sizeof (*d->files));
    d->files[d->n_files++] = (struct doubted_file){
        .node = node, .name = name, .path = path, .held_out = held_out
    };
    d->atoms = 0;
}

void data_doubts_add (struct data_doubts *d, const struct frame *frame)
{
    const struct frame_mark mark = { d->n_files - 1, d->stats.n_frames };

    dataset_stats_add (&d->stats, frame, mark);
    if (!last_file (d)->held_out)
        dataset_stats_add (&d->all, frame, mark);
    like_frames_add (&d->like, frame, mark);
    if (d->atoms + frame->n_atoms <= PAIRED_ATOMS)
        closest_pairs_add (&d->closest, frame, mark);
    d->atoms += frame->n_atoms;
    force_check_add (&d->forces, frame);
}

/* --- of one file --- */

static double bond_of (const struct closest_pair *pair)
{
    return covalent_radius (pair->symbols[0])
           + covalent_radius (pair->symbols[1]);
}

static void doubt_close (const struct data_doubts *d,
                         const struct doubted_file *file)
{
    static const double least = 0.5; /* of a bond */

    if (d->closest.n_flat > 0)
        field_warning (file->node,
                       "%s: frame %llu of '%s' has a cell lower than %g A; "
                       "look at its unit",
                       file->name,
                       (unsigned long long)d->closest.first_flat.number,
                       file->path, CLOSEST_PAIRS_HEIGHT);
    for (size_t i = 0; i < d->closest.n; i++) {
        const struct closest_pair *pair = &d->closest.v[i];

        if (pair->distance >= least * bond_of (pair))
            continue;
        field_warning (file->node,
                       "%s: %s and %s are %.3g A apart in frame %llu of '%s', "
                       "where a bond has %.3g A; look at the unit of its "
                       "positions, and for atoms that are there twice",
                       file->name, pair->symbols[0], pair->symbols[1],
                       pair->distance, (unsigned long long)pair->mark.number,
                       file->path, bond_of (pair));
        return;
    }
}

/* Atoms that have no bonds are far apart. */
static bool is_noble (const char *symbol)
{
    static const char *const gases[] = { "He", "Ne", "Ar", "Kr", "Xe", "Rn" };

    for (size_t i = 0; i < ARRAY_SIZE (gases); i++) {
        if (strcmp (symbol, gases[i]) == 0)
            return true;
    }
    return false;
}

/* In no frame any two atoms are as near as bonds are: lengths in bohr? */
static void doubt_far (const struct data_doubts *d,
                       const struct doubted_file *file)
{
    static const double most = 1.6; /* of a bond; 1 A is 1.89 bohr */
    const struct closest_pair *nearest = NULL;

    for (size_t i = 0; i < d->closest.n; i++) {
        const struct closest_pair *pair = &d->closest.v[i];

        if (is_noble (pair->symbols[0]) || is_noble (pair->symbols[1])
            || pair->distance < most * bond_of (pair))
            return;
        if (!nearest || pair->distance < nearest->distance)
            nearest = pair;
    }
    if (!nearest || nearest->distance > CLOSEST_PAIRS_REACH)
        return;
    field_warning (file->node,
                   "%s: no two atoms of '%s' are nearer than %.3g A (%s and "
                   "%s), where a bond has %.3g A; look at the unit of its "
                   "positions and cells: 1 bohr is 0.529 A",
                   file->name, file->path, nearest->distance,
                   nearest->symbols[0], nearest->symbols[1], bond_of (nearest));
}

static void doubt_labels (const struct data_doubts *d,
                          const struct doubted_file *file)
{
    static const double pressure = 2000; /* GPa */
    const struct dataset_stats *stats = &d->stats;
    double most = fmax (fabs (stats->pressure.low), stats->pressure.high);

    if (stats->force.n > 1 && stats->force.high == 0)
        field_warning (file->node,
                       "%s: all forces of '%s' are 0; give it the forces that "
                       "were computed, or remove it",
                       file->name, file->path);
    if (stats->energy.n > 2 && stats->force.high > 0 && stats->energy.high == 0
        && stats->energy.low == 0)
        field_warning (file->node,
                       "%s: all energies of '%s' are 0; give it those that "
                       "were computed, or remove it",
                       file->name, file->path);
    if (stats->pressure.n > 0 && most > pressure)
        field_warning (file->node,
                       "%s: virials of '%s' are a pressure of up to %.3g GPa; "
                       "a stress is in eV/A^3 there, and a virial in eV: "
                       "convert it",
                       file->name, file->path, most);
}

static void doubt_isolated (const struct data_doubts *d,
                            const struct doubted_file *file)
{
    if (d->periodic && d->stats.n_isolated > 0)
        field_warning (file->node,
                       "%s: %llu frames of '%s' repeat in no direction, and "
                       "%s labels cells that do; give them their cell "
                       "(Lattice) and pbc=\"T T T\", or remove them",
                       file->name, (unsigned long long)d->stats.n_isolated,
                       file->path, d->periodic);
}

/* A virial is of a cell that repeats. */
static void doubt_periods (const struct data_doubts *d,
                           const struct doubted_file *file)
{
    const struct dataset_stats *stats = &d->stats;

    if (d->periodic || stats->n_isolated == 0 || stats->n_frames == 0
        || stats->labels[LABEL_VIRIAL].n < stats->n_frames)
        return;
    field_warning (file->node,
                   "%s: %llu frames of '%s' have a virial, and repeat in no "
                   "direction; write pbc=\"T T T\", or remove the virial",
                   file->name, (unsigned long long)stats->n_isolated,
                   file->path);
}

/* What is compressed pushes more, and nothing resists like ten diamonds. */
static void doubt_compression (const struct data_doubts *d,
                               const struct doubted_file *file)
{
    static const double most = 4500; /* GPa */

    for (size_t i = 0; i < d->stats.n_compositions; i++) {
        const struct composition *c = &d->stats.compositions[i];
        double modulus;

        if (!compression_modulus (&c->compression, &modulus)
            || (modulus > 0 && modulus < most))
            continue;
        field_warning (file->node,
                       "%s: by the virials of '%s' the bulk modulus of %s is "
                       "%.3g GPa; %s",
                       file->name, file->path, c->formula, modulus,
                       modulus < 0
                           ? "change their sign: a virial is positive, and a "
                             "stress negative, under compression"
                           : "a stress is in eV/A^3 there, and a virial in "
                             "eV: convert it");
        return;
    }
}

static void doubt_forces (struct data_doubts *d,
                          const struct doubted_file *file)
{
    struct force_finding finding = force_check_judge (&d->forces);

    if (finding.contradicts)
        field_warning (file->node,
                       "%s: energies of '%s' change by %.3g eV from frame to "
                       "frame for each eV that the forces say%s%s; give it "
                       "energies in eV and forces in eV/A of one calculation",
                       file->name, file->path, finding.ratio,
                       finding.cause ? ", as if " : "",
                       finding.cause ? finding.cause : "");
}

void data_doubts_end_file (struct data_doubts *d)
{
    const struct doubted_file *file = last_file (d);

    doubt_close (d, file);
    doubt_far (d, file);
    doubt_labels (d, file);
    doubt_isolated (d, file);
    doubt_periods (d, file);
    doubt_compression (d, file);
    doubt_forces (d, file);
    force_check_release (&d->forces);
    closest_pairs_release (&d->closest);
    d->closest = (struct closest_pairs)CLOSEST_PAIRS_INIT;
    dataset_stats_release (&d->stats);
    d->stats = (struct dataset_stats)DATASET_STATS_INIT;
}

/* --- of all --- */

/* Energies of the same atoms differ by some eV an atom, those of two codes, or
 * of an atom and of all, by hundreds.
 */
static bool doubt_energies (const struct data_doubts *d)
{
    static const double most = 10; /* eV an atom */

    for (size_t i = 0; i < d->all.n_compositions; i++) {
        const struct composition *c = &d->all.compositions[i];
        const struct doubted_file *low = &d->files[c->energy.at_low.file];
        const struct doubted_file *high = &d->files[c->energy.at_high.file];

        if (c->energy.n < 2 || c->energy.high - c->energy.low < most)
            continue;
        field_warning (high->node,
                       "%s: the energy of %s is %.6g eV an atom in frame %llu "
                       "of '%s' and %.6g in frame %llu of '%s'; give all of "
                       "them the total energy in eV, by one code and one "
                       "setting",
                       high->name, c->formula, c->energy.low,
                       (unsigned long long)c->energy.at_low.number, low->path,
                       c->energy.high,
                       (unsigned long long)c->energy.at_high.number,
                       high->path);
        return true;
    }
    return false;
}

/* Far from all others, which are near each other? */
static bool is_alone (const struct value_range *range, double value)
{
    static const double far = 2, times = 20; /* eV an atom; deviations */
    double n = (double)range->n - 1;
    double mean = (range->sum - value) / n;
    double square = (range->squares - value * value) / n - mean * mean;
    double off = fabs (value - mean);

    return off > far && off > times * sqrt (fmax (0, square));
}

static void doubt_alone (const struct data_doubts *d)
{
    enum { FRAMES_MIN = 5 };

    for (size_t i = 0; i < d->all.n_compositions; i++) {
        const struct composition *c = &d->all.compositions[i];
        bool high = is_alone (&c->energy, c->energy.high);
        struct frame_mark mark = high ? c->energy.at_high : c->energy.at_low;
        const struct doubted_file *file = &d->files[mark.file];

        if (c->energy.n < FRAMES_MIN
            || (!high && !is_alone (&c->energy, c->energy.low)))
            continue;
        field_warning (file->node,
                       "%s: frame %llu of '%s' has an energy of %.6g eV an "
                       "atom, far from those of all other frames of %s, %.6g "
                       "on the average; look whether its SCF found the same "
                       "state, or remove it",
                       file->name, (unsigned long long)mark.number, file->path,
                       high ? c->energy.high : c->energy.low, c->formula,
                       (c->energy.sum - (high ? c->energy.high : c->energy.low))
                           / (double)(c->energy.n - 1));
        return;
    }
}

static void note_same (const struct like_frame *first,
                       const struct like_frame *again, void *arg)
{
    struct data_doubts *d = arg;
    struct doubted_file *file = &d->files[again->mark.file];

    if (file->n_repeated++ == 0)
        file->repeated_of = first->mark.file;
}

static void note_strained (const struct like_frame *a,
                           const struct like_frame *b, void *arg)
{
    virial_check_add (&((struct data_doubts *)arg)->virials, a, b);
}

static void doubt_repeated (const struct doubted_file *file,
                            const struct doubted_file *other)
{
    if (file->held_out && !other->held_out)
        field_warning (file->node,
                       "%s: %zu frames of '%s' are in '%s', too, which is "
                       "trained on, so errors look smaller than they are; "
                       "remove them from one of the two",
                       file->name, file->n_repeated, file->path, other->path);
    else if (file == other)
        field_warning (file->node,
                       "%s: %zu frames of '%s' are in it twice or more; remove "
                       "them, unless they are to count more",
                       file->name, file->n_repeated, file->path);
    else
        field_warning (file->node,
                       "%s: %zu frames of '%s' are in '%s', too; name each "
                       "frame once, unless they are to count more",
                       file->name, file->n_repeated, file->path, other->path);
}

static void doubt_virials (const struct data_doubts *d)
{
    struct virial_finding finding = virial_check_judge (&d->virials);

    if (finding.verdict == VIRIAL_CONTRADICTS)
        field_warning (d->files[0].node,
                       "%s: virials contradict the energies of %zu pairs of "
                       "strained frames: read as %s%s they would agree; "
                       "convert them to eV, positive under compression",
                       d->files[0].name, d->virials.n_pairs,
                       virial_meaning_text (finding.meaning),
                       finding.negative ? " of the other sign" : "");
}

void data_doubts_finish (struct data_doubts *d)
{
    if (d->n_files == 0)
        return;
    if (!doubt_energies (d))
        doubt_alone (d);
    /* a program of one's own may need no more */
    if (d->periodic && d->all.n_frames == 1)
        field_warning (d->files[0].node,
                       "data.initial: there is one frame, of which nothing is "
                       "learned; give it some more");
    like_frames_each (&d->like, note_same, note_strained, d);
    for (size_t i = 0; i < d->n_files; i++) {
        if (d->files[i].n_repeated > 0)
            doubt_repeated (&d->files[i], &d->files[d->files[i].repeated_of]);
    }
    doubt_virials (d);
}

void data_doubts_release (struct data_doubts *d)
{
    force_check_release (&d->forces);
    closest_pairs_release (&d->closest);
    dataset_stats_release (&d->stats);
    dataset_stats_release (&d->all);
    like_frames_release (&d->like);
    free (d->files);
}
