/* SPDX-License-Identifier: BSD-3-Clause */
/* report.h - what a group tells of itself while its programs run
 *
 * A report is a command that prints a JSON object of at most 4 KiB.  It runs
 * again and again while the programs of its node, or its instance, run, never
 * twice at once, and once after the last of them has ended.  One that fails is
 * noted in the log, once, and changes nothing else.
 */
#ifndef GROUP_REPORT_H
#define GROUP_REPORT_H

#include <sys/types.h>

struct node;
struct report_step;
struct stream;

struct report {
    const struct report_step *step; /* lent */
    size_t part;                    /* a node or an instance */
    char *name;                     /* "local/force:2" */
    double due_s;                   /* INFINITY: not while nothing runs */
    pid_t pid;                      /* 0: none is running */
    bool last;                      /* the one that runs is the last */
    bool noted;
    struct stream *out, *err;
};

void report_init (struct report *report, const struct report_step *step,
                  size_t part, const char *name);
/* What runs is killed. */
void report_release (struct report *report);

/* Run it now, unless one runs.  'last': end one that does.  False: it cannot be
 * started.
 */
bool report_run (struct report *report, struct node *node, bool last);

/* It was reaped: what it printed, which the caller unrefs, or NULL. */
struct json *report_reaped (struct report *report, struct node *node,
                            int status);

/* What a report printed, as an object; NULL with 'err'.  (pure) */
struct json *report_parse (const char *text, size_t len, struct error *err);

#endif /* !GROUP_REPORT_H */
