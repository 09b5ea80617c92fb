/* SPDX-License-Identifier: BSD-3-Clause */
/* problems.h - everything wrong with a set of files, not just the first thing
 *
 * A problem is where it is, what is wrong and what to do about it.  A warning
 * is one that the files are good enough with: what only looks wrong.
 */
#ifndef BASE_PROBLEMS_H
#define BASE_PROBLEMS_H

struct mark {
    const char *file; /* borrowed; NULL when there is no file */
    int line;         /* from 1; 0: the file as a whole */
    int column;       /* from 1 */
};

struct problem {
    char *file; /* owned copies */
    int line;
    int column;
    char *message;
    char *remedy; /* never NULL; may be "" */
    bool warning;
    size_t number; /* in the order they were recorded */
};

struct problems {
    struct problem *v;
    size_t n; /* with the warnings */
    size_t n_warnings;
    size_t alloc;
};

#define PROBLEMS_INIT                                                          \
    {                                                                          \
        NULL, 0, 0, 0                                                          \
    }

void problems_release (struct problems *problems);

/* Record a problem at 'mark'.  'message' is "what; what to do" - the text
 * after the first "; " is the remedy.  Control characters are shown as '?'.
 * Returns -1.  'problems' may be NULL.
 */
int problems_add (struct problems *problems, struct mark mark, const char *fmt,
                  ...) PRINTF_LIKE (3, 4);

/* The same for a warning. */
void problems_warn (struct problems *problems, struct mark mark,
                    const char *fmt, ...) PRINTF_LIKE (3, 4);

/* How many are no warnings. */
static inline size_t problems_errors (const struct problems *problems)
{
    return problems->n - problems->n_warnings;
}

/* Order by file, line, column, keeping the order of equals; what is there twice
 * is dropped.
 */
void problems_sort (struct problems *problems);

/* Append "file:line:col: what; what to do\n" for each, a warning as
 * "file:line:col: warning: ...".
 */
void problems_format (const struct problems *problems, struct strbuf *out);

/* How many letters are added, left out, replaced or swapped with their
 * neighbour from 'a' to 'b'.
 */
size_t word_distance (const char *a, const char *b);

/* The candidate nearest to 'word' (Damerau-Levenshtein distance at most 1/3 of
 * the longer one's length, rounded up), or NULL.  Borrowed from 'candidates'.
 */
const char *nearest_word (const char *word, const struct strvec *candidates);

#endif /* !BASE_PROBLEMS_H */
