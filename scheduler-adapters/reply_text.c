/* SPDX-License-Identifier: BSD-3-Clause */
/* reply_text.c - reading what schedulers print */
#include "config.h"

#include <ctype.h>

#include "reply_text.h"

int64_t reply_take_number (const char **p)
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
