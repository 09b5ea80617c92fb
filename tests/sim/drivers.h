/* SPDX-License-Identifier: BSD-3-Clause */
/* drivers.h - who drives the campaign: cron, people in the foreground, and
 * those who ask for something
 */
#ifndef TESTS_SIM_DRIVERS_H
#define TESTS_SIM_DRIVERS_H

#include "engine/history/state.h"

struct sim_run;
struct command_process;
struct check;
struct engine;
struct scenario;
struct world;

struct drivers {
    struct world *world;
    const struct scenario *scenario;
    bool calm; /* nothing goes wrong: no driver may give up */
    struct check *check;
    int active;                  /* processes */
    enum campaign_status status; /* as the driver that saw most left it */
    int64_t status_n;            /* how many events that were */
    bool is_over; /* done by the definition that was taken on last */
    bool to_redo; /* everything is to be done again by the last definition */
    /* Chained: why the chain may be lost since somebody last looked after it.
     * A dependency job may be killed, not all elements of one; a command that
     * was killed or could not reach the scheduler has to be called again.
     */
    int excuses;
};

/* Begin to call `fanfold advance` and `fanfold run`. */
void drivers_begin (struct drivers *drivers);

/* A dependency job begins on a host; false when the host is down. */
bool drivers_wake (struct drivers *drivers, struct sim_run *run, int host);

/* It is told to end, or killed. */
void drivers_stop (struct command_process *command, bool kill);

/* Somebody cancels what runs; that may be a dependency job. */
void drivers_bereave (struct drivers *drivers, const struct sim_run *run);

/* Somebody asks for something, or goes on after a pause. */
void drivers_ask (struct drivers *drivers, const char *kind);

#endif /* !TESTS_SIM_DRIVERS_H */
