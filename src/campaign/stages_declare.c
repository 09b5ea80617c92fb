/* SPDX-License-Identifier: BSD-3-Clause */
/* stages_declare.c - what a stage says of itself */
#include "config.h"

#include <string.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "base/units.h"
#include "campaign/compilation.h"
#include "campaign/task_fields.h"
#include "space/layout.h"

/* A campaign has a handful; the bound keeps the table of who waits for whom
 * small whatever the file says.
 */
enum { STAGES_MAX = 256 };

/* One stage being read. */
struct declaration {
    struct compilation *c;
    const struct yaml_node *key;
    const struct yaml_node *node;
    const char *name; /* "stage 'train'" */
    struct stage *stage;
};

static void check_name (const struct declaration *d)
{
    static const char *const words[] = { "previous", "all", "latest", "data",
                                         NULL };
    const char *name = d->stage->name;

    if (!layout_stage_name_ok (name) || words_contain (words, name))
        field_problem (d->key,
                       "'%s' cannot be the name of a stage; use at most 32 of "
                       "a-z, 0-9 and _, beginning with a letter, and not "
                       "dataset, config, data, previous, all or latest",
                       name);
}

static void read_uses (const struct declaration *d)
{
    const struct yaml_node *node = field_find (d->node, "uses");
    struct strvec names = STRVEC_INIT;
    const char *word;
    bool broken;

    if (!node) {
        field_problem (d->key,
                       "%s does not say what it does; add uses: OPERATOR",
                       d->name);
        return;
    }
    if (field_text (node, &word) < 0)
        return;
    d->stage->op = operator_set_find (&d->c->operators, word, &broken);
    if (d->stage->op || broken)
        return;
    operator_set_names (&d->c->operators, &names);
    field_unknown (node, word, &names, "unknown operator '%s'", word);
    strvec_release (&names);
}

/* --- profile --- */

static void unknown_profile (const struct declaration *d,
                             const struct yaml_node *node,
                             const char *word)
{
    struct strvec names = STRVEC_INIT;

    for (size_t i = 0; i < d->c->site.n; i++)
        strvec_push (&names, d->c->site.profiles[i].name);
    field_unknown (node, word, &names, "unknown profile '%s'", word);
    strvec_release (&names);
}

static void read_profile (const struct declaration *d)
{
    const struct yaml_node *node = field_find (d->node, "profile");
    const struct site *site = &d->c->site;
    const char *word = site->default_profile;

    if (node && field_text (node, &word) < 0)
        return;
    if (site->broken)
        return;
    if (word)
        d->stage->profile = site_profile_find (site, word);
    else if (site->n == 1)
        d->stage->profile = &site->profiles[0];
    if (d->stage->profile)
        return;
    if (node)
        unknown_profile (d, node, word);
    else
        field_problem (d->key,
                       "%s names no profile and the site has several; add "
                       "profile: NAME, or default_profile: NAME to the site "
                       "file",
                       d->name);
}

/* --- resources --- */

/* Where `task:` says 'key', or where the stage begins. */
static const struct yaml_node *need_of (const struct declaration *d,
                                        const char *key)
{
    const struct yaml_node *node =
        field_find (field_find (d->node, "task"), key);

    return node ? node : d->key;
}

/* What is compared with a node is a node's share. */
static const char *on_each (const struct declaration *d)
{
    return d->stage->needs.nodes > 1 ? " on each of its nodes" : "";
}

static void check_count (const struct declaration *d,
                         const char *what,
                         int needed,
                         int there)
{
    if (needed > there)
        field_problem (need_of (d, what),
                       "a task of %s needs %d %s%s and a node of profile '%s' "
                       "has %d; ask for less or choose another profile",
                       d->name, needed, what, on_each (d),
                       d->stage->profile->name, there);
}

static void check_memory (const struct declaration *d)
{
    int64_t there = d->stage->profile->node.memory_bytes;
    int64_t needs = resources_of_node (&d->stage->needs).memory_bytes;
    struct strbuf needed = STRBUF_INIT, has = STRBUF_INIT;

    if (there == 0 || needs <= there)
        return;
    format_bytes (needs, &needed);
    format_bytes (there, &has);
    field_problem (
        need_of (d, "memory"),
        "a task of %s needs %s of memory%s and a node of profile '%s' "
        "has %s; ask for less or choose another profile",
        d->name, needed.buf, on_each (d), d->stage->profile->name, has.buf);
    strbuf_release (&has);
    strbuf_release (&needed);
}

static void check_walltime (const struct declaration *d)
{
    double most_s = d->stage->profile->limits.walltime_s;
    struct strbuf needed = STRBUF_INIT, most = STRBUF_INIT;

    if (most_s == 0 || d->stage->needs.walltime_s <= most_s)
        return;
    format_duration (d->stage->needs.walltime_s, &needed);
    format_duration (most_s, &most);
    field_problem (need_of (d, "walltime"),
                   "a task of %s needs %s and profile '%s' allows %s; ask for "
                   "less or choose another profile",
                   d->name, needed.buf, d->stage->profile->name, most.buf);
    strbuf_release (&most);
    strbuf_release (&needed);
}

/* Does a task fit a node?  A node of 0 cores is measured later. */
static void check_room (const struct declaration *d)
{
    const struct profile *profile = d->stage->profile;
    const struct resources *needs = &d->stage->needs;
    const struct resources share = resources_of_node (needs);

    if (profile->node.cores > 0) {
        check_count (d, "cores", share.cores, profile->node.cores);
        check_count (d, "gpus", share.gpus, profile->node.gpus);
    }
    if (needs->nodes > 1 && profile_runs_here (profile))
        field_problem (
            need_of (d, "nodes"),
            "a task of %s needs %d nodes and the jobs of profile '%s' "
            "run on this machine; choose another profile",
            d->name, needs->nodes, profile->name);
    check_memory (d);
    check_walltime (d);
    if (needs->ranks > 1 && !profile->launcher)
        field_problem (
            need_of (d, "ranks"),
            "a task of %s has %d ranks and profile '%s' no launcher; "
            "add launcher: [srun, -n, \"{ranks}\"] or the like to "
            "the profile",
            d->name, needs->ranks, profile->name);
}

static void read_needs (const struct declaration *d)
{
    const struct yaml_node *node = field_find (d->node, "task");
    struct resources *needs = &d->stage->needs;
    size_t before = field_problems (d->key);

    if (d->stage->op)
        *needs = d->stage->op->needs;
    if (node)
        task_needs_read (node, needs);
    task_needs_complete (needs);
    if (field_problems (d->key) > before)
        return;
    if (needs->cores % needs->ranks != 0)
        field_problem (need_of (d, "cores"),
                       "%s: %d cores cannot be shared evenly by %d ranks; make "
                       "cores a multiple of ranks",
                       d->name, needs->cores, needs->ranks);
    else if (needs->ranks % needs->nodes != 0)
        field_problem (need_of (d, "nodes"),
                       "%s: %d ranks cannot be shared evenly by %d nodes; make "
                       "ranks a multiple of nodes",
                       d->name, needs->ranks, needs->nodes);
    else if (d->stage->profile)
        check_room (d);
}

/* --- the stage --- */

static void read_stage (const struct declaration *d)
{
    static const struct field fields[] = {
        FIELD (struct stage, success, FRACTION),
        FIELD (struct stage, publish, BOOL),
        FIELD_BY (struct stage, retry, retry_rules_read),
        FIELD_KEY ("uses"),
        FIELD_KEY ("profile"),
        FIELD_KEY ("when"),
        FIELD_KEY ("task"),
        FIELD_KEY ("with"),
        FIELDS_END,
    };

    check_name (d);
    if (field_record (d->node, d->name, fields, d->stage) < 0)
        return;
    read_uses (d);
    read_profile (d);
    read_needs (d);
}

static bool has_published (const struct port *ports)
{
    for (; ports && ports->name; ports++) {
        if (ports->publish)
            return true;
    }
    return false;
}

static bool publishes (const struct stage *stage)
{
    return stage->publish && stage->op
           && (has_published (stage->op->collected)
               || has_published (stage->op->outputs));
}

/* dataset/<format>/iter/<iter> is one stage's, and DeePMD's format numbers the
 * elements.
 */
static void check_publishers (struct compilation *c)
{
    const struct stage *first = NULL;

    for (size_t i = 0; i < c->plan->n_stages; i++) {
        const struct stage *stage = &c->plan->stages[i];

        if (!publishes (stage))
            continue;
        if (first)
            field_problem (c->stages->keys[i],
                           "stages '%s' and '%s' both publish to dataset/; add "
                           "publish: false to one of them",
                           first->name, stage->name);
        else if (c->plan->n_elements == 0)
            field_problem (
                c->stages->keys[i],
                "stage '%s' makes training data and the campaign "
                "names no elements; add elements: [Si], in the order "
                "of their types",
                stage->name);
        if (!first)
            first = stage;
    }
}

void stages_declare (struct compilation *c)
{
    const struct yaml_node *node = c->stages;
    struct plan *plan = c->plan;

    if (node->n == 0 || node->n > STAGES_MAX) {
        field_problem (node, "there are %zu stages; write 1 to %d of them",
                       node->n, STAGES_MAX);
        return;
    }
    plan->stages =
        arena_array (c->reader.arena, node->n, sizeof (*plan->stages));
    plan->n_stages = node->n;
    for (size_t i = 0; i < node->n; i++) {
        const struct declaration d = {
            .c = c,
            .key = node->keys[i],
            .node = node->items[i],
            .name = arena_printf (c->reader.arena, "stage '%s'",
                                  node->keys[i]->text),
            .stage = &plan->stages[i],
        };

        d.stage->name = arena_strdup (c->reader.arena, node->keys[i]->text);
        d.stage->success = 1;
        d.stage->publish = true;
        retry_rules_default (d.stage->retry);
        read_stage (&d);
    }
    check_publishers (c);
}
