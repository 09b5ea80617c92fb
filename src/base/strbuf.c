/* SPDX-License-Identifier: BSD-3-Clause */
/* strbuf.c - text that grows */
#include "base/base.h"

#include <float.h>

/* Shared by every empty strbuf and never written: see 'alloc'. */
char strbuf_empty[1];

void strbuf_init (struct strbuf *sb)
{
    *sb = (struct strbuf)STRBUF_INIT;
}

void strbuf_release (struct strbuf *sb)
{
    if (sb->alloc)
        free (sb->buf);
    strbuf_init (sb);
}

void strbuf_reset (struct strbuf *sb)
{
    strbuf_truncate (sb, 0);
}

void strbuf_truncate (struct strbuf *sb, size_t len)
{
    if (!sb->alloc)
        return;
    sb->len = len;
    sb->buf[len] = '\0';
}

void strbuf_shorten (struct strbuf *sb, size_t len)
{
    if (sb->len <= len)
        return;
    while (len > 0 && ((unsigned char)sb->buf[len] & 0xc0) == 0x80)
        len--;
    strbuf_truncate (sb, len);
    strbuf_add_str (sb, "...");
}

void strbuf_reserve (struct strbuf *sb, size_t extra)
{
    size_t wanted;

    if (__builtin_add_overflow (sb->len, extra, &wanted)
        || __builtin_add_overflow (wanted, (size_t)1, &wanted))
        alloc_failed (SIZE_MAX);
    if (wanted <= sb->alloc)
        return;
    if (wanted < 2 * sb->alloc)
        wanted = 2 * sb->alloc;
    if (wanted < 32)
        wanted = 32;
    sb->buf = xrealloc (sb->alloc ? sb->buf : NULL, wanted);
    sb->alloc = wanted;
    sb->buf[sb->len] = '\0';
}

void strbuf_add (struct strbuf *sb, const void *bytes, size_t len)
{
    if (len == 0)
        return;
    strbuf_reserve (sb, len);
    memcpy (sb->buf + sb->len, bytes, len);
    strbuf_truncate (sb, sb->len + len);
}

void strbuf_add_char (struct strbuf *sb, char c)
{
    strbuf_add (sb, &c, 1);
}

void strbuf_add_str (struct strbuf *sb, const char *s)
{
    strbuf_add (sb, s, strlen (s));
}

void strbuf_addf (struct strbuf *sb, const char *fmt, ...)
{
    va_list ap;

    va_start (ap, fmt);
    strbuf_vaddf (sb, fmt, ap);
    va_end (ap);
}

void strbuf_vaddf (struct strbuf *sb, const char *fmt, va_list ap)
{
    va_list again;
    int len;

    va_copy (again, ap);
    strbuf_reserve (sb, 64);
    len = vsnprintf (sb->buf + sb->len, sb->alloc - sb->len, fmt, ap);
    if (len < 0)
        alloc_failed (strlen (fmt));
    if ((size_t)len >= sb->alloc - sb->len) {
        strbuf_reserve (sb, (size_t)len);
        vsnprintf (sb->buf + sb->len, sb->alloc - sb->len, fmt, again);
    }
    sb->len += (size_t)len;
    va_end (again);
}

/* Logs and checkpoints are made of numbers: no printf. */
void strbuf_add_int (struct strbuf *sb, int64_t n)
{
    uint64_t left = n < 0 ? -(uint64_t)n : (uint64_t)n;
    char digits[20];
    size_t at = sizeof (digits);

    do
        digits[--at] = (char)('0' + left % 10);
    while ((left /= 10) > 0);
    if (n < 0)
        strbuf_add_char (sb, '-');
    strbuf_add (sb, digits + at, sizeof (digits) - at);
}

/* Whole, and written without an exponent? */
static bool is_plain_integer (double v)
{
    return fabs (v) < 1e15 && v == trunc (v) && !(v == 0 && signbit (v));
}

void strbuf_add_double (struct strbuf *sb, double v)
{
    char text[40];

    if (!isfinite (v)) {
        strbuf_add_str (sb, isnan (v) ? "nan" : v < 0 ? "-inf" : "inf");
        return;
    }
    if (is_plain_integer (v)) {
        strbuf_add_int (sb, (int64_t)v);
        strbuf_add_str (sb, ".0");
        return;
    }
    /* 15 digits hold any shorter form, too, but of the denormal. */
    for (int digits = fabs (v) < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
        snprintf (text, sizeof (text), "%.*g", digits, v);
        if (strtod (text, NULL) == v)
            break;
    }
    strbuf_add_str (sb, text);
    if (!strpbrk (text, ".e"))
        strbuf_add_str (sb, ".0");
}

char *text_made_plain (char *text)
{
    for (char *c = text; *c; c++) {
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    }
    return text;
}

bool text_has_words (const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (isalnum ((unsigned char)text[i]) || (unsigned char)text[i] >= 0x80)
            return true;
    }
    return false;
}

char *strbuf_detach (struct strbuf *sb)
{
    char *text;

    strbuf_reserve (sb, 0);
    text = sb->buf;
    strbuf_init (sb);
    return text;
}
