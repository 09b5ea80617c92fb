/* SPDX-License-Identifier: BSD-3-Clause */
/* data_report.c - what `fanfold data` found, and how it tells it */
#include "base/base.h"

#include "base/json.h"
#include "commands/command.h"
#include "commands/data_report.h"
#include "commands/frame_files.h"
#include "formats/element.h"
#include "report/table.h"

enum {
    COMPOSITIONS_SHOWN = 20,
    SAME_SHOWN = 5,
};

static const double net_force_max = 1e-2; /* eV/A an atom */
static const double closest_min = 0.5;    /* of the sum of covalent radii */
static const double energy_long = 1e9;    /* eV an atom, with too many digits */

static const char *path_of (const struct data_report *report,
                            struct frame_mark mark)
{
    return report->paths[mark.file];
}

/* "frame 3 of a.xyz", without the name where there is one file. */
struct place_text {
    char text[512];
};

static struct place_text place_of (const struct data_report *report,
                                   struct frame_mark mark)
{
    struct place_text place;
    int len = snprintf (place.text, sizeof (place.text), "frame %" PRIu64,
                        mark.number);

    if (report->n_paths > 1)
        snprintf (place.text + len, sizeof (place.text) - (size_t)len, " of %s",
                  path_of (report, mark));
    return place;
}

/* --- what looks wrong --- */

static void warn_of_labels (struct data_report *report)
{
    const struct dataset_stats *stats = &report->stats;

    for (int i = 0; i < LABELS; i++) {
        const struct label_count *label = &stats->labels[i];

        if (label->n > 0 && label->n < stats->n_frames)
            strvec_pushf (&report->warnings,
                          "%" PRIu64 " of %" PRIu64
                          " frames have no %s, the first is %s",
                          stats->n_frames - label->n, stats->n_frames,
                          dataset_label_name (i),
                          place_of (report, label->first_without).text);
    }
    if (stats->n_invalid > 0)
        strvec_pushf (&report->warnings,
                      "frames with a number that is not finite: %" PRIu64
                      ", the first is %s",
                      stats->n_invalid,
                      place_of (report, stats->first_invalid).text);
    if (stats->net_force.n > 0 && stats->net_force.high > net_force_max)
        strvec_pushf (&report->warnings,
                      "forces do not add up to 0: %.3g eV/A an atom in %s; "
                      "look whether they are those of its atoms",
                      stats->net_force.high,
                      place_of (report, stats->net_force.at_high).text);
}

static void warn_of_distances (struct data_report *report)
{
    const struct closest_pairs *closest = &report->closest;

    if (closest->n_flat > 0)
        strvec_pushf (&report->warnings,
                      "%" PRIu64 " of %" PRIu64
                      " frames have a cell lower than %g A, the first is %s; "
                      "look at its unit",
                      closest->n_flat, report->stats.n_frames,
                      CLOSEST_PAIRS_HEIGHT,
                      place_of (report, closest->first_flat).text);
    for (size_t i = 0; i < report->closest.n; i++) {
        const struct closest_pair *pair = &report->closest.v[i];
        double bond = covalent_radius (pair->symbols[0])
                      + covalent_radius (pair->symbols[1]);

        if (pair->distance < closest_min * bond)
            strvec_pushf (&report->warnings,
                          "%s and %s are %.3g A apart in %s, where a bond has "
                          "%.3g A; look at its unit",
                          pair->symbols[0], pair->symbols[1], pair->distance,
                          place_of (report, pair->mark).text, bond);
    }
}

static void warn_of_virials (struct data_report *report)
{
    struct virial_finding finding = virial_check_judge (&report->virials);

    if (finding.verdict == VIRIAL_CONTRADICTS)
        strvec_pushf (&report->warnings,
                      "virials contradict the energies of %zu pairs of "
                      "strained frames: read as %s%s they would agree; "
                      "convert them to eV, positive under compression",
                      report->virials.n_pairs,
                      virial_meaning_text (finding.meaning),
                      finding.negative ? " of the other sign" : "");
    else if (finding.verdict == VIRIAL_UNRELATED)
        strvec_pushf (&report->warnings,
                      "virials contradict the energies of %zu pairs of "
                      "strained frames: these change by %.3g eV for each eV "
                      "that the virials say",
                      report->virials.n_pairs, finding.ratio);
}

static void note_same (const struct like_frame *first,
                       const struct like_frame *again, void *arg)
{
    struct data_report *report = arg;

    report->same = grow_array (report->same, report->n_same, &report->alloc,
                               sizeof (*report->same));
    report->same[report->n_same++] =
        (struct same_frames){ first->mark, again->mark };
}

static void note_strained (const struct like_frame *a,
                           const struct like_frame *b, void *arg)
{
    virial_check_add (&((struct data_report *)arg)->virials, a, b);
}

static int by_place (const void *x, const void *y)
{
    const struct same_frames *a = x, *b = y;

    if (a->again.file != b->again.file)
        return a->again.file < b->again.file ? -1 : 1;
    return (a->again.number > b->again.number)
           - (a->again.number < b->again.number);
}

void data_report_finish (struct data_report *report)
{
    like_frames_each (&report->like, note_same, note_strained, report);
    if (report->n_same > 1)
        qsort (report->same, report->n_same, sizeof (*report->same), by_place);
    warn_of_labels (report);
    warn_of_distances (report);
    warn_of_virials (report);
}

void data_report_release (struct data_report *report)
{
    dataset_stats_release (&report->stats);
    closest_pairs_release (&report->closest);
    like_frames_release (&report->like);
    free (report->same);
    strvec_release (&report->warnings);
}

/* --- for people --- */

static void add_composition (const struct composition *c, struct strvec *cells)
{
    const double energies[] = { value_range_mean (&c->energy), c->energy.low,
                                c->energy.high };

    strvec_push (cells, c->formula);
    strvec_pushf (cells, "%" PRIu64, c->n_frames);
    strvec_pushf (cells, "%zu", c->n_atoms);
    for (size_t i = 0; i < ARRAY_SIZE (energies); i++) {
        if (c->energy.n > 0)
            strvec_pushf (cells,
                          fabs (energies[i]) < energy_long ? "%.6f" : "%.6e",
                          energies[i]);
        else
            strvec_push (cells, "");
    }
}

static void print_compositions (const struct dataset_stats *stats)
{
    static const char *const heads[] = { "composition", "frames", "atoms",
                                         "eV/atom",     "lowest", "highest",
                                         NULL };
    _cleanup_ (strvec_release) struct strvec cells = STRVEC_INIT;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    strvec_push_all (&cells, (char *const *)heads);
    for (size_t i = 0; i < stats->n_compositions && i < COMPOSITIONS_SHOWN; i++)
        add_composition (&stats->compositions[i], &cells);
    table_text (&cells, ARRAY_SIZE (heads) - 1, &text);
    printf ("\n%s", text.buf);
    if (stats->n_compositions > COMPOSITIONS_SHOWN)
        printf ("... and %zu more\n",
                stats->n_compositions - COMPOSITIONS_SHOWN);
}

static void print_range (const struct data_report *report, const char *what,
                         const char *unit, const struct value_range *range)
{
    if (range->n > 0)
        printf ("%-16s %12.5g to %12.5g %-8s  rms %10.4g  highest in %s\n",
                what, range->low, range->high, unit, value_range_rms (range),
                place_of (report, range->at_high).text);
}

static void print_labels (const struct dataset_stats *stats)
{
    printf ("%" PRIu64 " frame%s, %" PRIu64 " atoms, %" PRIu64
            " periodic, %" PRIu64 " isolated; with",
            stats->n_frames, stats->n_frames == 1 ? "" : "s", stats->n_atoms,
            stats->n_periodic, stats->n_isolated);
    for (int i = 0; i < LABELS; i++)
        printf ("%s %s %" PRIu64, i > 0 ? "," : "", dataset_label_name (i),
                stats->labels[i].n);
    putchar ('\n');
}

static void print_closest (const struct data_report *report)
{
    putchar ('\n');
    for (size_t i = 0; i < report->closest.n; i++) {
        const struct closest_pair *pair = &report->closest.v[i];

        if (pair->distance <= CLOSEST_PAIRS_REACH)
            printf ("closest %s-%s %.4f A in %s\n", pair->symbols[0],
                    pair->symbols[1], pair->distance,
                    place_of (report, pair->mark).text);
    }
}

static void print_same (const struct data_report *report)
{
    if (report->n_same == 0)
        return;
    printf ("\nframes that are there already: %zu\n", report->n_same);
    for (size_t i = 0; i < report->n_same && i < SAME_SHOWN; i++) {
        const struct same_frames *same = &report->same[i];

        printf ("%s is %s\n", place_of (report, same->again).text,
                place_of (report, same->first).text);
    }
    if (report->n_same > SAME_SHOWN)
        printf ("... and %zu more\n", report->n_same - SAME_SHOWN);
}

void data_report_print (const struct data_report *report)
{
    const struct dataset_stats *stats = &report->stats;
    struct virial_finding finding = virial_check_judge (&report->virials);

    print_labels (stats);
    print_compositions (stats);
    putchar ('\n');
    print_range (report, "energy", "eV/atom", &stats->energy);
    print_range (report, "force", "eV/A", &stats->force);
    print_range (report, "virial", "eV/atom", &stats->virial);
    print_range (report, "pressure", "GPa", &stats->pressure);
    print_range (report, "volume", "A^3/atom", &stats->volume);
    print_closest (report);
    print_same (report);
    if (finding.verdict == VIRIAL_AGREES)
        printf ("\nvirials agree with the energies of %zu pairs of strained "
                "frames (ratio %.3f)\n",
                report->virials.n_pairs, finding.ratio);
    for (size_t i = 0; i < report->warnings.n; i++)
        printf ("%swarning: %s\n", i == 0 ? "\n" : "", report->warnings.v[i]);
}

/* --- for programs --- */

static struct json *mark_json (const struct data_report *report,
                               struct frame_mark mark)
{
    struct json *v = json_object ();

    json_set (v, "file", json_string (path_of (report, mark)));
    json_set (v, "frame", json_int ((int64_t)mark.number));
    return v;
}

static void set_range (struct json *to, const char *key,
                       const struct data_report *report,
                       const struct value_range *range)
{
    struct json *v = json_object ();

    if (range->n == 0) {
        json_unref (v);
        return;
    }
    json_set (v, "low", json_real (range->low));
    json_set (v, "high", json_real (range->high));
    json_set (v, "mean", json_real (value_range_mean (range)));
    json_set (v, "rms", json_real (value_range_rms (range)));
    json_set (v, "lowest", mark_json (report, range->at_low));
    json_set (v, "highest", mark_json (report, range->at_high));
    json_set (to, key, v);
}

static struct json *compositions_json (const struct data_report *report)
{
    struct json *list = json_array ();

    for (size_t i = 0; i < report->stats.n_compositions; i++) {
        const struct composition *c = &report->stats.compositions[i];
        struct json *v = json_object ();

        json_set (v, "formula", json_string (c->formula));
        json_set (v, "frames", json_int ((int64_t)c->n_frames));
        json_set (v, "atoms", json_int ((int64_t)c->n_atoms));
        set_range (v, "energy_ev_per_atom", report, &c->energy);
        json_push (list, v);
    }
    return list;
}

static struct json *closest_json (const struct data_report *report)
{
    struct json *list = json_array ();

    for (size_t i = 0; i < report->closest.n; i++) {
        const struct closest_pair *pair = &report->closest.v[i];
        struct json *v = json_object (), *symbols = json_array ();

        if (pair->distance > CLOSEST_PAIRS_REACH) {
            json_unref (v);
            json_unref (symbols);
            continue;
        }
        json_push (symbols, json_string (pair->symbols[0]));
        json_push (symbols, json_string (pair->symbols[1]));
        json_set (v, "elements", symbols);
        json_set (v, "distance", json_real (pair->distance));
        json_set (v, "in", mark_json (report, pair->mark));
        json_push (list, v);
    }
    return list;
}

static struct json *same_json (const struct data_report *report)
{
    struct json *list = json_array ();

    for (size_t i = 0; i < report->n_same; i++) {
        struct json *v = mark_json (report, report->same[i].again);

        json_set (v, "same_as", mark_json (report, report->same[i].first));
        json_push (list, v);
    }
    return list;
}

static struct json *virials_json (const struct data_report *report)
{
    static const char *const verdicts[] = {
        [VIRIAL_UNKNOWN] = "unknown",
        [VIRIAL_AGREES] = "agrees",
        [VIRIAL_CONTRADICTS] = "contradicts",
        [VIRIAL_UNRELATED] = "unrelated",
    };
    struct virial_finding finding = virial_check_judge (&report->virials);
    struct json *v = json_object ();

    json_set (v, "strained_pairs", json_int ((int64_t)report->virials.n_pairs));
    json_set (v, "verdict", json_string (verdicts[finding.verdict]));
    if (finding.verdict != VIRIAL_UNKNOWN)
        json_set (v, "ratio", json_real (finding.ratio));
    if (finding.verdict == VIRIAL_CONTRADICTS) {
        json_set (v, "read_as",
                  json_string (virial_meaning_text (finding.meaning)));
        json_set (v, "other_sign", json_bool (finding.negative));
    }
    return v;
}

void data_report_print_json (const struct data_report *report,
                             const struct frame_files *files)
{
    const struct dataset_stats *stats = &report->stats;
    _cleanup_json_ struct json *v = json_object ();
    struct json *warnings = json_array ();

    json_set (v, "frames", json_int ((int64_t)stats->n_frames));
    json_set (v, "atoms", json_int ((int64_t)stats->n_atoms));
    json_set (v, "periodic", json_int ((int64_t)stats->n_periodic));
    json_set (v, "isolated", json_int ((int64_t)stats->n_isolated));
    json_set (v, "not_finite", json_int ((int64_t)stats->n_invalid));
    for (int i = 0; i < LABELS; i++) {
        _cleanup_free_ char *key =
            xasprintf ("with_%s", dataset_label_name (i));

        json_set (v, key, json_int ((int64_t)stats->labels[i].n));
    }
    json_set (v, "compositions", compositions_json (report));
    set_range (v, "energy_ev_per_atom", report, &stats->energy);
    set_range (v, "force_ev_per_a", report, &stats->force);
    set_range (v, "net_force_ev_per_a_atom", report, &stats->net_force);
    set_range (v, "virial_ev_per_atom", report, &stats->virial);
    set_range (v, "pressure_gpa", report, &stats->pressure);
    set_range (v, "volume_a3_per_atom", report, &stats->volume);
    json_set (v, "closest", closest_json (report));
    json_set (v, "duplicates", same_json (report));
    json_set (v, "virials", virials_json (report));
    for (size_t i = 0; i < report->warnings.n; i++)
        json_push (warnings, json_string (report->warnings.v[i]));
    json_set (v, "warnings", warnings);
    json_set (v, "notes", frame_files_notes (files));
    print_json (v);
}
