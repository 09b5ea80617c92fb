/* SPDX-License-Identifier: BSD-3-Clause */
/* input_watch.c - are the files of the inputs the same before and after? */
#include "base/base.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/assignment.h"
#include "agent/input_watch.h"
#include "base/file.h"
#include "base/json.h"
#include "base/tree_walk.h"
#include "signature/operator.h"
#include "space/layout.h"

/* Of a directory no more files than this are looked at. */
enum { DIRECTORY_FILES_MAX = 1000, TASKS_NAMED_MAX = 200 };

struct file_id {
    dev_t dev;
    ino_t ino;
    off_t size;
    struct timespec mtime;
};

/* Artifacts that the same tasks use. */
struct artifacts {
    struct strvec paths; /* absolute */
    size_t users_left;   /* tasks of the bundle that are not over */
    bool open;           /* looked at once, some user is not over */
    struct strvec files; /* while it is open */
    struct file_id *ids; /* of 'files' */
    size_t ids_alloc;
    struct strvec made;    /* what stages made, of 'paths' */
    struct strvec names;   /* of all there is in these */
    bool many;             /* more than were looked at */
    struct task_range ran; /* while it was open */
};

struct input_watch {
    const struct assignment *assignment;
    struct artifacts same;    /* what is the same for all tasks */
    struct artifacts *sliced; /* one path each, in strcmp's order */
    size_t n_sliced;
    struct task_range running;
    struct artifacts **open; /* those that are */
    size_t n_open, open_alloc;
};

/* --- which there are --- */

/* Call 'each' for every path in the value of an artifact: a path, a frame of a
 * file, or a list.  Values are as deep as types nest.
 */
static void each_path (const struct json *value,
                       void (*each) (const char *path, void *arg), void *arg)
{
    if (json_kind (value) == JSON_KIND_OBJECT)
        value = json_get (value, "path");
    if (json_kind (value) == JSON_KIND_STRING)
        each (json_as_string (value), arg);
    if (json_kind (value) != JSON_KIND_ARRAY)
        return;
    for (size_t i = 0; i < json_count (value); i++)
        each_path (json_at (value, i), each, arg);
}

static void each_artifact (const struct input_watch *watch,
                           const struct json *values,
                           void (*each) (const char *path, void *arg),
                           void *arg)
{
    const struct port *port = watch->assignment->stage.inputs;

    for (; port && port->name; port++) {
        if (type_is_artifact (&port->type))
            each_path (json_get (values, port->name), each, arg);
    }
}

static void push_path (const char *path, void *arg)
{
    strvec_push (arg, path);
}

/* One group for each path that a slice of the bundle names, with the number of
 * times it is named.
 */
static void group_slices (struct input_watch *watch, size_t n_tasks)
{
    _cleanup_ (strvec_release) struct strvec paths = STRVEC_INIT;

    for (size_t i = 0; i < n_tasks; i++)
        each_artifact (watch, watch->assignment->slices[i], push_path, &paths);
    strvec_sort (&paths);
    watch->sliced = xcalloc (paths.n + 1, sizeof (*watch->sliced));
    for (size_t i = 0; i < paths.n; i++) {
        struct artifacts *last = watch->sliced + watch->n_sliced;

        if (i == 0 || strcmp (paths.v[i], paths.v[i - 1]) != 0) {
            strvec_init (&last->paths);
            strvec_init (&last->files);
            strvec_push (&last->paths, paths.v[i]);
            watch->n_sliced++;
            last++;
        }
        last[-1].users_left++;
    }
}

struct input_watch *input_watch_create (const struct assignment *assignment)
{
    struct input_watch *watch = xcalloc (1, sizeof (*watch));
    size_t n_tasks = task_range_count (&assignment->tasks);

    watch->assignment = assignment;
    strvec_init (&watch->same.paths);
    strvec_init (&watch->same.files);
    watch->same.users_left = n_tasks;
    each_artifact (watch, assignment->stage.values, push_path,
                   &watch->same.paths);
    group_slices (watch, n_tasks);
    return watch;
}

/* Forget what the first look saw. */
static void artifacts_release (struct artifacts *group)
{
    strvec_release (&group->files);
    strvec_release (&group->made);
    strvec_release (&group->names);
    task_range_release (&group->ran);
    free (group->ids);
    group->ids = NULL;
    group->ids_alloc = 0;
    group->open = false;
}

void input_watch_destroy (struct input_watch *watch)
{
    if (!watch)
        return;
    artifacts_release (&watch->same);
    strvec_release (&watch->same.paths);
    for (size_t i = 0; i < watch->n_sliced; i++) {
        artifacts_release (&watch->sliced[i]);
        strvec_release (&watch->sliced[i].paths);
    }
    free (watch->sliced);
    free (watch->open);
    task_range_release (&watch->running);
    free (watch);
}

static int compare_path (const void *path, const void *group)
{
    return strcmp (path, ((const struct artifacts *)group)->paths.v[0]);
}

static struct artifacts *find_sliced (const struct input_watch *watch,
                                      const char *path)
{
    return bsearch (path, watch->sliced, watch->n_sliced,
                    sizeof (*watch->sliced), compare_path);
}

/* --- one look --- */

/* 1; 0: it is not there, or has no content of its own; -1: that cannot be
 * known. A file is opened, for over NFS that asks the server.
 */
static int file_id_of (const char *path, struct file_id *id)
{
    struct stat st;
    int fd;

    if (stat (path, &st) < 0)
        return errno == ENOENT || errno == ENOTDIR ? 0 : -1;
    if (!S_ISREG (st.st_mode))
        return 0;
    fd = file_open (path, O_RDONLY | O_NONBLOCK, 0);
    if (fd >= 0) {
        (void)fstat (fd, &st);
        close (fd);
    }
    *id = (struct file_id){ st.st_dev, st.st_ino, st.st_size, st.st_mtim };
    return 1;
}

static bool file_id_equal (const struct file_id *a, const struct file_id *b)
{
    return a->dev == b->dev && a->ino == b->ino && a->size == b->size
           && a->mtime.tv_sec == b->mtime.tv_sec
           && a->mtime.tv_nsec == b->mtime.tv_nsec;
}

static void add_file (struct artifacts *group, const char *path)
{
    struct file_id id;

    if (file_id_of (path, &id) <= 0)
        return; /* whether it has to be there is asked elsewhere */
    if (group->files.n == group->ids_alloc) {
        group->ids_alloc = group->ids_alloc ? 2 * group->ids_alloc : 1;
        group->ids =
            xrealloc (group->ids, group->ids_alloc * sizeof (*group->ids));
    }
    group->ids[group->files.n] = id;
    strvec_push (&group->files, path);
}

/* A directory being walked. */
struct walking {
    struct artifacts *group;
    bool is_made; /* by a stage: what it holds is known */
    int n_files;
};

static int add_entry (const struct tree_entry *entry, void *arg,
                      struct error *err)
{
    struct walking *walking = arg;

    if (entry->kind != TREE_FILE && entry->kind != TREE_LINK)
        return 0;
    if (walking->n_files++ == DIRECTORY_FILES_MAX) {
        walking->group->many = true;
        return error_set (err, "no more of them are looked at");
    }
    if (walking->is_made)
        strvec_push (&walking->group->names, entry->path);
    if (strlen (entry->path) < PATH_MAX)
        add_file (walking->group, entry->path);
    return 0;
}

static void add_artifact (const struct input_watch *watch,
                          struct artifacts *group, const char *path)
{
    _cleanup_free_ char *full =
        path_join (watch->assignment->campaign_dir, path);
    _cleanup_free_ char *plain = path_absolute (full);
    struct walking walking = { group, layout_stage_dir_length (path) > 0, 0 };
    int rc = 0;

    /* Our own files change in a directory that holds them. */
    if (!path_is_at_or_below (watch->assignment->run_dir, plain))
        rc = tree_walk (plain, true, add_entry, &walking, NULL, NULL);
    /* Of what could not be looked at all of it would seem to be added. */
    if (walking.is_made && rc == 0)
        strvec_push (&group->made, plain);
}

static void look_first (struct input_watch *watch, struct artifacts *group)
{
    for (size_t i = 0; i < group->paths.n; i++)
        add_artifact (watch, group, group->paths.v[i]);
    task_range_copy (&group->ran, &watch->running);
    group->open = true;
    if (watch->n_open == watch->open_alloc) {
        watch->open_alloc = watch->open_alloc ? 2 * watch->open_alloc : 4;
        watch->open =
            xrealloc (watch->open, watch->open_alloc * sizeof (*watch->open));
    }
    watch->open[watch->n_open++] = group;
}

struct added {
    const struct artifacts *group;
    char *path;
};

static int find_entry (const struct tree_entry *entry, void *arg,
                       struct error *err)
{
    struct added *added = arg;

    if ((entry->kind != TREE_FILE && entry->kind != TREE_LINK)
        || strvec_contains (&added->group->names, entry->path))
        return 0;
    added->path = xstrdup (entry->path);
    return error_set (err, "it was added");
}

/* A file that was not there in what a stage made, or NULL.  What others put
 * into a directory of the user's is not known.  Caller frees.
 */
static char *find_added (const struct artifacts *group)
{
    struct added added = { group, NULL };

    for (size_t i = 0; !added.path && !group->many && i < group->made.n; i++)
        (void)tree_walk (group->made.v[i], true, find_entry, &added, NULL,
                         NULL);
    return added.path;
}

/* The first file that is not what it was, or NULL.  Caller frees. */
static char *find_changed (const struct artifacts *group, const char **how)
{
    for (size_t i = 0; i < group->files.n; i++) {
        struct file_id now;
        int there = file_id_of (group->files.v[i], &now);

        if (there < 0 || (there > 0 && file_id_equal (&now, &group->ids[i])))
            continue;
        *how = there == 0 ? "removed" : "changed";
        return xstrdup (group->files.v[i]);
    }
    *how = "added";
    return find_added (group);
}

static enum input_change look_again (const struct input_watch *watch,
                                     const struct artifacts *group,
                                     struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf tasks = STRBUF_INIT;
    const char *how;
    char *file = find_changed (group, &how);
    bool one = task_range_count (&group->ran) == 1;

    if (!file)
        return INPUT_SAME;
    task_range_format (&group->ran, &tasks);
    error_set (err,
               "the input file '%s' was %s while %s %.*s%s ran here; inputs "
               "must stay as they are",
               file, how, one ? "task" : "tasks", TASKS_NAMED_MAX, tasks.buf,
               tasks.len > TASKS_NAMED_MAX ? "..." : "");
    free (file);
    return one && watch->assignment->stage.tasks == 1 ? INPUT_CHANGED_ALONE
                                                      : INPUT_CHANGED;
}

static void look_no_more (struct input_watch *watch, struct artifacts *group)
{
    size_t i = 0;

    while (watch->open[i] != group)
        i++;
    watch->open[i] = watch->open[--watch->n_open];
    artifacts_release (group);
}

/* --- around tasks --- */

/* One task of the bundle, and what became of its inputs. */
struct using
{
    struct input_watch *watch;
    int task;
    bool ends;
    enum input_change change; /* the first that is not INPUT_SAME */
    struct error *err;
};

static void use_group (struct using *using, struct artifacts *group)
{
    if (!using->ends) {
        if (!group->open)
            look_first (using->watch, group);
        return;
    }
    if (--group->users_left > 0 || !group->open)
        return;
    if (using->change == INPUT_SAME)
        using->change = look_again (using->watch, group, using->err);
    look_no_more (using->watch, group);
}

static void use_path (const char *path, void *arg)
{
    struct using *using = arg;

    use_group (using, find_sliced (using->watch, path));
}

static void use_all (struct using *using, size_t index)
{
    struct input_watch *watch = using->watch;

    use_group (using, &watch->same);
    if (watch->n_sliced > 0)
        each_artifact (watch, watch->assignment->slices[index], use_path,
                       using);
}

void input_watch_begin (struct input_watch *watch, size_t index, int task)
{
    struct using using = { .watch = watch, .task = task };

    use_all (&using, index);
    for (size_t i = 0; i < watch->n_open; i++)
        task_range_add (&watch->open[i]->ran, task);
    task_range_add (&watch->running, task);
}

enum input_change input_watch_end (struct input_watch *watch, size_t index,
                                   int task, struct error *err)
{
    struct using using = {
        .watch = watch, .task = task, .ends = true, .err = err
    };

    use_all (&using, index);
    task_range_remove (&watch->running, task);
    return using.change;
}
