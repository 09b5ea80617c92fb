/* SPDX-License-Identifier: BSD-3-Clause */
/* selection_input.c - what to select from, and how: task.json, checked */
#include "base/base.h"

#include "base/json.h"
#include "formats/frame.h"
#include "reduce/selection_data.h"
#include "reduce/selection_input.h"
#include "selection/rules/rule_fields.h"

enum { FORMAT = 1 };

void selection_input_release (struct selection_input *input)
{
    for (size_t i = 0; i < input->n_trajectories; i++)
        free (input->trajectories[i].forces);
    free (input->trajectories);
    rules_release (&input->rules);
    strvec_release (&input->elements);
    strvec_release (&input->systems);
    strvec_release (&input->labelled);
    strvec_release (&input->health_labelled);
    strvec_release (&input->probe);
    strvec_release (&input->labelled_features);
    json_unref (input->inputs);
    json_unref (input->task);
    *input = (struct selection_input)SELECTION_INPUT_INIT;
}

static int read_elements (const struct json *inputs, struct strvec *elements,
                          struct error *err)
{
    if (input_texts (inputs, "elements", elements, err) < 0)
        return -1;
    for (size_t i = 0; i < elements->n; i++) {
        if (strlen (elements->v[i]) >= SYMBOL_SIZE)
            return error_set (err,
                              "key 'elements': '%s' is longer than %d "
                              "characters",
                              elements->v[i], SYMBOL_SIZE - 1);
    }
    return 0;
}

static int check_keys (const struct json *inputs, struct error *err)
{
    static const char *const others[] = {
        "trajectories", "forces",  "deviations", "frames_expected",   "system",
        "elements",     "columns", "lists",      "identical_members", "health",
        NULL,
    };

    JSON_FOREACH (inputs, it) {
        const char *key = json_iter_key (it);

        if (!words_contain (others, key) && !words_contain (rules_keys, key))
            return error_set (err, "unknown key '%s'", key);
    }
    return 0;
}

/* --- trajectories: lists with one element for each exploring task --- */

enum { SYSTEM, TRAJECTORIES, DEVIATIONS, FORCES, EXPECTED, LISTS };

static const char *const list_names[LISTS] = {
    [SYSTEM] = "system",
    [TRAJECTORIES] = "trajectories",
    [DEVIATIONS] = "deviations",
    [FORCES] = "forces",
    [EXPECTED] = "frames_expected",
};

static int read_lists (const struct json *inputs,
                       const struct json *lists[LISTS], struct error *err)
{
    size_t n;

    for (size_t i = 0; i < LISTS; i++) {
        if (input_list (inputs, list_names[i], &lists[i], err) < 0)
            return -1;
    }
    n = json_count (lists[SYSTEM]);
    for (size_t i = 0; i < LISTS; i++) {
        if (json_count (lists[i]) != 0 && json_count (lists[i]) != n)
            return error_set (err,
                              "%s has %zu elements, system has %zu; bind them "
                              "to outputs of the same stage",
                              list_names[i], json_count (lists[i]), n);
    }
    if (json_count (lists[FORCES]) > 0 && json_count (lists[DEVIATIONS]) > 0)
        return error_set (err, "forces and deviations; bind one to []");
    if (n > 0 && json_count (lists[FORCES]) == 0
        && json_count (lists[DEVIATIONS]) == 0)
        return error_set (err, "neither forces nor deviations; bind one");
    if (json_count (lists[FORCES]) > 0 && json_count (lists[TRAJECTORIES]) == 0)
        return error_set (err, "forces need trajectories; bind them too");
    return 0;
}

/* The name of a system names the file of its frames: it must not lead
 * elsewhere.
 */
static bool names_system (const char *name)
{
    static const char characters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                     "abcdefghijklmnopqrstuvwxyz0123456789_.-";

    return name[0] != '\0' && name[strspn (name, characters)] == '\0'
           && !strchr ("_.-", name[0]) && strlen (name) <= 200;
}

/* The number of a system, which is new or 'likely' more often than not. */
static int find_system (struct strvec *systems, const char *name, size_t likely,
                        size_t *system, struct error *err)
{
    size_t i = likely;

    if (i >= systems->n || strcmp (systems->v[i], name) != 0)
        i = words_index (systems->v, systems->n, name);
    if (i == systems->n) {
        if (!names_system (name))
            return error_set (err,
                              "'%s' cannot be the name of a system; it has "
                              "letters, digits, _ . - and starts with a letter "
                              "or digit",
                              name);
        strvec_push (systems, name);
    }
    *system = i;
    return 0;
}

static int read_forces (const struct json *list, size_t i,
                        struct selection_input *input,
                        struct trajectory *trajectory, struct error *err)
{
    const struct json *paths = json_at (list, i);
    size_t n = json_count (paths);

    if (input->n_models == 0)
        input->n_models = n;
    if (n < 2 || n != input->n_models)
        return error_set (err,
                          "[%zu]: %zu files; expected one for each model, at "
                          "least 2, as many everywhere",
                          i, n);
    trajectory->forces = xcalloc (n, sizeof (*trajectory->forces));
    for (size_t k = 0; k < n; k++) {
        if (input_path (paths, k, &trajectory->forces[k], err) < 0)
            return error_prefix (err, "[%zu]", i);
    }
    return 0;
}

/* Of 'skipped' frames nothing is expected. */
static int read_expected (const struct json *list, size_t i, int64_t skipped,
                          uint64_t *frames, struct error *err)
{
    const struct json *value = json_at (list, i);
    int64_t expected = json_as_int (value);

    if (json_kind (value) != JSON_KIND_INT || expected < 0)
        return error_set (err, "[%zu]: expected a number of frames", i);
    *frames = expected > skipped ? (uint64_t)(expected - skipped) : 0;
    return 0;
}

static int read_trajectory (const struct json *const lists[LISTS], size_t i,
                            int64_t skipped, struct selection_input *input,
                            struct error *err)
{
    struct trajectory *one = &input->trajectories[input->n_trajectories++];
    const char *system = json_as_string (json_at (lists[SYSTEM], i));
    size_t likely = input->n_trajectories > 1 ? one[-1].system : 0;
    int list = SYSTEM, rc;

    one->task = (int64_t)i;
    rc = find_system (&input->systems, system, likely, &one->system, err);
    if (rc == 0 && lists[list = TRAJECTORIES])
        rc = input_path (lists[list], i, &one->path, err);
    if (rc == 0 && lists[list = DEVIATIONS])
        rc = input_path (lists[list], i, &one->deviations, err);
    if (rc == 0 && lists[list = FORCES])
        rc = read_forces (lists[list], i, input, one, err);
    if (rc == 0 && lists[list = EXPECTED])
        rc =
            read_expected (lists[list], i, skipped, &one->expected_frames, err);
    return rc < 0 ? error_prefix (err, "%s", list_names[list]) : 0;
}

/* Frames at steps every, 2 every, ... below the first that counts. */
static int count_skipped_steps (const struct json *inputs, int64_t *skipped,
                                struct error *err)
{
    const struct json *section = json_get (inputs, "skip");
    int64_t every, skip = json_get_int (section, "steps");

    *skipped = 0;
    if (skip <= 1)
        return 0;
    if (json_is_null (json_get (section, "dump_every")))
        return error_set (err,
                          "skip: steps: %lld needs dump_every, the steps "
                          "between two frames, to tell how many are left",
                          (long long)skip);
    if (json_want_int (section, "dump_every", &every, err) < 0)
        return error_prefix (err, "skip");
    if (every < 1)
        return error_set (err, "skip: dump_every: %lld is less than 1",
                          (long long)every);
    *skipped = (skip - 1) / every;
    return 0;
}

/* Of those that are expected, how many do not count. */
static int count_skipped (const struct json *inputs, int64_t *skipped,
                          struct error *err)
{
    int64_t frames = json_get_int (json_get (inputs, "skip"), "frames");

    if (count_skipped_steps (inputs, skipped, err) < 0)
        return -1;
    if (frames > 0)
        *skipped =
            frames < INT64_MAX - *skipped ? *skipped + frames : INT64_MAX;
    return 0;
}

static int read_trajectories (struct selection_input *input, struct error *err)
{
    const struct json *lists[LISTS];
    int64_t skipped = 0;
    size_t n;

    if (read_lists (input->inputs, lists, err) < 0)
        return -1;
    for (int i = 0; i < LISTS; i++) {
        if (json_count (lists[i]) == 0)
            lists[i] = NULL;
    }
    if (lists[EXPECTED] && count_skipped (input->inputs, &skipped, err) < 0)
        return -1;
    n = json_count (lists[SYSTEM]);
    input->trajectories = xcalloc (n, sizeof (*input->trajectories));
    for (size_t i = 0; i < n; i++) {
        if (json_is_null (json_at (lists[SYSTEM], i)))
            input->missing_tasks++;
        else if (read_trajectory (lists, i, skipped, input, err) < 0)
            return -1;
    }
    return 0;
}

const struct trajectory *input_trajectory (const struct selection_input *input,
                                           int64_t task)
{
    size_t low = 0, high = input->n_trajectories;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (input->trajectories[middle].task < task)
            low = middle + 1;
        else
            high = middle;
    }
    return low < input->n_trajectories && input->trajectories[low].task == task
               ? &input->trajectories[low]
               : NULL;
}

bool selection_input_prints (const struct selection_input *input)
{
    const struct rules *rules = &input->rules;

    return rules->pick == PICK_DIVERSE
           || (rules_is_batch (rules) && !rules->batch.features);
}

/* --- the whole --- */

/* Can the rules be followed with what there is? */
static int check_needs (const struct selection_input *input, struct error *err)
{
    const struct rules *rules = &input->rules;
    bool paths = input->n_trajectories == 0 || input->trajectories[0].path;
    bool forces = input->n_models > 0;

    if (selection_input_prints (input) && input->elements.n == 0)
        return error_set (err,
                          "pick: how: %s needs elements, the list of all that "
                          "there are",
                          rules_picks[rules->pick]);
    if ((selection_input_prints (input) || rules_is_batch (rules)) && !paths)
        return error_set (err, "pick: how: %s needs trajectories",
                          rules_picks[rules->pick]);
    if (!forces && input->n_trajectories > 0
        && (input->committee.is_relative[DEVIATION_FORCE]
            || input->committee.is_relative[DEVIATION_VIRIAL]))
        return error_set (err, "levels: relative needs forces; deviations are "
                               "relative where what wrote them was told so");
    if (rules->avg_relative && (!paths || forces))
        return error_set (err, "levels: avg_relative needs deviations, and "
                               "trajectories with forces");
    if (rules->duplicates > 0 && !paths)
        return error_set (err, "duplicates: they need trajectories");
    if (input->health_labelled.n > 0 && (!paths || input->elements.n == 0))
        return error_set (err, "health: distances need trajectories, and "
                               "elements, the list of all that there are");
    if (rules->error.any && input->n_trajectories > 0 && !forces)
        return error_set (err, "levels: error needs the forces of every model; "
                               "write committee: rerun where they explore");
    if (!rules->error.any && input->probe_labels)
        return error_set (err, "calibration: without levels: {error: ...} "
                               "nothing is calibrated");
    for (size_t i = 0; forces && i < rules->n_systems; i++) {
        if (rules->criteria[i].has[DEVIATION_DISTANCE])
            return error_set (err, "levels: distance: only files of deviations "
                                   "hold it; filters: {closest} looks at the "
                                   "structures");
    }
    if (input->frames_dir && !paths)
        return error_set (err, "outputs: frames need trajectories");
    if (input->frames_dir && input->elements.n == 0)
        return error_set (err, "key 'elements': the list is empty");
    return 0;
}

/* The task's, with its seed, and without what is null. */
static struct json *with_seed (const struct json *inputs, int64_t seed)
{
    struct json *made = json_object ();

    JSON_FOREACH (inputs, it) {
        if (!json_is_null (json_iter_value (it)))
            json_set (made, json_iter_key (it),
                      json_ref (json_iter_value (it)));
    }
    json_set (made, "seed", json_int (seed));
    return made;
}

static int read_identical (const struct json *inputs, int *allowed,
                           struct error *err)
{
    static const struct rule_field field[] = {
        { .key = "identical_members",
          .kind = RULE_CHOICE,
          .names = committee_identical },
        RULE_FIELDS_END,
    };

    *allowed = 0;
    return rules_read (inputs, field, allowed, err);
}

static int read_inputs (struct selection_input *input, struct error *err)
{
    const struct json *inputs = json_get (input->task, "inputs");
    int64_t seed = 0;

    if (!json_is_null (json_get (input->task, "seed"))
        && json_want_int (input->task, "seed", &seed, err) < 0)
        return -1;
    if (check_keys (inputs, err) < 0
        || read_identical (inputs, &input->identical_allowed, err) < 0)
        return -1;
    input->inputs = with_seed (inputs, seed);
    if (input_list (json_get (inputs, "convergence"), "earlier",
                    &input->earlier, err)
            < 0
        || read_elements (inputs, &input->elements, err) < 0
        || input_texts (json_get (inputs, "duplicates"), "labelled",
                        &input->labelled, err)
               < 0
        || input_read_calibration (input, err) < 0
        || read_trajectories (input, err) < 0
        || input_read_features (input, err) < 0
        || input_read_health (input, err) < 0
        || rules_from_json (input->inputs, &input->systems, &input->rules, err)
               < 0)
        return -1;
    return committee_rules_from_json (inputs, &input->committee, err);
}

#define TEXT(member, key) RULE_FIELD (struct selection_input, member, key, TEXT)

static const struct rule_field output_fields[] = {
    TEXT (frames_dir, "frames"),
    TEXT (provenance_path, "provenance"),
    TEXT (lists_dir, "lists"),
    TEXT (params_path, "params"),
    RULE_FIELDS_END,
};

static const struct rule_field task_fields[] = {
    TEXT (root, "campaign_dir"),
    RULE_FIELD (struct selection_input, iteration, "iteration", COUNT),
    RULE_FIELDS_END,
};

static int read_outputs (struct selection_input *input, struct error *err)
{
    input->params_path = "params.json";
    if (rules_read (json_get (input->task, "outputs"), output_fields, input,
                    err)
        < 0)
        return error_prefix (err, "outputs");
    if (!json_as_bool (json_get (input->inputs, "lists")))
        input->lists_dir = NULL;
    return 0;
}

static int read_task (struct selection_input *input, struct error *err)
{
    struct json *inputs;
    int64_t format = 0;

    if (json_want_int (input->task, "format", &format, err) < 0)
        return -1;
    if (format != FORMAT)
        return error_set (err, "key 'format': %lld; this program reads %d",
                          (long long)format, FORMAT);
    if (json_want_object (input->task, "inputs", &inputs, err) < 0)
        return -1;
    input->iteration = -1;
    if (rules_read (input->task, task_fields, input, err) < 0)
        return -1;
    if (read_inputs (input, err) < 0)
        return error_prefix (err, "inputs");
    return read_outputs (input, err);
}

int selection_input_read (struct json *task, struct selection_input *input,
                          struct error *err)
{
    struct selection_input made = SELECTION_INPUT_INIT;

    made.task = json_ref (task);
    if (read_task (&made, err) < 0 || check_needs (&made, err) < 0) {
        selection_input_release (&made);
        return -1;
    }
    selection_input_release (input);
    *input = made;
    return 0;
}

int selection_input_parse (const char *text, size_t len, const char *name,
                           struct selection_input *input, struct error *err)
{
    struct json *task = json_parse (text, len, name, err);
    int rc;

    if (!task)
        return -1;
    rc = selection_input_read (task, input, err);
    json_unref (task);
    return rc < 0 ? error_prefix (err, "%s", name) : 0;
}
