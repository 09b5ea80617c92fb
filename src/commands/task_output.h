/* SPDX-License-Identifier: BSD-3-Clause */
/* task_output.h - where what a try of a task printed is
 *
 * Of one that ended well: a part of output-<element>.<n>, as the result log
 * tells, or the file beside its results.  Of another one: a file of its own in
 * work/<element>.<n>, which one that runs shares with its slot.
 */
#ifndef COMMANDS_TASK_OUTPUT_H
#define COMMANDS_TASK_OUTPUT_H

struct task_record;

struct task_output {
    char *path;         /* NULL: it printed nothing that was kept */
    uint64_t at, bytes; /* UINT64_MAX: up to the end of the file */
};

/* Where the log that has the try's start says it is; caller frees the path. */
void task_output_find (const struct task_record *record, int task,
                       struct task_output *output);

/* Where the try works; kept when it did not end well.  Caller frees. */
char *task_output_work_dir (const struct task_record *record, int task);

/* The file that a running task's slot has; caller frees. */
char *task_output_slot_path (const struct task_record *record);

/* Write it to 'to' without its first 'skip' bytes.  Waits some seconds for what
 * an agent has logged and not written yet.
 */
int task_output_copy (const struct task_output *output, uint64_t skip, FILE *to,
                      struct error *err);

/* The same of its last 'lines' lines; more than 64 KiB are never written. */
int task_output_copy_end (const struct task_output *output, int lines, FILE *to,
                          struct error *err);

#endif /* !COMMANDS_TASK_OUTPUT_H */
