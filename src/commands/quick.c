/* SPDX-License-Identifier: BSD-3-Clause */
/* quick.c - a training from local files in one call */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/quick.h"
#include "quick/quick_task.h"
#include "quick/resource_name.h"
#include "quick/training.h"
#include "store/store.h"

/* --- options --- */

/* A name of ours, or NULL is fine. */
static enum exit_status check_name (const struct invocation *invocation,
                                    const char *option)
{
    const char *name = invocation_option (invocation, option);

    if (!name || resource_name_ok (name))
        return STATUS_DONE;
    return complain (STATUS_USAGE,
                     "--%s '%s': write at most %d letters, digits and ._-, the "
                     "first a letter or a digit",
                     option, name, RESOURCE_NAME_MAX);
}

static enum exit_status read_count (const struct invocation *invocation,
                                    const char *option, int most, int *count)
{
    const char *text = invocation_option (invocation, option);
    int n = text ? parse_number (option, text) : *count;

    if (n < 0)
        return STATUS_USAGE;
    if (n < 1 || n > most)
        return complain (STATUS_USAGE, "--%s %d: write a number from 1 to %d",
                         option, n, most);
    *count = n;
    return STATUS_DONE;
}

/* Relative, without . and ..: where it leads in the tree is looked at there. */
static enum exit_status check_output (const struct invocation *invocation)
{
    const char *output = invocation_option (invocation, "output");

    if (!output || path_is_inside (output))
        return STATUS_DONE;
    return complain (STATUS_INVALID,
                     "--output '%s': write a path in the algorithm's tree, "
                     "relative and without . and ..",
                     output);
}

static enum exit_status read_hyperparams (const struct invocation *invocation,
                                          struct training *training)
{
    const char *one;
    struct error err = ERROR_INIT;
    size_t at = 0;

    if (hyperparam_style_read (invocation_option (invocation, "prefix"),
                               invocation_option (invocation, "delimiter"),
                               &training->style, &err)
        < 0)
        return complain (STATUS_USAGE, "%s", err.text);
    while ((one = invocation_next (invocation, "hyperparam", &at))) {
        if (hyperparams_add (&training->hyperparams, one, &err) < 0)
            return complain (STATUS_USAGE, "--hyperparam: %s", err.text);
    }
    return STATUS_DONE;
}

/* KEY=VALUE of `task:`; the values are judged with the campaign. */
static enum exit_status read_needs (const struct invocation *invocation,
                                    struct training *training)
{
    static const char *const keys[] = { "cores", "gpus", "memory", "walltime",
                                        NULL };
    const char *one;
    size_t at = 0;

    while ((one = invocation_next (invocation, "task", &at))) {
        size_t len = strcspn (one, "=");
        char *key = xstrndup (one, len);
        bool known = words_contain (keys, key) && one[len] && one[len + 1];

        if (known && !training->needs)
            training->needs = json_object ();
        if (known)
            json_set (training->needs, key, json_string (one + len + 1));
        free (key);
        if (!known)
            return complain (STATUS_USAGE,
                             "--task '%s': write cores=N, gpus=N, memory=SIZE "
                             "or walltime=DURATION",
                             one);
    }
    return STATUS_DONE;
}

/* --- where --- */

static enum exit_status check_profile (const struct quick *quick)
{
    const char *name = invocation_option (quick->invocation, "profile");
    _cleanup_ (strbuf_release) struct strbuf all = STRBUF_INIT;
    bool known = !name;

    for (size_t i = 0; i < quick->site->n_profiles; i++) {
        const char *one = quick->site->profiles[i].name;

        known = known || strcmp (one, name) == 0;
        strbuf_addf (&all, "%s%s", i > 0 ? ", " : "", one);
    }
    if (!known)
        complain (STATUS_INVALID,
                  "there is no profile '%s' in site.yaml; there is %s", name,
                  all.buf);
    return known ? STATUS_DONE : STATUS_INVALID;
}

/* Where the task is to run; NULL: the site does not say. */
static const struct profile *meant_profile (const struct quick *quick)
{
    const struct plan *site = quick->site;
    const char *name = invocation_option (quick->invocation, "profile");

    if (!name && site->n_profiles == 1)
        return &site->profiles[0];
    if (!name)
        name = site->default_profile;
    for (size_t i = 0; name && i < site->n_profiles; i++) {
        if (strcmp (site->profiles[i].name, name) == 0)
            return &site->profiles[i];
    }
    return NULL;
}

static enum exit_status check_nodes (const struct quick *quick, int nodes)
{
    const struct profile *profile = nodes > 1 ? meant_profile (quick) : NULL;

    if (profile && profile_runs_here (profile))
        return complain (STATUS_INVALID,
                         "--nodes %d: the jobs of profile '%s' run on this "
                         "machine alone; name one of a cluster with --profile",
                         nodes, profile->name);
    return STATUS_DONE;
}

/* --- all of them --- */

enum exit_status quick_options_read (const struct quick *quick,
                                     struct training *training)
{
    static const char *const names[] = { "name", "project", "dataset-name",
                                         "model-name", "pretrain-name" };
    const struct invocation *invocation = quick->invocation;
    enum exit_status status = STATUS_DONE;

    for (size_t i = 0; status == STATUS_DONE && i < ARRAY_SIZE (names); i++)
        status = check_name (invocation, names[i]);
    if (status == STATUS_DONE)
        status = read_count (invocation, "nodes", TRAINING_NODES_MAX,
                             &training->nodes);
    if (status == STATUS_DONE)
        status = check_nodes (quick, training->nodes);
    if (status == STATUS_DONE)
        status = read_count (invocation, "procs-per-node", TRAINING_PROCS_MAX,
                             &training->procs_per_node);
    if (status == STATUS_DONE)
        status = read_hyperparams (invocation, training);
    if (status == STATUS_DONE)
        status = read_needs (invocation, training);
    if (status == STATUS_DONE)
        status = check_output (invocation);
    return status;
}

/* Release in any case. */
static enum exit_status open_quick (const struct invocation *invocation,
                                    struct quick *quick)
{
    struct error err = ERROR_INIT;
    enum exit_status status;
    _cleanup_free_ char *dir = NULL;

    quick->invocation = invocation;
    if (!(quick->site = campaign_plan_or_complain (invocation, true)))
        return STATUS_INVALID;
    if ((status = check_profile (quick)) != STATUS_DONE)
        return status;
    dir = store_dir (quick->site->store);
    if (!dir)
        error_set (&err, "there is no store: neither `store:` in site.yaml nor "
                         "FANFOLD_STORE nor HOME says where");
    else
        quick->store = store_open (dir, &err);
    return quick->store ? STATUS_DONE : quick_complain (&err);
}

/* --- a task --- */

/* Say which task it is; only then a killed call is no more taken up by who
 * calls again.
 */
static enum exit_status tell (const struct quick *quick, const char *task)
{
    struct error err = ERROR_INIT;
    struct json *record = NULL;
    _cleanup_json_ struct json *view = NULL;

    if (quick_task_read (quick->store, task, &record, &err) <= 0)
        return quick_complain (&err);
    view = quick_view (quick, task, record);
    print_json (view);
    fflush (stdout);
    if (json_get (view, "reused"))
        complain (STATUS_DONE,
                  "nothing was run: what %s makes is known from '%s'; "
                  "--no-reuse trains again",
                  task, json_get_string (view, "reused"));
    json_unref (record);
    return quick_task_tell (quick->store, task, &err) < 0
               ? quick_complain (&err)
               : STATUS_DONE;
}

static enum exit_status submit (const struct quick *quick, const char *task)
{
    enum exit_status status = quick_submit (quick, task);

    if (status != STATUS_DONE && status != STATUS_BUSY)
        return complain (status,
                         "%s is not submitted yet; `fanfold quick resume` "
                         "goes on with it",
                         task);
    return STATUS_DONE;
}

/* What is waited for is told of when it has ended, or no command waits any
 * more. */
static enum exit_status train (const struct quick *quick)
{
    bool waits = invocation_option (quick->invocation, "wait") != NULL;
    _cleanup_ (strvec_release) struct strvec tasks = STRVEC_INIT;
    char *task = NULL;
    enum exit_status status = quick_make (quick, &task), told;

    if (status != STATUS_DONE)
        return status;
    status = submit (quick, task);
    if (status == STATUS_DONE && waits) {
        fprintf (stderr, "%s: training\n", task);
        strvec_push (&tasks, task);
        status = quick_drive (quick, &tasks);
    }
    if ((told = tell (quick, task)) != STATUS_DONE)
        status = told;
    free (task);
    return status;
}

/* --- the command --- */

static const struct action {
    const char *name;
    int min_args, max_args;
    enum exit_status (*run) (const struct quick *quick);
} actions[] = {
    { "list", 1, 1, quick_list },
    { "show", 2, 2, quick_show },
    { "get", 2, 3, quick_get },
    { "resume", 1, 1, quick_resume },
};

/* Did a "--" stand before the words, that is no option's value? */
static bool is_command (const struct invocation *invocation)
{
    const char *before = invocation->args[-1];

    for (size_t i = 0; i < invocation->n_options; i++) {
        if (invocation->options[i].value == before)
            return false;
    }
    return strcmp (before, "--") == 0;
}

static const struct action *find_action (const struct invocation *invocation)
{
    for (size_t i = 0; i < ARRAY_SIZE (actions) && invocation->n_args > 0;
         i++) {
        if (strcmp (actions[i].name, invocation->args[0]) == 0
            && invocation->n_args >= actions[i].min_args
            && invocation->n_args <= actions[i].max_args)
            return &actions[i];
    }
    return NULL;
}

/* What a campaign cannot hold would run as something else. */
static enum exit_status check_texts (const struct invocation *invocation)
{
    const char *bad = NULL;

    for (size_t i = 0; i < invocation->n_options && !bad; i++)
        bad = json_is_text (invocation->options[i].value)
                  ? NULL
                  : invocation->options[i].value;
    for (int i = 0; i < invocation->n_args && !bad; i++)
        bad = json_is_text (invocation->args[i]) ? NULL : invocation->args[i];
    if (!bad)
        return STATUS_DONE;
    return complain (STATUS_INVALID,
                     "'%s' is not UTF-8 text, as the campaign of a task is; "
                     "write it as such, or put these bytes into a file of the "
                     "algorithm",
                     bad);
}

static enum exit_status quick (const struct invocation *invocation)
{
    bool command = is_command (invocation) && invocation->n_args > 0;
    const struct action *action = command ? NULL : find_action (invocation);
    struct quick quick = { .invocation = invocation };
    enum exit_status status;

    if (!command && !action)
        return complain (STATUS_USAGE,
                         "write `fanfold quick [OPTIONS] -- COMMAND [ARG "
                         "...]`, or `fanfold quick list`, `show TASK`, `get "
                         "TASK [DIR]` or `resume`");
    if ((status = check_texts (invocation)) != STATUS_DONE)
        return status;
    status = open_quick (invocation, &quick);
    if (status == STATUS_DONE)
        status = action ? action->run (&quick) : train (&quick);
    store_close (quick.store);
    plan_destroy (quick.site);
    return status;
}

static const struct command_option options[] = {
    { "algorithm", "WHICH",
      "run in a copy of this: an ID, a directory or an archive" },
    { "name", "NAME", "register the algorithm under this name" },
    { "git-ref", "REF", "take the algorithm as this commit of git has it" },
    { "commit", NULL, "commit what was changed of the algorithm first" },
    { "description", "TEXT", "say what it is for; the message of --commit" },
    { "dataset", "WHICH",
      "pass the path of this: an ID, a directory or a file; "
      "may be repeated" },
    { "model", "WHICH", "pass the path of this model; may be repeated" },
    { "pretrain", "TASK",
      "pass the path of what this task made; may be "
      "repeated" },
    { "dataset-name", "NAME", "call the argument so (default: dataset)" },
    { "model-name", "NAME", "call the argument so (default: model)" },
    { "pretrain-name", "NAME", "call the argument so (default: pretrain)" },
    { "hyperparam", "NAME=VALUE",
      "pass this; without a value a flag, repeated "
      "a list" },
    { "prefix", "TEXT", "write this before names: --, +, ++ or none" },
    { "delimiter", "TEXT",
      "write this between name and value (default: blank)" },
    { "output", "PATH", "keep this directory of the algorithm's tree" },
    { "profile", "NAME", "run there (default: the site's)" },
    { "nodes", "N", "run COMMAND on so many nodes, once on each" },
    { "procs-per-node", "N", "tell it to start so many processes on each" },
    { "task", "KEY=VALUE",
      "need this of each node: cores, gpus, memory, or "
      "walltime; may be repeated" },
    { "image", "IMAGE", "run in this container image" },
    { "project", "NAME", "belong to this project (default: default)" },
    { "no-reuse", NULL, "train, even if the results of the same are known" },
    { "wait", NULL, "drive it to its end, and exit by its outcome" },
    { "json", NULL, "print what `list` shows, or what was done, as JSON" },
    { 0 },
};

const struct command quick_command = {
    .name = "quick",
    .arguments = "-- COMMAND [ARG ...] | list | show TASK | get TASK [DIR] | "
                 "resume",
    .summary = "train from local files in one call, without a campaign.yaml",
    .max_args = 100000,
    .options = options,
    .run = quick,
};
