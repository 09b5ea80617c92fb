/* SPDX-License-Identifier: BSD-3-Clause */
/* problem.h - what went wrong, in one line for a person */
#ifndef PROBLEM_H
#define PROBLEM_H

/* The last argument of whatever can fail: those functions return 0, or -1
 * with the sentence in place and their outputs untouched.
 */
struct problem {
    char text[1024];
};

/* Set the sentence; it is cut, not overrun.  Returns -1, so that it can end a
 * function.
 */
int problem_set (struct problem *problem, const char *fmt, ...)
    __attribute__ ((format (printf, 2, 3)));

#endif /* !PROBLEM_H */
