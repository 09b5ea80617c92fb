/* SPDX-License-Identifier: BSD-3-Clause */
/* rules.c - what lammps.explore asks of its inputs beyond their types */
#include "config.h"

#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "formats/frame.h"
#include "operators/lammps/input.h"
#include "operators/lammps/rules.h"
#include "operators/lammps/slices.h"
#include "operators/lammps/start.h"
#include "operators/step_task.h"

static int check_input (const struct json *value,
                        const struct known_inputs *known,
                        struct error *err)
{
    const char *path = json_as_string (value);
    struct strbuf text = STRBUF_INIT;
    int rc = file_read (path, LAMMPS_INPUT_MAX_BYTES, &text, err);

    (void)known;
    if (rc == 0 && !strstr (text.buf, "${steps}")
        && !strstr (text.buf, "v_steps"))
        rc = error_set (err,
                        "input: %s does not use ${steps}; let it end in "
                        "`run ${steps}`",
                        path);
    strbuf_release (&text);
    return rc;
}

static int check_steps (const struct json *value,
                        const struct known_inputs *known,
                        struct error *err)
{
    int64_t steps;

    (void)value;
    return step_count (known->values, "steps", 1, &steps, err);
}

static int check_dump_every (const struct json *value,
                             const struct known_inputs *known,
                             struct error *err)
{
    const struct json *steps = json_get (known->values, "steps");
    int64_t every;

    (void)value;
    if (step_count (known->values, "dump_every", 1, &every, err) < 0)
        return -1;
    if (!json_is_null (steps) && json_as_int (steps) > 0
        && every > json_as_int (steps))
        return error_set (err,
                          "dump_every: no frame is written in %lld steps; make "
                          "it at most that",
                          (long long)json_as_int (steps));
    return 0;
}

static int check_committee (const struct json *value,
                            const struct known_inputs *known,
                            struct error *err)
{
    const char *committee = json_as_string (value);

    (void)known;
    if (strcmp (committee, "rerun") == 0)
        return 0;
    return error_set (err, "committee: '%s' is not known; use rerun",
                      committee);
}

static int check_for_each (const struct json *value,
                           const struct known_inputs *known,
                           struct error *err)
{
    (void)known;
    return lammps_count_combinations (value, err) < 0 ? -1 : 0;
}

/* How many tasks there would be, of what is right otherwise. */
static int check_replicas (const struct json *value,
                           const struct known_inputs *known,
                           struct error *err)
{
    size_t n_systems = json_count (json_get (known->values, "systems"));
    int64_t combinations =
        lammps_count_combinations (json_get (known->values, "for_each"), NULL);
    int64_t replicas;

    (void)value;
    if (step_count (known->values, "replicas", 1, &replicas, err) < 0)
        return -1;
    if (n_systems == 0 || combinations < 1)
        return 0;
    return lammps_count_tasks (n_systems, combinations, replicas, err) < 0 ? -1
                                                                           : 0;
}

static int check_systems (const struct json *value,
                          const struct known_inputs *known,
                          struct error *err)
{
    if (lammps_check_systems (value, err) < 0)
        return -1;
    if (json_is_null (json_get (known->values, "elements")))
        return 0;
    JSON_FOREACH (value, it) {
        struct frame frame = FRAME_INIT;
        int rc = lammps_read_system (known->values, known->dir,
                                     json_iter_key (it), &frame, err);

        frame_release (&frame);
        if (rc < 0)
            return -1;
    }
    return 0;
}

static int check_program (const struct json *value,
                          const struct known_inputs *known,
                          struct error *err)
{
    (void)value;
    return step_program (known->values, "lammps", err);
}

const struct input_rule lammps_explore_rules[] = {
    { "input", check_input },
    { "steps", check_steps },
    { "dump_every", check_dump_every },
    { "committee", check_committee },
    { "for_each", check_for_each },
    { "systems", check_systems },
    { "replicas", check_replicas },
    { "lammps", check_program },
    { 0 },
};
