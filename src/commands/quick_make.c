/* SPDX-License-Identifier: BSD-3-Clause */
/* quick_make.c - from the options of `fanfold quick` to a task */
#include "config.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/problems.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "base/yaml_tree.h"
#include "base/yaml_write.h"
#include "campaign/plan.h"
#include "campaign/site_file.h"
#include "commands/campaign.h"
#include "commands/quick.h"
#include "quick/quick_task.h"
#include "quick/registry.h"
#include "quick/resource.h"
#include "quick/resource_name.h"
#include "quick/training.h"
#include "store/store.h"

enum { SITE_BYTES_MAX = 16 << 20 };

/* One call. */
struct making {
    const struct quick *quick;
    struct training training;
    char *task, *dir;     /* being made; NULL: not begun */
    struct strvec models; /* IDs */
    struct strvec warnings;
    struct error err;
    bool complained; /* what is wrong has been said */
};

static const char *option (const struct making *m, const char *name)
{
    return invocation_option (m->quick->invocation, name);
}

static char *option_copy (const struct making *m, const char *name)
{
    const char *value = option (m, name);

    return value && *value ? xstrdup (value) : NULL;
}

/* --- resources --- */

static int resolve (struct making *m, enum resource_kind kind,
                    const char *given, struct resource *resource,
                    char **revision)
{
    bool algorithm = kind == RESOURCE_ALGORITHM;
    char *scratch = xasprintf ("%s.unpacked", m->dir);
    const struct resource_request request = {
        .kind = kind,
        .given = given,
        .name = algorithm ? option (m, "name") : NULL,
        .description = option (m, "description"),
        .git_ref = algorithm ? option (m, "git-ref") : NULL,
        .commit = algorithm && option (m, "commit"),
    };
    int rc = resource_resolve (m->quick->store, &request, scratch, NULL,
                               resource, revision, &m->warnings, &m->err);

    file_remove_tree (scratch, NULL, NULL);
    free (scratch);
    return rc;
}

/* Put what the store has into the task's directory.  As files may be the
 * store's own, nobody writes to them.
 */
static int place (struct making *m, const struct resource *resource,
                  const char *path)
{
    char *to = path_join (m->dir, path);
    int rc = file_make_parent (to, &m->err);

    if (rc == 0)
        rc = store_place_kind (m->quick->store, resource_store_kind (resource),
                               resource->sha256, to, &m->err);
    if (rc == 0 && !m->err.text[0])
        error_set (&m->err, "the content of '%s' is gone from the store",
                   resource->id);
    free (to);
    return rc > 0 ? 0 : -1;
}

/* Two versions of a name have two places, and one version has one. */
static bool has_input (const struct training *training, const char *path)
{
    for (size_t i = 0; i < training->n_inputs; i++) {
        if (strcmp (training->inputs[i].path, path) == 0)
            return true;
    }
    return false;
}

static int add_input (struct making *m, enum resource_kind kind,
                      const char *given)
{
    const char *word = resource_kind_word (kind);
    struct resource resource = RESOURCE_INIT;
    struct training_input input = { .kind = word };
    char *revision = NULL, *name = xasprintf ("%s-name", word);
    int rc = resolve (m, kind, given, &resource, &revision);

    if (rc == 0) {
        input.option = xstrdup (option (m, name) ? option (m, name) : word);
        input.id = xstrdup (resource.id);
        input.path = xasprintf ("%s/%d/%s", resource_kind_folder (kind),
                                resource.version, resource.name);
        input.file = resource.file;
        memcpy (input.sha256, resource.sha256, sizeof (input.sha256));
        if (!has_input (&m->training, input.path))
            rc = place (m, &resource, input.path);
        if (kind == RESOURCE_MODEL)
            strvec_push (&m->models, resource.id);
        training_add_input (&m->training, input);
    }
    free (name);
    free (revision);
    resource_release (&resource);
    return rc;
}

static int add_inputs (struct making *m, enum resource_kind kind)
{
    const char *given;
    size_t at = 0;

    while ((given = invocation_next (m->quick->invocation,
                                     resource_kind_word (kind), &at))) {
        if (add_input (m, kind, given) < 0)
            return -1;
    }
    return 0;
}

static bool is_registered (struct making *m, enum resource_kind kind,
                           const char *given)
{
    struct resource one = RESOURCE_INIT;
    bool is = registry_find (m->quick->store, kind, given, &one, NULL) > 0;

    resource_release (&one);
    return is;
}

/* What --algorithm says, or what the first model was used with last.  Caller
 * frees.
 */
static char *which_algorithm (struct making *m)
{
    const char *given = option (m, "algorithm"), *model;
    size_t at = 0;
    char *found = NULL;

    if (given)
        return xstrdup (given);
    while ((model = invocation_next (m->quick->invocation, "model", &at))) {
        if (!is_registered (m, RESOURCE_MODEL, model)) {
            error_set (&m->err,
                       "the model '%s' is not registered, so it needs an "
                       "algorithm; add --algorithm",
                       model);
            return NULL;
        }
        if (!found)
            found = registry_algorithm_of (m->quick->store, model, &m->err);
    }
    if (!found && !m->err.text[0])
        error_set (&m->err, "nothing says what is to run: add --algorithm with "
                            "a directory, an archive or an ID");
    return found;
}

static int add_algorithm (struct making *m)
{
    char *given = which_algorithm (m), *revision = NULL;
    struct resource resource = RESOURCE_INIT;
    struct training *training = &m->training;
    int rc = given
                 ? resolve (m, RESOURCE_ALGORITHM, given, &resource, &revision)
                 : -1;

    if (rc == 0 && resource.file)
        rc = error_set (&m->err, "algorithm '%s' is a file and no directory",
                        resource.id);
    if (rc == 0) {
        training->algorithm = xstrdup (resource.id);
        training->algorithm_path = xasprintf ("algorithm/%s", resource.name);
        training->revision = xstrdup (revision);
        memcpy (training->algorithm_sha256, resource.sha256,
                sizeof (training->algorithm_sha256));
        rc = place (m, &resource, training->algorithm_path);
    }
    free (revision);
    free (given);
    resource_release (&resource);
    return rc;
}

static int tie_models (struct making *m)
{
    for (size_t i = 0; i < m->models.n; i++) {
        if (registry_tie (m->quick->store, m->models.v[i],
                          m->training.algorithm, &m->err)
            < 0)
            return -1;
    }
    return 0;
}

/* --- earlier tasks --- */

/* The output of a task that is done. */
static char *pretrained_output (struct making *m, const char *task,
                                const struct json *record)
{
    enum campaign_status state;
    char *output = quick_output_dir (m->quick, task, record);

    if (!output) {
        error_set (&m->err,
                   "task '%s' keeps no output; it was made without --output",
                   task);
        return NULL;
    }
    if (quick_settle (m->quick, task, &state, NULL) == 0
        && state == CAMPAIGN_DONE)
        return output;
    if (!m->err.text[0])
        error_set (&m->err,
                   "task '%s' is %s; --pretrain wants one that is done: run "
                   "`fanfold quick resume` first",
                   task, quick_state_word (state));
    free (output);
    return NULL;
}

static int add_pretrained (struct making *m, const char *task)
{
    struct training_input input = { .kind = "pretrain" };
    struct json *record = NULL;
    const char *name = option (m, "pretrain-name");
    char *output = NULL, *to = NULL;
    int rc = -1;

    if (quick_task_read (m->quick->store, task, &record, &m->err) <= 0
        || !(output = pretrained_output (m, task, record)))
        goto done;
    input.option = xstrdup (name ? name : "pretrain");
    input.id = xstrdup (task);
    input.path = xasprintf ("pretrain/%s/%s", task,
                            path_base (json_get_string (record, "output")));
    training_add_input (&m->training, input);
    to = path_join (m->dir, input.path);
    if (store_put (m->quick->store, output,
                   m->training.inputs[m->training.n_inputs - 1].sha256, &m->err)
            < 0
        || file_make_parent (to, &m->err) < 0)
        goto done;
    rc = file_exists (to)
             ? 1
             : store_place_kind (
                 m->quick->store, STORE_TREE,
                 m->training.inputs[m->training.n_inputs - 1].sha256, to,
                 &m->err);
    if (rc == 0 && !m->err.text[0])
        error_set (&m->err, "the output of '%s' is damaged", task);
done:
    free (to);
    free (output);
    json_unref (record);
    return rc > 0 ? 0 : -1;
}

static int add_all_pretrained (struct making *m)
{
    const char *task;
    size_t at = 0;

    while ((task = invocation_next (m->quick->invocation, "pretrain", &at))) {
        if (add_pretrained (m, task) < 0)
            return -1;
    }
    return 0;
}

/* --- the task's directory --- */

/* In the algorithm's tree: absent, or an empty directory, behind no link. */
static int check_output (struct making *m)
{
    struct strvec parts = STRVEC_INIT, names = STRVEC_INIT;
    struct strbuf path = STRBUF_INIT;
    const char *output = m->training.output;
    struct stat st;
    int rc = 0;

    strbuf_addf (&path, "%s/%s", m->dir, m->training.algorithm_path);
    strvec_split (&parts, output ? output : "", "/");
    for (size_t i = 0; rc == 0 && i < parts.n; i++) {
        strbuf_addf (&path, "/%s", parts.v[i]);
        if (lstat (path.buf, &st) < 0)
            break;
        if (S_ISLNK (st.st_mode))
            rc = error_set (&m->err, "--output '%s': '%s' of %s is a link",
                            output, parts.v[i], m->training.algorithm);
        else if (!S_ISDIR (st.st_mode))
            rc = error_set (&m->err, "--output '%s': '%s' of %s is a file",
                            output, parts.v[i], m->training.algorithm);
        else if (i + 1 == parts.n
                 && (file_list_dir (path.buf, &names, &m->err) < 0
                     || names.n > 0))
            rc = error_set (&m->err,
                            "--output '%s': that directory of %s is not empty; "
                            "name one that is not there",
                            output, m->training.algorithm);
    }
    strvec_release (&names);
    strvec_release (&parts);
    strbuf_release (&path);
    return rc;
}

static int write_text (struct making *m, const char *name,
                       const struct strbuf *text)
{
    char *path = path_join (m->dir, name);
    int rc = file_write_atomic (path, text->buf, text->len, &m->err);

    free (path);
    return rc;
}

/* The site file with the store's whole path, which may be relative to where the
 * file was.
 */
static void name_store (const struct yaml_node *root, const char *store,
                        struct strbuf *out)
{
    struct yaml_node value = { .kind = YAML_SCALAR,
                               .text = store,
                               .quoted = true };
    struct yaml_node **items = xcalloc (root->n, sizeof (*items));
    struct yaml_node copy = *root;

    for (size_t i = 0; i < root->n; i++)
        items[i] = strcmp (root->keys[i]->text, "store") == 0 ? &value
                                                              : root->items[i];
    copy.items = items;
    yaml_write_pairs (&copy, 0, out);
    free (items);
}

static int read_site (struct making *m, const char *site, struct strbuf *text)
{
    const char *store = m->quick->site->store;
    struct problems problems = PROBLEMS_INIT;
    struct yaml_tree *tree;

    if (!store)
        return file_read (site, SITE_BYTES_MAX, text, &m->err);
    tree = yaml_tree_read (site, site, &problems);
    if (tree)
        name_store (yaml_tree_root (tree), store, text);
    else
        error_set (&m->err, "'%s' changed while it was read; try again", site);
    yaml_tree_destroy (tree);
    problems_release (&problems);
    return tree ? 0 : -1;
}

/* The task keeps the profiles that held when it was made. */
static int write_site (struct making *m)
{
    const struct invocation *invocation = m->quick->invocation;
    char *site = invocation->site ? xstrdup (invocation->site)
                                  : site_file_find (invocation->dir);
    struct strbuf text = STRBUF_INIT;
    int rc = 0;

    if (site)
        rc = read_site (m, site, &text);
    if (site && rc == 0)
        rc = write_text (m, "site.yaml", &text);
    strbuf_release (&text);
    free (site);
    return rc;
}

static int write_campaign (struct making *m)
{
    struct strbuf text = STRBUF_INIT;
    int rc;

    training_campaign_text (&m->training, &text);
    rc = write_text (m, "campaign.yaml", &text);
    strbuf_release (&text);
    return rc;
}

/* The file they are in goes with what was being made. */
static void print_problems (const struct making *m,
                            const struct problems *problems)
{
    struct strbuf text = STRBUF_INIT;
    const char *at, *found;

    problems_format (problems, &text);
    for (at = text.buf; (found = strstr (at, m->dir)); at = found) {
        fwrite (at, 1, (size_t)(found - at), stderr);
        fputs ("the task's ", stderr);
        found += strlen (m->dir) + 1;
    }
    fputs (at, stderr);
    strbuf_release (&text);
}

/* What no option check sees, the compiler does: nodes the profile has not. */
static int check_campaign (struct making *m)
{
    struct problems problems = PROBLEMS_INIT;
    struct invocation invocation = {
        .command = m->quick->invocation->command,
        .program = m->quick->invocation->program,
        .dir = m->dir,
    };
    struct plan *plan = campaign_plan (&invocation, false, NULL, &problems);

    if (!plan)
        print_problems (m, &problems);
    m->complained = !plan;
    problems_release (&problems);
    plan_destroy (plan);
    return plan ? 0 : -1;
}

static struct json *full_record (const struct making *m)
{
    struct json *record = training_record (&m->training);
    struct strvec argv = STRVEC_INIT;
    struct json *arguments = json_array ();
    char *dir = quick_task_dir (m->quick->store, m->task);
    char request[DIGEST_HEX_SIZE];

    training_digest (&m->training, request);
    training_argv (&m->training, dir, &argv);
    for (size_t i = 0; i < argv.n; i++)
        json_push (arguments, json_string (argv.v[i]));
    json_set (record, "arguments", arguments);
    json_set (record, "request", json_string (request));
    strvec_release (&argv);
    free (dir);
    return record;
}

static int commit (struct making *m)
{
    struct json *record = full_record (m);
    int rc = quick_task_commit (m->quick->store, m->task, record, &m->err);

    json_unref (record);
    return rc;
}

/* 1: there is one already. */
static int find_untold (struct making *m)
{
    char request[DIGEST_HEX_SIZE], *task = NULL;
    int rc;

    training_digest (&m->training, request);
    rc = quick_task_untold (m->quick->store, request, &task, &m->err);
    if (rc > 0) {
        quick_task_drop (m->quick->store, m->task);
        free (m->task);
        m->task = task;
        strvec_pushf (&m->warnings,
                      "an earlier call of the same words was killed; its task "
                      "'%s' goes on",
                      task);
    }
    return rc;
}

/* --- all of it --- */

/* A file is named as seen from here, NAME://... is one of a registry.  Caller
 * frees.
 */
static char *image_path (const char *image)
{
    if (!image || !*image)
        return NULL;
    return strstr (image, "://") ? xstrdup (image) : path_absolute (image);
}

static int fill_in_training (struct making *m)
{
    const struct invocation *invocation = m->quick->invocation;
    struct training *t = &m->training;

    t->project =
        xstrdup (option (m, "project") ? option (m, "project") : "default");
    t->description = option_copy (m, "description");
    t->profile = option_copy (m, "profile");
    t->image = image_path (option (m, "image"));
    t->output = option_copy (m, "output");
    t->not_reused = option (m, "no-reuse") != NULL;
    for (int i = 0; i < invocation->n_args; i++)
        strvec_push (&t->command, invocation->args[i]);
    return 0;
}

static int make (struct making *m)
{
    int rc;

    if (quick_tasks_finish_making (m->quick->store, &m->err) < 0
        || registry_project (m->quick->store, m->training.project, &m->err) < 0
        || quick_task_begin (m->quick->store, &m->task, &m->dir, &m->err) < 0)
        return -1;
    m->training.task = xstrdup (m->task);
    if (add_algorithm (m) < 0 || add_inputs (m, RESOURCE_DATASET) < 0
        || add_inputs (m, RESOURCE_MODEL) < 0 || add_all_pretrained (m) < 0
        || tie_models (m) < 0 || training_check (&m->training, &m->err) < 0
        || check_output (m) < 0)
        return -1;
    if ((rc = find_untold (m)) != 0)
        return rc < 0 ? -1 : 0;
    if (write_site (m) < 0 || write_campaign (m) < 0 || check_campaign (m) < 0)
        return -1;
    return commit (m);
}

static void warn (const struct making *m)
{
    for (size_t i = 0; i < m->warnings.n; i++)
        complain (STATUS_DONE, "warning: %s", m->warnings.v[i]);
}

enum exit_status quick_make (const struct quick *quick, char **task)
{
    struct making m = { .quick = quick,
                        .training = TRAINING_INIT,
                        .models = STRVEC_INIT,
                        .warnings = STRVEC_INIT,
                        .err = ERROR_INIT };
    enum exit_status status = quick_options_read (quick, &m.training);

    if (status != STATUS_DONE)
        goto done;
    fill_in_training (&m);
    if (make (&m) == 0) {
        *task = xstrdup (m.task);
    } else {
        status = m.complained ? STATUS_INVALID : quick_complain (&m.err);
        if (m.task)
            quick_task_drop (quick->store, m.task);
    }
    warn (&m);
done:
    strvec_release (&m.models);
    strvec_release (&m.warnings);
    training_release (&m.training);
    free (m.task);
    free (m.dir);
    return status;
}
