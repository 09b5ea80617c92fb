/* SPDX-License-Identifier: BSD-3-Clause */
/* task_record.h - what the agents' logs tell of a task's tries */
#ifndef COMMANDS_TASK_RECORD_H
#define COMMANDS_TASK_RECORD_H

#include "handover/result_log.h"
#include "space/layout.h"

struct engine;
struct stage_state;

struct task_record {
    int try_number; /* from 1, by the starts that were logged */
    int tries;      /* how many were logged in all */
    char *chunk;    /* the directory that the log is in */
    int64_t element, n;
    struct json *claim; /* the log's first record */
    struct json *start; /* NULL: it was not started */
    struct json *end;   /* NULL: it runs, or was handed back */
    bool ended;         /* it is over, or was handed back */
    bool printed;       /* what it printed was kept, there: */
    uint64_t at, bytes; /* in output-<element>.<n> */
    char *kept; /* the log beside the task's results, where there may be one */
};

#define TASK_RECORD_INIT                                                       \
    {                                                                          \
        .chunk = NULL                                                          \
    }

/* Find a try of a task of a stage in an iteration; 0: the newest.  'record'
 * must be initialised, and released in any case; without 'start' there was no
 * such try.  -1 with 'err' when something cannot be read.
 */
int task_record_find (const struct engine *engine, int iteration,
                      const char *stage, int task, int try_number,
                      struct task_record *record, struct error *err);

/* The same of the newest try of what lies at 'place' below 'campaign_dir',
 * without a journal.
 */
int task_record_find_at (const char *campaign_dir,
                         const struct stage_place *place, int task,
                         struct task_record *record, struct error *err);
void task_record_release (struct task_record *record);

/* Append ": task 3: MESSAGE": what the first task of the stage that failed in
 * the current iteration says of its end; nothing where none did.
 */
void task_record_add_failure (const struct engine *engine,
                              const struct stage_state *stage,
                              struct strbuf *text);

#endif /* !COMMANDS_TASK_RECORD_H */
