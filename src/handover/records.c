/* SPDX-License-Identifier: BSD-3-Clause */
/* records.c - what a task reported while it ran: reports.jsonl */
#include "base/base.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "handover/group_file.h"
#include "handover/records.h"

void records_thin (const char *text, struct strbuf *out)
{
    size_t n = 0, at = 0;
    const char *end;

    for (const char *p = text; (end = strchr (p, '\n')); p = end + 1)
        n++;
    for (const char *p = text; (end = strchr (p, '\n')); p = end + 1) {
        at++;
        if (at % 2 == n % 2)
            strbuf_add (out, p, (size_t)(end + 1 - p));
    }
}

static const char *path_of (const struct records *records)
{
    return records->path ? records->path : GROUP_REPORTS_FILE;
}

static int reopen (struct records *records, struct error *err)
{
    file_close (records->fd);
    records->fd =
        file_open (path_of (records), O_WRONLY | O_CREAT | O_APPEND, 0666);
    return records->fd < 0
               ? error_errno (err, "cannot write '%s'", path_of (records))
               : 0;
}

/* Whoever reads it finds the old file or the new one. */
static int thin (struct records *records, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf kept = STRBUF_INIT;
    int rc = file_read (path_of (records), 2 * GROUP_REPORTS_MAX, &text, err);

    records_thin (text.buf, &kept);
    if (rc == 0)
        rc = file_write_atomic (path_of (records), kept.buf, kept.len, err);
    records->bytes = kept.len;
    return rc < 0 ? -1 : reopen (records, err);
}

int records_add (struct records *records, const char *name, struct json *report,
                 double now_s, struct error *err)
{
    _cleanup_json_ struct json *record = json_object ();
    _cleanup_ (strbuf_release) struct strbuf line = STRBUF_INIT;
    int rc = 0;

    if (!records->last)
        records->last = json_object ();
    json_set (records->last, name, json_ref (report));
    json_set (record, "now_s", json_real (now_s));
    json_set (record, "name", json_string (name));
    json_set (record, "report", json_ref (report));
    json_dump (record, JSON_COMPACT, &line);
    strbuf_add_char (&line, '\n');
    if (records->fd < 0)
        rc = reopen (records, err);
    if (rc == 0 && records->bytes + line.len > GROUP_REPORTS_MAX)
        rc = thin (records, err);
    if (rc == 0)
        rc = file_write_all (records->fd, line.buf, line.len, err);
    records->bytes += line.len;
    return rc;
}

void records_release (struct records *records)
{
    file_close (records->fd);
    free (records->path);
    json_unref (records->last);
    *records = (struct records)RECORDS_INIT;
}
