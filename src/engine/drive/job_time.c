/* SPDX-License-Identifier: BSD-3-Clause */
/* job_time.c - how long a driver may drive that is part of a job itself
 *
 * The job need not be of a scheduler that any profile names: all are asked.
 */
#include "base/base.h"

#include "adapter.h"
#include "base/clock.h"
#include "engine/history/engine.h"
#include "engine/drive/job_time.h"

double job_time_margin_s (double left_s)
{
    return fmin (fmax (left_s / 10, 10), 120);
}

double job_time_end_s (struct engine *engine)
{
    struct scheduler scheduler = { .deadline_s = ENGINE_LEASE_S,
                                   .heartbeat = { engine_heartbeat, engine } };
    double least_s = INFINITY;

    for (size_t i = 0; (scheduler.adapter = scheduler_adapter_at (i)); i++) {
        double left_s;

        if (scheduler.adapter->time_left
            && scheduler.adapter->time_left (&scheduler, &left_s, NULL)
                   == ANSWER_OK)
            least_s = fmin (least_s, left_s);
    }
    if (isinf (least_s))
        return 0;
    if (engine->stop_margin_s == 0)
        engine->stop_margin_s = job_time_margin_s (least_s);
    return clock_mono_s () + fmax (least_s - engine->stop_margin_s, 0);
}
