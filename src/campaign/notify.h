/* SPDX-License-Identifier: BSD-3-Clause */
/* notify.h - `notify:`, programs that are run to tell people of a campaign
 *
 * campaign.yaml and site.yaml may have it; what the former says of an event
 * takes the place of what the latter does.  It is no part of the recorded
 * configuration, and nothing that is made depends on it.
 */
#ifndef CAMPAIGN_NOTIFY_H
#define CAMPAIGN_NOTIFY_H

#include "base/problems.h"

struct compilation;
struct yaml_node;

enum notice_event {
    NOTICE_STAGE_FAILED,
    NOTICE_ITERATION_DONE,
    NOTICE_PAUSED,
    NOTICE_DONE,
    NOTICE_STUCK, /* nothing has moved for longer than it should take */
    NOTICE_EVENTS,
};

struct notify {
    bool known; /* false: of a recorded configuration, which does not tell */
    const char *const *argv[NOTICE_EVENTS]; /* templates of {campaign} and
                                               {fanfold}; NULL: not told */
    struct mark mark[NOTICE_EVENTS]; /* lives as long as the file is read */
    double deadline_s; /* of such a program; 0: that of NOTIFY_DEADLINE_S */
};

enum { NOTIFY_DEADLINE_S = 60 };

/* "stage_failed", ... */
const char *notice_event_name (enum notice_event event);

/* The event called so; NOTICE_EVENTS: none is. */
enum notice_event notice_event_find (const char *name);

/* Read the mapping over what 'notify', a struct notify, has; for a struct
 * field.
 */
void notify_read (const struct yaml_node *node, void *notify);

#endif /* !CAMPAIGN_NOTIFY_H */
