/* SPDX-License-Identifier: BSD-3-Clause */
/* published_parts.h - which task made which part of published training data */
#ifndef COMMANDS_PUBLISHED_PARTS_H
#define COMMANDS_PUBLISHED_PARTS_H

struct engine;

struct published_part {
    char *path;   /* of what a task or collect made, relative to the campaign */
    uint64_t end; /* of the part in the file; it begins where the last ends */
};

struct published_parts {
    struct published_part *v;
    size_t n, alloc;
};

#define PUBLISHED_PARTS_INIT                                                   \
    {                                                                          \
        NULL, 0, 0                                                             \
    }

/* Those of 'text', the extended XYZ file of an iteration, by what outputs.json
 * of its stages has of their results; each has its digest.  What collect made
 * is divided where it is results of tasks one behind the other.  None where
 * that does not account for the whole file.
 */
void published_parts_find (const struct engine *engine, int iteration,
                           const struct strbuf *text,
                           struct published_parts *parts);
void published_parts_release (struct published_parts *parts);

/* The path of the part that has the byte; NULL: none has.  Lent. */
const char *published_parts_at (const struct published_parts *parts,
                                uint64_t byte);

#endif /* !COMMANDS_PUBLISHED_PARTS_H */
