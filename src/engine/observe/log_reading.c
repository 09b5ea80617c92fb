/* SPDX-License-Identifier: BSD-3-Clause */
/* log_reading.c - what agents appended to their logs since the last look
 *
 * Only the newest log of an element may grow, and it is read on from its last
 * durable byte: what lay behind that is read twice, which changes nothing.
 * Whatever else happens to an element's logs (another claim, a log that shrank
 * or was written over) makes all of them be read anew.
 */
#include "base/base.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/heartbeat.h"
#include "base/json.h"
#include "engine/history/attempt_logs.h"
#include "engine/history/state.h"
#include "engine/observe/log_reading.h"
#include "handover/element_logs.h"
#include "space/layout.h"

enum { LOG_MAX_BYTES = 1 << 30 };

/* --- records --- */

/* One log being read. */
struct record_reader {
    struct attempt_logs *logs;
    struct read_element *element;
};

/* The number of a node, as in a logged_task. */
static uint32_t number_of_node (struct attempt_logs *logs, const char *name)
{
    size_t i;

    if (!name[0])
        return 0;
    for (i = 0; i < logs->nodes.n; i++) {
        if (strcmp (logs->nodes.v[i], name) == 0)
            return (uint32_t)i + 1;
    }
    strvec_push (&logs->nodes, name);
    return (uint32_t)i + 1;
}

/* What a person has to look at counts more than anything else, and the first
 * task to meet it more than those that met it then.
 */
static void note_machine_error (const struct result_event *event,
                                struct read_element *element)
{
    if (element->pause)
        return;
    free (element->machine_error);
    element->machine_error =
        xasprintf ("task %d: %s", event->task, event->message);
    element->pause = event->pause;
}

/* No try is charged, and how it ended before does not count, unless it was
 * well.
 */
static void note_handed_back (struct logged_task *task)
{
    if (task->outcome != OUTCOME_OK)
        *task = (struct logged_task){ .started = false };
    task->started = false;
    task->node = 0;
}

static void note_retired (const struct result_event *event,
                          const struct attempt_logs *logs,
                          struct read_element *element)
{
    struct json *v = json_object ();

    if (element->node > 0)
        json_set (v, "node", json_string (logs->nodes.v[element->node - 1]));
    json_set (v, "host", json_string (event->host));
    json_set (v, "device", json_string (event->device));
    if (!element->retired)
        element->retired = json_object ();
    json_set (element->retired, event->message, v);
}

/* (A node that failed was another node of the task: the agent's lived to tell.)
 */
static void note_end (const struct result_event *event,
                      struct attempt_logs *logs, struct logged_task *task)
{
    char key[16];

    task->outcome = (uint8_t)event->outcome;
    if (event->outcome == OUTCOME_NODE_FAILURE)
        task->node = number_of_node (logs, event->node);
    task->killed = result_is_killed (event);
    task->status = (uint8_t)(event->signal          ? 128 + event->signal
                             : event->exit_code > 0 ? event->exit_code
                                                    : 0);
    task->wall_s = (float)event->wall_s;
    task->ended_s = event->now_s;
    task->peak_bytes = (float)event->peak_bytes;
    snprintf (key, sizeof (key), "%d", event->task);
    if (event->message[0])
        json_set (logs->why, key, json_string (event->message));
    else if (json_get (logs->why, key)) /* of an earlier end */
        json_delete (logs->why, key);
}

/* An `ok` is never taken back; of two failures the later one counts. */
static int note_record (const struct result_event *event, void *arg,
                        struct error *err)
{
    struct record_reader *reader = arg;
    struct attempt_logs *logs = reader->logs;
    struct logged_task *task;

    (void)err;
    if (event->kind == RESULT_CLAIM) {
        reader->element->node = number_of_node (logs, event->node);
        reader->element->claimed_s = event->now_s;
    }
    if (event->kind == RESULT_RETIRED)
        note_retired (event, logs, reader->element);
    if (event->task < 0 || event->task >= logs->n_tasks)
        return 0;
    task = &logs->tasks[event->task];
    if (event->kind == RESULT_START) {
        task->started = true;
        task->node = reader->element->node;
    }
    if (event->kind == RESULT_FOUND)
        task->outcome = OUTCOME_OK;
    if (event->kind == RESULT_MACHINE_ERROR) {
        note_handed_back (task);
        note_machine_error (event, reader->element);
    }
    if (event->kind == RESULT_END && task->outcome != OUTCOME_OK)
        note_end (event, logs, task);
    return 0;
}

/* --- one log --- */

/* "results-<element>.<n>", taken apart. */
struct log_name {
    int64_t element, n;
};

/* How a file was when it was looked at. */
struct log_stamp {
    uint64_t bytes;
    int64_t mtime_us;
};

/* Its path, or with the chunk's name its key in the journal. */
static char *log_path (const char *chunk, const struct log_name *name)
{
    return xasprintf ("%s/" LAYOUT_RESULTS, chunk, name->element, name->n);
}

/* Opening a file makes NFS ask the server; stat() may be told what was true a
 * minute ago.
 */
static int stat_log (const char *path, bool fresh, struct stat *st)
{
    int fd, rc;

    if (!fresh)
        return stat (path, st);
    if ((fd = file_open (path, O_RDONLY | O_NONBLOCK, 0)) < 0)
        return -1;
    rc = fstat (fd, st);
    close (fd);
    return rc;
}

/* An absent log is as good as an empty one. */
static int look_at_log (const struct chunk_logs *chunk,
                        const struct log_name *name, struct log_stamp *stamp,
                        struct error *err)
{
    _cleanup_free_ char *path = log_path (chunk->dir, name);
    struct stat st = { .st_size = 0 };
    int rc = stat_log (path, chunk->fresh, &st);

    if (rc < 0)
        rc = errno == ENOENT ? 0 : error_errno (err, "cannot see '%s'", path);
    *stamp = (struct log_stamp){ (uint64_t)st.st_size,
                                 (int64_t)st.st_mtim.tv_sec * 1000000
                                     + st.st_mtim.tv_nsec / 1000 };
    return rc;
}

/* --- an element, anew --- */

static uint64_t journaled_bytes (const struct chunk_logs *chunk,
                                 const struct log_name *name)
{
    _cleanup_free_ char *key = log_path (chunk->name, name);
    int64_t bytes =
        json_as_int (json_get (json_get (chunk->stage->logs, key), "bytes"));

    return bytes > 0 ? (uint64_t)bytes : 0;
}

/* Does the newest log count, and is of the older ones all there that it gives
 * them?
 */
static bool is_settled (const struct element_logs *logs)
{
    const struct element_log *newest = &logs->v[logs->n - 1];

    if (newest->limit.bytes == 0)
        return false;
    for (size_t i = 0; i < newest->extent.n_older; i++) {
        for (size_t j = 0; j + 1 < logs->n; j++) {
            if (logs->v[j].extent.n == newest->older[i].n
                && logs->v[j].extent.whole_bytes < newest->older[i].bytes)
                return false;
        }
    }
    return true;
}

/* What is to be known when it is looked at again. */
static void keep_log (const struct element_log *from, int64_t mtime_us,
                      struct read_log *log)
{
    *log = (struct read_log){ .n = from->extent.n,
                              .bytes = from->text.len,
                              .mtime_us = mtime_us,
                              .durable_bytes = element_log_durable (from),
                              .journaled_bytes = from->extent.journaled_bytes };
    digest_begin (&log->digest);
    digest_add (&log->digest, from->text.buf, (size_t)log->durable_bytes,
                log->sha256);
}

/* What becomes of tasks of which nothing else is known has this for a reason.
 */
static void note_damage (struct attempt_logs *logs,
                         const struct task_range *bundle, const char *damage)
{
    for (int32_t t = -1; (t = task_range_next (bundle, t)) >= 0;) {
        char key[16];

        snprintf (key, sizeof (key), "%d", t);
        if (logs->tasks[t].outcome == OUTCOME_NONE)
            json_set (logs->why, key, json_string (damage));
    }
}

static int read_anew (const struct chunk_logs *chunk,
                      const struct log_name *names, size_t n, struct error *err)
{
    int64_t number = chunk->first_element + names[0].element;
    struct read_element *element = &chunk->logs->elements[number];
    struct record_reader reader = { chunk->logs, element };
    _cleanup_ (element_logs_release) struct element_logs logs =
        ELEMENT_LOGS_INIT;
    struct log_stamp stamp;
    int rc = look_at_log (chunk, &names[n - 1], &stamp, err);

    if (element->n_logs > 0)
        attempt_logs_forget (chunk->logs, number);
    for (size_t i = 0; rc == 0 && i < n; i++)
        rc = element_logs_add (&logs, chunk->dir, names[i].element, names[i].n,
                               journaled_bytes (chunk, &names[i]), err);
    if (rc == 0)
        rc = element_logs_limit (&logs, err);
    for (size_t i = 0; rc == 0 && i < n; i++)
        rc = element_log_scan (&logs.v[i], note_record, &reader, err);
    if (rc == 0) {
        element->settled = is_settled (&logs);
        element->logs = xcalloc (n, sizeof (*element->logs));
        element->n_logs = n;
        for (size_t i = 0; i < n; i++) {
            if (logs.v[i].damage)
                note_damage (chunk->logs, &chunk->logs->bundles[number],
                             logs.v[i].damage);
            keep_log (&logs.v[i], stamp.mtime_us, &element->logs[i]);
        }
    } else {
        attempt_logs_forget (chunk->logs, number);
    }
    return rc;
}

/* --- a log, read on --- */

/* Records behind the durable bytes: an `end` that is ok is kept until a
 * `durable` covers it.
 */
struct tail {
    struct record_reader reader;
    uint64_t durable_bytes;
    struct waiting_end {
        struct result_event event; /* without lent values */
        char *message;
    } * waiting;
    size_t n, alloc;
};

static void note_waiting (struct tail *tail, struct error *err)
{
    size_t left = 0;

    for (size_t i = 0; i < tail->n; i++) {
        struct waiting_end *end = &tail->waiting[i];

        if (end->event.end_bytes > tail->durable_bytes) {
            tail->waiting[left++] = *end;
            continue;
        }
        end->event.message = end->message;
        note_record (&end->event, &tail->reader, err);
        free (end->message);
    }
    tail->n = left;
}

static int note_tail (const struct result_event *event, void *arg,
                      struct error *err)
{
    struct tail *tail = arg;

    if (event->kind == RESULT_CLAIM)
        return -1; /* not here */
    if (event->kind == RESULT_END && event->outcome == OUTCOME_OK) {
        struct waiting_end end = { *event, xstrdup (event->message) };

        end.event.params = NULL;
        tail->waiting = grow_array (tail->waiting, tail->n, &tail->alloc,
                                    sizeof (*tail->waiting));
        tail->waiting[tail->n++] = end;
        return 0;
    }
    if (event->kind == RESULT_DURABLE
        && event->durable_bytes > tail->durable_bytes) {
        tail->durable_bytes = event->durable_bytes;
        note_waiting (tail, err);
    }
    return note_record (event, &tail->reader, err);
}

static void tail_release (struct tail *tail)
{
    for (size_t i = 0; i < tail->n; i++)
        free (tail->waiting[i].message);
    free (tail->waiting);
}

/* In an element's newest log.  -1: it does not go on as it began. */
static int read_on (const struct chunk_logs *chunk, const struct log_name *name,
                    int64_t mtime_us)
{
    struct read_element *element =
        &chunk->logs->elements[chunk->first_element + name->element];
    struct read_log *log = &element->logs[element->n_logs - 1];
    _cleanup_ (tail_release) struct tail tail = {
        .reader = { chunk->logs, element }, .durable_bytes = log->durable_bytes
    };
    uint64_t from = log->digest.bytes;
    size_t before = (size_t)(log->durable_bytes - from);
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_free_ char *path = log_path (chunk->dir, name);
    uint64_t accepted;
    int rc = file_read_from (path, from, LOG_MAX_BYTES, &text, NULL);

    if (rc == 0 && from + text.len < log->bytes)
        rc = -1;
    if (rc == 0)
        rc = result_log_scan_from (log->durable_bytes, text.buf + before,
                                   text.len - before, path, note_tail, &tail,
                                   &accepted, NULL);
    if (rc == 0) {
        log->bytes = from + text.len;
        log->mtime_us = mtime_us;
        log->durable_bytes = tail.durable_bytes;
        digest_add (&log->digest, text.buf, (size_t)(tail.durable_bytes - from),
                    log->sha256);
    }
    return rc;
}

/* --- elements --- */

static bool is_recorded_ok (const struct stage_state *stage,
                            const struct task_range *bundle)
{
    for (int32_t t = -1; (t = task_range_next (bundle, t)) >= 0;) {
        if (stage->tasks[t].outcome != OUTCOME_OK)
            return false;
    }
    return true;
}

/* Nothing more can be learnt of an element whose tasks all are ok; how a
 * machine failed one of them stays known.
 */
static bool is_finished (const struct chunk_logs *chunk, int64_t number)
{
    struct read_element *element = &chunk->logs->elements[number];

    if (!element->finished
        && is_recorded_ok (chunk->stage, &chunk->logs->bundles[number])) {
        free (element->logs);
        element->logs = NULL;
        element->n_logs = 0;
        element->finished = true;
    }
    return element->finished;
}

/* What is new in the logs of one element, which are named in their order. */
static int read_element (const struct chunk_logs *chunk,
                         const struct log_name *names, size_t n, bool *changed,
                         struct error *err)
{
    const struct read_element *element =
        &chunk->logs->elements[chunk->first_element + names[0].element];
    const struct read_log *newest =
        element->n_logs > 0 ? &element->logs[element->n_logs - 1] : NULL;
    struct log_stamp stamp;

    if (newest && element->settled && element->n_logs == n
        && newest->n == names[n - 1].n) {
        if (look_at_log (chunk, &names[n - 1], &stamp, err) < 0)
            return -1;
        if (stamp.bytes == newest->bytes && stamp.mtime_us == newest->mtime_us)
            return 0;
        *changed = true;
        if (stamp.bytes > newest->bytes
            && read_on (chunk, &names[n - 1], stamp.mtime_us) == 0)
            return 0;
    }
    *changed = true;
    return read_anew (chunk, names, n, err);
}

/* Note how much of a log counts, if that is more than was journaled. */
static void note_grown (const struct chunk_logs *chunk, int64_t element,
                        struct json *journal)
{
    struct read_element *e =
        &chunk->logs->elements[chunk->first_element + element];

    for (size_t i = 0; i < e->n_logs; i++) {
        struct read_log *log = &e->logs[i];
        const struct log_name name = { element, log->n };
        struct json *v;
        char *key;

        if (log->durable_bytes > log->journaled_bytes)
            log->journaled_bytes = journaled_bytes (chunk, &name);
        if (log->durable_bytes <= log->journaled_bytes)
            continue;
        v = json_object ();
        json_set (v, "bytes", json_int ((int64_t)log->durable_bytes));
        json_set (v, "sha256", json_string (log->sha256));
        key = log_path (chunk->name, &name);
        json_set (journal, key, v);
        free (key);
    }
}

static int compare_names (const void *a, const void *b)
{
    const struct log_name *x = a, *y = b;

    if (x->element != y->element)
        return x->element < y->element ? -1 : 1;
    return x->n < y->n ? -1 : x->n > y->n;
}

/* The logs in the chunk's directory, sorted; caller frees.  Where the directory
 * is gone there are none.
 */
static int list_logs (const struct chunk_logs *chunk, struct log_name **names,
                      size_t *n, struct error *err)
{
    struct strvec files = STRVEC_INIT;
    struct error why = ERROR_INIT;

    *n = 0;
    *names = NULL;
    if (file_list_dir (chunk->dir, &files, &why) < 0
        && !error_is_absence (&why))
        return error_copy (err, &why);
    *names = xcalloc (files.n + 1, sizeof (**names));
    for (size_t i = 0; i < files.n; i++) {
        struct log_name *name = &(*names)[*n];

        name->element = result_log_element (files.v[i], &name->n);
        *n += name->element >= 0 && name->element < chunk->n_elements;
    }
    qsort (*names, *n, sizeof (**names), compare_names);
    strvec_release (&files);
    return 0;
}

int chunk_logs_read (const struct chunk_logs *chunk, struct json **journal,
                     bool *changed, struct error *err)
{
    _cleanup_json_ struct json *grown = json_object ();
    struct log_name *names;
    size_t n, end;
    int rc = list_logs (chunk, &names, &n, err);

    for (size_t i = 0; rc == 0 && i < n; i = end) {
        int64_t element = names[i].element;

        for (end = i; end < n && names[end].element == element; end++)
            continue;
        heartbeat_send (chunk->heartbeat);
        if (is_finished (chunk, chunk->first_element + element))
            continue;
        rc = read_element (chunk, &names[i], end - i, changed, err);
        note_grown (chunk, element, grown);
    }
    free (names);
    if (rc == 0)
        *journal = json_ref (grown);
    return rc;
}
