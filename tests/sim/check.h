/* SPDX-License-Identifier: BSD-3-Clause */
/* check.h - what must hold in every world, looked at as it goes */
#ifndef TESTS_SIM_CHECK_H
#define TESTS_SIM_CHECK_H

#include "engine/history/journal.h"
#include "engine/history/state.h"

struct engine;
struct scenario;
struct world;

struct check {
    struct world *world;
    const struct scenario *scenario;
    struct json *commits; /* {job/<task>/out: how often it came to be} */
    struct json *tokens;  /* {token: true} of every intent */
    struct json
        *dependency_jobs; /* {token: true} of the dependency jobs among them */
    struct json *events;  /* {n: text} of all that was journaled */
    struct json *generations; /* what is known of each (check_generations.c) */
    struct json *fresh;       /* {STAGE/ITERATION: number of the request to make
                                 it again} */
    struct state folded;      /* from the journal, as far as 'position' */
    struct journal_position position;
    int64_t compared_n; /* events in it when it was last compared */
    struct strbuf violations;
    int n;
    bool traced; /* print every event */
    /* Nothing is to be computed any more but {DIR: true} of generations of
     * which `keep:` has removed something; or NULL.
     */
    struct json *again;
    const struct json *sources; /* what results may be taken from, each a
                                   source_copy; lent; NULL: nothing */
    unsigned was_source;        /* bits: those that were there so far */
    int64_t taken;              /* how many origins events have told of */
};

void check_init (struct check *check, struct world *world,
                 const struct scenario *scenario);
void check_release (struct check *check);

/* A sentence about what does not hold. */
void check_fail (struct check *check, const char *fmt, ...) PRINTF_LIKE (2, 3);

/* A driver journaled an event; its state has it already. */
void check_event (struct check *check, const struct engine *engine,
                  const struct json *event);

/* A driver is about to let go: the journal folds to its state. */
void check_fold (struct check *check, const struct engine *engine);

/* A campaign could not be opened. */
void check_open (struct check *check, const struct error *err);

/* A name on the disk became another. */
void check_renamed (const char *from, const char *to, void *arg);

/* Nothing will happen any more.  'calm' holds the disk's results of the same
 * campaign where nothing went wrong: {path: text}.
 */
void check_end (struct check *check, const struct json *calm);

/* The campaign is done, its journal was deleted, and it is run once more: from
 * now on nothing may be computed.
 */
void check_again (struct check *check);

/* {path: text} of the results on the disk. */
struct json *check_results (const struct world *world);

/* All events of the journal on standard output, a line each. */
void check_print_journal (struct check *check);

#endif /* !TESTS_SIM_CHECK_H */
