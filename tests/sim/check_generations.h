/* SPDX-License-Identifier: BSD-3-Clause */
/* check_generations.h - what must hold of generations, in every world
 *
 * The onlooker knows where each generation lies by the renames that it sees.
 *   - its number and its stage.json never change once it has appeared;
 *   - what is renamed from the run files of one lands below it, wherever it is;
 *   - what is in force by the journal is in its place, and nothing else but
 * what a killed driver left where a stage waits;
 *   - a result that is taken has the identity of its task;
 *   - nothing is taken that is older than the request to make it again.
 */
#ifndef TESTS_SIM_CHECK_GENERATIONS_H
#define TESTS_SIM_CHECK_GENERATIONS_H

struct check;
struct state;

/* A name on the disk became another. */
void check_generation_renamed (struct check *check, const char *from,
                               const char *to);

/* A driver that holds the lease journaled an event, which 'state' has. */
void check_generations (struct check *check, const struct state *state,
                        const struct json *event);

/* .fanfold was deleted, with all that was superseded and all requests. */
void check_generations_forget (struct check *check);

/* Nothing will happen any more: what is in force, and nothing else, is in its
 * place, and names nothing that was superseded or made somewhere else.
 */
void check_generations_end (struct check *check, const struct state *state);

#endif /* !TESTS_SIM_CHECK_GENERATIONS_H */
