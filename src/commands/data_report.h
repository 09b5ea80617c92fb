/* SPDX-License-Identifier: BSD-3-Clause */
/* data_report.h - what `fanfold data` found, and how it tells it */
#ifndef COMMANDS_DATA_REPORT_H
#define COMMANDS_DATA_REPORT_H

#include "selection/dataset/closest_pairs.h"
#include "selection/dataset/dataset_stats.h"
#include "selection/dataset/like_frames.h"
#include "selection/dataset/virial_check.h"

struct frame_files;

/* Two frames that are the same. */
struct same_frames {
    struct frame_mark first;
    struct frame_mark again;
};

struct data_report {
    char *const *paths; /* lent */
    size_t n_paths;
    struct dataset_stats stats; /* the caller adds frames to these three */
    struct closest_pairs closest;
    struct like_frames like;

    struct same_frames *same;
    size_t n_same;
    size_t alloc;
    struct virial_check virials;
    struct strvec warnings;
};

#define DATA_REPORT_INIT                                                       \
    {                                                                          \
        .stats = DATASET_STATS_INIT, .closest = CLOSEST_PAIRS_INIT,            \
        .like = LIKE_FRAMES_INIT, .virials = VIRIAL_CHECK_INIT,                \
        .warnings = STRVEC_INIT                                                \
    }
void data_report_release (struct data_report *report);

/* All frames are added: compare them, and say what looks wrong. */
void data_report_finish (struct data_report *report);

void data_report_print (const struct data_report *report);

/* With what the files' readers noted. */
void data_report_print_json (const struct data_report *report,
                             const struct frame_files *files);

#endif /* !COMMANDS_DATA_REPORT_H */
