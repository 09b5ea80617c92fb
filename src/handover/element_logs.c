/* SPDX-License-Identifier: BSD-3-Clause */
/* element_logs.c - all result logs of one element, read and limited */
#include "base/base.h"

#include "handover/element_logs.h"
#include "base/file.h"
#include "base/json.h"
#include "space/layout.h"

enum { LOG_MAX_BYTES = 1 << 30 };

static void element_log_release (struct element_log *log)
{
    free (log->path);
    free (log->older);
    free (log->damage);
    strbuf_release (&log->text);
}

void element_logs_release (struct element_logs *logs)
{
    for (size_t i = 0; i < logs->n; i++)
        element_log_release (&logs->v[i]);
    free (logs->v);
    *logs = (struct element_logs)ELEMENT_LOGS_INIT;
}

/* --- reading --- */

static int read_older (const struct json *record, struct older_log *older,
                       struct error *err)
{
    const char *sha256;
    int64_t bytes;

    if (json_want_int (record, "n", &older->n, err) < 0
        || json_want_int (record, "bytes", &bytes, err) < 0
        || json_want_string (record, "sha256", &sha256, err) < 0)
        return error_prefix (err, "key 'older'");
    if (bytes < 0 || strlen (sha256) >= DIGEST_HEX_SIZE)
        return error_set (err, "key 'older': out of range");
    older->bytes = (uint64_t)bytes;
    memcpy (older->sha256, sha256, strlen (sha256) + 1);
    return 0;
}

static int take_claim (struct element_log *log,
                       const struct result_event *event, struct error *err)
{
    size_t n = json_count (event->older);

    log->extent.claim_bytes = event->end_bytes;
    log->extent.older = log->older = xcalloc (n + 1, sizeof (*log->older));
    log->extent.n_older = n;
    for (size_t i = 0; i < n; i++) {
        if (read_older (json_at (event->older, i), &log->older[i], err) < 0)
            return error_prefix (err, "%s", log->path);
    }
    return 0;
}

static int take_extent (const struct result_event *event, void *arg,
                        struct error *err)
{
    struct element_log *log = arg;

    if (event->kind == RESULT_CLAIM && !log->older)
        return take_claim (log, event, err);
    /* Its agent writes on when the claim is on the disk, not before. */
    if (log->extent.durable_bytes < log->extent.claim_bytes)
        log->extent.durable_bytes = log->extent.claim_bytes;
    if (event->kind == RESULT_DURABLE
        && event->durable_bytes > log->extent.durable_bytes)
        log->extent.durable_bytes = event->durable_bytes;
    return 0;
}

int element_logs_add (struct element_logs *logs, const char *dir,
                      int64_t element, int64_t n, uint64_t journaled_bytes,
                      struct error *err)
{
    struct element_log log = { .text = STRBUF_INIT };
    struct error why = ERROR_INIT;

    log.path = xasprintf ("%s/" LAYOUT_RESULTS, dir, element, n);
    log.extent.n = n;
    log.extent.journaled_bytes = journaled_bytes;
    if (file_read (log.path, LOG_MAX_BYTES, &log.text, &why) < 0
        && error_is_machine_error (&why) && !error_is_absence (&why)) {
        element_log_release (&log);
        return error_copy (err, &why);
    }
    why = (struct error)ERROR_INIT;
    if (result_log_scan (log.text.buf, log.text.len, log.path, take_extent,
                         &log, &log.extent.whole_bytes, &why)
        < 0) {
        log.damage = xstrdup (why.text);
        strbuf_truncate (&log.text, log.extent.whole_bytes);
    }
    logs->v = grow_array (logs->v, logs->n, &logs->alloc, sizeof (*logs->v));
    logs->v[logs->n++] = log;
    return 0;
}

/* --- the rule --- */

static int check_digest (const struct element_log *claiming,
                         const struct element_log *log,
                         const struct older_log *older, struct error *err)
{
    char hex[DIGEST_HEX_SIZE];

    if (older->n != log->extent.n || older->bytes > log->extent.whole_bytes)
        return 0; /* not all of it shows here yet */
    digest_bytes (log->text.buf, (size_t)older->bytes, hex);
    if (strcmp (hex, older->sha256) == 0)
        return 0;
    return error_set (err,
                      "'%s' is not as '%s' was when its agent read it: the "
                      "first %" PRIu64 " bytes differ",
                      log->path, claiming->path, older->bytes);
}

static int check_digests (const struct element_logs *logs, size_t claiming,
                          struct error *err)
{
    const struct element_log *newer = &logs->v[claiming];

    for (size_t i = 0; newer->limit.bytes > 0 && i < claiming; i++) {
        for (size_t j = 0; j < newer->extent.n_older; j++) {
            if (check_digest (newer, &logs->v[i], &newer->older[j], err) < 0)
                return -1;
        }
    }
    return 0;
}

int element_logs_limit (struct element_logs *logs, struct error *err)
{
    _cleanup_free_ struct log_extent *extents =
        xcalloc (logs->n + 1, sizeof (*extents));
    _cleanup_free_ struct log_limit_of *limits =
        xcalloc (logs->n + 1, sizeof (*limits));
    int rc = 0;

    for (size_t i = 0; i < logs->n; i++)
        extents[i] = logs->v[i].extent;
    result_log_limits (extents, logs->n, limits);
    for (size_t i = 0; i < logs->n; i++)
        logs->v[i].limit = limits[i];
    for (size_t i = 0; rc == 0 && i < logs->n; i++)
        rc = check_digests (logs, i, err);
    return rc;
}

/* --- what counts --- */

struct passing {
    const struct element_log *log;
    int (*each) (const struct result_event *event, void *arg,
                 struct error *err);
    void *arg;
};

static int pass_durable (const struct result_event *event, void *arg,
                         struct error *err)
{
    const struct passing *passing = arg;

    if (event->kind == RESULT_END && event->outcome == OUTCOME_OK
        && event->end_bytes > passing->log->limit.durable)
        return 0;
    return passing->each (event, passing->arg, err);
}

int element_log_scan (const struct element_log *log,
                      int (*each) (const struct result_event *event, void *arg,
                                   struct error *err),
                      void *arg, struct error *err)
{
    struct passing passing = { log, each, arg };
    size_t len = log->limit.bytes < log->text.len ? (size_t)log->limit.bytes
                                                  : log->text.len;
    uint64_t accepted;

    return result_log_scan (log->text.buf, len, log->path, pass_durable,
                            &passing, &accepted, err);
}

uint64_t element_log_durable (const struct element_log *log)
{
    return log->limit.durable < log->text.len ? log->limit.durable
                                              : log->text.len;
}

struct json *element_logs_older_json (const struct element_logs *logs)
{
    struct json *list = json_array ();

    for (size_t i = 0; i < logs->n; i++) {
        const struct element_log *log = &logs->v[i];
        uint64_t bytes = element_log_durable (log);
        struct json *v = json_object ();
        char sha256[DIGEST_HEX_SIZE];

        digest_bytes (log->text.buf, (size_t)bytes, sha256);
        json_set (v, "n", json_int (log->extent.n));
        json_set (v, "bytes", json_int ((int64_t)bytes));
        json_set (v, "sha256", json_string (sha256));
        json_push (list, v);
    }
    return list;
}
