/* SPDX-License-Identifier: BSD-3-Clause */
/* size_counts.h - how many tasks needed how much, in classes of size
 *
 * Eight classes to each factor of two, numbered: number c has what is more than
 * 2^((c - 1) / 8) and at most 2^(c / 8).  The numbers are what is
 * journaled, so that whoever folds the journal comes to the same sizes.
 */
#ifndef ENGINE_SIZE_COUNTS_H
#define ENGINE_SIZE_COUNTS_H

/* What is counted of each task that is ok. */
enum size_kind {
    SIZE_MEMORY,   /* bytes */
    SIZE_WALLTIME, /* seconds */
    SIZE_KINDS
};

struct size_counts {
    struct size_count {
        int number;
        int64_t tasks;
    } * v; /* ascending */
    size_t n, alloc;
};

void size_counts_release (struct size_counts *counts);

/* The number of the class of 'size' (> 0), and the largest size of a class. */
int size_number (double size);
double size_of_number (int number);

void size_counts_add (struct size_counts *counts, int number, int64_t tasks);
void size_counts_add_all (struct size_counts *counts,
                          const struct size_counts *more);
int64_t size_counts_tasks (const struct size_counts *counts);

/* The least size that is enough for this part of the tasks; 0: none was
 * counted.
 */
double size_counts_enough_for (const struct size_counts *counts, double part);

/* What was counted of some tasks, by kind. */
struct task_sizes {
    struct size_counts of[SIZE_KINDS];
};

void task_sizes_release (struct task_sizes *sizes);

/* {KIND: {NUMBER: TASKS}}; NULL: nothing was counted.  What cannot be read is
 * passed over.
 */
struct json *task_sizes_to_json (const struct task_sizes *sizes);
void task_sizes_add_json (struct task_sizes *sizes, const struct json *v);

#endif /* !ENGINE_SIZE_COUNTS_H */
