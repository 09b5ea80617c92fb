/* SPDX-License-Identifier: BSD-3-Clause */
/* faults.h - what a file system may answer, and to which calls */
#ifndef TESTS_CRASH_FAULTS_H
#define TESTS_CRASH_FAULTS_H

struct call;

struct fault {
    const char *name;
    int number; /* errno; 0: less is read or written than was asked for */
    bool (*suits) (const struct call *call);
    bool lasts; /* can be so from some moment on */
};

extern const struct fault faults[];
extern const size_t n_faults;

/* NULL: none is called so. */
const struct fault *fault_find (const char *name);

/* May such a call have done its work and report failure all the same, as over
 * a network when the answer is lost?
 */
bool fault_may_come_after (const struct fault *fault, const struct call *call);

/* ... or can nothing else happen, as when a file is closed? */
bool fault_comes_after (const struct call *call);

#endif /* !TESTS_CRASH_FAULTS_H */
