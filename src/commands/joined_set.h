/* SPDX-License-Identifier: BSD-3-Clause */
/* joined_set.h - the labelled data of several campaigns as one set
 *
 * Campaigns are read only: no lease is taken, nothing is written in them.  Of
 * frames that are the same (distinct_frames.h) the first stays.
 */
#ifndef COMMANDS_JOINED_SET_H
#define COMMANDS_JOINED_SET_H

#include "base/file.h"
#include "commands/command.h"
#include "commands/dataset_files.h"
#include "selection/dataset/distinct_frames.h"

struct dataset_writer;

struct joined_campaign {
    char *dir; /* resolved */
    struct strvec elements;
    struct strvec files;
    size_t n_frames;     /* of it in the set */
    size_t n_duplicates; /* left out */
    bool warned;         /* of what is not published */
};

struct joined_set {
    const struct invocation *invocation;
    const struct dataset_writer *form;
    const struct dataset_range *range; /* NULL: all iterations */
    bool with_initial;

    struct joined_campaign *v;
    size_t n;
    struct strvec elements; /* of all of them, by name: the type map */
    struct strvec files;
    struct distinct_frames distinct;
    struct file_writer writer;
    size_t n_frames, n_duplicates;
    size_t n_other_labels; /* duplicates whose energy is another, */
    char *other_labels;    /* and the first of these; or NULL */
};

/* Find the campaigns that the first n arguments name; complains. */
enum exit_status joined_set_find (struct joined_set *set, size_t n);

/* Write their frames to the extended XYZ file 'to', each with its origin
 * (frame_origin.h); complains.
 */
enum exit_status joined_set_write (struct joined_set *set, const char *to);
void joined_set_release (struct joined_set *set);

/* What it is, for the reply of the command: members of 'v', and lines. */
void joined_set_tell (const struct joined_set *set, struct json *v,
                      struct strbuf *text);

#endif /* !COMMANDS_JOINED_SET_H */
