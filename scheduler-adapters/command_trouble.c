/* SPDX-License-Identifier: BSD-3-Clause */
/* command_trouble.c - what a failed command of a scheduler says */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/strvec.h"
#include "command_trouble.h"

const struct trouble_text *trouble_find (const struct trouble_text *texts,
                                         const char *message)
{
    for (; texts->words; texts++) {
        if (strstr (message, texts->words))
            return texts;
    }
    return NULL;
}

bool trouble_only (const struct trouble_text *texts,
                   const char *message,
                   unsigned fine)
{
    struct strvec lines = STRVEC_INIT;
    size_t n = 0;
    bool only;

    strvec_split (&lines, message, "\n");
    for (size_t i = 0; i < lines.n; i++) {
        const struct trouble_text *text = trouble_find (texts, lines.v[i]);

        n += text && (fine & 1u << text->trouble);
    }
    only = lines.n > 0 && n == lines.n;
    strvec_release (&lines);
    return only;
}

static const char *skip_prefixes (const char *line, const char *const *prefixes)
{
    for (size_t i = 0; prefixes[i];) {
        size_t n = strlen (prefixes[i]);

        if (strncmp (line, prefixes[i], n) == 0) {
            line += n;
            i = 0;
        } else {
            i++;
        }
    }
    return line;
}

void trouble_words (const char *message,
                    const char *const *prefixes,
                    char *out,
                    size_t size)
{
    size_t used = 0;

    out[0] = '\0';
    while (*message && used + 1 < size) {
        const char *end = message + strcspn (message, "\n");
        const char *words = skip_prefixes (message, prefixes);
        int n = words < end ? (int)(end - words) : 0;

        if (n > 0 && used > 0)
            used += (size_t)snprintf (out + used, size - used, "; ");
        if (n > 0 && used < size)
            used +=
                (size_t)snprintf (out + used, size - used, "%.*s", n, words);
        message = *end ? end + 1 : end;
    }
}

enum answer trouble_answer (enum trouble trouble)
{
    switch (trouble) {
    case TROUBLE_REFUSED:
    case TROUBLE_UNKNOWN_JOB:
        return ANSWER_REFUSED;
    case TROUBLE_BROKEN:
        return ANSWER_BROKEN;
    case TROUBLE_OVER:
    case TROUBLE_FULL:
    case TROUBLE_UNCLEAR:
        break;
    }
    return ANSWER_TRY_LATER;
}
