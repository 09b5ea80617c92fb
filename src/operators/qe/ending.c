/* SPDX-License-Identifier: BSD-3-Clause */
/* ending.c - how did a pw.x run end, going by what it printed? */
#include "config.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "operators/qe/ending.h"

/* Where 'needle' ends in [from, end), or NULL. */
static const char *find_after (const char *from,
                               const char *end,
                               const char *needle)
{
    const char *at =
        memmem (from, (size_t)(end - from), needle, strlen (needle));

    return at ? at + strlen (needle) : NULL;
}

static const char *skip_blanks (const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

static const char *end_of_line (const char *at, const char *end)
{
    const char *newline = memchr (at, '\n', (size_t)(end - at));

    return newline ? newline : end;
}

/* "convergence NOT achieved after   3 iterations: stopping" */
static bool find_unconverged (const char *printed,
                              const char *end,
                              struct strbuf *message)
{
    const char *at =
        find_after (printed, end, "convergence NOT achieved after");
    int steps = 0;

    if (!at)
        return false;
    for (at = skip_blanks (at, end); at < end && *at >= '0' && *at <= '9'; at++)
        steps = steps < 1000000 ? 10 * steps + (*at - '0') : steps;
    strbuf_addf (message, "SCF not converged after %d steps", steps);
    return true;
}

/* "     Error in routine readpp (1):\n     file x not found" */
static bool find_error (const char *printed,
                        const char *end,
                        struct strbuf *message)
{
    const char *at = find_after (printed, end, "Error in routine ");
    const char *stop;

    if (!at)
        return false;
    stop = end_of_line (at, end);
    strbuf_add (message, at, (size_t)(stop - at));
    if (stop < end) {
        at = skip_blanks (stop + 1, end);
        stop = end_of_line (at, end);
        strbuf_add_char (message, ' ');
        strbuf_add (message, at, (size_t)(stop - at));
    }
    return true;
}

enum pw_ending pw_ending_of (const char *printed,
                             size_t len,
                             bool whole,
                             struct strbuf *message)
{
    const char *end = printed + len;

    if (find_error (printed, end, message))
        return PW_ERROR;
    if (find_unconverged (printed, end, message))
        return PW_UNCONVERGED;
    if (whole && !find_after (printed, end, "Program PWSCF"))
        return PW_SILENT;
    return PW_NO_ERROR;
}
