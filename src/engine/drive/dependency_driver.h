/* SPDX-License-Identifier: BSD-3-Clause */
/* dependency_driver.h - the driver that is a job: it drives until it is not
 * needed
 *
 * A dependency job must not end before the journal says so (decide_chain.c):
 * while another drives, it waits for the lease or for that event.
 */
#ifndef ENGINE_WAKE_DRIVER_H
#define ENGINE_WAKE_DRIVER_H

struct engine;

struct driving_job {
    const char *token;
    const char *stage; /* whose profile it runs with */
    const char *id;    /* as the scheduler spells it */
    int64_t element;
};

/* 0: nothing waits for this dependency job (any more); what of its job was to
 * take over is cancelled.  1: told to stop, or the job's time is over: the next
 * element takes over.  -1: it cannot go on ('err'); so it does.
 */
int drive_as_job (struct engine *engine, const struct driving_job *job,
                  struct error *err);

#endif /* !ENGINE_WAKE_DRIVER_H */
