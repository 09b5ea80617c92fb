/* SPDX-License-Identifier: BSD-3-Clause */
/* arena.h - many small things freed at once (a plan, a parsed file) */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

struct arena;

struct arena *arena_create (void);

/* Free everything allocated from it.  NULL is legal. */
void arena_destroy (struct arena *arena);

/* Zeroed, aligned for any type; never NULL. */
void *arena_alloc (struct arena *arena, size_t size);

/* n zeroed elements; aborts on overflow. */
void *arena_array (struct arena *arena, size_t n, size_t size);
char *arena_strdup (struct arena *arena, const char *s);
char *arena_strndup (struct arena *arena, const char *s, size_t n);
char *arena_printf (struct arena *arena, const char *fmt, ...)
    PRINTF_LIKE (2, 3);

#endif /* !BASE_ARENA_H */
