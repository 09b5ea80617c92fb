/* SPDX-License-Identifier: BSD-3-Clause */
/* problems.c - everything wrong with a set of files */
#include "base/base.h"

#include "base/problems.h"

static void release_problem (struct problem *p)
{
    free (p->file);
    free (p->message);
    free (p->remedy);
}

void problems_release (struct problems *problems)
{
    for (size_t i = 0; i < problems->n; i++)
        release_problem (&problems->v[i]);
    free (problems->v);
    *problems = (struct problems)PROBLEMS_INIT;
}

/* Takes 'text' over. */
static void record (struct problems *problems, struct mark mark, bool warning,
                    char *text)
{
    char *remedy = strstr (text, "; ");
    struct problem problem = { .file = mark.file ? xstrdup (mark.file) : NULL,
                               .line = mark.line,
                               .column = mark.column,
                               .message = text,
                               .warning = warning,
                               .number = problems->n };

    if (remedy)
        *remedy = '\0';
    problem.remedy = xstrdup (remedy ? remedy + 2 : "");
    problems->v = grow_array (problems->v, problems->n, &problems->alloc,
                              sizeof (*problems->v));
    problems->v[problems->n++] = problem;
    problems->n_warnings += warning;
}

int problems_add (struct problems *problems, struct mark mark, const char *fmt,
                  ...)
{
    va_list ap;

    va_start (ap, fmt);
    if (problems)
        record (problems, mark, false, text_made_plain (xvasprintf (fmt, ap)));
    va_end (ap);
    return -1;
}

void problems_warn (struct problems *problems, struct mark mark,
                    const char *fmt, ...)
{
    va_list ap;

    va_start (ap, fmt);
    if (problems)
        record (problems, mark, true, text_made_plain (xvasprintf (fmt, ap)));
    va_end (ap);
}

static int compare_places (const struct problem *a, const struct problem *b)
{
    int order = strcmp (a->file ? a->file : "", b->file ? b->file : "");

    if (order == 0)
        order = (a->line > b->line) - (a->line < b->line);
    if (order == 0)
        order = (a->column > b->column) - (a->column < b->column);
    return order;
}

static int compare_texts (const struct problem *a, const struct problem *b)
{
    int order = compare_places (a, b);

    if (order == 0)
        order = strcmp (a->message, b->message);
    return order ? order : strcmp (a->remedy, b->remedy);
}

/* qsort need not keep the order of equals: that is in 'number'. */
static int compare_numbers (const struct problem *a, const struct problem *b)
{
    return (a->number > b->number) - (a->number < b->number);
}

static int by_text (const void *left, const void *right)
{
    int order = compare_texts (left, right);

    return order ? order : compare_numbers (left, right);
}

static int by_place (const void *left, const void *right)
{
    int order = compare_places (left, right);

    return order ? order : compare_numbers (left, right);
}

static void sort_by (struct problems *problems,
                     int (*compare) (const void *, const void *))
{
    if (problems->n > 1)
        qsort (problems->v, problems->n, sizeof (*problems->v), compare);
}

/* What stands once may be read several times: an alias, a default. */
static void drop_copies (struct problems *problems)
{
    size_t kept = 0;

    sort_by (problems, by_text);
    for (size_t i = 0; i < problems->n; i++) {
        struct problem *p = &problems->v[i];

        if (kept > 0 && compare_texts (&problems->v[kept - 1], p) == 0) {
            problems->n_warnings -= p->warning;
            release_problem (p);
        } else {
            problems->v[kept++] = *p;
        }
    }
    problems->n = kept;
}

void problems_sort (struct problems *problems)
{
    drop_copies (problems);
    sort_by (problems, by_place);
    for (size_t i = 0; i < problems->n; i++)
        problems->v[i].number = i;
}

void problems_format (const struct problems *problems, struct strbuf *out)
{
    for (size_t i = 0; i < problems->n; i++) {
        const struct problem *p = &problems->v[i];

        if (p->file)
            strbuf_add_str (out, p->file);
        if (p->file && p->line > 0)
            strbuf_addf (out, ":%d:%d", p->line, p->column);
        if (p->file)
            strbuf_add_str (out, ": ");
        if (p->warning)
            strbuf_add_str (out, "warning: ");
        strbuf_add_str (out, p->message);
        if (p->remedy[0])
            strbuf_addf (out, "; %s", p->remedy);
        strbuf_add_char (out, '\n');
    }
}

static size_t min_size (size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The optimal string alignment distance.  Three rows of the table are kept. */
size_t word_distance (const char *a, const char *b)
{
    size_t m = strlen (a), n = strlen (b), distance;
    _cleanup_free_ size_t *rows = xcalloc (3 * (n + 1), sizeof (*rows));
    size_t *before = rows, *last = rows + n + 1, *now = rows + 2 * (n + 1);

    for (size_t j = 0; j <= n; j++)
        now[j] = j;
    for (size_t i = 1; i <= m; i++) {
        size_t *reused = before;

        before = last;
        last = now;
        now = reused;
        now[0] = i;
        for (size_t j = 1; j <= n; j++) {
            now[j] = min_size (last[j], now[j - 1]) + 1;
            now[j] = min_size (now[j], last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = min_size (now[j], before[j - 2] + 1);
        }
    }
    distance = now[n];
    return distance;
}

/* Longer words are no slip of the pen, and the table is quadratic. */
enum { WORD_LENGTH_MAX = 100 };

const char *nearest_word (const char *word, const struct strvec *candidates)
{
    size_t len = strlen (word), best = (size_t)-1;
    const char *nearest = NULL;

    if (len > WORD_LENGTH_MAX)
        return NULL;
    for (size_t i = 0; i < candidates->n; i++) {
        const char *candidate = candidates->v[i];
        size_t longer = strlen (candidate), distance;

        if (longer > WORD_LENGTH_MAX)
            continue;
        if (longer < len)
            longer = len;
        distance = word_distance (word, candidate);
        if (distance <= (longer + 2) / 3 && distance < best) {
            best = distance;
            nearest = candidate;
        }
    }
    return nearest;
}
