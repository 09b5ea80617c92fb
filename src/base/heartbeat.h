/* SPDX-License-Identifier: BSD-3-Clause */
/* heartbeat.h - how long work says that it goes on
 *
 * Whoever loops over tasks or files calls it once for each; what is behind it
 * looks at the clock and does something now and then.
 */
#ifndef BASE_HEARTBEAT_H
#define BASE_HEARTBEAT_H

struct heartbeat {
    void (*beat) (void *arg);
    void *arg;
};

/* NULL, or one without a function: none is told. */
static inline void heartbeat_send (const struct heartbeat *heartbeat)
{
    if (heartbeat && heartbeat->beat)
        heartbeat->beat (heartbeat->arg);
}

#endif /* !BASE_HEARTBEAT_H */
