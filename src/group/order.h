/* SPDX-License-Identifier: BSD-3-Clause */
/* order.h - what a group does next (pure)
 *
 * A group has parts: its nodes, its programs, their instances.  It goes through
 * phases, each of which begins when the one before is over everywhere:
 *
 *   node setup, program setup, instance setup, run, last report,
 *   instance exit, program exit, node exit
 *
 * In a phase all its parts are busy at once.  The first step that fails, or
 * being told to stop, ends what is busy and leaves out what was not begun, up
 * to the last reports; exits follow for exactly those parts that were set up.
 * From then on all has to be over within the grace time, of which half is for
 * what was running, nine tenths are for all.
 */
#ifndef GROUP_ORDER_H
#define GROUP_ORDER_H

struct group_spec;

enum group_level { LEVEL_NODE, LEVEL_PROGRAM, LEVEL_INSTANCE };

enum group_phase {
    PHASE_NODE_SETUP,
    PHASE_PROGRAM_SETUP,
    PHASE_INSTANCE_SETUP,
    PHASE_RUN,
    PHASE_LAST_REPORT, /* of nodes and instances */
    PHASE_INSTANCE_EXIT,
    PHASE_PROGRAM_EXIT,
    PHASE_NODE_EXIT,
    PHASE_OVER,
};

/* The last reports have so long. */
enum { LAST_REPORT_S = 10 };

struct part {
    enum group_level level;
    size_t node;
    size_t program; /* of programs and instances */
    int instance;   /* of instances */
    bool busy;
    bool set_up; /* its exit is owed */
    bool lost;   /* with its node */
};

struct order {
    const struct group_spec *group; /* lent */
    struct part *parts;             /* nodes, programs, instances */
    size_t n_parts;
    enum group_phase phase;
    size_t next; /* the part to look at next in this phase */
    size_t n_busy;
    bool ran;          /* a program was started */
    double phase_s;    /* when the phase began */
    bool stopping;     /* a step failed, or order_stop was called */
    double stop_s;     /* when */
    double grace_s;    /* from then on */
    bool told, killed; /* in this phase: SIGTERM, SIGKILL */
};

/* The parts of a group, nodes first; the caller frees. */
struct part *group_parts (const struct group_spec *group, size_t *n);

/* "local", "local/force", "local/force:2" (where it has several instances) */
void part_name (const struct group_spec *group, const struct part *part,
                struct strbuf *out);

/* The same with what it does: "local/force setup"; a program that runs has just
 * its name.
 */
void step_name (const struct group_spec *group, const struct part *part,
                enum group_phase phase, struct strbuf *out);

void order_init (struct order *order, const struct group_spec *group,
                 double grace_s);
void order_release (struct order *order);

/* Give the next part that is to begin its step of order->phase; it is busy from
 * now on.  False: none is, now; PHASE_OVER: nor will there be any.
 */
bool order_take (struct order *order, double now_s, size_t *part);

/* The step of a busy part ended, well or not; 'partly': a command of it did end
 * well, and what that has set up has its exit, too.
 */
void order_ended (struct order *order, size_t part, bool ok, bool partly,
                  double now_s);

/* A node is gone, with what was busy there; nothing is owed to it. */
void order_lost (struct order *order, size_t node, double now_s);

/* End the group: the first call counts. */
void order_stop (struct order *order, double now_s);

/* The signal that is due for everything that is busy: SIGTERM, SIGKILL or 0;
 * and when (or INFINITY) the next one will be.
 */
int order_push (struct order *order, double now_s);
double order_due_s (const struct order *order);

#endif /* !GROUP_ORDER_H */
