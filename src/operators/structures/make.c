/* SPDX-License-Identifier: BSD-3-Clause */
/* make.c - the operator structures.make: from a structure to frames
 *
 * All frames follow from the inputs, so what would go wrong, and how many they
 * are, is known before anything runs.  `prepare` makes them, too, and keeps
 * none: structures that other stages made are wrong before a job is submitted.
 */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "formats/extxyz/extxyz.h"
#include "formats/frame_reader.h"
#include "operators/step_task.h"
#include "operators/structures/make.h"
#include "signature/operator.h"
#include "structures/construction.h"
#include "structures/variants.h"

static const char operator_name[] = "structures.make";

/* --- what is made --- */

struct making {
    const struct json *inputs;
    struct strvec elements;
    struct construction construction;
    struct variants variants;
};

static int check_elements (const struct strvec *elements,
                           const struct frame *frame, struct error *err)
{
    for (size_t i = 0; i < frame->n_atoms; i++) {
        if (!strvec_contains (elements, frame->symbols[i]))
            return error_set (err,
                              "atom %zu is %s, which is none of the elements; "
                              "add it to elements: of the campaign",
                              i + 1, frame->symbols[i]);
    }
    return 0;
}

/* "al.vasp", of a file of several frames "md.extxyz, frame 3".  A task sees
 * copies, which have the name alone.
 */
static char *name_of_frame (const char *path, size_t frame)
{
    return frame == 0 ? xstrdup (path_base (path))
                      : xasprintf ("%s, frame %zu", path_base (path), frame);
}

static int add_frame (const struct structure *s, void *arg, struct error *err)
{
    struct making *m = arg;
    const struct variant_source source = { .frame = s->frame,
                                           .name = s->name,
                                           .number = { s->file, s->number } };

    return variants_add (&m->construction, &source, &m->variants, err);
}

static int each_of_file (const char *path, struct structure *s,
                         const struct strvec *elements, structure_each *each,
                         void *arg, struct error *err)
{
    _cleanup_free_ char *name = name_of_frame (path, s->number);

    s->name = name;
    if (check_elements (elements, s->frame, err) < 0)
        return error_prefix (err, "%s", name);
    return each (s, arg, err);
}

/* Every frame of a file is a structure. */
static int read_file (const char *path, size_t file,
                      const struct strvec *elements, structure_each *each,
                      void *arg, struct error *err)
{
    struct frame_options options = FRAME_OPTIONS_INIT;
    _cleanup_ (frame_release) struct frame frame = FRAME_INIT;
    struct structure s = { .path = path, .frame = &frame, .file = file };
    struct frame_reader *reader;
    int rc = -1;

    options.elements = elements->v;
    options.n_elements = elements->n;
    if (!(reader = frame_reader_open (path, &options, err)))
        return -1;
    while ((rc = frame_reader_next (reader, &frame, err)) == 1
           && each_of_file (path, &s, elements, each, arg, err) == 0)
        s.number++;
    frame_reader_close (reader);
    if (rc == 0 && s.number == 0)
        return error_set (err, "'%s' has no frame; name files of structures",
                          path);
    return rc == 0 ? 0 : -1;
}

int structures_read (const struct json *inputs, const struct strvec *elements,
                     structure_each *each, void *arg, struct error *err)
{
    const struct json *paths = json_get (inputs, "structures");

    if (json_count (paths) == 0)
        return error_set (err, "structures: there is none; write [FILE, ...]");
    for (size_t i = 0; i < json_count (paths); i++) {
        if (read_file (json_as_string (json_at (paths, i)), i, elements, each,
                       arg, err)
            < 0)
            return error_prefix (err, "structures[%zu]", i);
    }
    return 0;
}

static int make_all (struct making *m, struct error *err)
{
    if (construction_read (m->inputs, &m->construction, err) < 0
        || step_strings (m->inputs, "elements", &m->elements, err) < 0)
        return -1;
    return structures_read (m->inputs, &m->elements, add_frame, m, err);
}

static void release (struct making *m)
{
    variants_release (&m->variants);
    construction_release (&m->construction);
    strvec_release (&m->elements);
}

#define MAKING_INIT(known)                                                     \
    {                                                                          \
        .inputs = (known), .elements = STRVEC_INIT,                            \
        .construction = CONSTRUCTION_INIT, .variants = VARIANTS_INIT           \
    }

/* --- before anything runs --- */

static int check_input (const struct known_input *input, struct error *err)
{
    struct construction construction = CONSTRUCTION_INIT;
    int rc = construction_read_input (input->name, input->others, &construction,
                                      err);

    construction_release (&construction);
    return rc;
}

/* Is everything known, and each input by itself good?  Else its own check says
 * what is wrong with it.
 */
static bool is_known (const struct json *known)
{
    const struct port *port = structures_make_operator.inputs;
    struct known_input input = { .others = known };

    for (; port->name; port++) {
        input.name = port->name;
        if (!json_get (known, port->name) || check_input (&input, NULL) < 0)
            return false;
    }
    return true;
}

/* It is always there, so it speaks for all of them. */
static int check_frames (const struct known_input *input, struct error *err)
{
    _cleanup_ (release) struct making m = MAKING_INIT (input->others);

    if (check_input (input, err) < 0)
        return -1;
    return is_known (input->others) ? make_all (&m, err) : 0;
}

static int64_t count_tasks (const struct json *known, const char *dir)
{
    (void)known;
    (void)dir;
    return 1;
}

static int64_t count_frames (const struct json *known, const char *dir)
{
    _cleanup_ (release) struct making m = MAKING_INIT (known);

    (void)dir;
    return is_known (known) && make_all (&m, NULL) == 0 ? (int64_t)m.variants.n
                                                        : -1;
}

/* --- the steps --- */

static int write_frames (const struct step_task *task,
                         const struct variants *variants, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct json *numbers = json_object ();
    const char *path;

    for (size_t i = 0; i < variants->n; i++)
        extxyz_format (&variants->v[i], &text);
    json_set (numbers, "frames_made", json_int ((int64_t)variants->n));
    json_set (numbers, "equal", json_int ((int64_t)variants->n_equal));
    json_set (numbers, "atoms", json_int ((int64_t)variants->n_atoms));
    if (step_task_output (task, "frames", &path, err) < 0
        || file_write_atomic (path, text.buf, text.len, err) < 0) {
        json_unref (numbers);
        return -1;
    }
    return step_write ("params.json", numbers, err);
}

static enum step_status run_step (bool keep, struct error *err)
{
    _cleanup_ (step_task_release) struct step_task task = STEP_TASK_INIT;
    _cleanup_ (release) struct making m = MAKING_INIT (NULL);

    if (step_task_read (&structures_make_operator, &task, err) < 0)
        return STEP_FATAL;
    m.inputs = task.inputs;
    if (make_all (&m, err) < 0)
        return STEP_FATAL;
    if (!keep)
        return step_write ("slices.json", json_object (), err) < 0 ? STEP_FAILED
                                                                   : STEP_OK;
    return write_frames (&task, &m.variants, err) < 0 ? STEP_FAILED : STEP_OK;
}

enum step_status structures_prepare (struct error *err)
{
    return run_step (false, err);
}

enum step_status structures_make (struct error *err)
{
    return run_step (true, err);
}

/* --- the operator --- */

static const struct type_field surface_fields[] = {
    { "miller", LIST_OF (INT), false },
    { "layers", ONE (INT), false },
    { "vacuum", ONE (FLOAT), false },
    { 0 },
};
static const struct type_field displace_fields[] = {
    { "sigma", ONE (FLOAT), false },
    { "count", ONE (INT), false },
    { 0 },
};
static const struct type number = ONE (INT);
static const struct type share = ONE (FLOAT);
static const struct type shares = MAP_OF (share);

#define CHOICE(name, type) name, type, .optional = true, .check = check_input

static const struct port inputs[] = {
    { "structures", .type = LIST_OF (PATH) },
    { "elements", ONE (LIST), .from = "elements" },
    { CHOICE ("surface", MAP_WITH (surface_fields)) },
    { CHOICE ("supercell", ONE (ANY)) },
    { CHOICE ("vacancies", ONE (INT)) },
    { CHOICE ("substitute", MAP_OF (shares)) },
    { CHOICE ("interstitials", MAP_OF (number)) },
    { "draws", ONE (INT), .default_json = "1", .check = check_input },
    { "scale", LIST_OF (FLOAT), .default_json = "[1]", .check = check_input },
    { CHOICE ("strain", ONE (ANY)) },
    { CHOICE ("displace", MAP_WITH (displace_fields)) },
    { "seed", ONE (INT), .from = "seed" },
    { "least_distance", ONE (FLOAT), .default_json = "0.5",
      .check = check_frames },
    { 0 },
};

static const struct port outputs[] = {
    { "frames", .type = ONE (FRAMES) },
    { "frames_made", .type = ONE (INT) },
    { "equal", .type = ONE (INT) },
    { "atoms", .type = ONE (INT) },
    { 0 },
};

const struct operator_spec structures_make_operator = {
    .name = operator_name,
    .code = "structures",
    .version = 1,
    .inputs = inputs,
    .outputs = outputs,
    .prepare = STEP_ARGV (operator_name, "prepare"),
    .count_tasks = count_tasks,
    .count_frames = count_frames,
    .commands =
        (const char *const *const[]){ STEP_ARGV (operator_name, "make"), NULL },
    .fatal_exits = step_fatal_exits,
};
