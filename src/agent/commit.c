/* SPDX-License-Identifier: BSD-3-Clause */
/* commit.c - what ended well on its way to the disk */
#include "base/base.h"

#include <fcntl.h>
#include <unistd.h>

#include "agent/assignment.h"
#include "agent/commit.h"
#include "agent/task_files.h"
#include "agent/task_place.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/tree_walk.h"
#include "handover/task_result.h"

/* A batch begins with so many tasks, or when so much time has passed since the
 * last one: four times what that took, within limits.
 */
enum { BATCH_TASKS = 64, TASKS_MAX = 2 * BATCH_TASKS, WAIT_PER_WORK = 4 };
static const double shortest_wait_s = 0.02;
static const double longest_wait_s = 1;

struct commit {
    int task;
    char *dir; /* its working directory */
    struct json *result;
    struct task_end end;
    char *message;                /* of 'end' */
    char sha256[DIGEST_HEX_SIZE]; /* of result.json */
    enum {
        WORKING, /* not in its place yet */
        PLACED,  /* it is there, by us */
        FOUND,   /* another claim's was there first */
        FAILED,  /* 'why' */
    } state;
    struct error why;
};

void commits_init (struct commits *commits, const struct assignment *assignment,
                   struct claim *claim)
{
    *commits = (struct commits){ .assignment = assignment, .claim = claim };
}

static void commit_release (struct commit *commit)
{
    free (commit->dir);
    free (commit->message);
    json_unref (commit->result);
}

void commits_release (struct commits *commits)
{
    for (size_t i = 0; i < commits->n; i++)
        commit_release (&commits->v[i]);
    free (commits->v);
    *commits = (struct commits){ .assignment = NULL };
}

/* Let the kernel begin to write a file: where that was begun for all of a batch
 * the file system commits once, and the syncs that come later wait for less.
 * Nothing is known to be on the disk by this.
 */
static int begin_writing (const struct tree_entry *entry, void *arg,
                          struct error *err)
{
    int fd;

    (void)arg;
    (void)err;
    if (entry->kind != TREE_FILE)
        return 0;
    fd = file_open_at (entry->dir_fd, entry->name, O_RDONLY, 0);
    if (fd < 0)
        return 0; /* the sync tells */
    (void)sync_file_range (fd, 0, 0, SYNC_FILE_RANGE_WRITE);
    close (fd);
    return 0;
}

void commits_add (struct commits *commits, int task, char *dir,
                  struct json *result, const struct task_end *end)
{
    char *place = task_files_place (dir);
    struct strbuf text = STRBUF_INIT; /* as it was written */
    struct commit *commit;

    (void)tree_walk (place, true, begin_writing, NULL, NULL, NULL);
    free (place);
    commits->v = grow_array (commits->v, commits->n, &commits->alloc,
                             sizeof (*commits->v));
    commit = &commits->v[commits->n++];
    *commit = (struct commit){ .task = task,
                               .dir = dir,
                               .result = result,
                               .end = *end,
                               .message = xstrdup (end->message),
                               .why = ERROR_INIT };
    commit->end.message = commit->message;
    commit->end.version_line =
        json_get_string (json_get (commit->result, "run"), "version_line");
    json_dump (commit->result, JSON_PRETTY, &text);
    digest_bytes (text.buf, text.len, commit->sha256);
    strbuf_release (&text);
}

bool commits_full (const struct commits *commits)
{
    return commits->n >= TASKS_MAX;
}

double commits_due_s (const struct commits *commits)
{
    double wait_s = fmin (WAIT_PER_WORK * commits->took_s, longest_wait_s);

    if (commits->n == 0 && !commits->claim->dirty)
        return INFINITY;
    if (commits->n_batch > 0 || commits->n >= BATCH_TASKS
        || commits->ended_s <= 0)
        return 0;
    return commits->ended_s + fmax (wait_s, shortest_wait_s);
}

/* --- each task's files --- */

static int sync_files (const struct commit *commit, struct error *err)
{
    _cleanup_free_ char *place = task_files_place (commit->dir);

    return file_seal_tree (place, NULL, err);
}

/* The next of the batch.  Nothing may yet be seen of it where it fails. */
static void sync_next (struct commits *commits)
{
    struct commit *commit = &commits->v[commits->n_synced++];

    if (sync_files (commit, &commit->why) < 0)
        commit->state = FAILED;
}

/* --- their places --- */

/* What is there after any error decides: another claim was first, or it was
 * done and the reply was lost.
 */
static void look_in_place (const struct assignment *a, struct commit *commit)
{
    const struct json *identity = json_get (commit->result, "identity");
    _cleanup_json_ struct json *found = NULL;

    task_result_read (a->campaign_dir, &a->stage.place, commit->task,
                      identity ? json_as_string (identity) : NULL, &found,
                      NULL);
    if (assignment_moved (a, NULL) == 0 && found)
        commit->state = json_equal (found, commit->result) ? PLACED : FOUND;
}

/* The rename that makes the task ok. */
static void put_in_place (const struct assignment *a, struct commit *commit)
{
    _cleanup_free_ char *from = task_files_place (commit->dir);

    commit->state = FAILED;
    if (task_place_put (a, commit->task, from, &commit->why) == 0)
        commit->state = PLACED;
    else
        look_in_place (a, commit);
}

/* job/, once for all: what is in it was synced before. */
static void sync_places (struct commits *commits)
{
    struct error why = ERROR_INIT;
    bool any = false;

    for (size_t i = 0; i < commits->n_batch; i++)
        any = any || commits->v[i].state != FAILED;
    if (!any
        || task_place_sync (commits->assignment, &commits->place_synced, &why)
               == 0)
        return;
    for (size_t i = 0; i < commits->n_batch; i++) {
        if (commits->v[i].state == FAILED)
            continue;
        commits->v[i].state = FAILED;
        commits->v[i].why = why;
    }
}

/* --- the log --- */

/* Where another claim's result was first the place is still there. */
static void remove_dirs (const struct commit *commit)
{
    char *place = task_files_place (commit->dir);

    if (commit->state == FOUND)
        file_remove_tree (place, NULL, NULL);
    free (place);
    task_files_remove (commit->dir);
}

static int log_commit (struct commits *commits, struct commit *commit,
                       struct error *err)
{
    commit->end.result = commit->sha256;
    if (commit->state == FAILED) /* the machine's failure; the files stay */
        return claim_log_machine_error (commits->claim, commit->task,
                                        &commit->why, err);
    remove_dirs (commit);
    return commit->state == FOUND
               ? claim_log_found (commits->claim, commit->task, err)
               : claim_log_end (commits->claim, commit->task, &commit->end,
                                err);
}

/* A result goes to the place of the stage that the task was begun for.  Where
 * that was prepared anew its path is another's.
 */
static void put_all_in_place (struct commits *commits)
{
    const struct assignment *a = commits->assignment;
    struct error why = ERROR_INIT;
    int moved = assignment_moved (a, &why);

    if (moved > 0)
        error_set (&why, "'%s' was moved away: its stage was prepared again",
                   a->stage_dir);
    for (size_t i = 0; i < commits->n_batch; i++) {
        struct commit *commit = &commits->v[i];

        if (commit->state != FAILED && moved == 0) {
            put_in_place (a, commit);
        } else if (commit->state != FAILED) {
            commit->state = FAILED;
            commit->why = why;
        }
    }
}

static int commit_batch (struct commits *commits, struct error *err)
{
    size_t n = commits->n_batch;

    put_all_in_place (commits);
    sync_places (commits);
    for (size_t i = 0; i < n; i++) {
        if (log_commit (commits, &commits->v[i], err) < 0)
            return -1;
    }
    for (size_t i = 0; i < n; i++)
        commit_release (&commits->v[i]);
    commits->n -= n;
    memmove (commits->v, commits->v + n, commits->n * sizeof (*commits->v));
    return 0;
}

int commits_step (struct commits *commits, struct error *err)
{
    if (commits->n_batch == 0) {
        commits->began_s = clock_mono_s ();
        commits->n_batch = commits->n;
        commits->n_synced = 0;
    }
    if (commits->n_synced < commits->n_batch) {
        sync_next (commits);
        return 0;
    }
    if (commits->n_batch > 0 && commit_batch (commits, err) < 0)
        return -1;
    commits->n_batch = 0;
    if (claim_sync (commits->claim, err) < 0)
        return -1;
    commits->ended_s = clock_mono_s ();
    commits->took_s = commits->ended_s - commits->began_s;
    return 0;
}
