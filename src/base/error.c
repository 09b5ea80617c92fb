/* SPDX-License-Identifier: BSD-3-Clause */
/* error.c - one sentence for a person */
#include "base/base.h"

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

/* What is wrong is said last, so of a text that is too long the middle goes. */
static void fit (struct error *err, const char *text, size_t len)
{
    const size_t first = sizeof (err->text) / 2;
    const size_t last = sizeof (err->text) - first - 4;
    const char *rest = text + len - last;
    char *to = err->text;

    if (len < sizeof (err->text)) {
        memcpy (err->text, text, len + 1);
        return;
    }
    memcpy (to, text, first);
    to[first] = '\0';
    drop_cut_character (to, first);
    while (((unsigned char)*rest & 0xc0) == 0x80)
        rest++;
    to = stpcpy (to + strlen (to), "...");
    memcpy (to, rest, strlen (rest) + 1);
}

/* Put 'fmt' in front of ": TAIL", which may be err's own text. */
PRINTF_LIKE (3, 0)
static void put_before (struct error *err, const char *tail, const char *fmt,
                        va_list ap)
{
    char joined[3 * sizeof (err->text)];
    size_t half = sizeof (err->text);
    int n = vsnprintf (joined, half, fmt, ap);

    n = n < (int)half ? n : (int)half - 1;
    n += snprintf (joined + n, sizeof (joined) - (size_t)n, ": %s", tail);
    fit (err, joined, (size_t)n);
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
    va_list ap;

    va_start (ap, fmt);
    if (err)
        put_before (err, strerror (saved), fmt, ap);
    va_end (ap);
    if (err)
        err->number = saved;
    errno = saved;
    return -1;
}

int error_prefix (struct error *err, const char *fmt, ...)
{
    int saved = errno;
    va_list ap;

    va_start (ap, fmt);
    if (err)
        put_before (err, err->text, fmt, ap);
    va_end (ap);
    errno = saved;
    return -1;
}

int error_copy (struct error *err, const struct error *from)
{
    if (err)
        *err = *from;
    return -1;
}

bool error_is_absence (const struct error *err)
{
    return err->number == ENOENT;
}

bool error_is_no_space (const struct error *err)
{
    return err->number == ENOSPC || err->number == EDQUOT;
}

bool error_is_machine_error (const struct error *err)
{
    static const int numbers[] = {
        EIO,    ESTALE,    EROFS,  EMFILE,    ENFILE, ENOMEM, EAGAIN,  ENXIO,
        ENODEV, ETIMEDOUT, ENOLCK, EREMOTEIO, EACCES, EPERM,  ENOTCONN
    };

    for (size_t i = 0; i < ARRAY_SIZE (numbers); i++) {
        if (err->number == numbers[i])
            return true;
    }
    return error_is_no_space (err);
}

bool error_may_pass (const struct error *err)
{
    return error_is_machine_error (err) && err->number != EACCES
           && err->number != EPERM && err->number != EROFS;
}
