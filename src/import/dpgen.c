/* SPDX-License-Identifier: BSD-3-Clause */
/* dpgen.c - param.json and machine.json of DP-GEN as a campaign of Fanfold */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/json.h"
#include "base/problems.h"
#include "import/document.h"
#include "import/dpgen.h"
#include "import/dpgen_keys.h"
#include "import/program_words.h"

/* As many phases as a campaign may have, but for the last one. */
enum { JOBS_MAX = 99 };

/* --- what is refused at once --- */

static int refuse (const struct json *param, struct error *err)
{
    const char *engine = "lammps", *mlp = "dp";
    int64_t temperature = 0;
    bool on = false;

    if (key_text (param, "", "model_devi_engine", &engine, err) < 0
        || key_text (param, "", "mlp_engine", &mlp, err) < 0
        || key_int (param, "", "use_ele_temp", &temperature, err) < 0)
        return -1;
    if (strcmp (engine, "lammps") != 0)
        return error_set (err,
                          "model_devi_engine: '%s' has no operator here, only "
                          "lammps has; explore with an operator of your own "
                          "(`command:` or `group:` in fanfold-campaign(5))",
                          engine);
    if (strcmp (mlp, "dp") != 0)
        return error_set (err, "mlp_engine: '%s' is not known; there is dp",
                          mlp);
    if (temperature != 0)
        return error_set (err,
                          "use_ele_temp: %lld needs fparam or aparam in data, "
                          "training and exploration, which is not supported; "
                          "train and explore with operators of your own",
                          (long long)temperature);
    if (key_bool (param, "", "model_devi_nopbc", &on, err) < 0)
        return -1;
    if (on)
        return error_set (err,
                          "model_devi_nopbc: lammps.explore has periodic "
                          "boundaries only; put the clusters into cells with "
                          "vacuum around them");
    if (key_bool (param, "", "model_devi_f_avg_relative", &on, err) < 0)
        return -1;
    if (on)
        return error_set (err,
                          "model_devi_f_avg_relative: it needs the forces in "
                          "the trajectory, which lammps.explore does not "
                          "write; use use_relative and epsilon");
    if (key_bool (json_get (param, "lmp_d3"), "lmp_d3.", "enable", &on, err)
        < 0)
        return -1;
    if (on)
        return error_set (err,
                          "lmp_d3.enable: the committee is the only pair_style "
                          "of lammps.explore; train on labels that have the "
                          "dispersion");
    return 0;
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
        if (json_get (param, others[i].key)
            && !json_get (param, "model_devi_jobs"))
            return error_set (err,
                              "%s: that is an input of `dpgen %s`, which has "
                              "no counterpart here; inputs of `dpgen run` are "
                              "imported",
                              others[i].key, others[i].program);
    }
    return 0;
}

static int read_elements (struct dpgen *dpgen, struct error *err)
{
    struct json *list;
    int rc = key_list (dpgen->param, "", "type_map", &list, err);

    if (rc > 0)
        rc = error_set (err, "type_map: it is missing");
    for (size_t i = 0; rc == 0 && i < json_count (list); i++) {
        const char *symbol;

        rc = value_text (json_at (list, i), "type_map", &symbol, err);
    }
    if (rc == 0 && json_count (list) == 0)
        rc = error_set (err, "type_map: the list is empty");
    if (rc == 0)
        dpgen->elements = list;
    return rc;
}

static int read_jobs (struct dpgen *dpgen, struct error *err)
{
    int rc = key_list (dpgen->param, "", "model_devi_jobs", &dpgen->jobs, err);
    size_t n;

    if (rc != 0)
        return rc < 0 ? -1 : error_set (err, "model_devi_jobs: it is missing");
    n = json_count (dpgen->jobs);
    if (n == 0)
        return error_set (err, "model_devi_jobs: the list is empty");
    if (n > JOBS_MAX)
        return error_set (err,
                          "model_devi_jobs: there are %zu, and a campaign has "
                          "%d phases at most; import the first, then edit",
                          n, JOBS_MAX + 1);
    for (size_t i = 0; i < n; i++) {
        char *prefix = dpgen_job_prefix (i);
        struct json *job;

        prefix[strlen (prefix) - 1] = '\0';
        rc = value_mapping (json_at (dpgen->jobs, i), prefix, &job, err);
        free (prefix);
        if (rc < 0)
            return -1;
    }
    return 0;
}

/* A run that has done all its jobs still trains once. */
static int check_progress (const struct dpgen *dpgen, struct error *err)
{
    size_t n = json_count (dpgen->jobs);

    if (!dpgen->progress || (size_t)dpgen->progress->first_job <= n)
        return 0;
    return error_set (err,
                      "model_devi_jobs: there are %zu, and the run has done "
                      "%lld; give the param.json that it runs with",
                      n, (long long)dpgen->progress->first_job);
}

/* --- the head --- */

/* A key without which DP-GEN does not run, either. */
static int say_missing (const struct json *param, const char *key,
                        struct error *err)
{
    struct strvec names = STRVEC_INIT;
    const char *nearest;

    JSON_FOREACH (param, it)
        strvec_push (&names, json_iter_key (it));
    nearest = nearest_word (key, &names);
    if (nearest)
        error_set (err, "%s: it is missing; is '%s' meant to be it?", key,
                   nearest);
    else
        error_set (err, "%s: it is missing", key);
    strvec_release (&names);
    return -1;
}

static int add_head (struct dpgen *dpgen, struct error *err)
{
    struct outline *campaign = &dpgen->draft->campaign;
    int64_t models = 4;

    int rc = key_int (dpgen->param, "", "numb_models", &models, err);

    if (rc > 0)
        rc = say_missing (dpgen->param, "numb_models", err);
    if (rc < 0)
        return -1;
    outline_set (campaign, "format", json_int (1), NULL);
    outline_set (campaign, "campaign", json_string ("dpgen"), NULL);
    outline_set (campaign, "elements", json_ref (dpgen->elements), "type_map");
    outline_set (campaign, "models", json_int (models), "numb_models");
    outline_set (campaign, "data", json_object (), NULL);
    outline_set (campaign, "stages", json_object (), NULL);
    return 0;
}

/* --- exploring and selecting: what all jobs have, and what each changes --- */

static int add_relative (struct dpgen *dpgen, const char *on_key,
                         const char *key, const char *path, struct error *err)
{
    bool on = false;
    double level;
    int rc;

    if (key_bool (dpgen->param, "", on_key, &on, err) < 0)
        return -1;
    if (!on)
        return 0;
    rc = key_number (dpgen->param, "", key, &level, err);
    if (rc != 0)
        return rc < 0 ? -1
                      : error_set (err, "%s: it is missing, and %s is true",
                                   key, on_key);
    outline_set (&dpgen->draft->campaign, path, number_json (level), "%s", key);
    return 0;
}

/* Whether trajectories are removed: true, which holds where nothing is said, or
 * how many iterations stay.
 */
static void add_keep (struct dpgen *dpgen)
{
    const struct json *clean = json_get (dpgen->param, "model_devi_clean_traj");
    struct json *keep = NULL;

    if (!clean || (json_kind (clean) == JSON_KIND_BOOL && json_as_bool (clean))
        || (json_kind (clean) == JSON_KIND_INT && json_as_int (clean) == 0))
        keep = json_string ("until_used");
    else if (json_kind (clean) == JSON_KIND_INT && json_as_int (clean) > 0)
        keep = json_ref ((struct json *)clean);
    if (keep)
        outline_set (&dpgen->draft->campaign, "stages.explore.keep.trajectory",
                     keep, "model_devi_clean_traj");
}

/* The newest models; before there are any, those that DP-GEN has trained. */
static struct json *committee_of (const struct dpgen *dpgen)
{
    static const char newest[] = "latest.train.potential";
    struct json *binding;

    if (!dpgen->progress
        || dpgen_trains (dpgen, (size_t)dpgen->progress->first_job))
        return json_string (newest);
    binding = json_object ();
    json_set (binding, "from", json_string (newest));
    json_set (binding, "default", json_ref (dpgen->progress->potentials));
    return binding;
}

static int add_explore (struct dpgen *dpgen, const struct json *inputs,
                        struct error *err)
{
    struct outline *campaign = &dpgen->draft->campaign;
    struct stage_machine *machine = &dpgen->stages[IMPORT_EXPLORE];
    struct json *words = lammps_arguments (machine->program);
    bool clusters = false;

    outline_set (campaign, "stages.explore.uses",
                 json_string ("lammps.explore"), NULL);
    outline_set (campaign, "stages.explore.profile",
                 json_string (machine->profile), NULL);
    outline_set (campaign, "stages.explore.task", json_ref (machine->task),
                 "machine file: model_devi.resources");
    add_keep (dpgen);
    outline_set (campaign, "stages.explore.with.committee",
                 json_string ("deepmd"), NULL);
    outline_set (campaign, "stages.explore.with.potentials",
                 committee_of (dpgen), NULL);
    if (json_count (words) > 0)
        outline_set (campaign, "stages.explore.with.lammps", json_ref (words),
                     "machine file: model_devi.command");
    json_unref (words);
    if (key_bool (dpgen->param, "", "use_clusters", &clusters, err) < 0
        || add_relative (dpgen, "use_relative", "epsilon",
                         "stages.explore.with.relative.force", err)
               < 0
        || add_relative (dpgen, "use_relative_v", "epsilon_v",
                         "stages.explore.with.relative.virial", err)
               < 0)
        return -1;
    if (clusters)
        outline_set (campaign, "stages.explore.with.atomic", json_bool (true),
                     "use_clusters");
    outline_set_inputs (campaign, "explore", inputs);
    if (json_count (dpgen->jobs) > 1)
        outline_note (campaign, "stages.explore.with",
                      "of the first job; phases have what is other in the "
                      "others");
    return 0;
}

/* DP-GEN selects where it runs itself. */
static void add_select (struct dpgen *dpgen, const struct json *inputs)
{
    struct outline *campaign = &dpgen->draft->campaign;

    outline_set (&dpgen->draft->site, "profiles.here.scheduler",
                 json_string ("local"),
                 "the host that fanfold runs on; for many trajectories give "
                 "the stage select another profile and task: {ranks: N}");
    outline_set (campaign, "stages.select.uses",
                 json_string ("model_devi.select"), NULL);
    outline_set (campaign, "stages.select.profile", json_string ("here"), NULL);
    outline_note (campaign, "stages.select.with.levels",
                  "model_devi_f_trust_lo, _hi: accurate below, failed from");
    outline_note (campaign, "stages.select.with.pick",
                  "fp_task_max, of each system");
    outline_set_inputs (campaign, "select", inputs);
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
    char *path = xasprintf ("stages.%s.with", stage);

    if (json_count (changes) > 0)
        json_set_path (phase, path, json_ref (changes));
    json_unref (changes);
    free (path);
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
    struct json *training =
        dpgen_training_of_job (dpgen, json_count (dpgen->jobs));

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
    size_t n = json_count (dpgen->jobs);
    size_t first = dpgen->progress ? (size_t)dpgen->progress->first_job : 0;

    return first < n ? first : n - 1;
}

static void add_phases (struct dpgen *dpgen, const struct json *explores,
                        const struct json *selects)
{
    size_t n = json_count (dpgen->jobs);
    size_t first = dpgen->progress ? (size_t)dpgen->progress->first_job : 0;
    const size_t base = base_job (dpgen);
    const struct json *bases[2] = { json_at (explores, base),
                                    json_at (selects, base) };
    struct json *phases = json_array ();

    for (size_t i = first; i < n; i++)
        json_push (phases, phase_of_job (dpgen, i, bases, explores, selects));
    json_push (phases, last_phase (dpgen));
    outline_set (&dpgen->draft->campaign, "phases", phases,
                 "model_devi_jobs: what each has other than the stages above; "
                 "the last one labels and trains");
}

static int add_jobs (struct dpgen *dpgen, struct error *err)
{
    size_t n = json_count (dpgen->jobs);
    struct json *explores = json_array (), *selects = json_array ();
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
        add_select (dpgen, json_at (selects, base_job (dpgen)));
        add_phases (dpgen, explores, selects);
    }
    json_unref (explores);
    json_unref (selects);
    return rc;
}

/* --- all of it --- */

static void add_history (struct dpgen *dpgen)
{
    struct outline *campaign = &dpgen->draft->campaign;

    outline_set (campaign, "history.rmse_f", json_string ("max(train.rmse_f)"),
                 NULL);
    outline_set (campaign, "history.accurate", json_string ("select.accurate"),
                 NULL);
    outline_set (campaign, "history.failed", json_string ("select.failed"),
                 NULL);
    outline_set (campaign, "history.selected", json_string ("select.selected"),
                 NULL);
    outline_set (campaign, "history.labelled", json_string ("label.labelled"),
                 NULL);
}

static void say_keys (struct dpgen *dpgen)
{
    struct key_report *report = &dpgen->draft->report;

    key_report_table (report, dpgen->param, "", dpgen_param_keys,
                      dpgen_other_engine_keys);
    for (size_t i = 0; i < json_count (dpgen->jobs); i++) {
        char *prefix = dpgen_job_prefix (i);

        key_report_table (report, json_at (dpgen->jobs, i), prefix,
                          dpgen_job_keys, NULL);
        free (prefix);
    }
}

/* What is only told where it is asked for. */
static void say_values (struct dpgen *dpgen)
{
    struct key_report *report = &dpgen->draft->report;
    bool on = false;

    if (json_get (dpgen->param, "shuffle_poscar")
        && key_bool (dpgen->param, "", "shuffle_poscar", &on, NULL) == 0 && !on)
        key_report_say (report, "shuffle_poscar", KEY_NOT_NEEDED,
                        "false: the structures are explored as they are");
    on = false;
    if (json_get (dpgen->param, "cluster_minify")
        && key_bool (dpgen->param, "", "cluster_minify", &on, NULL) == 0 && !on)
        key_report_say (report, "cluster_minify", KEY_NOT_NEEDED,
                        "false is what there is");
    if (json_get (dpgen->param, "cvasp")
        && key_bool (dpgen->param, "", "cvasp", &on, NULL) == 0 && !on)
        key_report_say (report, "cvasp", KEY_NOT_NEEDED,
                        "false is what there is");
}

int dpgen_translate (const struct json *param,
                     struct stage_machine stages[IMPORT_STAGES],
                     const struct dpgen_progress *progress, struct draft *draft,
                     struct error *err)
{
    struct dpgen dpgen = { .param = param,
                           .draft = draft,
                           .progress = progress };
    int rc = -1;

    memcpy (dpgen.stages, stages, sizeof (dpgen.stages));
    memset (stages, 0, sizeof (dpgen.stages));
    if (refuse_others (param, err) == 0 && refuse (param, err) == 0
        && read_elements (&dpgen, err) == 0 && read_jobs (&dpgen, err) == 0
        && check_progress (&dpgen, err) == 0 && add_head (&dpgen, err) == 0
        && dpgen_add_labelling (&dpgen, err) == 0
        && dpgen_add_training (&dpgen, err) == 0 && add_jobs (&dpgen, err) == 0)
        rc = 0;
    if (rc == 0) {
        add_history (&dpgen);
        say_values (&dpgen);
        say_keys (&dpgen);
    }
    for (size_t i = 0; i < IMPORT_STAGES; i++)
        stage_machine_release (&dpgen.stages[i]);
    json_unref (dpgen.start);
    json_unref (dpgen.checkpoints);
    return rc;
}
