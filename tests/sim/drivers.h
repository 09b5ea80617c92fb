/* SPDX-License-Identifier: BSD-3-Clause */
/* drivers.h - who drives the campaign: cron, people in the foreground, and
 * those who ask for something
 */
#ifndef TESTS_SIM_DRIVERS_H
#define TESTS_SIM_DRIVERS_H

#include "engine/state.h"

struct check;
struct engine;
struct scenario;
struct world;

struct drivers {
    struct world *world;
    const struct scenario *scenario;
    struct check *check;
    int active;                /* processes */
    enum campaign_phase phase; /* as the last driver left it */
};

/* Begin to call `fanfold advance` and `fanfold run`. */
void drivers_begin (struct drivers *drivers);

/* Somebody asks for something, or goes on after a pause. */
void drivers_ask (struct drivers *drivers, const char *kind);

#endif /* !TESTS_SIM_DRIVERS_H */
