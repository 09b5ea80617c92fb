/* SPDX-License-Identifier: BSD-3-Clause */
/* alloc.c - allocation that cannot fail for small things */
#include "base/base.h"

void alloc_failed (size_t size)
{
    fprintf (stderr, "fanfold: out of memory (%zu bytes were asked for)\n",
             size);
    abort ();
}

void *xmalloc (size_t size)
{
    void *p = malloc (size ? size : 1);

    if (!p)
        alloc_failed (size);
    return p;
}

void *xcalloc (size_t n, size_t size)
{
    void *p = n && size ? calloc (n, size) : calloc (1, 1);

    if (!p)
        alloc_failed (size);
    return p;
}

void *xrealloc (void *p, size_t size)
{
    void *moved = realloc (p, size ? size : 1);

    if (!moved)
        alloc_failed (size);
    return moved;
}

void *xreallocarray (void *p, size_t n, size_t size)
{
    size_t bytes;

    if (__builtin_mul_overflow (n, size, &bytes))
        alloc_failed ((size_t)-1);
    return xrealloc (p, bytes);
}

char *xstrdup (const char *s)
{
    return xstrndup (s, strlen (s));
}

char *xstrndup (const char *s, size_t n)
{
    size_t len = strnlen (s, n);
    char *copy = xmalloc (len + 1);

    memcpy (copy, s, len);
    copy[len] = '\0';
    return copy;
}

char *xvasprintf (const char *fmt, va_list ap)
{
    char *text;

    if (vasprintf (&text, fmt, ap) < 0)
        alloc_failed (strlen (fmt));
    return text;
}

char *xasprintf (const char *fmt, ...)
{
    va_list ap;
    char *text;

    va_start (ap, fmt);
    text = xvasprintf (fmt, ap);
    va_end (ap);
    return text;
}

void *try_calloc (size_t n, size_t size, const char *what, struct error *err)
{
    size_t bytes;
    void *p;

    if (__builtin_mul_overflow (n, size, &bytes)) {
        error_set (err, "cannot allocate %zu times %zu bytes for %s", n, size,
                   what);
        return NULL;
    }
    p = calloc (1, bytes ? bytes : 1);
    if (!p)
        error_set (err, "cannot allocate %zu bytes for %s", bytes, what);
    return p;
}

void *grow_array (void *p, size_t n, size_t *alloc, size_t size)
{
    if (n < *alloc)
        return p;
    *alloc = *alloc ? 2 * *alloc : 8;
    return xreallocarray (p, *alloc, size);
}
