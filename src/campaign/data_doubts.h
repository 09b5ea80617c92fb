/* SPDX-License-Identifier: BSD-3-Clause */
/* data_doubts.h - what looks wrong with the labelled frames of `data:`
 *
 * Wrong units, labels of nothing, frames that are there twice or are judged by
 * and trained on: a campaign runs with them, and learns what is not so.  It is
 * found by what `fanfold data` finds it with.
 */
#ifndef CAMPAIGN_DATA_DOUBTS_H
#define CAMPAIGN_DATA_DOUBTS_H

#include "selection/dataset/closest_pairs.h"
#include "selection/dataset/dataset_stats.h"
#include "selection/dataset/force_check.h"
#include "selection/dataset/like_frames.h"
#include "selection/dataset/virial_check.h"

struct frame;
struct yaml_node;

struct doubted_file {
    const struct yaml_node *node; /* what names it */
    const char *name;             /* "data.initial" */
    const char *path;
    bool held_out;
    size_t n_repeated;  /* frames that an earlier file has, */
    size_t repeated_of; /* the first of these files */
};

struct data_doubts {
    const char *periodic; /* an operator that labels cells that repeat; NULL */
    struct doubted_file *files;
    size_t n_files, alloc;
    struct closest_pairs closest; /* of the file at hand, */
    struct force_check forces;
    struct dataset_stats stats;
    size_t atoms;                /* of which so many were looked at for pairs */
    struct dataset_stats all;    /* of all initial files */
    struct like_frames like;     /* of all files */
    struct virial_check virials; /* of these */
};

#define DATA_DOUBTS_INIT                                                       \
    {                                                                          \
        .files = NULL                                                          \
    }

/* What follows is of the file at 'path', both lent; until end_file warns of
 * what is wrong with it.
 */
void data_doubts_begin_file (struct data_doubts *d,
                             const struct yaml_node *node, const char *name,
                             const char *path, bool held_out);
void data_doubts_add (struct data_doubts *d, const struct frame *frame);
void data_doubts_end_file (struct data_doubts *d);

/* Warn of what is wrong with the files together. */
void data_doubts_finish (struct data_doubts *d);
void data_doubts_release (struct data_doubts *d);

#endif /* !CAMPAIGN_DATA_DOUBTS_H */
