/* SPDX-License-Identifier: BSD-3-Clause */
/* team.h - runners that run an element of several nodes together
 *
 *   SPOOL/teams/
 *     <n>               the n-th team: "<token> <element> <nodes> <runner>";
 *                       that runner, the organizer, chooses who is in it
 *     <n>.offer.<name>  a runner that could be: "<load> <runner>"
 *     <n>.chosen        who is, a line each: the first one leads
 *     <n>.ready.<name>  it has nothing else to do, and takes nothing else
 *     <n>.closed        "begun": the lead runs the element; "off": none
 *     <n>.free          the lead has ended it: its members are free
 *
 * A team is formed only when the one before is closed, so two of them never
 * wait for each other's half.  Every file is created once, by whoever does so
 * first. An element has its nodes for itself.
 */
#ifndef ALLOCATION_TEAM_H
#define ALLOCATION_TEAM_H

#include "allocation/allocation.h"

/* How long the organizer waits for more offers than are needed, and for those
 * that are.
 */
#define TEAM_OFFERS_S 10.0
#define TEAM_PATIENCE_S 60.0

struct team_runner {
    char *id;
    const char *node; /* lent by struct runners; "": not known */
    bool alive;
    bool offers;
    int load;
    bool ready;
};

struct team {
    int64_t number; /* 0: there has been none */
    char *token;
    int64_t element;
    int nodes;
    char *organizer;
    struct team_runner *v; /* the chosen ones in their order, if any are */
    size_t n;
    size_t n_chosen; /* 0: not yet */
    bool closed;
};

enum team_step {
    TEAM_NOTHING, /* it is none of our business */
    TEAM_WAIT,    /* take nothing else meanwhile */
    TEAM_OFFER,
    TEAM_CHOOSE,
    TEAM_RESERVE, /* when there is nothing else to do */
    TEAM_BEGIN,
    TEAM_CLOSE, /* it comes to nothing */
};

/* What the runner 'id' is to know of itself. */
struct team_self {
    const char *id;
    bool can_join;   /* its node would do */
    bool wanted;     /* the element is still to be run */
    int others;      /* how many nodes that live would do, with ours */
    double waited_s; /* since we began to organize it */
};

/* What to do next.  Pure. */
enum team_step team_decide (const struct team *team,
                            const struct team_self *self);

/* Put those first in team->v that are to be in it, in their order: of each node
 * one, the least load first.  False: there are not enough.  Pure.
 */
bool team_choose (struct team *team);

/* Read the newest team.  1: 'runners' lacks some of its runners, which count as
 * dead.
 */
int team_read (const char *spool, const struct runners *runners,
               struct team *team, struct error *err);
void team_release (struct team *team);

/* Create one after 'last'.  1: another did. */
int team_create (const char *spool, int64_t last, const char *token,
                 int64_t element, int nodes, const char *id, struct error *err);

/* Say something of a team; 1: it was said. */
int team_offer (const char *spool, int64_t number, const char *id, int load,
                struct error *err);
int team_write_chosen (const char *spool, const struct team *team,
                       struct error *err);
int team_ready (const char *spool, int64_t number, const char *id,
                struct error *err);
int team_close (const char *spool, int64_t number, bool begun,
                struct error *err);
int team_free (const char *spool, int64_t number, struct error *err);

enum team_stage { TEAM_OPEN, TEAM_BEGUN, TEAM_OVER };

/* How far a team is.  -1: 'err'. */
int team_stage (const char *spool, int64_t number, enum team_stage *stage,
                struct error *err);

#endif /* !ALLOCATION_TEAM_H */
