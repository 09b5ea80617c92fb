/* SPDX-License-Identifier: BSD-3-Clause */
/* identity_index.h - which task of a generation has a given identity
 *
 * Built from its stage.json and slices.jsonl; 20 bytes a task.  A task is given
 * out once: of two tasks that are equal each stands for one.
 */
#ifndef ENGINE_IDENTITY_INDEX_H
#define ENGINE_IDENTITY_INDEX_H

struct heartbeat;

struct identity_entry {
    uint8_t digest[16]; /* the first half of it */
    int32_t task;       /* -1: it was given out */
};

struct identity_index {
    struct identity_entry *v;
    size_t n;
};

#define IDENTITY_INDEX_INIT                                                    \
    {                                                                          \
        .v = NULL                                                              \
    }

/* Of the generation in 'dir', whose stage.json is 'manifest'. */
int identity_index_build (struct identity_index *index, const char *dir,
                          const struct json *manifest,
                          const struct heartbeat *heartbeat, struct error *err);
void identity_index_release (struct identity_index *index);

/* The task with 'identity' (64 hex digits), and give it out; -1: there is
 * none any more.
 */
int32_t identity_index_take (struct identity_index *index,
                             const char *identity);

#endif /* !ENGINE_IDENTITY_INDEX_H */
