/* SPDX-License-Identifier: BSD-3-Clause */
/* sizes.h - named sizes: one name is one extent in all ports of a task
 *
 * The shape of an npy port may name extents, [batch, 1, 28, 28].  Whoever sees
 * the arrays of a task one after the other notes here what each name stood for
 * first, and is told of the first array that differs.
 */
#ifndef SIGNATURE_SIZES_H
#define SIGNATURE_SIZES_H

struct heartbeat;
struct type;

struct named_size {
    char *name;
    int64_t extent;
    char *where; /* "input 'images'", "output 'maps[3]'" */
};

struct sizes {
    struct named_size *v;
    size_t n, alloc;
};

#define SIZES_INIT                                                             \
    {                                                                          \
        NULL, 0, 0                                                             \
    }

void sizes_release (struct sizes *sizes);

/* Forget all but the first 'n'. */
void sizes_truncate (struct sizes *sizes, size_t n);

/* The extent that 'name' stands for; -1: that is not known. */
int64_t sizes_find (const struct sizes *sizes, const char *name);

/* Does the shape of the type name any? */
bool type_names_sizes (const struct type *type);

/* Where an array of the type 'found', whose extents may be known or not, is
 * given to a port of type 'type'.  'word' and 'port' call the port in messages
 * ("input", "images").  0, or -1 with 'err' "size 'batch' is 64 in input
 * 'images' and 32 in input 'labels'".
 */
int sizes_note (struct sizes *sizes, const struct type *type,
                const struct type *found, const char *word, const char *port,
                struct error *err);

/* The same for every array in a value that was found good on disk; holes and
 * what is absent have none.  Paths resolve against 'dir'.
 */
int sizes_note_value (struct sizes *sizes, const struct type *type,
                      const struct json *value, const char *dir,
                      const char *word, const char *port,
                      const struct heartbeat *heartbeat, struct error *err);

#endif /* !SIGNATURE_SIZES_H */
