/* SPDX-License-Identifier: BSD-3-Clause */
/* scan.h - one rank's pass over its share of the files
 *
 * Files that this rank has for itself go into the statistics at once.  Pieces
 * of a file that ranks share wait: whether each step came once can only be told
 * when the ranks have compared the steps of their pieces.
 */
#ifndef REDUCE_SCAN_H
#define REDUCE_SCAN_H

#include "selection/statistics/frame_stats.h"
#include "reduce/share.h"
#include "selection/statistics/step_dedup.h"

struct deviation_reader;
struct likeness;
struct lists;
struct selection_input;
struct frame_stats;
struct frame_stats_part;

/* Of a file that is shared, what a rank tells the others. */
struct scan_piece {
    size_t file;
    bool first;     /* it begins where the file does */
    bool went_back; /* steps came again within it, or columns changed */
    uint64_t n_frames;
    int64_t first_step; /* when there are frames */
    int64_t last_step;
    uint64_t counts[SCAN_COUNTS];
    struct frame_stats_part *part;
};

enum { SCAN_PIECES = 2 }; /* at the begin and the end of a share */

struct scan {
    const struct selection_input *input;
    struct frame_stats *stats;
    uint64_t *bytes; /* of each file, as agreed, or UINT64_MAX, which becomes */
                     /* what was read; where there are forces, of all files, */
    const uint64_t *trajectory_bytes; /* and of the trajectory */
    double *rms;     /* force of each trajectory, 0: not known yet; or NULL */
    uint64_t *found; /* frames of each trajectory that count, or NULL */
    uint64_t counts[SCAN_COUNTS];
    struct lists *lists;       /* of frames by class, or NULL */
    struct likeness *likeness; /* of the committee, or NULL */
    struct deviation_reader *reader;
    struct step_dedup dedup;
    struct frame_stats_part *part;
    struct scan_piece pieces[SCAN_PIECES];
    size_t n_pieces;
};

/* Everything is lent; the statistics have been started. */
void scan_init (struct scan *scan, const struct selection_input *input,
                struct frame_stats *stats, uint64_t *bytes,
                const uint64_t *trajectory_bytes);
void scan_release (struct scan *scan);

/* Read what lies between two cuts.  0, or -1 with the number of the file that
 * is malformed in *file.
 */
int scan_share (struct scan *scan, const struct share_cut cuts[2], size_t *file,
                struct error *err);

/* Do the pieces of one file, in its order, hold every step once? */
bool scan_pieces_fit (const struct scan_piece *pieces, size_t n);

/* The pieces of the file of our piece 'own' fit: take ours over.  'n_frames'
 * are those of all pieces.
 */
void scan_take_piece (struct scan *scan, const struct scan_piece *own,
                      uint64_t n_frames);

/* Read all of a file that this rank has for itself, or whose pieces do not fit,
 * which whoever has the first then does: twice when steps come again.
 */
int scan_file (struct scan *scan, size_t file, struct error *err);

#endif /* !REDUCE_SCAN_H */
