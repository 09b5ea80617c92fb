/* SPDX-License-Identifier: BSD-3-Clause */
/* ids.c - how PBS spells jobs */
#include "config.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strvec.h"
#include "pbs/ids.h"

/* A number of at most 18 digits at *p, which moves behind it; -1: none. */
static int64_t take_number (const char **p)
{
    const char *s = *p;
    int64_t n = 0;

    while (isdigit ((unsigned char)*s)) {
        if (s - *p >= 18)
            return -1;
        n = 10 * n + (*s++ - '0');
    }
    if (s == *p)
        return -1;
    *p = s;
    return n;
}

/* "" or ".server": what follows a dot is a host's name. */
static bool is_server (const char *text)
{
    static const char name[] = "abcdefghijklmnopqrstuvwxyz"
                               "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

    return *text == '\0'
           || (text[0] == '.' && text[1] && text[strspn (text, name)] == '\0');
}

bool pbs_read_id (const char *text, struct pbs_id *id)
{
    struct pbs_id read = { .number = take_number (&text), .index = -1 };

    if (read.number < 0)
        return false;
    if (*text == '[') {
        text++;
        read.array = true;
        if (*text != ']' && (read.index = take_number (&text)) < 0)
            return false;
        if (*text++ != ']')
            return false;
    }
    if (!is_server (text))
        return false;
    *id = read;
    return true;
}

char *pbs_subjob_id (const char *id, int64_t index)
{
    int number = (int)strcspn (id, "[");

    return xasprintf ("%.*s[%" PRId64 "]%s", number, id, index,
                      id + number + strlen ("[]"));
}

char *pbs_printed_id (const char *text)
{
    struct strvec lines = STRVEC_INIT;
    struct pbs_id id;
    char *found = NULL;

    strvec_split (&lines, text, "\r\n");
    for (size_t i = lines.n; i > 0 && !found; i--) {
        if (pbs_read_id (lines.v[i - 1], &id) && id.index < 0)
            found = xstrdup (lines.v[i - 1]);
    }
    strvec_release (&lines);
    return found;
}

int pbs_read_ids (const char *text, struct strvec *ids)
{
    struct strvec lines = STRVEC_INIT;
    struct pbs_id id;
    int rc = 0;

    strvec_split (&lines, text, "\n");
    for (size_t i = 0; i < lines.n; i++) {
        if (!pbs_read_id (lines.v[i], &id))
            rc = -1;
    }
    if (rc == 0)
        strvec_push_all (ids, lines.v);
    strvec_release (&lines);
    return rc;
}
