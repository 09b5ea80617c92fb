/* SPDX-License-Identifier: BSD-3-Clause */
/* claim.c - an agent's claim on its element, and the log that comes with it */
#include "base/base.h"

#include <fcntl.h>
#include <unistd.h>

#include "agent/assignment.h"
#include "agent/claim.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "handover/node_name.h"
#include "handover/element_logs.h"
#include "space/record_log.h"

/* Space for the last records of an element, reserved beforehand: where the disk
 * is full they are needed most.
 */
enum { NONCE_LENGTH = 16, RESERVED_BYTES = 1 << 16 };

/* No element is run so often. */
enum { CLAIMS_MAX = 100000 };

static struct json *event (const char *name)
{
    struct json *record = json_object ();

    json_set (record, "ev", json_string (name));
    return record;
}

static struct json *claim_record (const struct assignment *assignment,
                                  const struct element_logs *older,
                                  struct claim *claim)
{
    struct json *record = event ("claim");
    _cleanup_ (strbuf_release) struct strbuf boot_id = STRBUF_INIT;
    char nonce[NONCE_LENGTH + 1];
    char host[256] = "unknown";

    random_token (nonce, NONCE_LENGTH);
    snprintf (claim->tag, sizeof (claim->tag), "%" PRId64 "-%s", claim->n,
              nonce);
    gethostname (host, sizeof (host) - 1);
    file_read ("/proc/sys/kernel/random/boot_id", 256, &boot_id, NULL);
    boot_id.buf[strcspn (boot_id.buf, "\n")] = '\0';
    json_set (record, "format", json_int (1));
    json_set (record, "element", json_int (assignment->element));
    json_set (record, "claim", json_int ((int64_t)older->n));
    json_set (record, "nonce", json_string (nonce));
    json_set (record, "job_id", json_string (assignment->job_id));
    json_set (record, "host", json_string (host));
    if (node_name_of_script ())
        json_set (record, "node", json_string (node_name_of_script ()));
    json_set (record, "boot_id", json_string (boot_id.buf));
    json_set (record, "pid", json_int (getpid ()));
    json_set (record, "now_s", json_real (clock_wall_s ()));
    if (claim->node_differs)
        json_set (record, "node_differs", json_string (claim->node_differs));
    json_set (record, "older", element_logs_older_json (older));
    return record;
}

/* What was created must be what is there: over NFS the same request may have
 * been answered for another.
 */
static int read_back (const char *path, const struct strbuf *line,
                      struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf found = STRBUF_INIT;
    int rc = file_read (path, line->len + 1, &found, err);

    if (rc == 0
        && (found.len != line->len
            || memcmp (found.buf, line->buf, line->len) != 0))
        rc = error_set (err,
                        "'%s' is not what was just written; "
                        "the file system loses writes",
                        path);
    return rc;
}

/* Create 'claim->path' and bring it to the disk: 0, 1 when the name is taken,
 * -1.  What fails stays: who came next may have built on the number.
 */
static int create_whole (const struct assignment *a, struct claim *claim,
                         const struct strbuf *line, struct error *err)
{
    claim->fd =
        file_open (claim->path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND, 0666);
    if (claim->fd < 0 && errno == EEXIST)
        return 1;
    if (claim->fd < 0)
        return error_errno (err, "cannot create '%s'", claim->path);
    if (file_write_all (claim->fd, line->buf, line->len, err) < 0)
        return error_prefix (err, "cannot write '%s'", claim->path);
    return file_sync (claim->fd, claim->path, err) < 0
                   || file_sync_dir (a->run_dir, err) < 0
               ? -1
               : 0;
}

static int create_log (const struct assignment *a,
                       const struct element_logs *older, struct claim *claim,
                       struct error *err)
{
    _cleanup_json_ struct json *record = claim_record (a, older, claim);
    _cleanup_ (strbuf_release) struct strbuf line = STRBUF_INIT;
    int rc;

    record_format (record, &line);
    rc = create_whole (a, claim, &line, err);
    if (rc == 0)
        rc = read_back (claim->path, &line, err);
    claim->bytes = line.len;
    return rc;
}

/* Read older logs until a number is free: 'older' holds those below it. */
static int find_number (const struct assignment *a, struct claim *claim,
                        struct element_logs *older, struct error *err)
{
    int rc;

    for (int64_t n = 0; n < CLAIMS_MAX; n++) {
        free (claim->path);
        claim->n = n;
        claim->path =
            xasprintf ("%s/" LAYOUT_RESULTS, a->run_dir, a->element, n);
        /* Most are there: do not read the others for nothing. */
        rc = file_exists (claim->path) ? 1 : 0;
        if (rc == 0 && element_logs_limit (older, err) == 0)
            rc = create_log (a, older, claim, err);
        else if (rc == 0)
            rc = -1;
        if (rc == 1)
            rc = element_logs_add (older, a->run_dir, a->element, n, 0, err) < 0
                     ? -1
                     : 1;
        if (rc <= 0)
            return rc;
    }
    return error_set (err, "'%s' is taken, and all before it", claim->path);
}

static int note_ok (const struct result_event *event, void *arg,
                    struct error *err)
{
    struct claim *claim = arg;

    (void)err;
    if (event->kind == RESULT_END && event->outcome == OUTCOME_OK)
        task_range_add (&claim->ended_ok, event->task);
    return 0;
}

int claim_take (const struct assignment *assignment, struct claim *claim,
                struct error *err)
{
    struct element_logs older = ELEMENT_LOGS_INIT;
    int rc = find_number (assignment, claim, &older, err);

    for (size_t i = 0; rc == 0 && i < older.n; i++)
        rc = element_log_scan (&older.v[i], note_ok, claim, err);
    element_logs_release (&older);
    if (rc < 0)
        return -1;
    /* Not every file system can; the size stays what it is. */
    (void)fallocate (claim->fd, FALLOC_FL_KEEP_SIZE, 0, RESERVED_BYTES);
    output_file_init (&claim->output, assignment->run_dir, assignment->element,
                      claim->n);
    return 0;
}

void claim_release (struct claim *claim)
{
    if (claim->fd >= 0)
        close (claim->fd);
    free (claim->path);
    free (claim->node_differs);
    task_range_release (&claim->ended_ok);
    output_file_release (&claim->output);
    *claim = (struct claim)CLAIM_INIT;
}

/* Takes over 'record'. */
static int append (struct claim *claim, struct json *record, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf line = STRBUF_INIT;
    int rc;

    record_format (record, &line);
    rc = file_write_all (claim->fd, line.buf, line.len, err);
    if (rc < 0)
        error_prefix (err, "cannot append to '%s'", claim->path);
    claim->bytes += line.len;
    claim->dirty = true;
    json_unref (record);
    return rc;
}

static void set_memory (struct json *v, const char *key,
                        const struct memory_policy *policy)
{
    struct json *memory;

    if (policy->mode == MEMORY_UNKNOWN || policy->mode == MEMORY_ANY)
        return;
    memory = json_object ();
    json_set (memory, "mode", json_string (memory_mode_name (policy->mode)));
    json_set (memory, "nodes", json_string (policy->nodes));
    json_set (v, key, memory);
}

void task_start_describe (const struct task_start *start, struct json *v)
{
    json_set (v, "cores", json_string (start->cores));
    if (start->cores_wanted)
        json_set (v, "cores_wanted", json_string (start->cores_wanted));
    set_memory (v, "memory", &start->memory);
    set_memory (v, "memory_wanted", &start->memory_wanted);
    if (*start->gpus)
        json_set (v, "gpus", json_string (start->gpus));
}

int claim_log_start (struct claim *claim, int task,
                     const struct task_start *start, struct error *err)
{
    struct json *record = event ("start");

    json_set (record, "task", json_int (task));
    json_set (record, "slot", json_int (start->slot));
    task_start_describe (start, record);
    json_set (record, "now_s", json_real (clock_wall_s ()));
    return append (claim, record, err);
}

void claim_keep_printed (struct claim *claim, int fd, struct task_end *end)
{
    end->printed = output_file_add (&claim->output, fd, &end->printed_at,
                                    &end->printed_bytes)
                   == 0;
}

int claim_log_end (struct claim *claim, int task, const struct task_end *end,
                   struct error *err)
{
    struct json *record = event ("end");

    json_set (record, "task", json_int (task));
    json_set (record, "outcome", json_string (outcome_name (end->outcome)));
    json_set (record, "exit", json_int (end->exit_code));
    json_set (record, "signal", json_int (end->signal));
    json_set (record, "wall_s", json_real (end->wall_s));
    if (end->ended_s > 0)
        json_set (record, "now_s", json_real (end->ended_s));
    if (end->cpu_s > 0)
        json_set (record, "cpu_s", json_real (end->cpu_s));
    if (end->energy_j > 0)
        json_set (record, "energy_j", json_real (end->energy_j));
    if (end->peak_bytes > 0)
        json_set (record, "peak_bytes", json_int (end->peak_bytes));
    json_set (record, "message", json_string (end->message));
    if (end->lost_node)
        json_set (record, "node", json_string (end->lost_node));
    if (end->version_line && *end->version_line)
        json_set (record, "version_line", json_string (end->version_line));
    if (json_count (end->params) > 0)
        json_set (record, "params", json_deep_copy (end->params));
    if (end->result)
        json_set (record, "result", json_string (end->result));
    if (json_count (end->report) > 0)
        json_set (record, "report", json_deep_copy (end->report));
    if (end->printed) {
        struct json *printed = json_array ();

        json_push (printed, json_int ((int64_t)end->printed_at));
        json_push (printed, json_int ((int64_t)end->printed_bytes));
        json_set (record, "printed", printed);
    }
    return append (claim, record, err);
}

static int log_task (struct claim *claim, const char *name, int task,
                     struct error *err)
{
    struct json *record = event (name);

    json_set (record, "task", json_int (task));
    return append (claim, record, err);
}

int claim_log_found (struct claim *claim, int task, struct error *err)
{
    return log_task (claim, "found", task, err);
}

int claim_log_returned (struct claim *claim, int task, struct error *err)
{
    return log_task (claim, "returned", task, err);
}

static int log_machine_error (struct claim *claim, int task,
                              const struct error *why, bool pause,
                              struct error *err)
{
    struct json *record = event ("machine_error");

    json_set (record, "task", json_int (task));
    json_set (record, "message", json_string (why->text));
    json_set (record, "pause", json_bool (pause));
    return append (claim, record, err);
}

int claim_log_machine_error (struct claim *claim, int task,
                             const struct error *why, struct error *err)
{
    claim->machine_failed = true;
    return log_machine_error (claim, task, why, error_is_no_space (why), err);
}

int claim_log_pause (struct claim *claim, int task, const struct error *why,
                     struct error *err)
{
    claim->machine_failed = true;
    return log_machine_error (claim, task, why, true, err);
}

int claim_log_handed_back (struct claim *claim, int task,
                           const struct error *why, struct error *err)
{
    return log_machine_error (claim, task, why, false, err);
}

int claim_log_retired (struct claim *claim, const char *device, int failures,
                       struct error *err)
{
    struct json *record = event ("retired");
    char host[256] = "unknown";

    gethostname (host, sizeof (host) - 1);
    json_set (record, "device", json_string (device));
    json_set (record, "host", json_string (host));
    json_set (record, "failures", json_int (failures));
    json_set (
        record, "message",
        json_stringf ("node %s: GPU %s failed %d tasks fast, retired",
                      node_name_of_script () ? node_name_of_script () : host,
                      device, failures));
    return append (claim, record, err);
}

/* Give back what is left of the reserved space. */
static void end_reservation (const struct claim *claim)
{
    off_t size = lseek (claim->fd, 0, SEEK_END);

    /* It only is a waste where this fails. */
    if (size > 0 && ftruncate (claim->fd, size) < 0)
        return;
}

int claim_log_done (struct claim *claim, struct error *err)
{
    struct json *record = event ("done");
    int rc;

    json_set (record, "now_s", json_real (clock_wall_s ()));
    rc = append (claim, record, err);
    end_reservation (claim);
    return rc;
}

int claim_sync (struct claim *claim, struct error *err)
{
    struct json *record;
    int rc;

    if (!claim->dirty)
        return 0;
    output_file_sync (&claim->output);
    if (file_sync (claim->fd, claim->path, err) < 0)
        return -1;
    record = event ("durable");
    json_set (record, "bytes", json_int ((int64_t)claim->bytes));
    rc = append (claim, record, err);
    claim->dirty = false;
    return rc;
}
