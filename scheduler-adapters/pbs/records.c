/* SPDX-License-Identifier: BSD-3-Clause */
/* records.c - what PBS prints: ids, and records of jobs, servers, queues, nodes
 */
#include "base/base.h"

#include "pbs/pbs.h"
#include "reply_text.h"

/* --- ids --- */

/* What follows a dot is a host's name. */
static const char host_letters[] = "abcdefghijklmnopqrstuvwxyz"
                                   "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

bool pbs_read_id (const char *text, struct pbs_id *id)
{
    struct pbs_id read = { .number = reply_take_number (&text), .index = -1 };

    if (read.number < 0)
        return false;
    if (*text == '[') {
        text++;
        if (*text != ']' && (read.index = reply_take_number (&text)) < 0)
            return false;
        if (*text++ != ']')
            return false;
    }
    if (*text
        && (*text != '.' || !text[1] || text[strspn (text, host_letters)]))
        return false;
    *id = read;
    return true;
}

bool pbs_is_id (const char *text)
{
    struct pbs_id id;

    return pbs_read_id (text, &id);
}

/* --- records --- */

struct pbs_records pbs_records (const char *heading, const char *text,
                                size_t len)
{
    return (struct pbs_records){ reply_lines ("PBS", text, len), heading,
                                 STRBUF_INIT, STRBUF_INIT, false };
}

/* "    name = value", or what a long value is continued with, or, for qstat
 * prints some values as they are, what follows a line break in one.
 */
static bool add_line (struct strbuf *settings, const char *line)
{
    size_t blank = strspn (line, " ");

    if (blank >= 4 && strstr (line, " = ")) {
        strbuf_add_str (settings, line + blank);
    } else if (settings->len > 0) {
        strbuf_truncate (settings, settings->len - 1);
        strbuf_add_str (settings, line[0] == '\t' ? line + 1 : line);
    } else {
        return false;
    }
    strbuf_add_char (settings, '\0');
    return true;
}

static bool begins_record (const struct pbs_records *records, const char *line)
{
    size_t skip = strlen (records->heading);

    return skip > 0 && strncmp (line, records->heading, skip) == 0;
}

static bool begin_record (struct pbs_records *records, const char *line)
{
    size_t skip = strlen (records->heading);

    if (line[0] == ' ' || strncmp (line, records->heading, skip) != 0)
        return false;
    strbuf_add_str (&records->id, line + skip);
    return records->id.len > 0;
}

/* What is between records belongs to a value of the last one, which had an
 * empty line in it.
 */
const char *pbs_next_record (struct pbs_records *records, struct error *err)
{
    struct reply_lines *lines = &records->lines;
    const char *line;

    strbuf_reset (&records->id);
    strbuf_reset (&records->settings);
    while ((line = reply_next_line (lines, err))) {
        bool ok = true;

        if (line[0] == '\0' && records->id.len > 0)
            break;
        if (records->id.len > 0)
            ok = !begins_record (records, line)
                 && add_line (&records->settings, line);
        else if (line[0] != '\0')
            ok = begin_record (records, line) || records->had_one;
        if (!ok)
            lines->rc = reply_bad_line ("PBS", line, err);
    }
    if (!line && lines->rc == 0 && records->id.len > 0)
        lines->rc =
            error_set (err, "PBS's answer was cut off in the record of %.200s",
                       records->id.buf);
    strbuf_add_char (&records->settings, '\0');
    records->had_one = true;
    return line && lines->rc == 0 ? records->settings.buf : NULL;
}

int pbs_records_end (struct pbs_records *records)
{
    strbuf_release (&records->id);
    strbuf_release (&records->settings);
    return reply_lines_end (&records->lines);
}
