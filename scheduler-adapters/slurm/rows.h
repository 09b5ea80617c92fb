/* SPDX-License-Identifier: BSD-3-Clause */
/* rows.h - the tables squeue and sacct print (pure) */
#ifndef SLURM_ROWS_H
#define SLURM_ROWS_H

#include <stddef.h>
#include <stdint.h>

struct error;

/* The columns asked for, '|' between them. */
#define SLURM_SQUEUE_FORMAT "%F|%K|%T|%V|%r"
#define SLURM_SACCT_FORMAT "JobID,State"

/* One line; strings are lent for the call. */
struct slurm_row {
    int64_t id;          /* of the array, as sbatch printed it */
    const char *indices; /* "4", "4-9,12"; "": no index is told */
    const char *state;
    const char *reason; /* "": not told */
    double submit_s;    /* 0: not told */
};

/* Call 'each' for every line of 'text' (of 'len' bytes, any of them) until it
 * returns non-zero.  Every line must be whole and have all columns: 0, or -1
 * with 'err' quoting the line that has not; 'each' then may have been called.
 */
typedef int (*slurm_each_row) (const struct slurm_row *row,
                               void *arg,
                               struct error *err);
int slurm_read_squeue (const char *text,
                       size_t len,
                       slurm_each_row each,
                       void *arg,
                       struct error *err);
int slurm_read_sacct (const char *text,
                      size_t len,
                      slurm_each_row each,
                      void *arg,
                      struct error *err);

/* Call 'each' for every index below 'end' in "4", "4-9", "2-4,6,9", "0-10:2",
 * each perhaps with a throttle "%2" behind.  0, or -1 when 'text' is something
 * else (also when it was cut off: "1-5,7...").
 */
int slurm_each_index (const char *text,
                      int64_t end,
                      void (*each) (int64_t index, void *arg),
                      void *arg);

/* The id in what `sbatch --parsable` prints: its last line that is a number,
 * perhaps followed by ";CLUSTER"; sites' wrappers print more.  -1: there is
 * none.
 */
int64_t slurm_read_id (const char *text, size_t len);

/* Is 'id' a job id: a positive number?  Returns it, or -1. */
int64_t slurm_id_number (const char *id);

#endif /* !SLURM_ROWS_H */
