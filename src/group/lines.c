/* SPDX-License-Identifier: BSD-3-Clause */
/* lines.c - what several programs print, line by line (pure) */
#include "base/base.h"

#include "group/lines.h"
#include "signature/script.h"

void lines_init (struct lines *lines, const char *name)
{
    *lines = (struct lines){ .name = xstrdup (name), .begun = STRBUF_INIT };
}

void lines_release (struct lines *lines)
{
    free (lines->name);
    strbuf_release (&lines->begun);
    *lines = (struct lines){ .begun = STRBUF_INIT };
}

/* A copy without what a terminal would act on. */
static void keep (const char *text, size_t len, char kept[LAST_LINE_BYTES + 1])
{
    if (len > LAST_LINE_BYTES)
        len = LAST_LINE_BYTES;
    memcpy (kept, text, len);
    kept[len] = '\0';
    for (size_t i = 0; i < len; i++) {
        if ((unsigned char)text[i] < ' ')
            kept[i] = ' ';
    }
}

static void keep_last (struct lines *lines)
{
    const char *text = lines->begun.buf;
    size_t len = lines->begun.len;
    const char *failure = script_failure (text);

    while (len > 0 && strchr (" \t\r", text[len - 1]))
        len--;
    if (failure) {
        keep (failure, len - (size_t)(failure - text), lines->failed_at);
    } else if (text_has_words (text, len)) {
        keep (text, len, lines->last);
        lines->failed_at[0] = '\0';
    }
}

static void tell (struct lines *lines, struct strbuf *out)
{
    keep_last (lines);
    if (*lines->name)
        strbuf_addf (out, "%s: ", lines->name);
    strbuf_add (out, lines->begun.buf, lines->begun.len);
    strbuf_add_char (out, '\n');
    strbuf_reset (&lines->begun);
}

void lines_feed (struct lines *lines, const char *bytes, size_t n,
                 struct strbuf *out)
{
    while (n > 0) {
        const char *end = memchr (bytes, '\n', n);
        size_t len = end ? (size_t)(end - bytes) : n;
        size_t room = LINE_MAX_BYTES - lines->begun.len;

        if (len > room) {
            len = room;
            end = NULL;
        }
        strbuf_add (&lines->begun, bytes, len);
        if (end || lines->begun.len == LINE_MAX_BYTES)
            tell (lines, out);
        len += end != NULL;
        bytes += len;
        n -= len;
    }
}

void lines_finish (struct lines *lines, struct strbuf *out)
{
    if (lines->begun.len > 0)
        tell (lines, out);
}
