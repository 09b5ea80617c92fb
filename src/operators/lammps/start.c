/* SPDX-License-Identifier: BSD-3-Clause */
/* start.c - the configuration an MD of lammps.explore starts from */
#include "config.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "formats/frame.h"
#include "formats/lammps/lammps_data.h"
#include "operators/lammps/input.h"
#include "operators/lammps/start.h"
#include "operators/step_task.h"

/* About ten million atoms. */
enum { START_MAX_BYTES = 1 << 30 };

static int parse_system (const struct json *inputs,
                         const char *path,
                         struct frame *frame,
                         struct error *err)
{
    struct strvec elements = STRVEC_INIT;
    struct strbuf text = STRBUF_INIT;
    int rc = step_strings (inputs, "elements", &elements, err);

    if (rc == 0)
        rc = file_read (path, START_MAX_BYTES, &text, err);
    if (rc == 0)
        rc = lammps_data_parse (text.buf, text.len, path, elements.v,
                                elements.n, frame, err);
    strbuf_release (&text);
    strvec_release (&elements);
    return rc;
}

int lammps_read_system (const struct json *inputs,
                        const char *dir,
                        const char *name,
                        struct frame *frame,
                        struct error *err)
{
    struct json *systems;
    const char *relative;
    char *path;
    int rc;

    if (json_want_object (inputs, "systems", &systems, err) < 0)
        return error_prefix (err, "inputs");
    if (json_want_string (systems, name, &relative, err) < 0)
        return error_prefix (err, "systems");
    path = path_join (dir, relative);
    rc = parse_system (inputs, path, frame, err);
    free (path);
    return rc < 0 ? error_prefix (err, "systems.%s", name) : 0;
}

static void scale_frame (const struct json *scale, struct frame *frame)
{
    double factor = json_as_double (scale);

    if (json_is_null (scale))
        return;
    for (int i = 0; i < 9; i++)
        frame->cell[i] *= factor;
    for (size_t i = 0; i < 3 * frame->n_atoms; i++)
        frame->positions[i] *= factor;
}

static int write_frame (const struct step_task *task,
                        const struct frame *frame,
                        struct error *err)
{
    struct strvec elements = STRVEC_INIT;
    struct strbuf text = STRBUF_INIT;
    int rc = step_strings (task->inputs, "elements", &elements, err);

    if (rc == 0)
        rc = lammps_data_format (frame, elements.v, elements.n, &text, err);
    if (rc == 0)
        rc = file_write_atomic (LAMMPS_START_FILE, text.buf, text.len, err);
    strbuf_release (&text);
    strvec_release (&elements);
    return rc;
}

int lammps_write_start (const struct step_task *task,
                        size_t *n_atoms,
                        struct error *err)
{
    struct frame frame = FRAME_INIT;
    struct json *variables;
    const char *system;
    int rc;

    if (json_want_string (task->inputs, "system", &system, err) < 0
        || json_want_object (task->inputs, "variables", &variables, err) < 0)
        return error_prefix (err, "inputs");
    rc = lammps_read_system (task->inputs, task->campaign_dir, system, &frame,
                             err);
    if (rc == 0) {
        scale_frame (json_get (variables, "scale"), &frame);
        rc = write_frame (task, &frame, err);
    }
    if (rc == 0)
        *n_atoms = frame.n_atoms;
    frame_release (&frame);
    return rc;
}
