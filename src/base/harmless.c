/* SPDX-License-Identifier: BSD-3-Clause */
/* harmless.c - text that moves no cursor, sets no title and turns no line round
 */
#include "base/base.h"

#include <unistd.h>

#include "base/file.h"
#include "base/harmless.h"
#include "base/terminal.h"
#include "base/wrap.h"

/* --- text --- */

enum { CUT = 0, INVALID = -1 };

/* How many bytes the character at 'at' has (RFC 3629), and which it is; CUT: it
 * goes on behind its 'n' bytes.
 */
static int character (const unsigned char *at, size_t n, uint32_t *code)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    int len = at[0] < 0x80   ? 1
              : at[0] < 0xc2 ? INVALID
              : at[0] < 0xe0 ? 2
              : at[0] < 0xf0 ? 3
              : at[0] < 0xf5 ? 4
                             : INVALID;

    if (len == INVALID)
        return INVALID;
    *code = len == 1 ? at[0] : at[0] & (0x7fu >> len);
    for (int i = 1; i < len; i++) {
        if ((size_t)i == n)
            return CUT;
        if ((at[i] & 0xc0) != 0x80)
            return INVALID;
        *code = *code << 6 | (at[i] & 0x3f);
    }
    return *code < least[len] || *code > 0x10ffff
                   || (*code >= 0xd800 && *code < 0xe000)
               ? INVALID
               : len;
}

static bool is_harmless (uint32_t c)
{
    return (c >= ' ' || c == '\t' || c == '\n') && !(c >= 0x7f && c < 0xa0)
           && c != 0x061c && c != 0x200e && c != 0x200f
           && !(c >= 0x2028 && c <= 0x202e) && !(c >= 0x2066 && c <= 0x2069);
}

size_t harmless_add (const char *bytes, size_t n, struct strbuf *out)
{
    const unsigned char *at = (const unsigned char *)bytes;
    const unsigned char *end = at + n;

    while (at < end) {
        uint32_t code = 0;
        int len = character (at, (size_t)(end - at), &code);

        if (len == CUT)
            break;
        if (len == INVALID)
            strbuf_addf (out, "\\x%02x", *at);
        else if (is_harmless (code))
            strbuf_add (out, at, (size_t)len);
        else
            strbuf_addf (out, "\\u%04x", (unsigned int)code);
        at += len == INVALID ? 1 : len;
    }
    return n - (size_t)(end - at);
}

/* --- streams --- */

struct harmless {
    int fd;
    bool wraps;
    struct wrap wrap;
    struct strbuf held; /* what was not written: part of a character */
};

/* On a terminal lines are no longer than it is wide now. */
static void wrap_for (struct harmless *to, struct strbuf *text)
{
    int width = to->wraps ? terminal_columns (to->fd) : 0;
    struct strbuf wrapped = STRBUF_INIT;

    if (width <= 0)
        return;
    wrap_add (&to->wrap, text->buf, text->len, width, &wrapped);
    strbuf_release (text);
    *text = wrapped;
}

static ssize_t write_harmless (void *cookie, const char *bytes, size_t n)
{
    struct harmless *to = cookie;
    _cleanup_ (strbuf_release) struct strbuf out = STRBUF_INIT;
    size_t taken;
    int rc;

    if (n == strlen (ERASE_LINE) && memcmp (bytes, ERASE_LINE, n) == 0) {
        to->wrap = (struct wrap){ .words = false };
        return file_write_all (to->fd, bytes, n, NULL) < 0 ? 0 : (ssize_t)n;
    }
    strbuf_add (&to->held, bytes, n);
    taken = harmless_add (to->held.buf, to->held.len, &out);
    memmove (to->held.buf, to->held.buf + taken, to->held.len - taken);
    strbuf_truncate (&to->held, to->held.len - taken);
    wrap_for (to, &out);
    rc = file_write_all (to->fd, out.buf, out.len, NULL);
    return rc < 0 ? 0 : (ssize_t)n;
}

static int end_harmless (void *cookie)
{
    _cleanup_free_ struct harmless *to = cookie;

    strbuf_release (&to->held);
    return 0;
}

void harmless_stream (FILE **stream, int fd, bool wraps)
{
    struct harmless *to = xcalloc (1, sizeof (*to));
    FILE *made;

    *to = (struct harmless){ .fd = fd, .wraps = wraps, .held = STRBUF_INIT };
    made = fopencookie (to, "w",
                        (cookie_io_functions_t){ .write = write_harmless,
                                                 .close = end_harmless });
    if (!made) {
        free (to);
        return;
    }
    if (fd == STDERR_FILENO)
        setvbuf (made, NULL, _IONBF, 0);
    else if (isatty (fd))
        setvbuf (made, NULL, _IOLBF, 0);
    *stream = made;
}
