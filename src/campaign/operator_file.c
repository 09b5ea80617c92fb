/* SPDX-License-Identifier: BSD-3-Clause */
/* operator_file.c - `operators:` of campaign.yaml -> struct operator_spec */
#include "base/base.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/file_glob.h"
#include "campaign/container_file.h"
#include "campaign/env_file.h"
#include "campaign/field_reader.h"
#include "campaign/group_file.h"
#include "campaign/listed_files.h"
#include "campaign/operator_file.h"
#include "campaign/placeholders.h"
#include "campaign/programs_file.h"
#include "campaign/script_check.h"
#include "campaign/script_file.h"
#include "campaign/super_operator.h"
#include "campaign/task_fields.h"
#include "campaign/type_file.h"
#include "signature/operator.h"
#include "signature/outputs.h"
#include "signature/script.h"

enum { VERSION_TEXT_BYTES = 100 };

/* What is being read of one operator. */
struct declaration {
    const struct yaml_node *key;
    const struct yaml_node *node;
    const char *name;  /* "operator 'linear.train'" */
    const char *dtype; /* of arrays that state none; NULL: any */
    size_t problems;   /* before it was read */
    struct operator_spec *op;
};

/* --- names --- */

/* "qe.label": two or more words. */
static bool operator_name_ok (const char *name)
{
    _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;
    size_t dots = 0;
    bool ok = true;

    for (const char *at = name; (at = strchr (at, '.')); at++)
        dots++;
    strvec_split (&words, name, ".");
    for (size_t i = 0; i < words.n; i++)
        ok = ok && word_is_name (words.v[i]);
    ok = ok && dots > 0 && words.n == dots + 1; /* no empty word was dropped */
    return ok;
}

static void check_name (const struct declaration *d,
                        const struct operator_spec *const *builtin)
{
    const char *name = d->op->name;

    if (!operator_name_ok (name))
        field_problem (d->key,
                       "'%s' cannot be the name of an operator; write two or "
                       "more words of a-z, 0-9, _ joined by dots: linear.train",
                       name);
    for (size_t i = 0; builtin[i]; i++) {
        if (strcmp (builtin[i]->name, name) == 0)
            field_problem (d->key,
                           "the operator '%s' is built in; choose another name",
                           name);
    }
}

static void read_code (const struct declaration *d)
{
    const struct yaml_node *node = field_find (d->node, "code");

    d->op->code = arena_strndup (field_arena (d->key), d->op->name,
                                 strcspn (d->op->name, "."));
    if (!node || field_text (node, &d->op->code) < 0)
        return;
    if (!word_is_name (d->op->code) || strlen (d->op->code) > 32)
        field_problem (node,
                       "code: '%s' cannot be the name of a directory here; use "
                       "a-z, 0-9 and _, beginning with a letter",
                       d->op->code);
}

/* --- ports --- */

static void check_fan_out (const struct yaml_node *node,
                           const struct yaml_node *inputs)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;

    port_file_names (inputs, &names);
    for (size_t i = 0; i < node->n; i++) {
        const char *word = node->items[i]->text;

        if (!strvec_contains (&names, word))
            field_unknown (node->items[i], word, &names,
                           "fan_out: '%s' is no input of the operator", word);
        for (size_t k = 0; k < i; k++) {
            if (strcmp (node->items[k]->text, word) == 0)
                field_problem (node->items[i],
                               "fan_out: '%s' is listed twice; remove one",
                               word);
        }
    }
}

static const struct port *read_ports (const struct declaration *d,
                                      const struct yaml_node *node,
                                      enum port_role role)
{
    const struct port_context context = { role, d->op->fan_out, d->dtype };

    return port_file_read (node, &context);
}

static void read_inputs (const struct declaration *d)
{
    const struct yaml_node *inputs = field_find (d->node, "inputs");
    const struct yaml_node *fan_out = field_find (d->node, "fan_out");

    if (d->op->fan_out)
        check_fan_out (fan_out, inputs);
    if (inputs)
        d->op->inputs = read_ports (d, inputs, PORT_INPUT);
}

/* --- prepare and collect --- */

/* `prepare:` or `collect:`: its ports, under 'ports_key', and its program. */
static void read_step (const struct declaration *d, const char *step,
                       const char *ports_key, enum port_role role,
                       const struct port **ports, const char *const **argv,
                       const char **script)
{
    const struct field fields[] = { FIELD_KEY (ports_key),
                                    { .key = "command", .kind = FIELD_ARGV },
                                    FIELD_KEY ("script"),
                                    FIELDS_END };
    const struct yaml_node *node = field_find (d->node, step), *field;

    if (!node || field_record (node, step, fields, argv) < 0)
        return;
    script_read_in_place (node, node, step, script);
    if (*script)
        *argv = script_argv;
    if ((field = field_find (node, ports_key)))
        *ports = read_ports (d, field, role);
    else
        field_problem (node, "%s declares no %s; add %s: {NAME: {type: ...}}",
                       step, ports_key, ports_key);
}

static void check_slices (const struct declaration *d)
{
    const struct yaml_node *inputs = field_find (d->node, "inputs");
    const struct yaml_node *slices =
        field_find (field_find (d->node, "prepare"), "slices");

    for (size_t i = 0; slices && slices->keys && i < slices->n; i++) {
        if (yaml_get (inputs, slices->keys[i]->text))
            field_problem (slices->keys[i],
                           "slices: '%s' is an input already; choose another "
                           "name",
                           slices->keys[i]->text);
    }
}

static bool has_arrays (const struct port *ports)
{
    while (ports && ports->name && ports->type.kind != TYPE_NPY)
        ports++;
    return ports && ports->name;
}

/* `dtype:` stands for some port that is an array. */
static void check_dtype (const struct declaration *d,
                         const struct yaml_node *node)
{
    const struct operator_spec *op = d->op;

    if (field_problems (node) == d->problems && !has_arrays (op->inputs)
        && !has_arrays (op->outputs) && !has_arrays (op->slices)
        && !has_arrays (op->collected))
        field_problem (node,
                       "dtype: %s has no input or output of the type npy; "
                       "remove it",
                       d->name);
}

/* --- what a task does --- */

static void read_command_body (const struct declaration *d,
                               const struct yaml_node *node)
{
    const struct yaml_node *report = field_find (d->node, "report");

    (void)node;
    if (!report || !d->op->commands)
        return;
    d->op->group = group_file_report (report, d->op->commands, NULL);
    d->op->commands = group_commands;
}

/* A script with a report is a group of one program, too. */
static void read_script_body (const struct declaration *d,
                              const struct yaml_node *node)
{
    const struct yaml_node *report = field_find (d->node, "report");

    if (script_read (node, &d->op->script) < 0)
        return;
    d->op->commands = script_commands;
    if (!report)
        return;
    d->op->group = group_file_report (report, script_commands, d->op->script);
    d->op->commands = group_commands;
    d->op->script = NULL;
}

static void read_group_body (const struct declaration *d,
                             const struct yaml_node *node)
{
    const struct yaml_node *report = field_find (d->node, "report");

    if (report)
        field_problem (report,
                       "report: %s is a group, which has its own; "
                       "write it below group",
                       d->name);
    if (field_find (d->node, "task"))
        group_file_check_task (field_find (d->node, "task"));
    d->op->group = group_file_read (node);
    d->op->commands = group_commands;
}

/* It tells by messages how far it is. */
static void read_worker_body (const struct declaration *d,
                              const struct yaml_node *node)
{
    const struct yaml_node *report = field_find (d->node, "report");

    if (report)
        field_problem (report,
                       "report: %s is a worker, which reports by messages "
                       "(fanfold-worker(7)); remove it",
                       d->name);
    if (node->n > 0 && node->items[0]->kind == YAML_SEQUENCE)
        field_problem (node, "worker: it is one command that is given many "
                             "tasks; write [program, argument, ...]");
    d->op->worker = true;
}

static void read_steps_body (const struct declaration *d,
                             const struct yaml_node *node)
{
    (void)node;
    super_operator_read (d->node, d->op);
}

/* An operator has exactly one. */
static const struct body {
    const char *key, *example;
    void (*read) (const struct declaration *d, const struct yaml_node *node);
} bodies[] = {
    { "command", "[program, argument, ...]", read_command_body },
    { "script", "LINES", read_script_body },
    { "group", "{programs: {NAME: {command: [...]}}}", read_group_body },
    { "worker", "[program, argument, ...]", read_worker_body },
    { "steps", "{NAME: {uses: OPERATOR}}", read_steps_body },
};

static void complain_no_body (const struct declaration *d)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    for (size_t i = 0; i < ARRAY_SIZE (bodies); i++)
        strbuf_addf (&text, "%s%s: %s", i > 0 ? " or " : "", bodies[i].key,
                     bodies[i].example);
    field_problem (d->key, "%s does not say what a task does; add %s", d->name,
                   text.buf);
}

static void read_body (const struct declaration *d)
{
    const struct body *first = NULL;

    for (size_t i = 0; i < ARRAY_SIZE (bodies); i++) {
        const struct yaml_node *node = field_find (d->node, bodies[i].key);

        if (node && first)
            field_problem (node,
                           "%s has two bodies, %s and %s; a task does one of "
                           "them: remove the other",
                           d->name, first->key, bodies[i].key);
        else if (node)
            bodies[i].read (d, node);
        first = node && !first ? &bodies[i] : first;
    }
    if (!first)
        complain_no_body (d);
}

static void read_fatal_exits (const struct yaml_node *node, void *member)
{
    static const struct field exit_status = {
        .kind = FIELD_COUNT, .size = sizeof (int), .least = 1, .most = 255
    };
    int *exits;

    if (field_list (node) < 0)
        return;
    exits = arena_array (field_arena (node), node->n + 1, sizeof (*exits));
    for (size_t i = 0; i < node->n; i++)
        field_value (node->items[i], &exit_status, &exits[i]);
    *(const int **)member = exits;
}

static void read_patterns (const struct yaml_node *node, const char *key,
                           void *member)
{
    if (field_strings (node, member) < 0)
        return;
    for (size_t i = 0; i < node->n; i++) {
        if (!path_is_inside (node->items[i]->text))
            field_problem (node->items[i],
                           "%s: '%s' is no pattern of files in the task's "
                           "working directory; write it relative to that, "
                           "without . and ..",
                           key, node->items[i]->text);
    }
}

static void read_checkpoint (const struct yaml_node *node, void *member)
{
    read_patterns (node, "checkpoint", member);
}

static void read_input_files (const struct yaml_node *node, void *member)
{
    read_patterns (node, "input_files", member);
}

static void read_logs (const struct yaml_node *node, void *member)
{
    const char *text;

    if (field_text (node, &text) < 0)
        return;
    if (strcmp (text, "keep") != 0)
        field_problem (node,
                       "logs: expected keep, which puts what a task printed "
                       "beside its results; got '%s'",
                       text);
    *(bool *)member = true;
}

/* Without output artifacts a task has no place where anything could lie. */
static void check_beside (const struct declaration *d)
{
    static const char *const keys[] = { "logs", "input_files" };

    for (size_t i = 0; i < ARRAY_SIZE (keys); i++) {
        const struct yaml_node *node = field_find (d->node, keys[i]);

        if (node && !d->op->steps && !outputs_have_artifacts (d->op->outputs))
            field_problem (
                node,
                "%s: tasks without output artifacts leave no "
                "directory; remove it, `fanfold log` shows what they "
                "print",
                keys[i]);
    }
}

/* Blanks before it count nothing. */
static void read_version_line (const struct yaml_node *node, void *member)
{
    const char *text;

    if (field_text (node, &text) < 0)
        return;
    if (*text == ' ' || strlen (text) > VERSION_TEXT_BYTES)
        field_problem (node,
                       "version_line: write the beginning of the line in which "
                       "the code tells its version, without the blanks before "
                       "it, at most %d bytes: \"LAMMPS (\"",
                       VERSION_TEXT_BYTES);
    *(const char **)member = text;
}

static void read_versions (const struct yaml_node *node, void *member)
{
    if (field_strings (node, member) < 0)
        return;
    if (node->n == 0)
        field_problem (node, "versions: lists none; remove it");
    for (size_t i = 0; i < node->n; i++) {
        if (!*node->items[i]->text
            || strlen (node->items[i]->text) > VERSION_TEXT_BYTES)
            field_problem (node->items[i],
                           "versions: write text of the line in which the code "
                           "tells its version, 1 to %d bytes",
                           VERSION_TEXT_BYTES);
    }
}

/* What a worker prints when it starts is in the log of its first task. */
static void check_version_line (const struct declaration *d)
{
    const struct yaml_node *node = field_find (d->node, "version_line");
    const struct yaml_node *versions = field_find (d->node, "versions");

    if (versions && !node)
        field_problem (versions,
                       "versions: it is not said in which line the code tells "
                       "its version; add version_line: TEXT");
    if (node && d->op->worker)
        field_problem (node,
                       "version_line: %s is a worker, which prints it once and "
                       "not for each task; remove it",
                       d->name);
}

/* Results, and what Fanfold notes, are below it. */
static void check_not_campaign (const struct yaml_node *item, const char *dir)
{
    _cleanup_free_ char *joined = path_join (dir, item->text);
    _cleanup_free_ char *path = path_absolute (joined);
    _cleanup_free_ char *campaign = path_absolute (dir);

    if (path_is_at_or_below (campaign, path))
        field_problem (item,
                       "files: '%s' holds the campaign with its results; name "
                       "the files that the programs read: \"*.py\", lib",
                       item->text);
}

static void check_listed (const struct yaml_node *item, const char *dir)
{
    _cleanup_ (strvec_release) struct strvec found = STRVEC_INIT;
    struct error err = ERROR_INIT;
    size_t before = field_problems (item);
    _cleanup_free_ char *path = path_join (dir, item->text);

    check_not_campaign (item, dir);
    if (field_problems (item) > before)
        ;
    else if (!path_is_pattern (item->text) && !file_exists (path))
        field_problem (item,
                       "files: '%s' is not there; write the path of a file "
                       "or directory as seen from the campaign's directory",
                       item->text);
    else if (listed_files (dir, item->text, &found, &err) < 0)
        field_problem (item, "files: %s", err.text);
}

/* What the operator's work is in besides the files that its commands name. */
static void read_files (const struct yaml_node *node, void *member)
{
    const struct field_reader *reader = field_reader_of (node);

    if (field_strings (node, member) < 0)
        return;
    for (size_t i = 0; i < node->n && !reader->recorded; i++)
        check_listed (node->items[i], reader->dir);
}

static void read_reads (const struct yaml_node *node, void *member)
{
    static const char *const words[] = { "seed", "task", "iteration", NULL };
    _cleanup_ (strvec_release) struct strvec known = STRVEC_INIT;

    if (field_strings (node, member) < 0)
        return;
    strvec_push_all (&known, (char *const *)words);
    for (size_t i = 0; i < node->n; i++) {
        const char *word = node->items[i]->text;

        if (!words_contain (words, word))
            field_unknown (node->items[i], word, &known,
                           "reads: '%s' is not told by task.json", word);
    }
}

static void read_reuse (const struct yaml_node *node, void *member)
{
    static const struct field reuse = { .kind = FIELD_BOOL,
                                        .size = sizeof (bool) };
    bool reused = true;

    field_value (node, &reuse, &reused);
    *(bool *)member = !reused;
}

/* --- one operator --- */

static void read_fields (struct declaration *d)
{
    static const struct field fields[] = {
        FIELD_BY_RECORD ("doc", field_remark),
        FIELD_AS (struct operator_spec, needs, "task", KEY_ONLY,
                  .read = task_needs_read),
        FIELD_AS (struct operator_spec, commands, "command", ARGVS),
        FIELD_AS (struct operator_spec, commands, "worker", ARGVS),
        FIELD_BY (struct operator_spec, reads, read_reads),
        FIELD_BY (struct operator_spec, fatal_exits, read_fatal_exits),
        FIELD (struct operator_spec, fan_out, STRINGS),
        FIELD (struct operator_spec, version, COUNT, .least = 1,
               .most = INT_MAX),
        FIELD_BY (struct operator_spec, checkpoint, read_checkpoint),
        FIELD_BY (struct operator_spec, files, read_files),
        FIELD_BY (struct operator_spec, input_files, read_input_files),
        { .key = "logs",
          .read = read_logs,
          .offset = offsetof (struct operator_spec, keeps_logs) },
        FIELD (struct operator_spec, programs, TEXT),
        { .key = "reuse",
          .read = read_reuse,
          .offset = offsetof (struct operator_spec, not_reused) },
        FIELD_BY (struct operator_spec, version_line, read_version_line),
        FIELD_BY (struct operator_spec, versions, read_versions),
        FIELD_KEY ("code"),
        FIELD_KEY ("dtype"),
        FIELD_BY (struct operator_spec, image, image_read),
        FIELD_BY (struct operator_spec, env, env_read_operator),
        FIELD_KEY ("group"),
        FIELD_KEY ("script"),
        FIELD_KEY ("steps"),
        FIELD_KEY ("report"),
        FIELD_KEY ("inputs"),
        FIELD_KEY ("outputs"),
        FIELD_KEY ("prepare"),
        FIELD_KEY ("collect"),
        FIELDS_END,
    };
    const struct yaml_node *outputs = field_find (d->node, "outputs");
    const struct yaml_node *dtype = field_find (d->node, "dtype");

    if (field_record (d->node, d->name, fields, d->op) < 0)
        return;
    read_code (d);
    if (dtype)
        type_file_read_dtype (dtype, &d->dtype);
    read_inputs (d);
    if (outputs && !field_find (d->node, "steps"))
        d->op->outputs = read_ports (d, outputs, PORT_OUTPUT);
    read_body (d);
    read_step (d, "prepare", "slices", PORT_SLICE, &d->op->slices,
               &d->op->prepare, &d->op->prepare_script);
    read_step (d, "collect", "outputs", PORT_COLLECTED, &d->op->collected,
               &d->op->collect, &d->op->collect_script);
    check_slices (d);
    check_beside (d);
    check_version_line (d);
    if (dtype)
        check_dtype (d, dtype);
}

/* NULL when it has any problem. */
static const struct operator_spec *read_operator (
    const struct yaml_node *key, const struct yaml_node *node,
    const struct operator_spec *const *builtin)
{
    size_t before = field_problems (node);
    struct declaration d = {
        .key = key,
        .node = node,
        .name = arena_printf (field_arena (node), "operator '%s'", key->text),
        .problems = before,
        .op = arena_alloc (field_arena (node), sizeof (*d.op)),
    };

    d.op->name = arena_strdup (field_arena (node), key->text);
    check_name (&d, builtin);
    read_fields (&d);
    /* Placeholders are looked up in ports: only those of good ones say
     * anything.
     */
    if (field_problems (node) == before && !d.op->steps) {
        placeholders_check (node, d.op);
        scripts_check (node, d.op);
    }
    if (field_problems (node) == before && d.op->programs)
        programs_read (field_find (node, "programs"), d.op);
    return field_problems (node) == before ? d.op : NULL;
}

/* --- all of them --- */

void operator_file_read (const struct yaml_node *node,
                         const struct operator_spec *const *builtin,
                         struct operator_set *set)
{
    *set = (struct operator_set){ .builtin = builtin };
    if (!node || field_any_mapping (node) < 0)
        return;
    set->node = node;
    set->own = arena_array (field_arena (node), node->n, sizeof (*set->own));
    for (size_t i = 0; i < node->n; i++)
        set->own[i] = read_operator (node->keys[i], node->items[i], builtin);
}

const struct operator_spec *operator_set_find (const struct operator_set *set,
                                               const char *name, bool *broken)
{
    *broken = false;
    for (size_t i = 0; set->builtin[i]; i++) {
        if (strcmp (set->builtin[i]->name, name) == 0)
            return set->builtin[i];
    }
    for (size_t i = 0; set->node && i < set->node->n; i++) {
        if (strcmp (set->node->keys[i]->text, name) == 0) {
            *broken = !set->own[i];
            return set->own[i];
        }
    }
    return NULL;
}

void operator_set_complain (const struct operator_set *set,
                            const struct yaml_node *node)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    _cleanup_ (strbuf_release) struct strbuf list = STRBUF_INIT;

    for (size_t i = 0; set->node && i < set->node->n; i++)
        strvec_push (&names, set->node->keys[i]->text);
    for (size_t i = 0; set->builtin[i]; i++)
        strvec_push (&names, set->builtin[i]->name);
    strvec_list (&names, &list);
    if (nearest_word (node->text, &names))
        field_unknown (node, node->text, &names, "unknown operator '%s'",
                       node->text);
    else
        field_problem (node,
                       "unknown operator '%s'; declare it in operators: "
                       "(`fanfold new --operator FILE:FUNCTION` prints that of "
                       "a Python function), or use %s",
                       node->text, list.buf);
}

const struct yaml_node *operator_set_from (const struct operator_set *set,
                                           const char *name, const char *port)
{
    const struct yaml_node *op = field_find (set->node, name);

    return field_find (port_file_find (field_find (op, "inputs"), port),
                       "from");
}
