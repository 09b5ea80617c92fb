/* SPDX-License-Identifier: BSD-3-Clause */
/* device_watch.h - devices of an element that are to have no more tasks
 *
 * A sick device (agent/device_runs.h) is retired: the element's log says so,
 * and the tasks that it failed are handed back.  As long as no task was ok
 * without it, it rests: else it would fail the whole bundle while others still
 * run their first tasks.  When all devices rest the tasks are to blame, and all
 * go on.
 */
#ifndef AGENT_DEVICE_WATCH_H
#define AGENT_DEVICE_WATCH_H

#include "agent/device_runs.h"

struct claim;

struct device_watch {
    struct device_runs runs;
    size_t from;           /* runs before do not make a device rest */
    size_t judged;         /* runs that were looked at */
    struct strvec devices; /* all that slots have, each once */
    struct strvec retired; /* of these; */
    struct strvec resting; /* of these, the retired ones included */
};

#define DEVICE_WATCH_INIT                                                      \
    {                                                                          \
        .devices = STRVEC_INIT, .retired = STRVEC_INIT, .resting = STRVEC_INIT \
    }

void device_watch_release (struct device_watch *watch);

/* A slot has these devices; "": none. */
void device_watch_add (struct device_watch *watch, const char *devices);

/* Devices of 'host' that earlier attempts retired, [{host, device}]: of those
 * whose names stay the same from job to job, and not all that there are.
 */
void device_watch_remember (struct device_watch *watch, const char *host,
                            const struct json *retired);

/* A task ended on the devices of a slot. */
void device_watch_note (struct device_watch *watch, const char *devices,
                        int task, enum outcome outcome, double wall_s);

/* Retire what turned out sick, and hand back what fails on a retired one. */
int device_watch_judge (struct device_watch *watch, struct claim *claim,
                        struct error *err);

/* Is a slot with these devices to have no task now? */
bool device_watch_rests (const struct device_watch *watch, const char *devices);

/* Nothing runs, and no slot may have a task: those that only rest may again. */
void device_watch_wake (struct device_watch *watch);

#endif /* !AGENT_DEVICE_WATCH_H */
