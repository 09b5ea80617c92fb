/* SPDX-License-Identifier: BSD-3-Clause */
/* code_ending.c - how a program ended, by the table of its code */
#include "base/base.h"

#include "operators/kit.h"

struct line {
    const char *start;
    const char *end;
};

/* Go on to the line at 'at', NULL behind the last. */
static const char *next_line (const char *at, struct line *line)
{
    line->start = at;
    line->end = at + strcspn (at, "\n");
    return *line->end ? line->end + 1 : NULL;
}

static bool line_begins (const struct line *line, const char *words)
{
    size_t len = strlen (words);

    return (size_t)(line->end - line->start) >= len
           && memcmp (line->start, words, len) == 0;
}

/* What stands behind 'words' in the line, or NULL. */
static const char *find_behind (const struct line *line, const char *words)
{
    size_t len = strlen (words);
    const char *at =
        memmem (line->start, (size_t)(line->end - line->start), words, len);

    return at ? at + len : NULL;
}

static void add_quoted (const struct code *code, struct line line,
                        struct strbuf *message)
{
    const char *off = code->trimmed ? code->trimmed : " \t";

    while (line.end > line.start
           && (line.end[-1] == '\r' || strchr (off, line.end[-1])))
        line.end--;
    while (line.start < line.end && strchr (off, *line.start))
        line.start++;
    if (line.start < line.end && message->len > 0)
        strbuf_add_char (message, ' ');
    strbuf_add (message, line.start, (size_t)(line.end - line.start));
}

/* The row's message, with the number between 'at' and 'end' for its '#'. */
static void add_message (const char *text, const char *at, const char *end,
                         struct strbuf *message)
{
    size_t digits = 0;

    while (at < end && !isdigit ((unsigned char)*at))
        at++;
    while (at + digits < end && isdigit ((unsigned char)at[digits]))
        digits++;
    for (; *text; text++) {
        if (*text != '#')
            strbuf_add_char (message, *text);
        else if (digits > 0)
            strbuf_add (message, at, digits);
        else
            strbuf_add_char (message, '?');
    }
}

static void add_line_that_begins (const struct code *code, const char *at,
                                  struct strbuf *message)
{
    struct line line;

    while (at) {
        at = next_line (at, &line);
        if (!line_begins (&line, code->also))
            continue;
        strbuf_add_char (message, ';');
        add_quoted (code, line, message);
        return;
    }
}

static void tell (const struct code *code, const struct code_ending *row,
                  const struct line *line, const char *behind, const char *next,
                  const struct line *place, struct strbuf *message)
{
    struct line more;

    if (row->message)
        add_message (row->message, behind, line->end, message);
    else
        add_quoted (code, *line, message);
    if (code->also)
        add_line_that_begins (code, next, message);
    if (place->start) {
        strbuf_add_char (message, ';');
        add_quoted (code, *place, message);
    }
    for (int i = 0; i < row->more && next; i++) {
        next = next_line (next, &more);
        add_quoted (code, more, message);
    }
}

static const struct code_ending *find_row (const struct code *code,
                                           const struct line *line,
                                           const char **behind)
{
    size_t len = (size_t)(line->end - line->start);

    if ((code->begins && !line_begins (line, code->begins))
        || (code->tells && !code->tells (line->start, len)))
        return NULL;
    for (const struct code_ending *row = code->endings; row->words; row++) {
        if ((*behind = find_behind (line, row->words)))
            return row;
    }
    return NULL;
}

/* Does a line from 'next' on tell of a step? */
static bool goes_on (const struct code *code, const char *next)
{
    struct line line;

    while (code->steps && next) {
        next = next_line (next, &line);
        line.start += strspn (line.start, " ");
        for (const char *const *step = code->steps; *step; step++) {
            if (line.start <= line.end && line_begins (&line, *step))
                return true;
        }
    }
    return false;
}

enum ending code_judge (const struct code *code, const char *printed,
                        bool whole, struct strbuf *message)
{
    struct line place = { NULL, NULL };
    const char *next = code->last_error ? code->last_error (printed) : printed;

    while (next) {
        const struct code_ending *row;
        const char *behind;
        struct line line;

        next = next_line (next, &line);
        row = find_row (code, &line, &behind);
        if (row
            && !(row->ending == ENDING_UNCONVERGED && goes_on (code, next))) {
            tell (code, row, &line, behind, next, &place, message);
            return row->ending;
        }
        if (code->place && line_begins (&line, code->place))
            place = line;
    }
    return whole && !strstr (printed, code->first_words) ? ENDING_SILENT
                                                         : ENDING_UNKNOWN;
}
