/* SPDX-License-Identifier: BSD-3-Clause */
/* rows.c - the tables squeue and sacct print */
#include "config.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "reply_text.h"
#include "slurm/rows.h"

/* --- numbers --- */

int64_t slurm_id_number (const char *id)
{
    int64_t n = reply_take_number (&id);

    return n > 0 && *id == '\0' ? n : -1;
}

/* The id on the line [s, end), or -1. */
static int64_t line_id (const char *s, const char *end)
{
    int64_t n;

    while (s < end && isspace ((unsigned char)*s))
        s++;
    while (end > s && isspace ((unsigned char)end[-1]))
        end--;
    if (s == end)
        return -1;
    n = reply_take_number (&s);
    if (n > 0 && s < end && *s == ';' && end - s > 1
        && !memchr (s, ' ', (size_t)(end - s)))
        s = end;
    return s == end && n > 0 ? n : -1;
}

int64_t slurm_read_id (const char *text, size_t len)
{
    char *copy = xstrndup (text, len); /* ends at a NUL: so do numbers */
    const char *s = copy;
    int64_t found = -1;

    while (*s) {
        const char *end = s + strcspn (s, "\n");
        int64_t id = line_id (s, end);

        if (id > 0)
            found = id;
        s = *end ? end + 1 : end;
    }
    free (copy);
    return found;
}

/* --- indices --- */

/* "4", "4-9", "0-10:2" at *p, which moves behind it. */
static int take_span (const char **p,
                      int64_t end,
                      void (*each) (int64_t index, void *arg),
                      void *arg)
{
    int64_t first = reply_take_number (p);
    int64_t last = first;
    int64_t step = 1;

    if (first >= 0 && **p == '-') {
        (*p)++;
        last = reply_take_number (p);
        if (last >= first && **p == ':') {
            (*p)++;
            step = reply_take_number (p);
        }
    }
    if (first < 0 || last < first || step < 1)
        return -1;
    for (int64_t i = first; i <= last && i < end; i += step)
        each (i, arg);
    return 0;
}

int slurm_each_index (const char *text,
                      int64_t end,
                      void (*each) (int64_t index, void *arg),
                      void *arg)
{
    for (;;) {
        if (take_span (&text, end, each, arg) < 0)
            return -1;
        if (*text != ',')
            break;
        text++;
    }
    if (*text == '%') {
        text++;
        if (reply_take_number (&text) < 0)
            return -1;
    }
    return *text == '\0' ? 0 : -1;
}

/* --- lines --- */

static int bad_line (const char *program, const char *line, struct error *err)
{
    return error_set (err, "%s printed a line that cannot be read: '%.200s'",
                      program, line);
}

/* Cut 'line' at '|' into 'n' columns; the last takes what is left. */
static int cut_columns (char *line, char **columns, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        columns[i] = line;
        if (i + 1 == n)
            break;
        line = strchr (line, '|');
        if (!line)
            return -1;
        *line++ = '\0';
    }
    return 0;
}

/* "N/A" is how squeue says that there is nothing. */
static const char *or_nothing (const char *text)
{
    return strcmp (text, "N/A") == 0 ? "" : text;
}

/* Seconds since 1970, which SLURM_TIME_FORMAT=%s asks for; else unknown. */
static double read_time (const char *text)
{
    int64_t s = reply_take_number (&text);

    return s > 0 && *text == '\0' ? (double)s : 0;
}

static int squeue_row (char *line, struct slurm_row *row)
{
    char *columns[5];

    if (cut_columns (line, columns, 5) < 0)
        return -1;
    *row = (struct slurm_row){ .id = slurm_id_number (columns[0]),
                               .indices = or_nothing (columns[1]),
                               .state = columns[2],
                               .submit_s = read_time (columns[3]),
                               .reason = columns[4] };
    return row->id > 0 && *row->state ? 0 : -1;
}

/* "13", "13_4", "13_[2-4,6]": the id, and the indices cut out in place. */
static int read_job_id (char *text, struct slurm_row *row)
{
    char *index = strchr (text, '_');
    size_t len;

    row->indices = "";
    if (index) {
        *index++ = '\0';
        len = strlen (index);
        if (*index == '[' && index[len - 1] == ']') {
            index[len - 1] = '\0';
            index++;
        }
        if (*index == '\0')
            return -1;
        row->indices = index;
    }
    row->id = slurm_id_number (text);
    return row->id > 0 ? 0 : -1;
}

static int sacct_row (char *line, struct slurm_row *row)
{
    char *columns[2];

    *row = (struct slurm_row){ .reason = "" };
    if (cut_columns (line, columns, 2) < 0)
        return -1;
    row->state = columns[1];
    return read_job_id (columns[0], row) == 0 && *row->state ? 0 : -1;
}

static int read_rows (const char *program,
                      const char *text,
                      size_t len,
                      int (*read_row) (char *line, struct slurm_row *row),
                      slurm_each_row each,
                      void *arg,
                      struct error *err)
{
    const char *end = text + len;
    int rc = 0;

    while (rc == 0 && text < end) {
        const char *newline = memchr (text, '\n', (size_t)(end - text));
        size_t n = (size_t)((newline ? newline : end) - text);
        char *line = xstrndup (text, n);
        char *parts = xstrdup (line);
        struct slurm_row row;

        if (!newline)
            rc = error_set (err, "%s was cut off at '%.200s'", program, line);
        else if (strlen (line) != n || read_row (parts, &row) < 0)
            rc = bad_line (program, line, err);
        else
            rc = each (&row, arg, err);
        free (parts);
        free (line);
        text += n + 1;
    }
    return rc < 0 ? -1 : 0;
}

int slurm_read_squeue (const char *text,
                       size_t len,
                       slurm_each_row each,
                       void *arg,
                       struct error *err)
{
    return read_rows ("squeue", text, len, squeue_row, each, arg, err);
}

int slurm_read_sacct (const char *text,
                      size_t len,
                      slurm_each_row each,
                      void *arg,
                      struct error *err)
{
    return read_rows ("sacct", text, len, sacct_row, each, arg, err);
}
