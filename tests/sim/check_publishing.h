/* SPDX-License-Identifier: BSD-3-Clause */
/* check_publishing.h - dataset/ has what the stages published that are done, in
 * their order, in every iteration
 */
#ifndef TESTS_SIM_CHECK_PUBLISHING_H
#define TESTS_SIM_CHECK_PUBLISHING_H

struct check;
struct engine;

/* A driver that holds the lease journaled an event, which its state has. */
void check_publishing (struct check *check, const struct engine *engine);

#endif /* !TESTS_SIM_CHECK_PUBLISHING_H */
