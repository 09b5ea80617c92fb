/* SPDX-License-Identifier: BSD-3-Clause */
/* probe.h - a small job that tells what its node sees */
#ifndef DOCTOR_PROBE_H
#define DOCTOR_PROBE_H

struct engine;
struct findings;
struct profile;

struct probe_options {
    double timeout_s;         /* how long to wait for the job to start */
    const volatile int *stop; /* become non-zero: clean up and return */
};

/* Submit a job of 'profile' through its adapter, wait for its report, append
 * what is to be said, and remove all that was made, whatever happens.  -1 when
 * it was stopped.
 */
int probe_run (struct engine *engine,
               const struct profile *profile,
               const struct probe_options *options,
               struct findings *findings);

#endif /* !DOCTOR_PROBE_H */
