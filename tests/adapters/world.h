/* SPDX-License-Identifier: BSD-3-Clause */
/* world.h - what a test of the conformance suite works with: a directory of its
 * own, a scheduler, and one job of three elements
 *
 * Every function fails the test when a call does not answer OK.
 */
#ifndef TESTS_WORLD_H
#define TESTS_WORLD_H

#include "arrays/array_job.h"
#include "conformance.h"

enum { ELEMENTS = 3 };

struct world {
    const struct conformance *c;
    const struct scheduler_adapter *adapter;
    struct scheduler scheduler;
    struct scheduler broken;
    char *dir;
    struct array_job job;
    struct strbuf id;                       /* of the job; "": not submitted */
    struct element_status status[ELEMENTS]; /* as it was last polled */
};

/* cmocka's setup and teardown; a job does not outlive its test. */
int world_enter (void **state);
int world_leave (void **state);

/* A path in the directory; caller frees.  Make a file of this text there. */
char *world_in_dir (const struct world *world, const char *name);
void world_put (const struct world *world, const char *name, const char *text);

/* A job of three elements whose agents behave so: lines of sh, with $element,
 * $job_id and $dir.
 */
void world_make_job (struct world *world, const char *behaviour);

/* Its id and its name. */
struct job_key world_key (const struct world *world);

/* Write its script; caller frees the path.  Submit it, held or not. */
char *world_write_script (struct world *world);
void world_submit (struct world *world);
void world_release (struct world *world);
void world_cancel (struct world *world, int64_t element);
void world_poll_job (struct world *world);

/* Are all elements in 'state', as they were last polled? */
bool world_all_in (const struct world *world, enum element_state state);

/* Poll until 'element' (-1: all) is in 'state'. */
void world_wait_for (struct world *world, int element,
                     enum element_state state);
void world_expect_outcomes (const struct world *world, enum outcome outcome);

/* The lines of a file the agents write to; wait until there are 'n'. */
size_t world_count_lines (const struct world *world, const char *name);
void world_wait_lines (const struct world *world, const char *name, size_t n);

/* Every element ran once, and knew who it was. */
void world_expect_all_ran_once (const struct world *world);

/* --- the suite --- */

enum needs {
    NEEDS_NOTHING,
    NEEDS_HOLD,
    NEEDS_WAIT,
    NEEDS_TIME,
    NEEDS_FORGET,
    NEEDS_KILLS,
};

struct conformance_test {
    const char *name; /* NULL ends a list */
    CMUnitTestFunction test;
    enum needs needs; /* of the adapter, or the test does not apply */
};

extern const struct conformance_test life_tests[];
extern const struct conformance_test chain_tests[];
extern const struct conformance_test silence_tests[];

#endif /* !TESTS_WORLD_H */
