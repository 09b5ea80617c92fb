/* SPDX-License-Identifier: BSD-3-Clause */
/* quick_resources.c - what a task of `fanfold quick` is made of */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "commands/quick_making.h"
#include "quick/quick_task.h"
#include "quick/registry.h"
#include "quick/resource.h"
#include "quick/resource_name.h"
#include "quick/training.h"
#include "store/store.h"

const char *quick_option (const struct making *m, const char *name)
{
    return invocation_option (m->quick->invocation, name);
}

/* --- resources --- */

static int resolve (struct making *m, enum resource_kind kind,
                    const char *given, struct resource *resource,
                    char **revision)
{
    bool algorithm = kind == RESOURCE_ALGORITHM;
    _cleanup_free_ char *scratch = xasprintf ("%s.unpacked", m->dir);
    const struct resource_request request = {
        .kind = kind,
        .given = given,
        .name = algorithm ? quick_option (m, "name") : NULL,
        .description = quick_option (m, "description"),
        .git_ref = algorithm ? quick_option (m, "git-ref") : NULL,
        .commit = algorithm && quick_option (m, "commit"),
    };
    int rc = resource_resolve (m->quick->store, &request, scratch, NULL,
                               resource, revision, &m->warnings, &m->err);

    file_remove_tree (scratch, NULL, NULL);
    return rc;
}

/* Put what the store has into the task's directory.  As files may be the
 * store's own, they are not written to.
 */
static int place (struct making *m, const struct resource *resource,
                  const char *path)
{
    _cleanup_free_ char *to = path_join (m->dir, path);
    int rc;

    if (file_make_parent (to, &m->err) < 0)
        return -1;
    rc = store_place (m->quick->store, resource_store_kind (resource),
                      resource->sha256, to, &m->err);
    if (rc == 0 && !m->err.text[0])
        error_set (&m->err, "the content of '%s' is gone from the store",
                   resource->id);
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
    _cleanup_ (resource_release) struct resource resource = RESOURCE_INIT;
    struct training_input input = { .kind = word };
    _cleanup_free_ char *revision = NULL;
    _cleanup_free_ char *name = xasprintf ("%s-name", word);
    int rc = 0;

    if (resolve (m, kind, given, &resource, &revision) < 0)
        return -1;
    input.option =
        xstrdup (quick_option (m, name) ? quick_option (m, name) : word);
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
    _cleanup_ (resource_release) struct resource one = RESOURCE_INIT;

    return registry_find (m->quick->store, kind, given, &one, NULL) > 0;
}

/* What --algorithm says, or what the first model was used with last.  Caller
 * frees.
 */
static char *which_algorithm (struct making *m)
{
    const char *given = quick_option (m, "algorithm"), *model;
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
    _cleanup_free_ char *given = which_algorithm (m);
    _cleanup_free_ char *revision = NULL;
    _cleanup_ (resource_release) struct resource resource = RESOURCE_INIT;
    struct training *training = &m->training;

    if (!given
        || resolve (m, RESOURCE_ALGORITHM, given, &resource, &revision) < 0)
        return -1;
    if (resource.file)
        return error_set (&m->err, "algorithm '%s' is a file and no directory",
                          resource.id);
    training->algorithm = xstrdup (resource.id);
    training->algorithm_path = xasprintf ("algorithm/%s", resource.name);
    training->revision = xstrdup (revision);
    memcpy (training->algorithm_sha256, resource.sha256,
            sizeof (training->algorithm_sha256));
    return place (m, &resource, training->algorithm_path);
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
    enum campaign_status state = CAMPAIGN_RUNNING;
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
        error_set (
            &m->err, "task '%s' is %s; --pretrain takes one that is done: %s",
            task, quick_state_word (state),
            state == CAMPAIGN_FAILED ? "name another one, or train it again"
                                     : "run `fanfold quick resume` first");
    free (output);
    return NULL;
}

static int add_pretrained (struct making *m, const char *task)
{
    struct training_input input = { .kind = "pretrain" };
    _cleanup_json_ struct json *record = NULL;
    _cleanup_free_ char *output = NULL;
    _cleanup_free_ char *to = NULL;
    const char *name = quick_option (m, "pretrain-name");
    int rc;

    if (quick_task_read (m->quick->store, task, &record, &m->err) <= 0
        || !(output = pretrained_output (m, task, record)))
        return -1;
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
        return -1;
    rc = file_exists (to)
             ? 1
             : store_place (m->quick->store, STORE_TREE,
                            m->training.inputs[m->training.n_inputs - 1].sha256,
                            to, &m->err);
    if (rc == 0 && !m->err.text[0])
        error_set (&m->err, "the output of '%s' is damaged", task);
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

/* --- all of it --- */

int quick_add_resources (struct making *m)
{
    return add_algorithm (m) < 0 || add_inputs (m, RESOURCE_DATASET) < 0
                   || add_inputs (m, RESOURCE_MODEL) < 0
                   || add_all_pretrained (m) < 0 || tie_models (m) < 0
               ? -1
               : 0;
}
