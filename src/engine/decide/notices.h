/* SPDX-License-Identifier: BSD-3-Clause */
/* notices.h - what people are to be told now (pure)
 *
 * An event is told once.  Where a driver ended between the journal's `begun`
 * and its `told`, it is not known whether the program did its work: it is run
 * once more, and not a third time.
 */
#ifndef ENGINE_NOTICES_H
#define ENGINE_NOTICES_H

#include "campaign/notify.h"

struct json;
struct state;

/* For how long nothing has moved, and how long that may last. */
struct quiet {
    double since_s;    /* wall clock; 0: nothing is waited for */
    double most_s;     /* 'least_s'; with tasks on their way the walltime of
                          their jobs, and the longest that the stage took in an
                          iteration before, if that is more; for a stage that was
                          never done QUIET_UNKNOWN times 'least_s' at least */
    const char *stage; /* whose time that is, lent; NULL: of none */
};

enum { QUIET_UNKNOWN = 24 };

/* Of a campaign that runs and has begun; of another since_s is 0. */
struct quiet quiet_look (const struct state *state, double least_s);

/* Has it lasted longer?  Not where a clock was set back. */
bool quiet_is_long (const struct quiet *quiet, double now_s);

struct notice {
    enum notice_event event;
    int64_t of;               /* see events.h */
    int begun;                /* times that it was begun before */
    const struct json *waits; /* what the state has of it, lent; NULL: 'stuck'
                                 that was not begun */
    struct quiet quiet;       /* 'stuck' only */
};

enum { NOTICE_BEGUN_MOST = 2 };

/* The oldest that 'notify' has a program for; false: there is none now. */
bool notice_due (const struct notify *notify, const struct state *state,
                 double now_s, double least_s, struct notice *notice);

#endif /* !ENGINE_NOTICES_H */
