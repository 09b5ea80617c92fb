/* SPDX-License-Identifier: BSD-3-Clause */
/* error.h - one sentence for a person
 *
 * Every function that can fail takes 'struct error *err' last and returns -1
 * (or NULL) after filling it.  The sentence names what is wrong (file, line,
 * task) and, where that is known, what to do.  'err' may be NULL everywhere.
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

struct error {
    char text[1024];
    int number; /* errno of the system call that failed; 0: it was none */
};

#define ERROR_INIT                                                             \
    {                                                                          \
        "", 0                                                                  \
    }

/* Set the sentence.  Returns -1 and keeps errno, so it can end a function. */
int error_set (struct error *err, const char *fmt, ...) PRINTF_LIKE (2, 3);

/* As error_set, followed by ": " and the text of errno, which is kept as the
 * number.
 */
int error_errno (struct error *err, const char *fmt, ...) PRINTF_LIKE (2, 3);

/* Put "prefix: " in front of the sentence that is there.  Returns -1. */
int error_prefix (struct error *err, const char *fmt, ...) PRINTF_LIKE (2, 3);

/* Make it what 'from' says.  Returns -1. */
int error_copy (struct error *err, const struct error *from);

/* Was it the machine that failed (a disk, a file server, a limit, a right), and
 * not what was asked of it?  Then the same may succeed when that is fixed, and
 * nothing is known of what could not be read.
 */
bool error_is_machine_error (const struct error *err);

/* A machine error that may pass without a person: all of them but a right that
 * is missing and a file system that may only be read.
 */
bool error_may_pass (const struct error *err);

/* Was it that a file is not there?  Ask this, and not errno: what is malformed
 * leaves that as it was found.
 */
bool error_is_absence (const struct error *err);

/* Was it room that was missing: space, inodes, a quota? */
bool error_is_no_space (const struct error *err);

#endif /* !BASE_ERROR_H */
