/* SPDX-License-Identifier: BSD-3-Clause */
/* frame_origin.c - which file a frame of a joined set was in */
#include "base/base.h"

#include "formats/frame_origin.h"

/* Behind the line break at the end of the line at 'at', or 'end'. */
static const char *next_line (const char *at, const char *end)
{
    const char *found = memchr (at, '\n', (size_t)(end - at));

    return found ? found + 1 : end;
}

/* Where ' fanfold_origin="..."' begins in [at, end), and its end, behind it;
 * NULL: nowhere.
 */
static const char *find (const char *at, const char *end, const char **behind)
{
    static const char key[] = " " FRAME_ORIGIN "=\"";
    const char *begin = memmem (at, (size_t)(end - at), key, strlen (key));
    const char *value = begin ? begin + strlen (key) : end;
    const char *quote = memchr (value, '"', (size_t)(end - value));

    if (!quote)
        return NULL;
    *behind = quote + 1;
    return begin;
}

static void add_origin (const char *path, struct strbuf *out)
{
    strbuf_add_str (out, " " FRAME_ORIGIN "=\"");
    for (; *path; path++) {
        bool plain = (unsigned char)*path >= ' ' && !strchr ("\"\\", *path);

        strbuf_add_char (out, plain ? *path : '_');
    }
    strbuf_add_char (out, '"');
}

void frame_origin_set (const char *text, size_t len, const char *path,
                       bool keep, struct strbuf *out)
{
    const char *end = text + len, *head = next_line (text, end);
    const char *rest = next_line (head, end), *behind = NULL, *known;
    const char *head_end = rest;

    while (head_end > head && isspace ((unsigned char)head_end[-1]))
        head_end--;
    known = find (head, head_end, &behind);
    if (known && keep) {
        strbuf_add (out, text, len);
    } else {
        strbuf_add (out, text, (size_t)((known ? known : head_end) - text));
        if (known)
            strbuf_add (out, behind, (size_t)(head_end - behind));
        add_origin (path, out);
        strbuf_add_char (out, '\n');
        strbuf_add (out, rest, (size_t)(end - rest));
    }
    if (out->len > 0 && out->buf[out->len - 1] != '\n')
        strbuf_add_char (out, '\n');
}
