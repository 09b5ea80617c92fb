/* SPDX-License-Identifier: BSD-3-Clause */
/* rules.c - what the inputs of an exploring operator must satisfy */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "base/path_similar.h"
#include "formats/element.h"
#include "operators/explore/explore.h"
#include "selection/dataset/closest_pairs.h"

/* What `runs` says is judged as a whole. */
static bool has_runs (const struct known_input *input)
{
    return json_count (json_get (input->others, "runs")) > 0;
}

/* --- the user's template --- */

/* No line may set a variable that for_each sets. */
struct variables {
    const struct explore_kit *kit;
    const struct json *for_each;
    const char *name;
};

static int refuse_variable (const char *key, size_t line, void *arg,
                            struct error *err)
{
    const struct variables *v = arg;
    size_t len = strlen (v->kit->variable);

    if (strncmp (key, v->kit->variable, len) != 0 || key[len] != ' '
        || !json_get (v->for_each, key + len + 1))
        return 0;
    return error_set (err,
                      "%s:%zu: '%s' is said by for_each of the stage; "
                      "remove it",
                      v->name, line, key);
}

static bool is_used (const char *text, const char *variable)
{
    _cleanup_free_ char *braced = xasprintf ("${%s}", variable);
    _cleanup_free_ char *called = xasprintf ("v_%s", variable);
    _cleanup_free_ char *letter = xasprintf ("$%s", variable);

    return strstr (text, braced) || strstr (text, called)
           || (strlen (variable) == 1 && strstr (text, letter));
}

int explore_check_used (const char *text, const char *name,
                        const struct json *for_each, struct error *err)
{
    JSON_FOREACH (for_each, it) {
        const char *variable = json_iter_key (it);

        if (strcmp (variable, "scale") != 0 && !is_used (text, variable))
            return error_set (err,
                              "%s does not use the variable '%s' of for_each, "
                              "so its values make the same MD several times; "
                              "write ${%s} there, or remove it; for more MD "
                              "with other seeds there is replicas",
                              name, variable, variable);
    }
    return 0;
}

static int check_text (const struct explore_kit *kit,
                       const struct json *for_each, const struct strbuf *text,
                       const char *name, struct error *err)
{
    struct variables variables = { kit, for_each, name };

    if (template_check_keys_of ("task", kit->scan, kit->keys, text->buf,
                                text->len, name, err)
        < 0)
        return -1;
    if (kit->variable
        && kit->scan (text->buf, text->len, refuse_variable, &variables, err)
               != 0)
        return -1;
    if (!is_used (text->buf, "steps"))
        return error_set (err,
                          "%s does not use ${steps}; let it end in `run "
                          "${steps}`",
                          name);
    return kit->check_template
               ? kit->check_template (text->buf, text->len, name, for_each, err)
               : 0;
}

static int check_lines (const struct explore_kit *kit, const char *path,
                        const struct json *for_each, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    int rc = file_read (path, EXPLORE_TEMPLATE_MAX_BYTES, &text, err);

    if (rc == 0 && check_text (kit, for_each, &text, path, err) < 0)
        rc = error_prefix (err, "input");
    return rc;
}

int explore_check_input (const struct explore_kit *kit,
                         const struct known_input *input, struct error *err)
{
    return has_runs (input)
               ? 0
               : check_lines (kit, json_as_string (input->value),
                              json_get (input->others, "for_each"), err);
}

int explore_check_dump_every (const struct known_input *input,
                              struct error *err)
{
    const struct json *steps = json_get (input->others, "steps");
    int64_t every;

    if (step_count (input->others, "dump_every", 1, &every, err) < 0)
        return -1;
    if (!has_runs (input) && !json_is_null (steps) && json_as_int (steps) > 0
        && every > json_as_int (steps))
        return error_set (err,
                          "dump_every: no frame is written in %lld steps; make "
                          "it at most that",
                          (long long)json_as_int (steps));
    return 0;
}

void explore_doubt_dump_every (const struct known_input *input,
                               struct strbuf *says)
{
    static const int64_t close = 5, many = 1000, too_many = 100000;
    int64_t steps = json_as_int (json_get (input->others, "steps"));
    int64_t every = json_as_int (input->value);
    long long frames = every > 0 ? steps / every : 0;

    if (has_runs (input) || frames < 1)
        return;
    if (frames == 1)
        strbuf_addf (says,
                     "dump_every: %lld of %lld steps is one frame of each MD; "
                     "write a small part of steps",
                     (long long)every, (long long)steps);
    else if (frames >= too_many)
        strbuf_addf (says,
                     "dump_every: each MD has %lld frames, all of which are "
                     "written and judged; make it larger, or steps fewer",
                     frames);
    else if (every < close && frames >= many)
        strbuf_addf (says,
                     "dump_every: each MD has %lld frames, which are nearly "
                     "alike from one to the next, and are written and judged "
                     "one by one; write 20 or more",
                     frames);
}

int explore_check_for_each (const struct known_input *input, struct error *err)
{
    return explore_count_combinations (input->value, err) < 0 ? -1 : 0;
}

/* Without `runs`: what the only run is by these inputs ("systems", ...), the
 * others being any that are right.
 */
static int read_alone (const struct known_input *input,
                       const char *const *names, struct explore_runs *runs,
                       struct error *err)
{
    _cleanup_json_ struct json *v = json_object ();

    json_set (v, "steps", json_int (1));
    json_set (v, "dump_every", json_int (1));
    json_set (v, "input", json_string (""));
    for (; *names; names++)
        json_set (v, *names, json_ref (json_get (input->others, *names)));
    return explore_runs_read (v, input->dir, runs, err);
}

/* How many tasks there would be, of what is right otherwise. */
int explore_check_replicas (const struct known_input *input, struct error *err)
{
    static const char *const one[] = { "systems", "for_each", NULL };
    static const char *const all[] = { "systems", "for_each", "replicas",
                                       NULL };
    struct explore_runs runs = EXPLORE_RUNS_INIT;
    int64_t replicas;
    int rc = 0;

    if (step_count (input->others, "replicas", 1, &replicas, err) < 0)
        return -1;
    if (has_runs (input) || !json_get (input->others, "systems")
        || !json_get (input->others, "for_each"))
        return 0;
    if (read_alone (input, one, &runs, NULL) == 0) {
        explore_runs_release (&runs);
        runs = (struct explore_runs)EXPLORE_RUNS_INIT;
        rc = read_alone (input, all, &runs, err);
    }
    explore_runs_release (&runs);
    return rc;
}

static void complain_of_structure (const struct explore_structure *structure,
                                   const char *dir, const struct error *why,
                                   struct error *err)
{
    _cleanup_free_ char *similar =
        error_is_absence (why) ? path_similar (dir, structure->path) : NULL;

    if (similar)
        error_set (err, "systems.%s: no such file '%s'; did you mean '%s'?",
                   structure->system, structure->path, similar);
    else
        error_set (err,
                   "systems.%s: %s; name a LAMMPS data file whose atom types "
                   "are those of elements, or another file of frames",
                   structure->system, why->text);
}

/* The files that a run starts from, if 'elements' are known. */
static int check_structures (const struct explore_run *one,
                             const struct known_input *input, struct json *seen,
                             struct error *err)
{
    _cleanup_ (strvec_release) struct strvec elements = STRVEC_INIT;
    bool known = !json_is_null (json_get (input->others, "elements"));
    int rc =
        known ? step_strings (input->others, "elements", &elements, err) : 0;

    for (size_t i = 0; rc == 0 && known && i < one->n_structures; i++) {
        const struct explore_structure *structure = &one->structures[i];
        _cleanup_ (frame_release) struct frame frame = FRAME_INIT;
        struct error why = ERROR_INIT;
        _cleanup_free_ char *path = path_join (input->dir, structure->path);

        if (!json_get (seen, structure->path))
            rc = explore_read_structure (path, &elements, &frame, NULL, &why);
        if (rc < 0)
            complain_of_structure (structure, input->dir, &why, err);
        json_set (seen, structure->path, json_bool (true));
    }
    return rc;
}

int explore_check_systems (const struct known_input *input, struct error *err)
{
    static const char *const names[] = { "systems", NULL };
    _cleanup_ (explore_runs_release) struct explore_runs runs =
        EXPLORE_RUNS_INIT;
    _cleanup_json_ struct json *seen = json_object ();
    int rc = 0;

    if (!has_runs (input)) {
        rc = read_alone (input, names, &runs, err);
        if (rc == 0)
            rc = check_structures (&runs.v[0], input, seen, err);
    }
    return rc;
}

/* Is one of what the runs are made of bound to another stage? */
static bool is_partly_unknown (const struct json *inputs)
{
    for (const struct type_field *f = explore_run_fields; f->name; f++) {
        if (!json_get (inputs, f->name))
            return true;
    }
    return false;
}

static int check_run (const struct explore_kit *kit,
                      const struct explore_run *one,
                      const struct known_input *input, struct json *seen,
                      struct error *err)
{
    _cleanup_free_ char *lines = path_join (input->dir, one->input);
    struct strbuf judged = STRBUF_INIT; /* the lines, with these variables */
    int rc = 0;

    strbuf_addf (&judged, "%s ", one->input);
    json_dump (one->for_each, JSON_COMPACT, &judged);
    if (!json_get (seen, judged.buf))
        rc = check_lines (kit, lines, one->for_each, err);
    json_set (seen, judged.buf, json_bool (true));
    strbuf_release (&judged);
    return rc < 0 ? -1 : check_structures (one, input, seen, err);
}

/* Without any, that nothing is missing: the rest the others say. */
int explore_check_runs (const struct explore_kit *kit,
                        const struct known_input *input, struct error *err)
{
    _cleanup_ (explore_runs_release) struct explore_runs runs =
        EXPLORE_RUNS_INIT;
    _cleanup_json_ struct json *seen = NULL;
    int rc;

    if (is_partly_unknown (input->others))
        return 0;
    if (!has_runs (input))
        return explore_runs_are_whole (input->others, err);
    seen = json_object ();
    rc = explore_runs_read (input->others, input->dir, &runs, err);
    for (size_t i = 0; rc == 0 && i < runs.n; i++) {
        if ((rc = check_run (kit, &runs.v[i], input, seen, err)) < 0)
            error_prefix (err, "runs[%zu]", i);
    }
    return rc;
}

/* --- what looks wrong --- */

static void doubt_lines (const struct explore_kit *kit, const char *path,
                         const struct json *for_each,
                         const char *const *elements, struct strbuf *says)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (kit->doubt_template
        && file_read (path, EXPLORE_TEMPLATE_MAX_BYTES, &text, NULL) == 0
        && text.len > 0)
        kit->doubt_template (text.buf, path, for_each, elements, says);
}

void explore_doubt_input (const struct explore_kit *kit,
                          const struct known_input *input, struct strbuf *says)
{
    if (!has_runs (input))
        doubt_lines (kit, json_as_string (input->value),
                     json_get (input->others, "for_each"), input->elements,
                     says);
}

static void doubt_distances (const char *path, const struct frame *frame,
                             struct strbuf *says)
{
    static const double least = 0.5; /* of a bond */
    _cleanup_ (closest_pairs_release) struct closest_pairs pairs =
        CLOSEST_PAIRS_INIT;

    closest_pairs_add (&pairs, frame, (struct frame_mark){ 0 });
    if (pairs.n_flat > 0)
        template_doubt (says, path, 0,
                        "the cell is lower than %g A; look at its unit",
                        CLOSEST_PAIRS_HEIGHT);
    for (size_t i = 0; i < pairs.n; i++) {
        const struct closest_pair *pair = &pairs.v[i];
        double bond = covalent_radius (pair->symbols[0])
                      + covalent_radius (pair->symbols[1]);

        if (pair->distance < least * bond)
            template_doubt (says, path, 0,
                            "%s and %s are %.3g A apart, where a bond has %.3g "
                            "A, so the MD explodes; look at the unit of "
                            "positions and cell, and for atoms that are there "
                            "twice",
                            pair->symbols[0], pair->symbols[1], pair->distance,
                            bond);
    }
}

/* Of one atom and its images no force is left. */
static void doubt_alone (const char *path, const struct frame *frame,
                         struct strbuf *says)
{
    if (frame->n_atoms == 1)
        template_doubt (says, path, 0,
                        "there is one atom, whose images pull it as much as "
                        "they push it, so it feels no force and members agree; "
                        "repeat the cell");
}

/* Without masses it does not show that types are in another order. */
static void doubt_types (const char *path, const struct strvec *elements,
                         struct strbuf *says)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (elements->n > 1
        && file_read (path, EXPLORE_STRUCTURE_MAX_BYTES, &text, NULL) == 0
        && text.len > 0 && !strstr (text.buf, "\nMasses"))
        template_doubt (says, path, 0,
                        "no Masses tell what its types are, so type 1 is %s "
                        "and type 2 %s, as elements says; add Masses, which "
                        "are compared with that",
                        elements->v[0], elements->v[1]);
}

static void doubt_structures (const struct explore_run *one,
                              const struct known_input *input,
                              struct json *seen, struct strbuf *says)
{
    _cleanup_ (strvec_release) struct strvec elements = STRVEC_INIT;
    bool known =
        !json_is_null (json_get (input->others, "elements"))
        && step_strings (input->others, "elements", &elements, NULL) == 0;

    for (size_t i = 0; known && i < one->n_structures; i++) {
        _cleanup_ (frame_release) struct frame frame = FRAME_INIT;
        _cleanup_free_ char *path =
            path_join (input->dir, one->structures[i].path);
        bool is_data = false;

        if (!json_get (seen, path)
            && explore_read_structure (path, &elements, &frame, &is_data, NULL)
                   == 0) {
            doubt_distances (path, &frame, says);
            doubt_alone (path, &frame, says);
            if (is_data)
                doubt_types (path, &elements, says);
        }
        json_set (seen, path, json_bool (true));
    }
}

void explore_doubt_runs (const struct explore_kit *kit,
                         const struct known_input *input, struct strbuf *says)
{
    _cleanup_ (explore_runs_release) struct explore_runs runs =
        EXPLORE_RUNS_INIT;
    _cleanup_json_ struct json *seen = json_object ();

    if (has_runs (input) && !is_partly_unknown (input->others)
        && explore_runs_read (input->others, input->dir, &runs, NULL) == 0) {
        for (size_t i = 0; i < runs.n; i++) {
            _cleanup_free_ char *lines =
                path_join (input->dir, runs.v[i].input);

            doubt_lines (kit, lines, runs.v[i].for_each, input->elements, says);
            doubt_structures (&runs.v[i], input, seen, says);
        }
    }
}

/* `scale` is of lengths: 98 is meant in per cent, 0.9 of a volume. */
void explore_doubt_for_each (const struct known_input *input,
                             struct strbuf *says)
{
    static const double least = 0.7, most = 1.5;
    const struct json *values = json_get (input->value, "scale");

    for (size_t i = 0; i < json_count (values); i++) {
        double scale = json_as_double (json_at (values, i));

        if (scale >= least && scale <= most)
            continue;
        strbuf_addf (says,
                     "for_each: scale: all lengths are multiplied by %g, the "
                     "volume by %.3g; write a number near 1, such as 0.98",
                     scale, scale * scale * scale);
        return;
    }
}

void explore_doubt_systems (const struct known_input *input,
                            struct strbuf *says)
{
    static const char *const names[] = { "systems", NULL };
    _cleanup_ (explore_runs_release) struct explore_runs runs =
        EXPLORE_RUNS_INIT;
    _cleanup_json_ struct json *seen = json_object ();

    if (!has_runs (input) && read_alone (input, names, &runs, NULL) == 0)
        doubt_structures (&runs.v[0], input, seen, says);
}

int64_t explore_count_tasks (const struct json *inputs, const char *dir)
{
    _cleanup_ (explore_runs_release) struct explore_runs runs =
        EXPLORE_RUNS_INIT;
    int64_t n = -1;

    if (!is_partly_unknown (inputs)
        && explore_runs_read (inputs, dir, &runs, NULL) == 0)
        n = runs.n_tasks;
    return n;
}

/* --- ports --- */

const char *const explore_reads[] = { "seed", NULL };

const struct port explore_slices[] = {
    { "system", .type = ONE (STRING) },
    { "structure", .type = ONE (FILE) },
    { "variables", .type = ONE (MAP) },
    { "conditions", .type = ONE (MAP) },
    { "run_input", .type = ONE (FILE) },
    { "run_steps", .type = ONE (INT) },
    { "run_dump_every", .type = ONE (INT) },
    { 0 },
};
