/* SPDX-License-Identifier: BSD-3-Clause */
/* properties.c - the operator lammps.properties: its signature, what its inputs
 * must satisfy, and its step `prepare`
 */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "base/yaml_tree.h"
#include "formats/extxyz/extxyz.h"
#include "operators/lammps/lammps.h"
#include "operators/lammps/properties.h"
#include "operators/structures/make.h"
#include "signature/operator.h"
#include "structures/deform.h"

static const char operator_name[] = "lammps.properties";

/* --- crystals --- */

struct crystals {
    const struct json *names; /* given by the user, or null */
    struct frame *frames;
    struct strvec called;
};

#define CRYSTALS_INIT                                                          \
    {                                                                          \
        .called = STRVEC_INIT                                                  \
    }

static void crystals_release (struct crystals *crystals)
{
    for (size_t i = 0; i < crystals->called.n; i++)
        frame_release (&crystals->frames[i]);
    free (crystals->frames);
    strvec_release (&crystals->called);
}

/* A name is a word of tables and a key of `reference`: "fcc" of fcc.vasp, the
 * frames behind the first "fcc.1" and on.
 */
static char *name_of (const struct crystals *crystals,
                      const struct structure *s)
{
    size_t i = crystals->called.n;
    const char *base = path_base (s->path), *dot = strrchr (base, '.');
    struct strbuf name = STRBUF_INIT;

    if (!json_is_null (crystals->names))
        return xstrdup (json_as_string (json_at (crystals->names, i)));
    strbuf_add (&name, base,
                dot && dot > base ? (size_t)(dot - base) : strlen (base));
    for (size_t k = 0; k < name.len; k++) {
        if (isspace ((unsigned char)name.buf[k]))
            name.buf[k] = '_';
    }
    if (s->number > 0)
        strbuf_addf (&name, ".%zu", s->number);
    return strbuf_detach (&name);
}

static int check_crystal (const struct crystals *crystals, const char *name,
                          const struct frame *frame, struct error *err)
{
    if (name[0] == '\0' || name[strcspn (name, " \t\n")])
        return error_set (err,
                          "names: '%s' is no name; write a word for each "
                          "structure",
                          name);
    if (strvec_contains (&crystals->called, name))
        return error_set (err,
                          "two structures are called '%s'; write names: "
                          "[WORD, ...], one for each",
                          name);
    if (!frame->periodic[0] || !frame->periodic[1] || !frame->periodic[2]
        || frame_volume (frame) == 0)
        return error_set (err, "it is not periodic in all directions; give it "
                               "a cell that is");
    return frame_check_finite (frame, err);
}

static int add_crystal (const struct structure *s, void *arg, struct error *err)
{
    struct crystals *crystals = arg;
    _cleanup_free_ char *name = name_of (crystals, s);
    struct frame frame = FRAME_INIT;

    if (check_crystal (crystals, name, s->frame, err) < 0
        || structure_copy (s->frame, 0, &frame, err) < 0)
        return error_prefix (err, "%s", s->name);
    crystals->frames = xreallocarray (crystals->frames, crystals->called.n + 1,
                                      sizeof (*crystals->frames));
    crystals->frames[crystals->called.n] = frame;
    strvec_push (&crystals->called, name);
    return 0;
}

static int read_crystals (const struct json *inputs, struct crystals *crystals,
                          struct error *err)
{
    _cleanup_ (strvec_release) struct strvec elements = STRVEC_INIT;

    crystals->names = json_get (inputs, "names");
    if (step_strings (inputs, "elements", &elements, err) < 0
        || structures_read (inputs, &elements, add_crystal, crystals, err) < 0)
        return -1;
    if (!json_is_null (crystals->names)
        && json_count (crystals->names) != crystals->called.n)
        return error_set (err,
                          "names: there are %zu, and %zu structures; "
                          "write one for each",
                          json_count (crystals->names), crystals->called.n);
    return 0;
}

/* --- what is known --- */

static struct json *read_reference (const char *path, struct error *err)
{
    struct problems problems = PROBLEMS_INIT;
    struct yaml_tree *tree = yaml_tree_read (path, path_base (path), &problems);
    struct json *read = NULL;

    if (tree && yaml_tree_root (tree))
        read = yaml_to_json (yaml_tree_root (tree));
    else if (problems.n > 0)
        error_set (err, "reference_file: %s:%d: %s; %s", path_base (path),
                   problems.v[0].line, problems.v[0].message,
                   problems.v[0].remedy);
    else
        error_set (err,
                   "reference_file: %s is empty; write {STRUCTURE: "
                   "{PROPERTY: NUMBER}}",
                   path_base (path));
    yaml_tree_destroy (tree);
    problems_release (&problems);
    return read;
}

struct json *properties_reference (const struct json *inputs, struct error *err)
{
    struct json *said = json_get (inputs, "reference");
    const struct json *file = json_get (inputs, "reference_file");

    if (!json_is_null (said) && !json_is_null (file)) {
        error_set (err, "reference: there is reference_file, too; write one "
                        "of them");
        return NULL;
    }
    if (!json_is_null (file))
        return read_reference (json_as_string (file), err);
    return json_is_null (said) ? json_object () : json_ref (said);
}

static int check_known (const struct json *known, const struct strvec *names,
                        struct error *err)
{
    if (json_kind (known) != JSON_KIND_OBJECT)
        return error_set (err, "expected {PROPERTY: NUMBER}, got %s",
                          json_kind_name (known));
    JSON_FOREACH (known, it) {
        if (!json_is_number (json_iter_value (it)))
            return error_set (err, "%s: expected a number, got %s",
                              json_iter_key (it),
                              json_kind_name (json_iter_value (it)));
        if (!strvec_contains (names, json_iter_key (it)))
            return error_set (err,
                              "%s is not among what this stage computes; ask "
                              "for it, or take it out",
                              json_iter_key (it));
    }
    return 0;
}

/* A value that is compared with nothing is a slip of the pen. */
static int check_reference (const struct json *reference,
                            const struct crystals *crystals,
                            const struct property_request *r, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;

    property_names (r, &names);
    if (json_kind (reference) != JSON_KIND_OBJECT)
        return error_set (err,
                          "reference: expected {STRUCTURE: {PROPERTY: "
                          "NUMBER}}, got %s",
                          json_kind_name (reference));
    JSON_FOREACH (reference, it) {
        const char *name = json_iter_key (it);

        if (!strvec_contains (&crystals->called, name))
            return error_set (err,
                              "reference: '%s' is none of the structures; the "
                              "first is '%s'",
                              name, crystals->called.v[0]);
        if (check_known (json_iter_value (it), &names, err) < 0)
            return error_prefix (err, "reference: %s", name);
    }
    return 0;
}

/* --- before anything runs --- */

static int check_input (const struct known_input *input, struct error *err)
{
    struct property_request r = PROPERTY_REQUEST_INIT;
    int rc = property_request_read_input (input->name, input->others, &r, err);

    property_request_release (&r);
    return rc;
}

/* Can all cells be made of the crystals as they are given? */
static int check_cells (const struct property_request *r,
                        const struct crystals *crystals, struct error *err)
{
    for (size_t i = 0; i < crystals->called.n; i++) {
        struct property_cells cells = { 0 };
        int rc = property_cells_make (r, &crystals->frames[i], &cells, err);

        property_cells_release (&cells);
        if (rc < 0)
            return error_prefix (err, "%s", crystals->called.v[i]);
    }
    return 0;
}

static int check_all (const struct json *inputs, struct crystals *crystals,
                      struct error *err)
{
    struct property_request r = PROPERTY_REQUEST_INIT;
    _cleanup_json_ struct json *reference = properties_reference (inputs, err);
    int rc = reference ? property_request_read (inputs, &r, err) : -1;

    if (rc == 0 && read_crystals (inputs, crystals, err) == 0
        && check_cells (&r, crystals, err) == 0)
        rc = check_reference (reference, crystals, &r, err);
    else
        rc = -1;
    property_request_release (&r);
    return rc;
}

/* It is always there, so it speaks for all of them, where all are known and
 * each by itself is good.
 */
static int check_together (const struct known_input *input, struct error *err)
{
    static const char *const needed[] = {
        "structures", "elements", "names",    "reference",     "curve",
        "elastic",    "vacancy",  "surfaces", "reference_file"
    };
    _cleanup_ (crystals_release) struct crystals crystals = CRYSTALS_INIT;

    if (step_check_identical (input, err) < 0)
        return -1;
    for (size_t i = 0; i < ARRAY_SIZE (needed); i++) {
        const struct known_input one = { .name = needed[i],
                                         .others = input->others };

        if (!json_get (input->others, needed[i])
            || check_input (&one, NULL) < 0)
            return 0;
    }
    return check_all (input->others, &crystals, err);
}

/* --- the step `prepare` --- */

static int write_crystal (const struct frame *frame, size_t i,
                          struct json **path, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct json *name = json_stringf ("files/%06zu.extxyz", i);
    _cleanup_free_ char *to = path_join ("out", json_as_string (name));

    extxyz_format (frame, &text);
    if (file_make_parent (to, err) < 0
        || file_write_atomic (to, text.buf, text.len, err) < 0) {
        json_unref (name);
        return -1;
    }
    *path = name;
    return 0;
}

static int write_slices (const struct crystals *crystals, size_t n_members,
                         struct error *err)
{
    static const char *const names[] = { "crystal", "structure", "member" };
    _cleanup_json_ struct json *slices = json_object ();

    for (size_t i = 0; i < ARRAY_SIZE (names); i++)
        json_set (slices, names[i], json_array ());
    for (size_t i = 0; i < crystals->called.n; i++) {
        struct json *path = NULL;

        if (write_crystal (&crystals->frames[i], i, &path, err) < 0)
            return -1;
        for (size_t k = 0; k < n_members; k++) {
            json_push (json_get (slices, names[0]),
                       json_string (crystals->called.v[i]));
            json_push (json_get (slices, names[1]), json_ref (path));
            json_push (json_get (slices, names[2]), json_int ((int64_t)k));
        }
        json_unref (path);
    }
    return step_write ("slices.json", json_ref (slices), err);
}

enum step_status lammps_properties_prepare (struct error *err)
{
    _cleanup_ (step_task_release) struct step_task task = STEP_TASK_INIT;
    _cleanup_ (crystals_release) struct crystals crystals = CRYSTALS_INIT;
    const struct json *members;

    if (step_task_read (&lammps_properties_operator, &task, err) < 0
        || explore_check_members (task.inputs, err) < 0
        || check_all (task.inputs, &crystals, err) < 0)
        return STEP_FATAL;
    members = json_get (task.inputs, "potentials");
    return write_slices (&crystals, json_count (members), err) < 0 ? STEP_FAILED
                                                                   : STEP_OK;
}

/* --- the operator --- */

static const struct type_field curve_fields[] = {
    { "range", ONE (FLOAT), true },
    { "points", ONE (INT), true },
    { 0 },
};
static const struct type_field elastic_fields[] = {
    { "strain", ONE (FLOAT), true },
    { 0 },
};
static const struct type_field vacancy_fields[] = {
    { "supercell", ONE (ANY), false },
    { "atom", ONE (INT), true },
    { 0 },
};
static const struct type_field surface_fields[] = {
    { "miller", LIST_OF (INT), false },
    { "layers", ONE (INT), false },
    { "vacuum", ONE (FLOAT), false },
    { 0 },
};
static const struct type number = ONE (FLOAT);
static const struct type numbers = MAP_OF (number);

#define CHOICE(name, type) name, type, .optional = true, .check = check_input

static const struct port inputs[] = {
    { "structures", .type = LIST_OF (PATH) },
    { "names", .type = LIST_OF (STRING), .optional = true },
    { "potentials", LIST_OF (PATH), .from = "train.potential" },
    { "elements", ONE (LIST), .from = "elements" },
    { CHOICE ("curve", MAP_WITH (curve_fields)) },
    { CHOICE ("elastic", MAP_WITH (elastic_fields)) },
    { CHOICE ("vacancy", MAP_WITH (vacancy_fields)) },
    { CHOICE ("surfaces", MAPS_WITH (surface_fields)) },
    { "reference", MAP_OF (numbers), .optional = true },
    { "reference_file", ONE (FILE), .optional = true },
    { "pair_style", ONE (STRING), .default_json = "\"kim {potential}\"",
      .check = lammps_check_pair },
    { "pair_coeff", ONE (STRING), .default_json = "\"* * {elements}\"",
      .check = lammps_check_pair_coeff },
    { "identical_members", ONE (STRING), .default_json = "\"error\"",
      .check = check_together },
    { "lammps", ONE (LIST), .default_json = "[\"lmp\"]", .program = true,
      .check = step_check_program },
    { 0 },
};

static const struct port slices[] = {
    { "crystal", .type = ONE (STRING) },
    { "structure", .type = ONE (FILE) },
    { "member", .type = ONE (INT) },
    { 0 },
};

static const struct port outputs[] = {
    { "relaxed", .type = ONE (FRAMES) },
    { "crystal", .type = ONE (STRING) },
    { "values", .type = ONE (MAP) },
    { "curve", .type = ONE (MAP) },
    { 0 },
};

#define LISTED(name)                                                           \
    {                                                                          \
        name, .type = LIST_OF (FLOAT), .optional = true                        \
    }

static const struct port collected[] = {
    { "table", .type = ONE (FILE), .path = "properties.txt" },
    { "curves", .type = ONE (FILE), .path = "curves.txt" },
    { "values", .type = ONE (MAP) },
    { "unstable", .type = LIST_OF (STRING), .optional = true },
    LISTED ("differences"),
    LISTED ("spreads"),
    { "missing", .type = ONE (INT) },
    LISTED ("energy"),
    LISTED ("volume"),
    LISTED ("e0"),
    LISTED ("v0"),
    LISTED ("b0"),
    LISTED ("b0_slope"),
    LISTED ("c11"),
    LISTED ("c12"),
    LISTED ("c44"),
    LISTED ("hill_bulk_modulus"),
    LISTED ("hill_shear_modulus"),
    LISTED ("least_eigenvalue"),
    LISTED ("vacancy"),
    { 0 },
};

static const char *const input_files[] = { "relax.in", "cells.in", NULL };

const struct operator_spec lammps_properties_operator = {
    .name = operator_name,
    .code = "lammps",
    .version = 1,
    .inputs = inputs,
    .outputs = outputs,
    .slices = slices,
    .collected = collected,
    .prepare = STEP_ARGV (operator_name, "prepare"),
    .commands =
        (const char *const *const[]){ STEP_ARGV (operator_name, "run"), NULL },
    .collect = STEP_ARGV (operator_name, "collect"),
    .writes_text = true,
    .fatal_exits = step_fatal_exits,
    .keeps_logs = true,
    .input_files = input_files,
    .version_line = "LAMMPS (",
};
