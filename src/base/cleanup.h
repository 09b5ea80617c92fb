/* SPDX-License-Identifier: BSD-3-Clause */
/* cleanup.h - locals that are released where their block ends
 *
 *     _cleanup_free_ char *path = path_join (dir, name);
 *     _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
 *
 * The function gets the variable's address, whichever way the block is left: so
 * each has an initialiser that may be released (check-layers demands one), and
 * is declared alone. The last one declared is released first, after the value
 * of `return` was computed. What is handed on goes by steal().
 */
#ifndef BASE_CLEANUP_H
#define BASE_CLEANUP_H

#define _cleanup_(release) __attribute__ ((cleanup (release)))
#define _cleanup_free_ _cleanup_ (free_pointer_at)

/* The pointer at 'p', where NULL is afterwards. */
#define steal(p) ((__typeof__ (*(p)))steal_pointer_at (p))

static inline void *steal_pointer_at (void *p)
{
    void *pointer;

    memcpy (&pointer, p, sizeof (pointer));
    memset (p, 0, sizeof (pointer));
    return pointer;
}

static inline void free_pointer_at (void *p)
{
    free (steal_pointer_at (p));
}

#endif /* !BASE_CLEANUP_H */
