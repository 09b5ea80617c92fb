/* SPDX-License-Identifier: BSD-3-Clause */
/* test_operators_table.c - the built-in operators keep the rules operators of
 * a campaign.yaml are held to
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "fixture.h"
#include "operators/table.h"
#include "signature/group.h"
#include "signature/operator.h"
#include "signature/section.h"
#include "signature/template.h"
#include "signature/value.h"

/* --- ports --- */

/* A word, or one of an input in a section: "pick.quota". */
static void check_name (const char *name, bool input)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    size_t len = strspn (name, letters);

    assert_in_range (name[0], 'a', 'z');
    if (input && name[len] == '.') {
        assert_in_range (name[len + 1], 'a', 'z');
        len += 1 + strspn (name + len + 1, letters);
    }
    assert_int_equal (len, strlen (name));
}

/* All pages that describe operators, one behind the other. */
static void read_manual (struct strbuf *text)
{
    static const char *const pages[] = {
        "operators", "label", "train", "explore", "select",
    };

    for (size_t i = 0; i < ARRAY_SIZE (pages); i++) {
        _cleanup_free_ char *path =
            xasprintf ("../../doc/fanfold-%s.7", pages[i]);
        struct strbuf page = STRBUF_INIT;

        fixture_read (path, &page);
        strbuf_add_str (text, page.buf);
        strbuf_release (&page);
    }
}

/* The manual tells of everything that has a name. */
static void check_manual (const char *name)
{
    struct strbuf manual = STRBUF_INIT;
    size_t len = strlen (name);
    bool told = false;

    read_manual (&manual);
    for (const char *at = manual.buf; (at = strstr (at, name)); at++)
        told = told
               || (strspn (at + len, " \n") > 0
                   && (strncmp (at - 3, "Ic ", 3) == 0
                       || strncmp (at - 3, "Va ", 3) == 0));
    if (!told)
        fail_msg ("no page of operators has %s", name);
    strbuf_release (&manual);
}

static void check_default (const struct port *port)
{
    struct error err = ERROR_INIT;
    struct json *value;

    if (!port->default_json)
        return;
    value = json_parse (port->default_json, strlen (port->default_json),
                        port->name, &err);
    if (!value
        || value_check (&port->type, value, VALUE_SHAPE, ".", NULL, &err) < 0)
        fail_msg ("%s: %s", port->name, err.text);
    json_unref (value);
}

static void check_ports (const struct port *ports, bool inputs)
{
    for (const struct port *port = ports; port && port->name; port++) {
        check_name (port->name, inputs);
        check_manual (port->name);
        check_default (port);
        assert_int_not_equal (port->type.kind, TYPE_NONE);
        assert_ptr_equal (port_find (ports, port->name), port);
        if (inputs)
            assert_null (port->path);
        else
            assert_true (!port->default_json && !port->from && !port->holes);
    }
}

/* --- programs --- */

static bool is_known (const struct operator_spec *op, const char *name)
{
    static const char *const always[] = {
        "seed",         "task",     "iteration",      "campaign",
        "fanfold",      "cores",    "ranks",          "gpus",
        "memory_bytes", "launcher", "cores_per_rank", "outputs.params"
    };

    for (size_t i = 0; i < ARRAY_SIZE (always); i++) {
        if (strcmp (name, always[i]) == 0)
            return true;
    }
    if (strncmp (name, "outputs.", 8) == 0)
        return port_find (op->outputs, name + 8)
               || port_find (op->collected, name + 8);
    return port_find (op->inputs, name) || port_find (op->slices, name);
}

static int check_placeholder (const char *name, void *arg, struct error *err)
{
    return is_known (arg, name) ? 0 : error_set (err, "{%s}", name);
}

/* Placeholders are known, and so are the steps of our own program. */
static void check_argv (const struct operator_spec *op, const char *const *argv)
{
    struct error err = ERROR_INIT;

    assert_non_null (argv[0]);
    for (const char *const *word = argv; *word; word++) {
        if (template_scan (*word, check_placeholder, (void *)op, &err) < 0)
            fail_msg ("%s: %s", op->name, err.text);
    }
    if (strcmp (argv[0], "{fanfold}") != 0)
        return;
    assert_string_equal (argv[1], "operator");
    assert_string_equal (argv[2], op->name);
    assert_true (operator_has_step (op->name, argv[3]));
    assert_null (argv[4]);
    assert_int_equal (op->fatal_exits[0], STEP_FATAL);
}

/* A task that has a report is a group of one program. */
static void check_group (const struct operator_spec *op)
{
    assert_string_equal (op->commands[0][1], "group");
    assert_null (op->commands[1]);
    assert_true (group_is_command (op->group));
    check_argv (op, op->group->report.command);
    assert_true (op->group->report.every_s >= 0.1);
    for (size_t i = 0; op->group->programs[0].commands[i]; i++)
        check_argv (op, op->group->programs[0].commands[i]);
}

static void check_operator (const struct operator_spec *op)
{
    assert_non_null (op->code);
    check_ports (op->inputs, true);
    check_ports (op->slices, true);
    check_ports (op->outputs, false);
    check_ports (op->collected, false);
    assert_non_null (op->commands);
    if (op->group)
        check_group (op);
    for (size_t i = 0; !op->group && op->commands[i]; i++)
        check_argv (op, op->commands[i]);
    assert_true (op->prepare || !op->slices); /* one may only check */
    assert_true (!op->collect == !op->collected);
    if (op->prepare)
        check_argv (op, op->prepare);
    if (op->collect)
        check_argv (op, op->collect);
    for (size_t i = 0; op->fan_out && op->fan_out[i]; i++)
        assert_non_null (port_find (op->inputs, op->fan_out[i]));
}

/* Results of another release are known as such. */
static void check_version (const struct operator_spec *op)
{
    print_message ("# %s\n", op->name);
    assert_true (op->version >= 1);
}

/* They are the operator by another table. */
static void check_variants (const struct operator_spec *op)
{
    const struct operator_variant *variant = op->variants;

    assert_true (!variant == !op->chosen_by);
    for (; variant && variant->value; variant++) {
        assert_string_equal (variant->op->name, op->name);
        assert_non_null (port_find (variant->op->inputs, op->chosen_by));
        assert_ptr_equal (operator_variant_for (op, variant->value),
                          variant->op);
        check_version (variant->op);
        check_operator (variant->op);
    }
    assert_ptr_equal (operator_variant_for (op, "none of them"), op);
    assert_ptr_equal (operator_variant_for (op, NULL), op);
}

static void test_operators (void **state)
{
    const struct operator_spec *const *all = builtin_operators ();

    (void)state;
    assert_non_null (all[0]);
    for (size_t i = 0; all[i]; i++) {
        check_version (all[i]);
        if (i > 0)
            assert_true (strcmp (all[i - 1]->name, all[i]->name) < 0);
        check_operator (all[i]);
        check_variants (all[i]);
    }
}

static void test_steps (void **state)
{
    (void)state;
    assert_true (operator_has_step ("qe.label", "run"));
    assert_true (operator_has_step ("qe.label", "collect"));
    assert_false (operator_has_step ("qe.label", "prepare"));
    assert_false (operator_has_step ("qe", "run"));
    assert_true (operator_has_step ("lammps.explore", "prepare"));
}

static const struct operator_spec *find (const char *name)
{
    const struct operator_spec *const *op = builtin_operators ();

    while (*op && strcmp ((*op)->name, name) != 0)
        op++;
    assert_non_null (*op);
    return *op;
}

/* What one operator makes by default is what the next one takes. */
static const struct {
    const char *from;
    const char *output;
    const char *to;
    const char *input;
} wires[] = {
    { "lammps.explore", "trajectory", "model_devi.select", "trajectories" },
    { "lammps.explore", "forces", "model_devi.select", "forces" },
    { "lammps.explore", "frames_expected", "model_devi.select",
      "frames_expected" },
    { "lammps.explore", "system", "model_devi.select", "system" },
    { "model_devi.select", "frames", "qe.label", "frames" },
};

static void test_they_fit_together (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (wires); i++) {
        const struct port *port =
            port_find (find (wires[i].to)->inputs, wires[i].input);
        struct type type;

        assert_true (operator_output_type (find (wires[i].from),
                                           wires[i].output, &type));
        assert_non_null (port->from);
        assert_non_null (strstr (port->from, wires[i].output));
        assert_true (type_accepts (&port->type, &type));
    }
}

/* --- what inputs are called elsewhere --- */

/* "systems: {NAME: FILE}", "pick: {quota: N}". */
static bool leads_to_input (const struct operator_spec *op, const char *ours)
{
    char name[40], key[40];
    int n = sscanf (ours, "%39[a-z_]: {%39[a-z_]", name, key);

    return n >= 1
           && (port_find (op->inputs, name)
               || (n == 2 && section_input (op->inputs, name, key)));
}

/* Each leads to an input, and is none itself. */
static void test_other_names (void **state)
{
    const struct operator_spec *const *op = builtin_operators ();
    size_t n = 0;

    (void)state;
    for (; *op; op++) {
        const struct other_name *other = (*op)->other_names;

        for (; other && other->theirs; other++, n++) {
            assert_null (port_find ((*op)->inputs, other->theirs));
            assert_false (section_exists ((*op)->inputs, other->theirs));
            if (!leads_to_input (*op, other->ours)
                && !strstr (other->ours, "of the campaign"))
                fail_msg ("%s: '%s'", other->theirs, other->ours);
        }
    }
    assert_true (n > 0);
}

/* --- the manual --- */

/* Where the section of 'op' is. */
static const char *find_section (const char *manual, const char *name,
                                 const char **end)
{
    char *heading = xasprintf ("\n.Sh %s\n", name);
    const char *at = strstr (manual, heading);

    if (!at)
        fail_msg ("the manual has no section %s", name);
    at += strlen (heading);
    *end = strstr (at, "\n.Sh ");
    assert_non_null (*end);
    free (heading);
    return at;
}

/* Inputs are ".It Ic NAME", outputs ".It Va NAME , Va NAME" at a line's start,
 * what prepare makes ".Va NAME" in the text.
 */
static void check_described (const char *section, const char *end,
                             const struct port *ports, const char *macro)
{
    for (const struct port *port = ports; port && port->name; port++) {
        char *mention = xasprintf ("%s %s", macro, port->name);
        size_t len = strlen (mention);
        const char *at = section;

        do {
            at = memmem (at, (size_t)(end - at), mention, len);
            if (!at)
                fail_msg ("the manual lacks '%s'", mention);
            at += len;
        } while (*at != ' ' && *at != '\n');
        free (mention);
    }
}

static void check_section (const char *manual, const struct operator_spec *op)
{
    const char *end;
    const char *section = find_section (manual, op->name, &end);

    check_described (section, end, op->inputs, ".It Ic");
    check_described (section, end, op->slices, "Va");
    check_described (section, end, op->outputs, "Va");
    check_described (section, end, op->collected, "Va");
}

static void test_manual (void **state)
{
    const struct operator_spec *const *op = builtin_operators ();
    struct strbuf manual = STRBUF_INIT;

    (void)state;
    read_manual (&manual);
    for (; *op; op++) {
        const struct operator_variant *variant = (*op)->variants;

        check_section (manual.buf, *op);
        for (; variant && variant->value; variant++)
            check_section (manual.buf, variant->op);
    }
    strbuf_release (&manual);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_operators),
        cmocka_unit_test (test_steps),
        cmocka_unit_test (test_they_fit_together),
        cmocka_unit_test (test_other_names),
        cmocka_unit_test (test_manual),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
