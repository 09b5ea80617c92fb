/* SPDX-License-Identifier: BSD-3-Clause */
/* quick_task.c - the tasks of `fanfold quick` */
#include "base/base.h"

#include <sys/stat.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "quick/quick_task.h"
#include "space/process_identity.h"

#define TASKS "quick"
#define MAKING "making"
#define TOLD "told"
#define MAKER_END ".json"

enum { ID_CHARS = 8, TRIES = 100 };

/* Writing a file of a few lines does not take so long. */
static const double stale_s = 3600;

static char *place (const struct store *store, const char *folder,
                    const char *name)
{
    return xasprintf ("%s/%s/%s", store_path (store), folder, name);
}

char *quick_task_dir (const struct store *store, const char *task)
{
    return place (store, TASKS, task);
}

static char *file_of (const struct store *store, const char *task,
                      const char *file)
{
    return xasprintf ("%s/%s/%s/%s", store_path (store), TASKS, task, file);
}

static char *maker_file (const struct store *store, const char *task)
{
    return xasprintf ("%s/%s/%s" MAKER_END, store_path (store), MAKING, task);
}

/* The names in a folder of the store, which need not be there. */
static int list (const struct store *store, const char *folder,
                 struct strvec *names, struct error *err)
{
    _cleanup_free_ char *dir = place (store, folder, "");
    struct error why = ERROR_INIT;
    int rc = file_list_dir (dir, names, &why);

    if (rc < 0)
        rc = error_is_absence (&why) ? 0 : error_copy (err, &why);
    return rc;
}

/* --- making one --- */

/* Written first and removed last, so that what is being made has a maker. */
static int write_maker (const struct store *store, const char *task,
                        struct error *err)
{
    _cleanup_json_ struct json *maker = json_object ();
    _cleanup_free_ char *path = maker_file (store, task);
    int rc;

    process_identity_write (maker);
    rc = store_make_folder (store, MAKING, err);
    if (rc == 0)
        rc = json_write_file (path, maker, err);
    return rc;
}

void quick_task_drop (struct store *store, const char *task)
{
    _cleanup_free_ char *dir = place (store, MAKING, task);
    _cleanup_free_ char *maker = maker_file (store, task);

    if (file_remove_tree (dir, NULL, NULL) == 0)
        file_remove_tree (maker, NULL, NULL);
}

/* Is there, or was there, such a task?  1; 0; -1. */
static int was_used (struct store *store, const char *task, struct error *err)
{
    _cleanup_free_ char *dir = quick_task_dir (store, task);
    _cleanup_json_ struct json *record = NULL;
    int rc = file_look (dir, err);

    if (rc == 0)
        rc = store_record_read (store, TASKS, task, &record, err);
    return rc;
}

int quick_task_begin (struct store *store, char **task, char **dir,
                      struct error *err)
{
    char id[ID_CHARS + 1], *path;
    int rc = 1;

    for (int i = 0; rc > 0 && i < TRIES; i++) {
        random_token (id, ID_CHARS);
        rc = was_used (store, id, err);
    }
    if (rc > 0)
        return error_set (err, "no ID is left for another task");
    if (rc < 0 || write_maker (store, id, err) < 0)
        return -1;
    path = place (store, MAKING, id);
    if (mkdir (path, 0777) < 0) {
        error_errno (err, "cannot make '%s'", path);
        quick_task_drop (store, id);
        free (path);
        return -1;
    }
    *task = xstrdup (id);
    *dir = path;
    return 0;
}

/* That there was such a task is known for ever. */
static int write_document (struct store *store, const char *task,
                           const struct json *record, struct error *err)
{
    int rc = store_record_create (store, TASKS, task, record, err);

    return rc < 0 ? -1 : 0;
}

static struct json *with_maker (const char *task, const struct json *record)
{
    struct json *all = json_object ();
    char now[CLOCK_ISO_SIZE];

    clock_iso (clock_wall_s (), now);
    json_set (all, "format", json_int (1));
    json_set (all, "task", json_string (task));
    json_set (all, "made", json_string (now));
    json_set (all, "made_s", json_real (clock_wall_s ()));
    process_identity_write (all);
    JSON_FOREACH (record, it)
        json_set (all, json_iter_key (it), json_ref (json_iter_value (it)));
    return all;
}

int quick_task_commit (struct store *store, const char *task,
                       const struct json *record, struct error *err)
{
    _cleanup_json_ struct json *all = with_maker (task, record);
    _cleanup_free_ char *from = place (store, MAKING, task);
    _cleanup_free_ char *to = quick_task_dir (store, task);
    _cleanup_free_ char *file = path_join (from, QUICK_FILE);
    int rc = -1;

    if (json_write_file (file, all, err) == 0
        && store_make_folder (store, TASKS, err) == 0
        && file_rename (from, to, err) == 0)
        rc = write_document (store, task, all, err);
    if (rc == 0)
        quick_task_drop (store, task); /* its maker's file */
    return rc;
}

/* --- those that are there --- */

int quick_task_read (struct store *store, const char *task,
                     struct json **record, struct error *err)
{
    _cleanup_free_ char *file = file_of (store, task, QUICK_FILE);
    struct error why = ERROR_INIT;
    struct json *v = NULL;
    _cleanup_json_ struct json *document = NULL;
    int rc = -1;

    if (*task && !strchr (task, '/') && *task != '.')
        v = json_read_file (file, &why);
    if (v) {
        *record = v;
        rc = 1;
    } else if (!why.text[0] || error_is_absence (&why)) {
        rc = store_record_read (store, TASKS, task, &document, NULL);
        error_set (err,
                   rc > 0 ? "the directory of task '%s' is gone: '%.*s'"
                          : "there is no task '%s'; `fanfold quick list` "
                            "lists them",
                   task, (int)(strlen (file) - strlen (QUICK_FILE) - 1), file);
        rc = 0;
    } else {
        error_copy (err, &why);
    }
    return rc;
}

struct dated {
    const char *task;
    double made_s;
};

static int compare_dated (const void *a, const void *b)
{
    const struct dated *left = a, *right = b;

    if (left->made_s != right->made_s)
        return left->made_s < right->made_s ? -1 : 1;
    return strcmp (left->task, right->task);
}

int quick_task_list (struct store *store, struct strvec *tasks,
                     struct error *err)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    _cleanup_free_ struct dated *dated = NULL;
    size_t n = 0;
    int rc = list (store, TASKS, &names, err);

    dated = xcalloc (names.n + 1, sizeof (*dated));
    for (size_t i = 0; rc >= 0 && i < names.n; i++) {
        _cleanup_json_ struct json *record = NULL;

        rc = quick_task_read (store, names.v[i], &record, err);
        if (rc > 0)
            dated[n++] = (struct dated){ names.v[i],
                                         json_get_double (record, "made_s") };
    }
    qsort (dated, n, sizeof (*dated), compare_dated);
    for (size_t i = 0; rc >= 0 && i < n; i++)
        strvec_push (tasks, dated[i].task);
    return rc < 0 ? -1 : 0;
}

int quick_task_tell (struct store *store, const char *task, struct error *err)
{
    _cleanup_free_ char *file = file_of (store, task, TOLD);
    int rc = file_create (file, "", 0, err);

    return rc < 0 ? -1 : 0;
}

/* --- what others left --- */

static bool is_dead (const char *path)
{
    _cleanup_json_ struct json *maker = json_read_file (path, NULL);

    return maker && process_identity_life (maker) == LIFE_DEAD;
}

/* What is made and has no maker is one's who was removing it. */
static int drop_making (struct store *store, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    _cleanup_free_ char *dir = place (store, MAKING, "");
    int rc = list (store, MAKING, &names, err);

    for (size_t i = 0; rc == 0 && i < names.n; i++) {
        size_t len = strlen (names.v[i]), end = strlen (MAKER_END);
        bool is_maker =
            len > end && strcmp (names.v[i] + len - end, MAKER_END) == 0;
        _cleanup_free_ char *task =
            xstrndup (names.v[i], is_maker ? len - end : len);
        _cleanup_free_ char *maker = maker_file (store, task);

        if (is_dead (maker) || (!is_maker && !file_exists (maker)))
            quick_task_drop (store, task);
    }
    file_remove_temporaries (dir, stale_s);
    return rc;
}

static int write_missing_documents (struct store *store, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec tasks = STRVEC_INIT;
    _cleanup_ (strvec_release) struct strvec documents = STRVEC_INIT;
    int rc = list (store, TASKS, &tasks, err);

    if (rc == 0)
        rc = store_record_names (store, TASKS, &documents, err);
    for (size_t i = 0; rc == 0 && i < tasks.n; i++) {
        struct json *record = NULL;

        if (strvec_contains (&documents, tasks.v[i]))
            continue;
        rc = quick_task_read (store, tasks.v[i], &record, err);
        if (rc > 0)
            rc = write_document (store, tasks.v[i], record, err);
        json_unref (record);
    }
    return rc < 0 ? -1 : 0;
}

int quick_tasks_finish_making (struct store *store, struct error *err)
{
    return drop_making (store, err) < 0
                   || write_missing_documents (store, err) < 0
               ? -1
               : 0;
}

int quick_task_untold (struct store *store, const char *request, char **task,
                       struct error *err)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    int rc = list (store, TASKS, &names, err);

    *task = NULL;
    for (size_t i = 0; rc >= 0 && !*task && i < names.n; i++) {
        _cleanup_free_ char *told = file_of (store, names.v[i], TOLD);
        _cleanup_json_ struct json *record = NULL;

        rc = file_look (told, err);
        if (rc == 0)
            rc = quick_task_read (store, names.v[i], &record, err);
        if (record && process_identity_life (record) == LIFE_DEAD
            && strcmp (json_get_string (record, "request"), request) == 0)
            *task = xstrdup (names.v[i]);
    }
    return rc < 0 ? -1 : *task != NULL;
}
