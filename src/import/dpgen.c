/* SPDX-License-Identifier: BSD-3-Clause */
/* dpgen.c - param.json and machine.json of DP-GEN as a campaign of Fanfold */
#include "base/base.h"

#include "base/json.h"
#include "import/document.h"
#include "import/dpgen.h"
#include "import/dpgen_keys.h"
#include "import/program_words.h"

/* As many phases as a campaign may have, but for the last one. */
enum { JOBS_MAX = 99 };

/* --- what is refused at once --- */

/* A second pair_style, which DP-GEN writes where it is switched on. */
static int refuse_dispersion (const struct section *param, struct error *err)
{
    const struct section s = { .v = section_get (param, "lmp_d3"),
                               .prefix = "lmp_d3." };
    bool on = false;

    if (key_bool (&s, "enable", &on, err) < 0)
        return -1;
    return on ? error_set (err,
                           "lmp_d3.enable: the committee is the only "
                           "pair_style of lammps.explore; train on labels that "
                           "have the dispersion")
              : 0;
}

/* Inputs of the other programs of DP-GEN. */
static int refuse_others (const struct json *param, struct error *err)
{
    static const struct {
        const char *key, *program;
    } others[] = {
        { "pick_data", "simplify" },    { "init_pick_number", "simplify" },
        { "super_cell", "init_bulk" },  { "md_nstep", "init_bulk" },
        { "skip_relax", "init_bulk" },  { "millers", "init_surf" },
        { "interaction", "autotest" },  { "properties", "autotest" },
        { "relaxation", "autotest" },   { "interactions", "autotest" },
        { "dataset", "init_reaction" },
    };

    for (size_t i = 0; i < ARRAY_SIZE (others); i++) {
        if (!json_is_null (json_get (param, others[i].key))
            && json_is_null (json_get (param, "model_devi_jobs")))
            return error_set (err,
                              "%s: that is an input of `dpgen %s`, which has "
                              "no counterpart here; inputs of `dpgen run` are "
                              "imported",
                              others[i].key, others[i].program);
    }
    return 0;
}

static int read_jobs (struct dpgen *dpgen, struct error *err)
{
    static const char key[] = "model_devi_jobs";
    struct json *list;
    int rc = key_list (&dpgen->param, key, &list, err);

    if (rc != 0)
        return rc < 0 ? -1 : key_missing (&dpgen->param, key, err);
    if (json_count (list) == 0)
        return error_set (err, "%s: the list is empty", key);
    if (json_count (list) > JOBS_MAX)
        return error_set (err,
                          "%s: there are %zu, and a campaign has %d phases at "
                          "most; import the first, then edit",
                          key, json_count (list), JOBS_MAX + 1);
    dpgen->jobs = xcalloc (json_count (list), sizeof (*dpgen->jobs));
    for (size_t i = 0; rc == 0 && i < json_count (list); i++) {
        _cleanup_free_ char *path = xasprintf ("%s[%zu]", key, i);
        struct json *job = NULL;

        rc = value_mapping (json_at (list, i), path, &job, err);
        dpgen->jobs[i] = dpgen->param;
        dpgen->jobs[i].v = job;
        dpgen->jobs[i].prefix = xasprintf ("%s.", path);
        dpgen->jobs[i].table = dpgen_job_keys;
        dpgen->jobs[i].more = NULL;
        dpgen->n_jobs++;
    }
    return rc;
}

/* A run that has done all its jobs still trains once. */
static int check_progress (const struct dpgen *dpgen, struct error *err)
{
    if (!dpgen->progress || (size_t)dpgen->progress->first_job <= dpgen->n_jobs)
        return 0;
    return error_set (err,
                      "model_devi_jobs: there are %zu, and the run has done "
                      "%lld; give the param.json that it runs with",
                      dpgen->n_jobs, (long long)dpgen->progress->first_job);
}

static int add_head (struct dpgen *dpgen, struct error *err)
{
    const struct section *param = &dpgen->param;

    /* Without it DP-GEN does not run, either. */
    if (!section_get (param, "numb_models"))
        return key_missing (param, "numb_models", err);
    return recipe_add_head (&dpgen->recipe, "dpgen", NULL, param, param, err);
}

/* --- exploring and selecting: what all jobs have, and what each changes --- */

/* Whether trajectories are removed: true, which holds where nothing is said, or
 * how many iterations stay.
 */
static void add_keep (struct dpgen *dpgen)
{
    const struct json *clean =
        section_get (&dpgen->param, "model_devi_clean_traj");
    struct json *keep = NULL;

    if (!clean || (json_kind (clean) == JSON_KIND_BOOL && json_as_bool (clean))
        || (json_kind (clean) == JSON_KIND_INT && json_as_int (clean) == 0))
        keep = json_string ("until_used");
    else if (json_kind (clean) == JSON_KIND_INT && json_as_int (clean) > 0)
        keep = json_ref ((struct json *)clean);
    if (keep)
        recipe_set (&dpgen->recipe, "explore.keep.trajectory", keep,
                    "model_devi_clean_traj");
}

/* The newest models; before there are any, those that DP-GEN has trained. */
static struct json *committee_of (const struct dpgen *dpgen)
{
    static const char newest[] = "latest.train.potential";

    if (!dpgen->progress
        || dpgen_trains (dpgen, (size_t)dpgen->progress->first_job))
        return json_string (newest);
    return recipe_binding (newest, json_ref (dpgen->progress->potentials));
}

static int add_explore (struct dpgen *dpgen, const struct json *inputs,
                        struct error *err)
{
    struct recipe *recipe = &dpgen->recipe;
    _cleanup_json_ struct json *with = json_object ();
    _cleanup_json_ struct json *notes = json_object ();
    int rc;

    recipe_add_stage (recipe, IMPORT_EXPLORE, "lammps.explore", NULL,
                      "machine file: model_devi.resources");
    add_keep (dpgen);
    recipe_set (recipe, "explore.with.committee", json_string ("deepmd"), NULL);
    recipe_set (recipe, "explore.with.potentials", committee_of (dpgen), NULL);
    recipe_add_program (
        recipe, "explore.with.lammps",
        lammps_arguments (recipe->stages[IMPORT_EXPLORE].program),
        "machine file: model_devi.command");
    rc = settings_apply (&dpgen->param, "explore", with, notes, err);
    recipe_set_inputs (recipe, "explore", with, notes);
    recipe_set_inputs (recipe, "explore", inputs, NULL);
    if (dpgen->n_jobs > 1)
        outline_note (&recipe->draft->campaign, "stages.explore.with",
                      "of the first job; phases have what is other in the "
                      "others");
    return rc;
}

/* Inputs of model_devi.select whose keys a phase changes one by one. */
static const char *const sections[] = { "levels",  "pick",     "skip",
                                        "filters", "clusters", NULL };

/* Take away the keys that only 'base' has. */
static void take_away (const struct json *base, const struct json *job,
                       struct json *changes)
{
    JSON_FOREACH (base, it) {
        if (!json_get (job, json_iter_key (it)))
            json_set (changes, json_iter_key (it), json_null ());
    }
}

/* What 'job' has other than 'base'. */
static struct json *difference (const struct json *base, const struct json *job)
{
    struct json *changes = json_object ();

    JSON_FOREACH (job, it) {
        const char *key = json_iter_key (it);
        const struct json *old = json_get (base, key);
        struct json *changed;

        if (old && json_equal (old, json_iter_value (it)))
            continue;
        changed = json_deep_copy (json_iter_value (it));
        if (words_contain (sections, key))
            take_away (old, json_iter_value (it), changed);
        json_set (changes, key, changed);
    }
    take_away (base, job, changes);
    return changes;
}

static void set_changes (struct json *phase, const char *stage,
                         struct json *changes)
{
    _cleanup_free_ char *path = xasprintf ("stages.%s.with", stage);

    if (json_count (changes) > 0)
        json_set_path (phase, path, json_ref (changes));
    json_unref (changes);
}

static struct json *phase_of_job (struct dpgen *dpgen, size_t i,
                                  const struct json *bases[2],
                                  const struct json *explores,
                                  const struct json *selects)
{
    struct json *phase = json_object ();
    struct json *training = dpgen_training_of_job (dpgen, i);

    json_set (phase, "name", json_stringf ("job_%02zu", i));
    json_set (phase, "iterations", json_int (1));
    if (training)
        json_set_path (phase, "stages.train", training);
    set_changes (phase, "explore",
                 difference (bases[0], json_at (explores, i)));
    set_changes (phase, "select", difference (bases[1], json_at (selects, i)));
    return phase;
}

/* DP-GEN's last iteration trains, and nothing else. */
static struct json *last_phase (struct dpgen *dpgen)
{
    struct json *phase = json_object ();
    struct json *training = dpgen_training_of_job (dpgen, dpgen->n_jobs);

    json_set (phase, "name", json_string ("last_training"));
    json_set (phase, "iterations", json_int (1));
    if (training)
        json_set_path (phase, "stages.train", training);
    json_set_path (phase, "stages.explore.when", json_bool (false));
    return phase;
}

/* The job that the campaign begins with; of a run that has done all, the last.
 */
static size_t base_job (const struct dpgen *dpgen)
{
    size_t n = dpgen->n_jobs;
    size_t first = dpgen->progress ? (size_t)dpgen->progress->first_job : 0;

    return first < n ? first : n - 1;
}

static void add_phases (struct dpgen *dpgen, const struct json *explores,
                        const struct json *selects)
{
    size_t n = dpgen->n_jobs;
    size_t first = dpgen->progress ? (size_t)dpgen->progress->first_job : 0;
    const size_t base = base_job (dpgen);
    const struct json *bases[2] = { json_at (explores, base),
                                    json_at (selects, base) };
    struct json *phases = json_array ();

    for (size_t i = first; i < n; i++)
        json_push (phases, phase_of_job (dpgen, i, bases, explores, selects));
    json_push (phases, last_phase (dpgen));
    outline_set (&dpgen->recipe.draft->campaign, "phases", phases,
                 "model_devi_jobs: what each has other than the stages above; "
                 "the last one labels and trains");
}

static int add_jobs (struct dpgen *dpgen, struct error *err)
{
    size_t n = dpgen->n_jobs;
    _cleanup_json_ struct json *explores = json_array ();
    _cleanup_json_ struct json *selects = json_array ();
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < n; i++) {
        struct json *explore = dpgen_exploration (dpgen, i, err);
        struct json *select = explore ? dpgen_selection (dpgen, i, err) : NULL;

        rc = select ? 0 : -1;
        if (explore)
            json_push (explores, explore);
        if (select)
            json_push (selects, select);
    }
    if (rc == 0)
        rc = add_explore (dpgen, json_at (explores, base_job (dpgen)), err);
    if (rc == 0) {
        recipe_add_select (
            &dpgen->recipe, json_at (selects, base_job (dpgen)),
            "the host that fanfold runs on; for many trajectories give the "
            "stage select another profile and task: {ranks: N}",
            "model_devi_f_trust_lo, _hi: accurate below, failed from",
            "fp_task_max, of each system");
        add_phases (dpgen, explores, selects);
    }
    return rc;
}

/* --- all of it --- */

static const char *const history[][2] = {
    { "history.rmse_f", "max(train.rmse_f)" },
    { "history.accurate", "select.accurate" },
    { "history.failed", "select.failed" },
    { "history.selected", "select.selected" },
    { "history.labelled", "label.labelled" },
};

int dpgen_translate (const struct json *param,
                     struct stage_machine stages[IMPORT_STAGES],
                     const struct dpgen_progress *progress, struct draft *draft,
                     struct error *err)
{
    struct dpgen dpgen = {
        .recipe.draft = draft,
        .param = { .v = param,
                   .prefix = "",
                   .table = dpgen_param_keys,
                   .more = dpgen_other_engine_keys,
                   .report = &draft->report },
        .progress = progress,
    };
    int rc = -1;

    memcpy (dpgen.recipe.stages, stages, sizeof (dpgen.recipe.stages));
    memset (stages, 0, sizeof (dpgen.recipe.stages));
    if (refuse_others (param, err) == 0
        && settings_refuse (&dpgen.param, err) == 0
        && refuse_dispersion (&dpgen.param, err) == 0
        && read_jobs (&dpgen, err) == 0 && check_progress (&dpgen, err) == 0
        && add_head (&dpgen, err) == 0 && dpgen_add_labelling (&dpgen, err) == 0
        && dpgen_add_training (&dpgen, err) == 0 && add_jobs (&dpgen, err) == 0)
        rc = 0;
    for (size_t i = 0; rc == 0 && i < ARRAY_SIZE (history); i++)
        outline_set (&draft->campaign, history[i][0],
                     json_string (history[i][1]), NULL);
    if (rc == 0)
        settings_tell (&dpgen.param);
    for (size_t i = 0; i < dpgen.n_jobs; i++) {
        if (rc == 0)
            settings_tell (&dpgen.jobs[i]);
        free ((char *)dpgen.jobs[i].prefix);
    }
    free (dpgen.jobs);
    recipe_release (&dpgen.recipe);
    json_unref (dpgen.start);
    json_unref (dpgen.checkpoints);
    return rc;
}
