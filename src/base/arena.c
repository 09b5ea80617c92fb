/* SPDX-License-Identifier: BSD-3-Clause */
/* arena.c - many small things freed at once */
#include "base/base.h"

#include "base/arena.h"

/* Big enough that a plan takes a few blocks, small enough for a short file. */
enum { BLOCK_BYTES = 16384 };

struct block {
    struct block *next;
    size_t used;
    size_t size;
    _Alignas(max_align_t) unsigned char bytes[];
};

struct arena {
    struct block *blocks; /* the first one is filled */
};

struct arena *arena_create (void)
{
    return xcalloc (1, sizeof (struct arena));
}

void arena_destroy (struct arena *arena)
{
    if (!arena)
        return;
    for (struct block *b = arena->blocks, *next; b; b = next) {
        next = b->next;
        free (b);
    }
    free (arena);
}

static struct block *add_block (struct arena *arena, size_t size)
{
    struct block *b = xcalloc (1, sizeof (*b) + size);

    b->size = size;
    b->next = arena->blocks;
    arena->blocks = b;
    return b;
}

void *arena_alloc (struct arena *arena, size_t size)
{
    const size_t align = _Alignof(max_align_t);
    struct block *b = arena->blocks;
    void *p;

    if (size > SIZE_MAX / 2)
        alloc_failed (size);
    size = (size + align - 1) / align * align;
    if (!b || b->size - b->used < size)
        b = add_block (arena, size > BLOCK_BYTES ? size : BLOCK_BYTES);
    p = b->bytes + b->used;
    b->used += size;
    return p;
}

void *arena_array (struct arena *arena, size_t n, size_t size)
{
    size_t bytes;

    if (__builtin_mul_overflow (n, size, &bytes))
        alloc_failed (SIZE_MAX);
    return arena_alloc (arena, bytes);
}

char *arena_strdup (struct arena *arena, const char *s)
{
    return arena_strndup (arena, s, strlen (s));
}

char *arena_strndup (struct arena *arena, const char *s, size_t n)
{
    size_t len = strnlen (s, n);
    char *copy = arena_alloc (arena, len + 1);

    memcpy (copy, s, len);
    return copy;
}

char *arena_printf (struct arena *arena, const char *fmt, ...)
{
    _cleanup_free_ char *text = NULL;
    char *copy;
    va_list ap;

    va_start (ap, fmt);
    text = xvasprintf (fmt, ap);
    va_end (ap);
    copy = arena_strdup (arena, text);
    return copy;
}
