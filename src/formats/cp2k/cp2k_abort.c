/* SPDX-License-Identifier: BSD-3-Clause */
/* cp2k_abort.c - why CP2K stopped */
#include "base/base.h"

#include "formats/cp2k/cp2k_abort.h"
#include "formats/lines.h"

/* No box is longer; what follows a broken one may be. */
enum { BOX_LINES_MAX = 100, PICTURE_BYTES = 9 };

bool cp2k_abort_at (const struct lines *lines)
{
    return lines_contain (lines, "[ABORT]");
}

/* The text of a line, without the frame of the box and the picture. */
static void add_text (const struct lines *lines, struct strbuf *message)
{
    const char *at = lines->at, *end = lines->end;

    at = end - at > PICTURE_BYTES ? at + PICTURE_BYTES : end;
    while (end > at && (end[-1] == ' ' || end[-1] == '*'))
        end--;
    while (at < end && *at == ' ')
        at++;
    if (at < end && message->len > 0)
        strbuf_add_char (message, ' ');
    strbuf_add (message, at, (size_t)(end - at));
}

int cp2k_abort_take (struct lines *lines, struct strbuf *message,
                     struct error *err)
{
    int rc = 1;

    for (int i = 0; i < BOX_LINES_MAX && rc > 0; i++) {
        rc = lines_next (lines, err);
        if (rc > 0 && lines_contain (lines, "*****"))
            return 0;
        if (rc > 0)
            add_text (lines, message);
    }
    return rc < 0 ? -1 : 0;
}
