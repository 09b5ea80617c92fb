/* SPDX-License-Identifier: BSD-3-Clause */
/* claim.c - an agent's claim on its element, and the log that comes with it */
#include "config.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/assignment.h"
#include "agent/claim.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "space/record_log.h"

/* Room for the last words of an element, taken beforehand: where the disk is
 * full they are needed most.
 */
enum { CLAIM_ATTEMPTS = 3, NONCE_LENGTH = 16, RESERVED_BYTES = 1 << 16 };

static const char node_characters[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";

static struct json *event (const char *name)
{
    struct json *record = json_object ();

    json_set (record, "ev", json_string (name));
    return record;
}

/* What the scheduler calls this node, if that can stand in a list of nodes. */
static const char *node_name (void)
{
    const char *node = getenv ("FANFOLD_NODE");

    if (!node || !node[0] || strlen (node) > 255
        || node[strspn (node, node_characters)] != '\0')
        return NULL;
    return node;
}

static struct json *claim_record (const struct assignment *assignment,
                                  const char *claim)
{
    struct json *record = event ("claim");
    struct strbuf boot_id = STRBUF_INIT;
    char nonce[NONCE_LENGTH + 1];
    char host[256] = "unknown";

    random_token (nonce, NONCE_LENGTH);
    gethostname (host, sizeof (host) - 1);
    file_read ("/proc/sys/kernel/random/boot_id", 256, &boot_id, NULL);
    boot_id.buf[strcspn (boot_id.buf, "\n")] = '\0';
    json_set (record, "format", json_int (1));
    json_set (record, "element", json_int (assignment->element));
    json_set (record, "claim", json_string (claim));
    json_set (record, "nonce", json_string (nonce));
    json_set (record, "job_id", json_string (assignment->job_id));
    json_set (record, "host", json_string (host));
    if (node_name ())
        json_set (record, "node", json_string (node_name ()));
    json_set (record, "boot_id", json_string (boot_id.buf));
    json_set (record, "pid", json_int (getpid ()));
    json_set (record, "now_s", json_real (clock_wall_s ()));
    strbuf_release (&boot_id);
    return record;
}

/* What was created must be what is there: over NFS the same request may have
 * been answered for another.
 */
static int read_back (const char *path,
                      const struct strbuf *line,
                      struct error *err)
{
    struct strbuf found = STRBUF_INIT;
    int rc = file_read (path, 1 << 16, &found, err);

    if (rc == 0
        && (found.len != line->len
            || memcmp (found.buf, line->buf, line->len) != 0))
        rc = error_set (err,
                        "'%s' is not what was just written; "
                        "the file system loses writes",
                        path);
    strbuf_release (&found);
    return rc;
}

/* Create 'claim->path' with the claim's record: 0, 1 when the name is taken,
 * -1.
 */
static int create_log (const struct assignment *assignment,
                       const struct claim *claim,
                       struct error *err)
{
    struct json *record = claim_record (assignment, claim->name);
    struct strbuf line = STRBUF_INIT;
    int rc;

    record_format (record, &line);
    rc = file_create (claim->path, line.buf, line.len, err);
    if (rc == 0)
        rc = read_back (claim->path, &line, err);
    json_unref (record);
    strbuf_release (&line);
    return rc;
}

int claim_take (const struct assignment *assignment,
                struct claim *claim,
                struct error *err)
{
    int rc = 1;

    for (int i = 0; rc == 1 && i < CLAIM_ATTEMPTS; i++) {
        free (claim->path);
        random_token (claim->name, CLAIM_LENGTH);
        claim->path =
            xasprintf ("%s/" LAYOUT_RESULTS_PREFIX "%" PRId64 ".%s",
                       assignment->run_dir, assignment->element, claim->name);
        rc = create_log (assignment, claim, err);
    }
    if (rc == 1)
        return error_set (err, "'%s' is taken, whatever its name", claim->path);
    if (rc < 0)
        return -1;
    claim->fd = file_open (claim->path, O_WRONLY | O_APPEND, 0);
    if (claim->fd < 0)
        return error_errno (err, "cannot open '%s'", claim->path);
    /* Not every file system can; the size stays what it is. */
    (void)fallocate (claim->fd, FALLOC_FL_KEEP_SIZE, 0, RESERVED_BYTES);
    return 0;
}

void claim_release (struct claim *claim)
{
    if (claim->fd >= 0)
        close (claim->fd);
    free (claim->path);
    *claim = (struct claim)CLAIM_INIT;
}

/* Takes over 'record'. */
static int append (struct claim *claim, struct json *record, struct error *err)
{
    struct strbuf line = STRBUF_INIT;
    int rc;

    record_format (record, &line);
    rc = file_write_all (claim->fd, line.buf, line.len, err);
    if (rc < 0)
        error_prefix (err, "cannot append to '%s'", claim->path);
    claim->dirty = true;
    strbuf_release (&line);
    json_unref (record);
    return rc;
}

int claim_log_start (struct claim *claim,
                     int task,
                     int slot,
                     const char *cores,
                     struct error *err)
{
    struct json *record = event ("start");

    json_set (record, "task", json_int (task));
    json_set (record, "slot", json_int (slot));
    json_set (record, "cores", json_string (cores));
    json_set (record, "now_s", json_real (clock_wall_s ()));
    return append (claim, record, err);
}

int claim_log_end (struct claim *claim,
                   int task,
                   const struct task_end *end,
                   struct error *err)
{
    struct json *record = event ("end");

    json_set (record, "task", json_int (task));
    json_set (record, "outcome", json_string (outcome_name (end->outcome)));
    json_set (record, "exit", json_int (end->exit_code));
    json_set (record, "signal", json_int (end->signal));
    json_set (record, "wall_s", json_real (end->wall_s));
    json_set (record, "message", json_string (end->message));
    if (end->result)
        json_set (record, "result", json_ref (end->result));
    return append (claim, record, err);
}

int claim_log_found (struct claim *claim,
                     int task,
                     struct json *result,
                     struct error *err)
{
    struct json *record = event ("found");

    json_set (record, "task", json_int (task));
    json_set (record, "result", json_ref (result));
    return append (claim, record, err);
}

int claim_log_returned (struct claim *claim, int task, struct error *err)
{
    struct json *record = event ("returned");

    json_set (record, "task", json_int (task));
    return append (claim, record, err);
}

int claim_log_trouble (struct claim *claim,
                       int task,
                       const struct error *why,
                       struct error *err)
{
    struct json *record = event ("trouble");

    claim->troubled = true;
    json_set (record, "task", json_int (task));
    json_set (record, "message", json_string (why->text));
    json_set (record, "no_space", json_bool (error_is_no_space (why)));
    return append (claim, record, err);
}

/* Give back what is left of the room that was reserved. */
static void give_back_room (const struct claim *claim)
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
    give_back_room (claim);
    return rc;
}

int claim_sync (struct claim *claim, struct error *err)
{
    if (!claim->dirty)
        return 0;
    claim->dirty = false;
    return file_sync (claim->fd, claim->path, err);
}
