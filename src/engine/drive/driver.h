/* SPDX-License-Identifier: BSD-3-Clause */
/* driver.h - decide and act until there is nothing left to do now */
#ifndef ENGINE_DRIVER_H
#define ENGINE_DRIVER_H

struct engine;

struct step {
    int actions;      /* how many were done */
    int led_on;       /* those of them that were more than results recorded */
    double next_s;    /* look again after so long; 0: nothing to wait for */
    bool unreachable; /* a scheduler gave no answer or took no job, which
                         state.outages tells; or what was to be looked at
                         could not be read: then 'unread' says what */
    struct error unread;
    bool broken; /* a scheduler cannot be used before a person acts: the
                    campaign is paused, with the reason */
};

/* One idempotent step: carry out requests, observe, decide, act; again while
 * that leads to more.  The engine must hold the lease.  A scheduler that does
 * not answer is no failure.  -1 with 'err' when the driver cannot go on.
 */
int driver_step (struct engine *engine, struct step *step, struct error *err);

/* Was the driver told to end, or is its time over? */
bool driver_is_to_stop (const struct engine *engine);

/* Wait for 's' seconds, but not past a request, a wake message, or the time to
 * come to an end.  Keeps the lease alive if it is held.
 */
void driver_wait (struct engine *engine, double s);

/* Drive in the foreground until the campaign is done, failed or paused, or
 * *engine->stop becomes non-zero.  'tick' (or NULL) is called after every
 * step.
 */
int driver_run (struct engine *engine,
                void (*tick) (struct engine *engine, const struct step *step,
                              void *arg),
                void *arg, struct error *err);

#endif /* !ENGINE_DRIVER_H */
