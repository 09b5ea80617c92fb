/* SPDX-License-Identifier: BSD-3-Clause */
/* lines.h - what several programs print, line by line (pure)
 *
 * "local/force:2: step 100": each line tells whose it is, and lines of one
 * program are not cut by those of another.
 */
#ifndef GROUP_LINES_H
#define GROUP_LINES_H

enum {
    LINE_MAX_BYTES = 1 << 16, /* a longer line is told in parts */
    LAST_LINE_BYTES = 300,
};

struct lines {
    char *name;                     /* of whoever prints; "": lines tell it */
    struct strbuf begun;            /* a line without end */
    char last[LAST_LINE_BYTES + 1]; /* the last with words */
    char failed_at[LAST_LINE_BYTES + 1]; /* where a script failed, if that was
                                            told after it (script_failure) */
};

void lines_init (struct lines *lines, const char *name);
void lines_release (struct lines *lines);

/* Append to 'out' what is whole of what was printed. */
void lines_feed (struct lines *lines, const char *bytes, size_t n,
                 struct strbuf *out);

/* Nothing more comes: the rest. */
void lines_finish (struct lines *lines, struct strbuf *out);

#endif /* !GROUP_LINES_H */
