/* SPDX-License-Identifier: BSD-3-Clause */
/* alloc.h - allocation that cannot fail for small things
 *
 * These abort with a message when memory is exhausted: they are for sizes the
 * program chooses.  A size read from a file is allocated with try_calloc,
 * whose failure is an ordinary error naming the size.
 */
#ifndef BASE_ALLOC_H
#define BASE_ALLOC_H

/* Say that 'size' bytes could not be had and abort; for whoever wraps a
 * library that allocates by itself.
 */
_Noreturn void alloc_failed (size_t size);

void *xmalloc (size_t size);
void *xcalloc (size_t n, size_t size);
void *xrealloc (void *p, size_t size);

/* Resize 'p' to n elements of 'size' bytes; aborts on overflow of n*size. */
void *xreallocarray (void *p, size_t n, size_t size);
char *xstrdup (const char *s);
char *xstrndup (const char *s, size_t n);
char *xasprintf (const char *fmt, ...) PRINTF_LIKE (1, 2);
char *xvasprintf (const char *fmt, va_list ap) PRINTF_LIKE (1, 0);

/* Zeroed memory for n elements of 'size' bytes whose number came from input;
 * NULL with 'err' set ("cannot allocate N bytes for WHAT") on failure or
 * overflow.
 */
void *try_calloc (size_t n, size_t size, const char *what, struct error *err);

/* Make room for one more element in a growing array: when *alloc == n the
 * array doubles.  Returns the (moved) array.
 */
void *grow_array (void *p, size_t n, size_t *alloc, size_t size);

#endif /* !BASE_ALLOC_H */
