/* SPDX-License-Identifier: BSD-3-Clause */
/* doctor.h - what is wrong with this site, for these profiles? */
#ifndef DOCTOR_DOCTOR_H
#define DOCTOR_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "doctor/probe.h"

struct engine;
struct findings;
struct profile;

struct doctor_options {
    const struct profile *const *profiles; /* to look at */
    size_t n;
    bool probe; /* submit a job for each, too */
    struct probe_options probing;
};

enum doctor_end {
    DOCTOR_DONE,
    DOCTOR_UNREACHABLE, /* a scheduler did not answer: there is more to find */
    DOCTOR_STOPPED,
};

/* Look at the data space, at each profile's scheduler, and with 'probe' at a
 * node of each.  What is made on the way is removed again.
 */
enum doctor_end doctor_run (struct engine *engine,
                            const struct doctor_options *options,
                            struct findings *findings);

#endif /* !DOCTOR_DOCTOR_H */
