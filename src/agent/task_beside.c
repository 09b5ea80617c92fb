/* SPDX-License-Identifier: BSD-3-Clause */
/* task_beside.c - what lies beside `out` in a task's place */
#include "base/base.h"

#include <sys/stat.h>

#include "agent/assignment.h"
#include "agent/task.h"
#include "agent/task_beside.h"
#include "agent/task_files.h"
#include "agent/task_log.h"
#include "base/file.h"
#include "base/file_copy.h"
#include "base/tree_walk.h"
#include "base/units.h"
#include "handover/task_checkpoint.h"

/* Inputs are text that people read; what is larger is data. */
enum { INPUT_MAX_BYTES = 16 << 20 };

struct copying {
    const char *const *patterns;
    size_t prefix; /* of the task's directory, with its slash */
    const char *place;
    struct strbuf *message;
};

static void leave_out (const struct copying *c, const char *path,
                       const struct tree_entry *entry)
{
    strbuf_addf (c->message,
                 "%s%s was left out of in/: ", c->message->len > 0 ? "; " : "",
                 path);
    if (entry->kind == TREE_FILE) {
        strbuf_add_str (c->message, "it has ");
        format_bytes (entry->st->st_size, c->message);
        strbuf_add_str (c->message, ", more than ");
        format_bytes (INPUT_MAX_BYTES, c->message);
    } else {
        strbuf_addf (c->message, "it is a %s",
                     entry->kind == TREE_LINK  ? "link"
                     : entry->kind == TREE_DIR ? "directory"
                                               : "special file");
    }
}

static int copy_input (const struct tree_entry *entry, void *arg,
                       struct error *err)
{
    const struct copying *c = arg;
    const char *path;
    _cleanup_free_ char *to = NULL;
    int rc = 0;

    if (entry->level == 0 || entry->kind == TREE_DIR_END)
        return 0;
    path = entry->path + c->prefix;
    if (!task_checkpoint_matches (c->patterns, path))
        return 0;
    if (entry->kind != TREE_FILE || entry->st->st_size > INPUT_MAX_BYTES) {
        leave_out (c, path, entry);
        return 0;
    }
    to = xasprintf ("%s/" LAYOUT_TASK_IN "/%s", c->place, path);
    rc = file_make_parent (to, err);
    if (rc == 0)
        rc = file_copy (entry->path, to, 0666, NULL, err);
    return rc;
}

static int copy_log (const struct task *task, const char *place,
                     struct error *err)
{
    _cleanup_free_ char *to = path_join (place, LAYOUT_TASK_LOG);

    return task_log_copy (task, to, err);
}

/* It is whole, and nothing else needs it. */
static int move_raw (const struct task *task, const char *place,
                     struct error *err)
{
    _cleanup_free_ char *from = path_join (task->dir, LAYOUT_TASK_RAW);
    _cleanup_free_ char *to = path_join (place, LAYOUT_TASK_RAW);

    return rename (from, to) < 0 && errno != ENOENT
               ? error_errno (err, "cannot rename '%s' to '%s'", from, to)
               : 0;
}

int task_beside_copy (const struct task *task, struct strbuf *message,
                      struct error *err)
{
    const struct stage_manifest *stage = &task->element->assignment->stage;
    _cleanup_free_ char *place = task_files_place (task->dir);
    struct copying c = { stage->input_files, strlen (task->dir) + 1, place,
                         message };
    int rc = stage->keeps_logs ? copy_log (task, place, err) : 0;

    if (rc == 0 && stage->input_files)
        rc = tree_walk (task->dir, true, copy_input, &c, NULL, err);
    if (rc == 0 && stage->keeps_raw)
        rc = move_raw (task, place, err);
    return rc;
}
