/* SPDX-License-Identifier: BSD-3-Clause */
/* worker.h - a process of a slot that runs one task after the other
 *
 * It is started for the first task that its slot gets, and lives until it is
 * told to end, says that it takes no more tasks, dies, or breaks the protocol
 * (handover/worker_message.h).  What it writes raises SIGIO.
 */
#ifndef AGENT_WORKER_H
#define AGENT_WORKER_H

#include <sys/types.h>

struct spawn;
struct worker_message;

struct worker {
    pid_t pid;           /* and its process group; 0: there is none */
    int to_fd, from_fd;  /* its standard input and output; -1: closed */
    bool greeted;        /* it said hello */
    bool leaves;         /* it said that it takes no more tasks */
    int n_ended;         /* tasks that it ended, well or not */
    char *program;       /* as it called itself; NULL: it did not */
    struct strbuf begun; /* what it wrote of a line without end */
};

#define WORKER_INIT                                                            \
    {                                                                          \
        .to_fd = -1, .from_fd = -1, .begun = STRBUF_INIT                       \
    }

/* Start it as 'spec' says, which needs no input and no output, and say hello.
 * Returns its pid, or -1.
 */
pid_t worker_start (struct worker *worker, const struct spawn *spec,
                    struct error *err);

/* Write it a line, whole or not at all.  -1: err->number is EPIPE where it has
 * closed its standard input, or ended.
 */
int worker_tell (struct worker *worker, const struct strbuf *line,
                 struct error *err);

enum heard {
    HEARD_NOTHING, /* for now */
    HEARD_MESSAGE, /* which the caller releases */
    HEARD_NOISE,   /* 'err': what it wrote that is no message */
    HEARD_END,     /* it closed its output */
};

/* The next thing that it wrote; never waits. */
enum heard worker_hear (struct worker *worker, struct worker_message *message,
                        struct error *err);

/* Has it closed its standard input with a line in it that it did not read? */
bool worker_left_line (const struct worker *worker);

/* Read and forget what it wrote, so that it does not wait for that; true: there
 * may be more of it.
 */
bool worker_drain (struct worker *worker);

/* Its process has been reaped: forget it. */
void worker_forget (struct worker *worker);

/* End its process group, and reap and forget it: its standard input is closed
 * and it is sent SIGTERM, which a launcher, other than SIGKILL, passes on to
 * its ranks; what is there after 'grace_s' is killed.
 */
void worker_end (struct worker *worker, double grace_s);

#endif /* !AGENT_WORKER_H */
