/* SPDX-License-Identifier: BSD-3-Clause */
/* keep_file.c - `keep:` and `raw:`, how long files stay that nothing needs */
#include "base/base.h"

#include "base/arena.h"
#include "campaign/compilation.h"
#include "signature/operator.h"

/* --- what the file says --- */

static int read_keep (const struct yaml_node *node, int *keep)
{
    const char *word;
    int64_t n;

    if (yaml_to_int (node, &n) == 0 && n >= 1 && n <= INT_MAX)
        *keep = (int)n;
    else if (node->kind == YAML_SCALAR && yaml_to_int (node, &n) < 0
             && field_text (node, &word) == 0 && strcmp (word, "always") == 0)
        *keep = KEEP_ALWAYS;
    else if (node->kind == YAML_SCALAR
             && strcmp (node->text, "until_used") == 0)
        *keep = KEEP_UNTIL_USED;
    else
        return field_problem (node,
                              "keep: expected always, until_used, or for how "
                              "many iterations, 1 or more");
    return 0;
}

void port_keep_read (const struct yaml_node *node, void *record)
{
    struct port *port = record;

    if (read_keep (node, &port->keep) == 0 && port->keep != KEEP_ALWAYS
        && !type_is_artifact (&port->type))
        field_problem (node,
                       "keep: '%s' is a parameter, which takes no room; remove "
                       "it",
                       port->name);
}

static const struct port *find_output (const struct stage *stage,
                                       const char *name)
{
    const struct port *port = port_find (stage->op->collected, name);

    return port ? port : port_find (stage->op->outputs, name);
}

static void complain_of_output (const struct yaml_node *key,
                                const struct stage *stage)
{
    const struct port *tables[] = { stage->op->outputs, stage->op->collected };
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;

    for (size_t i = 0; i < ARRAY_SIZE (tables); i++) {
        for (const struct port *port = tables[i]; port && port->name; port++) {
            if (type_is_artifact (&port->type))
                strvec_push (&names, port->name);
        }
    }
    field_unknown (key, key->text, &names, "keep: %s has no output file '%s'",
                   stage->op->name, key->text);
}

static void read_output (const struct yaml_node *key,
                         const struct yaml_node *node,
                         const struct stage *stage, struct output_keep *keep)
{
    const struct port *port = find_output (stage, key->text);

    keep->output = arena_strdup (field_arena (node), key->text);
    if (!port || !type_is_artifact (&port->type))
        complain_of_output (key, stage);
    else if (read_keep (node, &keep->keep) == 0 && keep->keep != KEEP_ALWAYS
             && port->publish && stage->publish)
        field_problem (node,
                       "keep: output '%s' is training data, which stay; remove "
                       "it, or add publish: false to the stage",
                       port->name);
}

static void check_raw (const struct yaml_node *node, const struct stage *stage)
{
    const struct yaml_node *raw = field_find (node, "raw");

    if (raw && stage->op && !stage->op->leaves_raw)
        field_problem (raw,
                       "raw: %s leaves no raw files, as operators that label "
                       "do; remove it, or write keep: for its outputs",
                       stage->op->name);
}

void stage_keep_read (const struct yaml_node *node, struct stage *stage)
{
    const struct yaml_node *keep = field_find (node, "keep");
    struct output_keep *table;

    check_raw (node, stage);
    if (!keep || !stage->op || field_any_mapping (keep) < 0)
        return;
    table = arena_array (field_arena (keep), keep->n + 1, sizeof (*table));
    for (size_t i = 0; i < keep->n; i++)
        read_output (keep->keys[i], keep->items[i], stage, &table[i]);
    stage->keep = table;
}

/* --- what cannot be meant --- */

static bool binds (const struct plan *plan, const struct binding *b,
                   const struct stage *stage, const char *output)
{
    for (size_t i = 0; i < b->n_parts; i++) {
        if (binds (plan, &b->parts[i], stage, output))
            return true;
    }
    return b->n_parts == 0 && b->stage >= 0 && &plan->stages[b->stage] == stage
           && strcmp (b->output, output) == 0;
}

bool plan_binds (const struct plan *plan, const struct stage *stage,
                 const char *output)
{
    for (size_t i = 0; i < plan->n_stages; i++) {
        const struct stage *user = &plan->stages[i];

        for (size_t k = 0; k < user->n_bindings; k++) {
            if (binds (plan, &user->bindings[k], stage, output))
                return true;
        }
    }
    return false;
}

/* In another phase something may bind it. */
static void check_unused (const struct compilation *c,
                          const struct yaml_node *key,
                          const struct stage *stage, const struct port *ports)
{
    for (; ports && ports->name && c->n_phases <= 1; ports++) {
        if (stage_keep (stage, ports) == KEEP_UNTIL_USED
            && !plan_binds (c->plan, stage, ports->name))
            field_warning (key,
                           "output '%s' of stage '%s' has keep: until_used, "
                           "and no stage binds it: it is kept; write keep: 1 "
                           "where it is for people to look at",
                           ports->name, stage->name);
    }
}

/* A reference to all iterations needs what keep: would remove. */
static void check_needed_for_ever (const struct compilation *c,
                                   const struct stage *user,
                                   const struct binding *b)
{
    const struct stage *stage =
        b->stage < 0 ? NULL : &c->plan->stages[b->stage];
    const struct port *port =
        stage && stage->op ? find_output (stage, b->output) : NULL;
    _cleanup_ (strbuf_release) struct strbuf keep = STRBUF_INIT;

    for (size_t i = 0; i < b->n_parts; i++)
        check_needed_for_ever (c, user, &b->parts[i]);
    if (b->source != SOURCE_ALL || !port
        || stage_keep (stage, port) == KEEP_ALWAYS)
        return;
    keep_text (stage_keep (stage, port), &keep);
    problems_warn (c->reader.problems, b->mark,
                   "stage '%s' binds %s of all iterations of stage '%s', so "
                   "keep: %s removes none of it; bind latest.%s.%s, or leave "
                   "keep out",
                   user->name, b->output, stage->name, keep.buf, stage->name,
                   b->output);
}

void keep_check (const struct compilation *c)
{
    for (size_t i = 0; i < c->plan->n_stages; i++) {
        const struct stage *stage = &c->plan->stages[i];

        for (size_t k = 0; k < stage->n_bindings; k++)
            check_needed_for_ever (c, stage, &stage->bindings[k]);
        if (!stage->op)
            continue;
        check_unused (c, c->stages->keys[i], stage, stage->op->outputs);
        check_unused (c, c->stages->keys[i], stage, stage->op->collected);
    }
}
