/* SPDX-License-Identifier: BSD-3-Clause */
/* error.h - one sentence for a person
 *
 * Every function that can fail takes 'struct error *err' last and returns -1
 * (or NULL) after filling it.  The sentence names what is wrong (file, line,
 * task) and, where that is known, what to do.  'err' may be NULL everywhere.
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include "base/compiler.h"

struct error {
    char text[1024];
};

#define ERROR_INIT                                                             \
    {                                                                          \
        ""                                                                     \
    }

/* Set the sentence.  Returns -1 and keeps errno, so it can end a function. */
int error_set (struct error *err, const char *fmt, ...) PRINTF_LIKE (2, 3);

/* As error_set, followed by ": " and the text of errno. */
int error_errno (struct error *err, const char *fmt, ...) PRINTF_LIKE (2, 3);

/* Put "prefix: " in front of the sentence that is there.  Returns -1. */
int error_prefix (struct error *err, const char *fmt, ...) PRINTF_LIKE (2, 3);

#endif /* !BASE_ERROR_H */
