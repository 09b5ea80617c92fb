/* SPDX-License-Identifier: BSD-3-Clause */
/* error.c - one sentence for a person */
#include "config.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

/* A sentence that was cut must still be UTF-8: drop the character the cut went
 * through.
 */
static void drop_cut_character (char *text, size_t len)
{
    size_t start = len;

    while (start > 0 && ((unsigned char)text[start - 1] & 0xc0) == 0x80)
        start--;
    if (start > 0 && ((unsigned char)text[start - 1] & 0xc0) == 0xc0)
        text[start - 1] = '\0';
}

/* The pieces may point into 'err' itself, so they are joined elsewhere. */
static void store (struct error *err,
                   const char *head,
                   const char *glue,
                   const char *tail)
{
    struct error joined;
    int n = snprintf (joined.text, sizeof (joined.text), "%s%s%s", head, glue,
                      tail);

    if (n >= (int)sizeof (joined.text))
        drop_cut_character (joined.text, sizeof (joined.text) - 1);
    *err = joined;
}

int error_set (struct error *err, const char *fmt, ...)
{
    int saved = errno;
    struct error text = ERROR_INIT;
    va_list ap;

    if (!err)
        return -1;
    va_start (ap, fmt);
    if (vsnprintf (text.text, sizeof (text.text), fmt, ap)
        >= (int)sizeof (text.text))
        drop_cut_character (text.text, sizeof (text.text) - 1);
    va_end (ap);
    *err = text;
    errno = saved;
    return -1;
}

int error_errno (struct error *err, const char *fmt, ...)
{
    int saved = errno;
    struct error text = ERROR_INIT;
    va_list ap;

    if (!err)
        return -1;
    va_start (ap, fmt);
    vsnprintf (text.text, sizeof (text.text), fmt, ap);
    va_end (ap);
    store (err, text.text, ": ", strerror (saved));
    errno = saved;
    return -1;
}

int error_prefix (struct error *err, const char *fmt, ...)
{
    int saved = errno;
    struct error text = ERROR_INIT;
    va_list ap;

    if (!err)
        return -1;
    va_start (ap, fmt);
    vsnprintf (text.text, sizeof (text.text), fmt, ap);
    va_end (ap);
    store (err, text.text, ": ", err->text);
    errno = saved;
    return -1;
}
