/* SPDX-License-Identifier: BSD-3-Clause */
/* quick_tasks.c - quick list, show, get and resume */
#include "base/base.h"

#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/file_copy.h"
#include "base/json.h"
#include "commands/quick.h"
#include "quick/quick_task.h"
#include "quick/training.h"
#include "space/layout.h"

/* What quick.json says of the task that is named; NULL after complaining. */
static struct json *read_named (const struct quick *quick, const char *task)
{
    struct json *record = NULL;
    struct error err = ERROR_INIT;

    if (quick_task_read (quick->store, task, &record, &err) > 0)
        return record;
    quick_complain (&err);
    return NULL;
}

static void set_state (const struct quick *quick, const char *task,
                       struct json *view, bool *done)
{
    _cleanup_ (strbuf_release) struct strbuf why = STRBUF_INIT;
    enum campaign_status status;

    *done = false;
    if (quick_state (quick, task, &status, &why) == 0) {
        json_set (view, "state", json_string (quick_state_word (status)));
        if (why.len > 0)
            json_set (view, "why", json_string (why.buf));
        *done = status == CAMPAIGN_DONE;
    }
}

/* Where results that were linked come from: the task, or another campaign. */
static void set_origin (struct json *view, const char *output)
{
    _cleanup_free_ char *file = xasprintf (
        "%.*s" LAYOUT_RESULT_FILE, (int)(path_base (output) - output), output);
    _cleanup_json_ struct json *result = json_read_file (file, NULL);
    const struct json *reused = result ? json_get (result, "reused") : NULL;

    if (reused)
        json_set (view, "reused",
                  json_string (json_get_string (reused, "campaign")));
}

struct json *quick_view (const struct quick *quick, const char *task,
                         const struct json *record)
{
    static const char *const hidden[] = {
        "format", "made_s",      "host",    "boot_id", "pid_namespace",
        "pid",    "start_ticks", "request", NULL
    };
    struct json *view = json_object ();
    _cleanup_free_ char *dir = quick_task_dir (quick->store, task);
    _cleanup_free_ char *output = quick_output_dir (quick, task, record);
    bool done;

    json_set (view, "task", json_string (task));
    set_state (quick, task, view, &done);
    json_set (view, "directory", json_string (dir));
    JSON_FOREACH (record, it) {
        if (!words_contain (hidden, json_iter_key (it))
            && strcmp (json_iter_key (it), "task") != 0)
            json_set (view, json_iter_key (it),
                      json_ref (json_iter_value (it)));
    }
    if (done && output) {
        json_set (view, "result", json_string (output));
        set_origin (view, output);
    }
    return view;
}

enum exit_status quick_show (const struct quick *quick)
{
    const char *task = quick->invocation->args[1];
    struct json *record = read_named (quick, task);
    _cleanup_json_ struct json *view = NULL;

    if (!record)
        return STATUS_INVALID;
    view = quick_view (quick, task, record);
    print_json (view);
    json_unref (record);
    return STATUS_DONE;
}

/* --- list --- */

static void print_row (const struct json *view, double made_s)
{
    char made[CLOCK_ISO_SIZE];

    clock_iso_here (made_s, made);
    printf ("%-8s  %-7s  %-25s  %-16s  %s\n", json_get_string (view, "task"),
            json_get_string (view, "state"), made,
            json_get_string (view, "project"),
            json_get_string (json_get (view, "algorithm"), "id"));
}

enum exit_status quick_list (const struct quick *quick)
{
    _cleanup_ (strvec_release) struct strvec tasks = STRVEC_INIT;
    _cleanup_json_ struct json *all = json_array ();
    _cleanup_json_ struct json *made = json_array ();
    struct error err = ERROR_INIT;
    bool as_json = invocation_option (quick->invocation, "json") != NULL;
    int rc = quick_task_list (quick->store, &tasks, &err);

    for (size_t i = 0; rc == 0 && i < tasks.n; i++) {
        _cleanup_json_ struct json *record = NULL;

        rc = quick_task_read (quick->store, tasks.v[i], &record, &err);
        if (rc > 0) {
            json_push (all, quick_view (quick, tasks.v[i], record));
            json_push (made, json_real (json_get_double (record, "made_s")));
        }
        rc = rc < 0 ? -1 : 0;
    }
    if (rc == 0 && as_json)
        print_json (all);
    if (rc == 0 && !as_json && tasks.n > 0)
        printf ("%-8s  %-7s  %-25s  %-16s  %s\n", "TASK", "STATE", "MADE",
                "PROJECT", "ALGORITHM");
    for (size_t i = 0; rc == 0 && !as_json && i < json_count (all); i++)
        print_row (json_at (all, i), json_as_double (json_at (made, i)));
    return rc < 0 ? quick_complain (&err) : STATUS_DONE;
}

/* --- get --- */

/* An empty directory gives way to it. */
static int copy_output (const char *output, const char *to, struct error *err)
{
    _cleanup_free_ char *full = path_absolute (to);
    int rc = -1;

    if (rmdir (full) < 0 && file_look (full, NULL) != 0)
        error_set (err,
                   "'%s' is there and not empty; name a directory that is not "
                   "there",
                   to);
    else if (file_make_parent (full, err) == 0)
        rc = file_place_tree (output, full, FILES_WRITABLE, err);
    return rc;
}

static enum exit_status check_done (const struct quick *quick, const char *task)
{
    _cleanup_ (strbuf_release) struct strbuf why = STRBUF_INIT;
    enum campaign_status state = CAMPAIGN_RUNNING;
    enum exit_status status = STATUS_DONE;

    if (quick_settle (quick, task, &state, &why) < 0)
        status = STATUS_FAILED;
    else if (state == CAMPAIGN_FAILED)
        status = complain (STATUS_FAILED, "%s: failed: %s", task, why.buf);
    else if (state != CAMPAIGN_DONE)
        status = complain (STATUS_UNREACHABLE,
                           "%s: is %s; `fanfold quick resume` drives it to its "
                           "end",
                           task, quick_state_word (state));
    return status;
}

enum exit_status quick_get (const struct quick *quick)
{
    const struct invocation *invocation = quick->invocation;
    const char *task = invocation->args[1];
    const char *to = invocation->n_args > 2 ? invocation->args[2] : task;
    struct json *record = read_named (quick, task);
    struct error err = ERROR_INIT;
    enum exit_status status = STATUS_INVALID;
    _cleanup_free_ char *output = NULL;
    _cleanup_json_ struct json *v = json_object ();

    if (!record)
        return STATUS_INVALID;
    output = quick_output_dir (quick, task, record);
    if (!output)
        complain (STATUS_INVALID,
                  "%s: keeps no output; it was made without --output", task);
    else if ((status = check_done (quick, task)) == STATUS_DONE
             && copy_output (output, to, &err) < 0)
        status = quick_complain (&err);
    json_set (v, "task", json_string (task));
    json_set (v, "directory", json_string (to));
    if (status == STATUS_DONE)
        print_reply (invocation, v, "");
    json_unref (record);
    return status;
}

/* --- resume --- */

enum exit_status quick_resume (const struct quick *quick)
{
    _cleanup_ (strvec_release) struct strvec all = STRVEC_INIT;
    _cleanup_ (strvec_release) struct strvec unfinished = STRVEC_INIT;
    _cleanup_json_ struct json *v = json_object ();
    struct error err = ERROR_INIT;
    enum exit_status status = STATUS_DONE;

    if (quick_tasks_finish_making (quick->store, &err) < 0
        || quick_task_list (quick->store, &all, &err) < 0)
        status = quick_complain (&err);
    for (size_t i = 0; status == STATUS_DONE && i < all.n; i++) {
        enum campaign_status state;

        if (quick_state (quick, all.v[i], &state, NULL) < 0)
            status = STATUS_FAILED;
        else if (state == CAMPAIGN_RUNNING || state == CAMPAIGN_PAUSED)
            strvec_push (&unfinished, all.v[i]);
    }
    if (status == STATUS_DONE)
        status = quick_drive (quick, &unfinished);
    json_set (v, "tasks", json_strings (&unfinished));
    if (status == STATUS_DONE)
        print_reply (quick->invocation, v, "");
    return status;
}
