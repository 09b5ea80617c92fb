/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes.c - lists of nodes as Slurm abbreviates them */
#include "base/base.h"

#include "slurm/slurm.h"

enum { NODES_MAX = 100000, DIGITS_MAX = 9 };

static int expand_rest (const char *before, const char *item,
                        struct strvec *names);

/* The number at *p, at most before 'end'; *width: with how many digits. */
static long take_digits (const char **p, const char *end, int *width)
{
    size_t n = strspn (*p, "0123456789");
    long number = strtol (*p, NULL, 10);

    if (n == 0 || n > DIGITS_MAX || *p + n > end)
        return -1;
    *width = (int)n;
    *p += n;
    return number;
}

/* "08-10" or "3" at *p, with what is before and behind the brackets. */
static int expand_span (const char *before, const char **p, const char *end,
                        struct strvec *names)
{
    int width, width_of_last;
    long first = take_digits (p, end, &width), last = first;

    if (first >= 0 && **p == '-') {
        ++*p;
        last = take_digits (p, end, &width_of_last);
    }
    if (first < 0 || last < first)
        return -1;
    for (long i = first; i <= last && names->n <= NODES_MAX; i++) {
        char *longer = xasprintf ("%s%0*ld", before, width, i);
        int rc = expand_rest (longer, end + 1, names);

        free (longer);
        if (rc < 0)
            return -1;
    }
    return 0;
}

/* One item: what follows 'before', up to its end. */
static int expand_rest (const char *before, const char *item,
                        struct strvec *names)
{
    const char *open = strchr (item, '[');
    const char *end = open ? strchr (open, ']') : NULL;
    const char *p = open ? open + 1 : NULL;
    _cleanup_free_ char *longer = NULL;
    int rc = 0;

    if (!open) {
        if (strchr (item, ']') || (!*before && !*item))
            return -1;
        strvec_pushf (names, "%s%s", before, item);
        return names->n <= NODES_MAX ? 0 : -1;
    }
    if (!end)
        return -1;
    longer = xasprintf ("%s%.*s", before, (int)(open - item), item);
    do
        rc = expand_span (longer, &p, end, names);
    while (rc == 0 && p < end && *p++ == ',');
    return rc == 0 && p == end ? 0 : -1;
}

/* The comma that ends an item, or the end. */
static const char *item_end (const char *text)
{
    bool inside = false;

    for (; *text && (inside || *text != ','); text++)
        inside = *text == '[' || (inside && *text != ']');
    return text;
}

int slurm_expand_nodes (const char *text, struct strvec *names)
{
    _cleanup_ (strvec_release) struct strvec found = STRVEC_INIT;
    int rc = *text ? 0 : -1;

    while (rc == 0 && *text) {
        const char *end = item_end (text);
        char *item = xstrndup (text, (size_t)(end - text));

        rc = expand_rest ("", item, &found);
        free (item);
        text = *end ? end + 1 : end;
    }
    for (size_t i = 0; rc == 0 && i < found.n; i++)
        strvec_push (names, found.v[i]);
    return rc;
}
