/* SPDX-License-Identifier: BSD-3-Clause */
/* quick_make.c - from the options of `fanfold quick` to a task */
#include "base/base.h"

#include <sys/stat.h>

#include "base/file.h"
#include "base/json.h"
#include "base/problems.h"
#include "base/yaml_tree.h"
#include "base/yaml_write.h"
#include "campaign/plan.h"
#include "campaign/site_file.h"
#include "commands/campaign.h"
#include "commands/quick_making.h"
#include "quick/quick_task.h"
#include "quick/registry.h"
#include "quick/training.h"

enum { SITE_BYTES_MAX = 16 << 20 };

static char *option_copy (const struct making *m, const char *name)
{
    const char *value = quick_option (m, name);

    return value && *value ? xstrdup (value) : NULL;
}

/* --- the task's directory --- */

/* In the algorithm's tree: absent, or an empty directory, behind no link. */
static int check_output (struct making *m)
{
    _cleanup_ (strvec_release) struct strvec parts = STRVEC_INIT;
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    _cleanup_ (strbuf_release) struct strbuf path = STRBUF_INIT;
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
    return rc;
}

static int write_text (struct making *m, const char *name,
                       const struct strbuf *text)
{
    _cleanup_free_ char *path = path_join (m->dir, name);

    return file_write_atomic (path, text->buf, text->len, &m->err);
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
    _cleanup_free_ struct yaml_node **items =
        xcalloc (root->n, sizeof (*items));
    struct yaml_node copy = *root;

    for (size_t i = 0; i < root->n; i++)
        items[i] = strcmp (root->keys[i]->text, "store") == 0 ? &value
                                                              : root->items[i];
    copy.items = items;
    yaml_write_pairs (&copy, 0, out);
}

static int read_site (struct making *m, const char *site, struct strbuf *text)
{
    const char *store = m->quick->site->store;
    _cleanup_ (problems_release) struct problems problems = PROBLEMS_INIT;
    struct yaml_tree *tree;

    if (!store)
        return file_read (site, SITE_BYTES_MAX, text, &m->err);
    tree = yaml_tree_read (site, site, &problems);
    if (tree)
        name_store (yaml_tree_root (tree), store, text);
    else
        error_set (&m->err, "'%s' changed while it was read; try again", site);
    yaml_tree_destroy (tree);
    return tree ? 0 : -1;
}

/* The task keeps the profiles that held when it was made. */
static int write_site (struct making *m)
{
    const struct invocation *invocation = m->quick->invocation;
    _cleanup_free_ char *site = invocation->site
                                    ? xstrdup (invocation->site)
                                    : site_file_find (invocation->dir);
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    int rc = 0;

    if (site)
        rc = read_site (m, site, &text);
    if (site && rc == 0)
        rc = write_text (m, "site.yaml", &text);
    return rc;
}

static int write_campaign (struct making *m)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    training_campaign_text (&m->training, &text);
    return write_text (m, "campaign.yaml", &text);
}

/* The file they are in goes with what was being made. */
static void print_problems (const struct making *m,
                            const struct problems *problems)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    const char *at, *found;

    problems_format (problems, &text);
    for (at = text.buf; (found = strstr (at, m->dir)); at = found) {
        fwrite (at, 1, (size_t)(found - at), stderr);
        fputs ("the task's ", stderr);
        found += strlen (m->dir) + 1;
    }
    fputs (at, stderr);
}

/* What no option check sees, the compiler does: nodes the profile has not. */
static int check_campaign (struct making *m)
{
    _cleanup_ (problems_release) struct problems problems = PROBLEMS_INIT;
    struct invocation invocation = {
        .command = m->quick->invocation->command,
        .program = m->quick->invocation->program,
        .dir = m->dir,
    };
    _cleanup_plan_ struct plan *plan =
        campaign_plan (&invocation, false, NULL, NULL, &problems);

    if (!plan)
        print_problems (m, &problems);
    m->complained = !plan;
    return plan ? 0 : -1;
}

static struct json *full_record (const struct making *m)
{
    struct json *record = training_record (&m->training);
    _cleanup_ (strvec_release) struct strvec argv = STRVEC_INIT;
    struct json *arguments = json_array ();
    _cleanup_free_ char *dir = quick_task_dir (m->quick->store, m->task);
    char request[DIGEST_HEX_SIZE];

    training_digest (&m->training, request);
    training_argv (&m->training, dir, &argv);
    for (size_t i = 0; i < argv.n; i++)
        json_push (arguments, json_string (argv.v[i]));
    json_set (record, "arguments", arguments);
    json_set (record, "request", json_string (request));
    return record;
}

static int commit (struct making *m)
{
    _cleanup_json_ struct json *record = full_record (m);

    return quick_task_commit (m->quick->store, m->task, record, &m->err);
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

    t->project = xstrdup (
        quick_option (m, "project") ? quick_option (m, "project") : "default");
    t->description = option_copy (m, "description");
    t->profile = option_copy (m, "profile");
    t->image = image_path (quick_option (m, "image"));
    t->output = option_copy (m, "output");
    t->not_reused = quick_option (m, "no-reuse") != NULL;
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
    if (quick_add_resources (m) < 0
        || training_check (&m->training, &m->err) < 0 || check_output (m) < 0)
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
