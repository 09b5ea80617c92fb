/* SPDX-License-Identifier: BSD-3-Clause */
/* task_fields.c - `task:` of a stage or an operator, `retry:` of a stage */
#include "base/base.h"

#include "campaign/field_reader.h"
#include "campaign/task_fields.h"
#include "signature/resources.h"

enum { TRIES_MAX = 1000 };

/* A factor is applied at every retry: more is a slip. */
static const double factor_max = 100;

/* --- task: --- */

/* "1/3", or as a decimal: how many share what each has this part of; -1 when it
 * is no part.
 */
static int read_share (const struct yaml_node *node)
{
    const char *text = node->kind == YAML_SCALAR ? node->text : "";
    double part;
    char *end;
    long n;

    if (yaml_to_double (node, &part) == 0)
        return share_of_part (part);
    if (strncmp (text, "1/", 2) != 0 || !isdigit ((unsigned char)text[2]))
        return -1;
    n = strtol (text + 2, &end, 10);
    return *end == '\0' && n >= 1 && n <= SHARE_MAX ? (int)n : -1;
}

/* A number of GPUs, or the part of one that a task has. */
static void read_gpus (const struct yaml_node *node, void *needs)
{
    struct resources *read = needs;
    int64_t n;

    if (yaml_to_int (node, &n) == 0 && n >= 0 && n <= NEED_COUNT_MAX) {
        read->gpus = (int)n;
        read->gpu_share = 0;
    } else if (read_share (node) > 0) {
        read->gpus = 1;
        read->gpu_share = read_share (node);
    } else {
        field_problem (node,
                       "%s: expected a number of GPUs, got '%s'; write a whole "
                       "one, or 1/N (N up to %d) such as 0.5 where N tasks "
                       "share a GPU",
                       yaml_name (node),
                       node->text ? node->text : yaml_kind_name (node),
                       SHARE_MAX);
    }
}

static const struct field cores_field =
    FIELD (struct resources, cores, COUNT, .least = 1, .most = NEED_COUNT_MAX);

static void read_cores (const struct yaml_node *node, void *needs)
{
    struct resources *read = needs;

    if (read_share (node) > 1)
        field_problem (node,
                       "cores: got '%s'; a task has one core or more.  "
                       "Programs of a group: can share one (cores: 1/N of "
                       "each)",
                       node->text);
    else
        field_value (node, &cores_field, &read->cores);
}

/* Of an instance of a program: the part of a core, too. */
static void read_cores_or_part (const struct yaml_node *node, void *needs)
{
    struct resources *read = needs;
    int64_t n;

    if (yaml_to_int (node, &n) == 0 && n > 0) {
        field_value (node, &cores_field, &read->cores);
    } else if (read_share (node) > 1) {
        read->cores = 1;
        read->core_share = read_share (node);
    } else {
        field_problem (node,
                       "cores: got '%s'; a program has whole cores, or 1/N (N "
                       "up to %d) such as 0.5 where N instances share a core",
                       node->text ? node->text : yaml_kind_name (node),
                       SHARE_MAX);
    }
}

/* SIZE, `auto`, or {auto: SIZE} of as long as nothing was learned: into the
 * member of 'field'; *is_auto says which.  `auto` alone leaves the member.
 */
static void read_auto (const struct yaml_node *node, const struct field *field,
                       void *needs, bool *is_auto)
{
    const struct field first[] = {
        { .key = "auto",
          .kind = field->kind,
          .offset = field->offset,
          .size = field->size },
        FIELDS_END,
    };

    *is_auto =
        node->kind == YAML_MAPPING
        || (node->kind == YAML_SCALAR && strcmp (node->text, "auto") == 0);
    if (node->kind == YAML_MAPPING)
        field_record (node, yaml_name (node), first, needs);
    else if (!*is_auto)
        field_value (node, field, (char *)needs + field->offset);
}

static void read_memory (const struct yaml_node *node, void *needs)
{
    static const struct field memory =
        FIELD_AS (struct resources, memory_bytes, "memory", BYTES);
    struct resources *read = needs;

    read_auto (node, &memory, needs, &read->memory_auto);
}

static void read_walltime (const struct yaml_node *node, void *needs)
{
    static const struct field walltime =
        FIELD_AS (struct resources, walltime_s, "walltime", DURATION);
    struct resources *read = needs;

    read_auto (node, &walltime, needs, &read->walltime_auto);
}

static void read_needs (const struct yaml_node *node, struct resources *needs,
                        void (*cores_by) (const struct yaml_node *, void *))
{
    const struct field fields[] = {
        FIELD (struct resources, nodes, COUNT, .least = 1,
               .most = NEED_COUNT_MAX),
        FIELD (struct resources, ranks, COUNT, .least = 1,
               .most = NEED_COUNT_MAX),
        FIELD_BY_RECORD ("cores", cores_by),
        FIELD_BY_RECORD ("gpus", read_gpus),
        FIELD_BY_RECORD ("memory", read_memory),
        FIELD_BY_RECORD ("walltime", read_walltime),
        FIELDS_END,
    };
    const struct resources before = *needs;
    int64_t cores;

    if (field_record (node, yaml_name (node), fields, needs) < 0
        || field_find (node, "cores") || !field_find (node, "ranks"))
        return;
    /* Ranks alone were given: the cores follow. */
    cores = before.ranks > 0 ? before.cores / before.ranks : before.cores;
    cores *= needs->ranks;
    needs->cores = cores < NEED_COUNT_MAX ? (int)cores : NEED_COUNT_MAX;
}

void task_needs_read (const struct yaml_node *node, void *needs)
{
    read_needs (node, needs, read_cores);
}

void program_needs_read (const struct yaml_node *node, struct resources *needs)
{
    read_needs (node, needs, read_cores_or_part);
    if (needs->core_share > 1 && (needs->ranks > 1 || needs->gpus > 0))
        field_problem (field_find (node, "cores"),
                       "cores: ranks and programs with GPUs have cores of "
                       "their own; write cores: %d, or leave %s out",
                       needs->ranks > 1 ? needs->ranks : 1,
                       needs->ranks > 1 ? "ranks" : "gpus");
}

void task_needs_complete (struct resources *needs)
{
    if (needs->nodes == 0)
        needs->nodes = 1;
    if (needs->ranks == 0)
        needs->ranks = needs->nodes;
    if (needs->cores == 0)
        needs->cores = needs->ranks;
}

/* --- retry: --- */

void retry_rules_default (struct retry_rule rules[OUTCOME_COUNT])
{
    for (int i = 0; i < OUTCOME_COUNT; i++)
        rules[i] = (struct retry_rule){ 1, 1, 1, false };
    rules[OUTCOME_FAILED].tries = 2;
    rules[OUTCOME_BAD_OUTPUT].tries = 2;
    rules[OUTCOME_TIMEOUT] = (struct retry_rule){ 3, 2, 1, false };
    rules[OUTCOME_OUT_OF_MEMORY] = (struct retry_rule){ 3, 1, 1.5, false };
    rules[OUTCOME_NODE_FAILURE] = (struct retry_rule){ 5, 1, 1, true };
    rules[OUTCOME_PREEMPTED].tries = 10;
    rules[OUTCOME_LOST].tries = 5;
}

/* "x1.5" */
static void read_factor (const struct yaml_node *node, void *factor)
{
    char *end = NULL;
    double v = 0;

    if (node->kind == YAML_SCALAR && node->text[0] == 'x'
        && node->text[1 + strspn (node->text + 1, "0123456789.")] == '\0')
        v = strtod (node->text + 1, &end);
    if (end && *end == '\0' && v >= 1 && v <= factor_max)
        *(double *)factor = v;
    else
        field_problem (
            node,
            "%s: no factor from x1 to x100; write x2 to double it at "
            "every retry",
            yaml_name (node));
}

static void read_rule (const struct yaml_node *node, const char *name,
                       struct retry_rule *rule)
{
    static const struct field fields[] = {
        FIELD (struct retry_rule, tries, COUNT, .least = 1, .most = TRIES_MAX),
        FIELD_AS (struct retry_rule, walltime_factor, "walltime", KEY_ONLY,
                  .read = read_factor),
        FIELD_AS (struct retry_rule, memory_factor, "memory", KEY_ONLY,
                  .read = read_factor),
        FIELD (struct retry_rule, exclude_node, BOOL),
        FIELDS_END,
    };

    if (node->kind == YAML_MAPPING)
        field_record (node, name, fields, rule);
    else
        field_value (node, fields, &rule->tries);
}

void retry_rules_read (const struct yaml_node *node, void *rules)
{
    struct retry_rule *of = rules;
    _cleanup_ (strvec_release) struct strvec outcomes = STRVEC_INIT;

    if (node->kind == YAML_SCALAR && node->text[0]) {
        field_problem (node,
                       "%s: got '%s'; say which outcome is tried how often: "
                       "{failed: 3}",
                       yaml_name (node), node->text);
        return;
    }
    if (field_any_mapping (node) < 0)
        return;
    for (int i = OUTCOME_FAILED; i < OUTCOME_COUNT; i++)
        strvec_push (&outcomes, outcome_name ((enum outcome)i));
    for (size_t i = 0; i < node->n; i++) {
        const char *word = node->keys[i]->text;

        if (!strvec_contains (&outcomes, word))
            field_unknown (node->keys[i], word, &outcomes,
                           "unknown outcome '%s' in %s", word,
                           yaml_name (node));
        else if (!yaml_is_null (node->items[i]))
            read_rule (node->items[i], word, &of[outcome_from_name (word)]);
    }
}
