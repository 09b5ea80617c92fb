/* SPDX-License-Identifier: BSD-3-Clause */
/* task_output.c - where what a try of a task printed is */
#include "base/base.h"

#include <sys/stat.h>

#include "arrays/outcome.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "commands/task_output.h"
#include "commands/task_record.h"
#include "space/layout.h"

enum { END_MAX_BYTES = 1 << 16 };

/* How long an agent may take to write what it logged. */
#define LATE_S 10.0
#define LOOK_EACH_S 0.02

static char *work_dir (const struct task_record *record)
{
    return xasprintf ("%s/" LAYOUT_WORK, record->chunk, record->element,
                      record->n);
}

char *task_output_slot_path (const struct task_record *record)
{
    _cleanup_free_ char *work = work_dir (record);
    char *path = xasprintf ("%s/" LAYOUT_SLOT_LOG, work,
                            (int)json_get_int (record->start, "slot"));

    return path;
}

char *task_output_work_dir (const struct task_record *record, int task)
{
    _cleanup_free_ char *work = work_dir (record);
    char *path = xasprintf ("%s" LAYOUT_WORK_TASK, work, task);

    return path;
}

/* Beside the results: that of the try which made them, or of one that found
 * them there, or of where they were taken from.
 */
static bool is_kept (const struct task_record *record)
{
    bool may_be = record->tries == 0
                  || (record->ended && !record->printed
                      && (!record->end
                          || strcmp (json_get_string (record->end, "outcome"),
                                     outcome_name (OUTCOME_OK))
                                 == 0));

    return may_be && record->kept && file_exists (record->kept);
}

void task_output_find (const struct task_record *record, int task,
                       struct task_output *output)
{
    _cleanup_free_ char *work = NULL;

    *output = (struct task_output){ NULL, 0, UINT64_MAX };
    if (is_kept (record))
        output->path = xstrdup (record->kept);
    if (output->path || !record->start)
        return;
    if (record->printed) {
        *output =
            (struct task_output){ xasprintf ("%s/" LAYOUT_OUTPUT, record->chunk,
                                             record->element, record->n),
                                  record->at, record->bytes };
        return;
    }
    work = work_dir (record);
    output->path = xasprintf ("%s" LAYOUT_WORK_LOG, work, task);
    if (!file_exists (output->path) && !record->ended) {
        free (output->path);
        output->path = task_output_slot_path (record);
    }
}

/* An agent logs ends before it writes what was printed (agent/output_file.h).
 * Where it was killed in between nothing more comes.
 */
static void await_end (const struct task_output *output)
{
    const double until_s = clock_mono_s () + LATE_S;
    struct stat st;

    while (output->bytes != UINT64_MAX && clock_mono_s () < until_s
           && (stat (output->path, &st) < 0
               || (uint64_t)st.st_size < output->at + output->bytes))
        clock_sleep (LOOK_EACH_S, NULL);
}

static FILE *open_at (const struct task_output *output, uint64_t skip,
                      struct error *err)
{
    int fd = file_open_to_read (output->path, err);
    FILE *from = fd < 0 ? NULL : fdopen (fd, "r");

    if (fd < 0)
        return NULL;
    if (from && fseeko (from, (off_t)(output->at + skip), SEEK_SET) == 0)
        return from;
    error_errno (err, "cannot read '%s'", output->path);
    if (from)
        fclose (from);
    else
        file_close (fd);
    return NULL;
}

int task_output_copy (const struct task_output *output, uint64_t skip, FILE *to,
                      struct error *err)
{
    bool whole_file = output->bytes == UINT64_MAX;
    uint64_t left = skip < output->bytes ? output->bytes - skip : 0;
    FILE *from;
    char block[1 << 16];
    size_t n = 1;

    await_end (output);
    if (!(from = open_at (output, skip, err)))
        return -1;
    while (left > 0 && n > 0) {
        n = fread (block, 1, left < sizeof (block) ? left : sizeof (block),
                   from);
        fwrite (block, 1, n, to);
        left -= n;
    }
    fclose (from);
    if (left > 0 && !whole_file)
        return error_set (err, "%s: its end was lost", output->path);
    return 0;
}

/* Where the last 'lines' lines of 'text' begin. */
static size_t last_lines (const struct strbuf *text, int lines)
{
    size_t at = text->len;

    if (at > 0 && text->buf[at - 1] == '\n')
        at--;
    for (; at > 0; at--) {
        if (text->buf[at - 1] == '\n' && --lines == 0)
            break;
    }
    return at;
}

int task_output_copy_end (const struct task_output *output, int lines, FILE *to,
                          struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    uint64_t bytes = output->bytes, from;
    size_t start;
    struct stat st;

    if (bytes == UINT64_MAX && stat (output->path, &st) < 0)
        return error_errno (err, "cannot read '%s'", output->path);
    if (bytes == UINT64_MAX)
        bytes = (uint64_t)st.st_size;
    from = bytes > END_MAX_BYTES ? bytes - END_MAX_BYTES : 0;
    if (file_read_range (output->path, output->at + from,
                         (size_t)(bytes - from), &text, err)
        < 0) {
        return -1;
    }
    start = last_lines (&text, lines);
    if (from + start > 0)
        fprintf (to, "... (%" PRIu64 " bytes before)\n", from + start);
    fwrite (text.buf + start, 1, text.len - start, to);
    if (text.len > 0 && text.buf[text.len - 1] != '\n')
        putc ('\n', to);
    return 0;
}
