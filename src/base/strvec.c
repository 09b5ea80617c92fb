/* SPDX-License-Identifier: BSD-3-Clause */
/* strvec.c - a list of strings that owns them */
#include "base/base.h"

/* Shared by every empty list and never written: see 'alloc'. */
char *strvec_empty[1];

void strvec_init (struct strvec *sv)
{
    *sv = (struct strvec)STRVEC_INIT;
}

void strvec_release (struct strvec *sv)
{
    for (size_t i = 0; i < sv->n; i++)
        free (sv->v[i]);
    if (sv->alloc)
        free (sv->v);
    strvec_init (sv);
}

/* Append 's' itself, which is ours from now on. */
static void push_owned (struct strvec *sv, char *s)
{
    if (sv->n + 2 > sv->alloc) {
        sv->v = xreallocarray (sv->alloc ? sv->v : NULL, 2 * sv->n + 8,
                               sizeof (*sv->v));
        sv->alloc = 2 * sv->n + 8;
    }
    sv->v[sv->n++] = s;
    sv->v[sv->n] = NULL;
}

void strvec_push (struct strvec *sv, const char *s)
{
    push_owned (sv, xstrdup (s));
}

void strvec_pushf (struct strvec *sv, const char *fmt, ...)
{
    va_list ap;

    va_start (ap, fmt);
    push_owned (sv, xvasprintf (fmt, ap));
    va_end (ap);
}

void strvec_push_all (struct strvec *sv, char *const *strings)
{
    for (size_t i = 0; strings[i]; i++)
        strvec_push (sv, strings[i]);
}

bool words_contain (const char *const *words, const char *s)
{
    for (; words && *words; words++) {
        if (strcmp (*words, s) == 0)
            return true;
    }
    return false;
}

size_t words_index (char *const *words, size_t n, const char *s)
{
    size_t i = 0;

    while (i < n && strcmp (words[i], s) != 0)
        i++;
    return i;
}

const char *strvec_last_words (const struct strvec *sv, size_t n)
{
    while (n > 0 && !text_has_words (sv->v[n - 1], strlen (sv->v[n - 1])))
        n--;
    return n > 0 ? sv->v[n - 1] : NULL;
}

bool strvec_contains (const struct strvec *sv, const char *s)
{
    return words_index (sv->v, sv->n, s) < sv->n;
}

static int compare_strings (const void *a, const void *b)
{
    return strcmp (*(char *const *)a, *(char *const *)b);
}

void strvec_sort (struct strvec *sv)
{
    if (sv->n > 1)
        qsort (sv->v, sv->n, sizeof (*sv->v), compare_strings);
}

void strvec_list (const struct strvec *sv, struct strbuf *out)
{
    for (size_t i = 0; i < sv->n; i++)
        strbuf_addf (out, "%s%s", i > 0 ? ", " : "", sv->v[i]);
}

void strvec_split (struct strvec *sv, const char *s, const char *separators)
{
    for (;;) {
        size_t len;

        s += strspn (s, separators);
        len = strcspn (s, separators);
        if (len == 0)
            return;
        push_owned (sv, xstrndup (s, len));
        s += len;
    }
}
