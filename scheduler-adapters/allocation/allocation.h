/* SPDX-License-Identifier: BSD-3-Clause */
/* allocation.h - the nodes of a job as a scheduler
 *
 * On each node runs one process, the runner; what is to be run lies in a
 * directory that all of them and the driver see:
 *
 *   SPOOL/<token>/       a job (spool.h; not its lock, supervisor, events), and
 *     taken-<e>            element e is taken: by "<set>/<runner>"
 *     ended-<e>-<outcome>  it has ended
 *     place-<k>.<m>        the m-th use of the k-th place among those that may
 *                          run at a time: "<set>/<runner> <e>"
 *     place-<k>.<m>.free   that came to nothing
 *   SPOOL/nodes/<set>/   runners that were started together: the id of the job
 *                        around them, a dot and a number
 *     begun                they are being started: on which nodes, a line each
 *     hosts                the same for MPI libraries
 *     end                  how long the job had when that was written
 *     job                  what its processes know it by (job_around.h)
 *     output               what was printed meanwhile
 *     whole                how long the job had when its first runner began
 *                          (in the first set)
 *     <runner>             a node: what it has; touched while the runner lives
 *     <runner>.late        it was not touched for long: look at it once more
 *     <runner>.dead        it is taken for dead: what becomes of its elements
 *     <runner>.ended       it ended in good order
 *   SPOOL/nodes/clock    touched to read the time here
 *   SPOOL/teams/         runners that run an element together (team.h)
 *
 * Whoever creates a file first has it: there is no process in the middle.
 * Times are those of the file system.
 */
#ifndef ALLOCATION_ALLOCATION_H
#define ALLOCATION_ALLOCATION_H

#include "adapter.h"
#include "placement/node_shape.h"

struct spool_job;

extern const struct scheduler_adapter allocation_adapter;

/* --- nodes.c: the runners --- */

/* How often a runner touches its file, after how long it is late, and how long
 * it may be late.
 */
#define RUNNER_TOUCH_S 2.0
#define RUNNER_LATE_S 30.0
#define RUNNER_LATER_S 5.0

struct runner {
    char *id; /* "<set>/<runner>" */
    char *node;
    int cores;
    int gpus;
    int64_t memory_bytes; /* 0: not known */
    double touched_s;     /* by the clock of the file system */
    bool alive;
    enum outcome cause; /* not alive: what becomes of its elements */
};

/* A node on which a runner was started, by the job around us. */
struct node_try {
    char *node;   /* as the scheduler calls it; "": all, by names not known */
    int set;      /* a later one has a greater number */
    double age_s; /* since then */
    bool came;    /* one was there */
};

struct runners {
    struct runner *v;
    size_t n, alloc;
    double now_s; /* by the clock of the file system */
    struct node_try *tries;
    size_t n_tries, tries_alloc;
    bool starting; /* some of the job around us may be about to be there */
};

/* All that there are.  A runner that is late is noted, and taken for dead when
 * it stays so.
 */
int runners_look (const char *spool, struct runners *runners,
                  struct error *err);
void runners_release (struct runners *runners);

/* The one that is called so, or NULL. */
const struct runner *runners_find (const struct runners *runners,
                                   const char *id);

/* How many nodes have runners that live and could ever run an element of the
 * job, or a part of it on one of its nodes?
 */
int runners_count_nodes (const struct runners *runners,
                         const struct spool_job *job);

/* Is any of them alive? */
bool runners_alive (const struct runners *runners);

/* Are these names of the same node, perhaps one with the domain?  "" is any. */
bool is_same_node (const char *a, const char *b);

/* Is "4711.0" a set of the job 4711? */
bool runners_is_set_of (const char *set, const char *job);

/* SPOOL of SPOOL/nodes/<set>.  The caller frees it. */
char *set_spool (const char *set_dir);

/* Note how long the job around us has; how much is left of what was noted. */
int set_write_end (const char *set_dir, double left_s, struct error *err);
int set_read_end (const char *set_dir, double *left_s, struct error *err);

/* How long before the end of the job around them runners end what they run. */
#define RUNNER_MARGIN_S 30.0

/* --- start.c --- */

/* How long a runner may take to be there. */
#define START_S 60.0

/* Is a runner to be started on that node?  Where none came up, or one was lost
 * with its node, alone; after that seldom, as where one came up and ended at
 * once.  Pure.
 */
enum node_start { START_NOT, START_WITH_OTHERS, START_ALONE };
enum node_start runner_start_on (const struct runners *runners,
                                 const char *node);

/* Did none come up there?  Pure. */
bool node_is_lost (const struct runners *runners, const char *node);

/* Append which node of the job around us could not be reached, and what was
 * said of it.  False: all could.
 */
bool runners_lost_node (const struct scheduler *scheduler,
                        const struct runners *runners, struct strbuf *out);

/* Start runners on the nodes of the job around us where none is there, unless
 * it is about to end.  'runners' is what was seen.  BROKEN: we are in no job,
 * or they cannot be started.
 */
enum answer runners_start (const struct scheduler *scheduler,
                           const struct runners *runners, struct error *err);

/* Append the last line that runners of the job around us, or who started them,
 * printed.
 */
void runners_last_words (const char *spool, struct strbuf *out);

/* --- elements.c: who has which --- */

/* Create a file with its text, unless it is there: 1. */
int create_whole (const char *dir, const char *name, const char *text,
                  struct error *err);

/* What is in a job's directory. */
struct elements {
    enum outcome *ended; /* by element; NONE: it has not */
    bool *taken;
    struct strvec places; /* names of the files */
};

int elements_read (const struct spool_job *job, struct elements *elements,
                   struct error *err);
void elements_release (struct elements *elements);

/* Set job->status by that. */
int elements_status (struct spool_job *job, const struct elements *elements,
                     const struct runners *runners, struct error *err);

/* Is it not taken, and may it be? */
bool element_is_waiting (const struct spool_job *job,
                         const struct elements *elements, int64_t element);

/* The first that waits while there is a place for it.  1: there is none. */
int element_find_waiting (const struct spool_job *job,
                          const struct runners *runners, int64_t *element,
                          struct error *err);

/* Take an element for the runner 'id', and a place among those that run.  0, or
 * -1, or:
 */
enum { ELEMENT_IS_TAKEN = 1, NO_PLACE = 2 };
int element_take (const struct spool_job *job, const struct elements *elements,
                  const struct runners *runners, int64_t element,
                  const char *id, struct error *err);

/* Note how it ended. */
int element_end (const struct spool_job *job, int64_t element,
                 enum outcome outcome, struct error *err);

/* --- runner_node.c: the node a runner is on --- */

struct runner_node {
    char *id; /* "<set>/<runner>" */
    char *name;
    char *path;              /* of its file */
    char *local_spool;       /* where its cores are shared out */
    int fd;                  /* of the file, which says that it lives */
    double touched_s;        /* mono: when it was touched last */
    struct node_shape shape; /* with its GPUs; empty: it cannot be read */
    int cores;
    int64_t memory_bytes;
    double end_s;   /* mono: when the job around it ends; INFINITY: never */
    double whole_s; /* how long it had when its first runner began */
    double asked_s; /* mono: when that was asked for */
};

/* Make its file in the set's directory. */
int runner_node_open (struct runner_node *node, const char *set_dir,
                      struct error *err);
void runner_node_close (struct runner_node *node);

/* Touch the file when it is time.  1: it was taken for dead, or its set is
 * gone: it must end what it runs.
 */
int runner_node_touch (struct runner_node *node, struct error *err);

/* How long it may still begin something: the time left less what ending takes;
 * INFINITY: not known.
 */
double runner_node_left_s (struct runner_node *node);

/* Is an element of 'walltime_s' (0: unstated) to begin with 'left_s' left? When
 * it will end in time, or never could in a job that had 'whole_s'.  Pure.
 */
bool runner_has_time (double walltime_s, double left_s, double whole_s);

/* --- runner.c: the process on a node --- */

/* Take elements and run them until nothing is left to do for a minute, or the
 * job around us ends.
 */
int allocation_runner_run (const char *set_dir, struct error *err);

#endif /* !ALLOCATION_ALLOCATION_H */
