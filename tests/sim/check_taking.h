/* SPDX-License-Identifier: BSD-3-Clause */
/* check_taking.h - results that are taken of another campaign
 *
 * The other campaign is a copy of one that was played before, as it was at some
 * moment; which copy it is changes while the campaign is played.
 */
#ifndef TESTS_SIM_CHECK_TAKING_H
#define TESTS_SIM_CHECK_TAKING_H

struct check;
struct disk;
struct state;

/* All files of the campaign that is played: {PATH within it: TEXT}.  Caller
 * unrefs.
 */
struct json *source_copy (const struct disk *disk);

/* The other campaign is number 'i' of check->sources from now on. */
void source_put (struct check *check, size_t i);

/* A driver that holds the lease journaled an event: what it says to be taken is
 * of generations that were finished in a source while that was there, with the
 * same witness; each result stands for one task, and has the bytes that are
 * there.
 */
void check_taken (struct check *check, const struct state *state,
                  const struct json *event);

/* Without the source, and without all that was superseded, no byte in force is
 * another.
 */
void check_taken_end (struct check *check);

#endif /* !TESTS_SIM_CHECK_TAKING_H */
