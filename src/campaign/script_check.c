/* SPDX-License-Identifier: BSD-3-Clause */
/* script_check.c - do the scripts of a declared operator read what there is? */
#include "base/base.h"

#include "base/problems.h"
#include "campaign/field_reader.h"
#include "campaign/placeholders.h"
#include "campaign/programs_check.h"
#include "campaign/script_check.h"
#include "campaign/shell_text.h"
#include "signature/group.h"
#include "signature/operator.h"
#include "signature/script.h"

struct checking {
    const struct operator_spec *op;
    const struct yaml_node *node; /* of the text */
    char *name;                   /* "script of operator 'x'" */
    struct strvec placeholders;
    struct strvec variables; /* of each placeholder, in the same order */
    struct strvec more;      /* those of files, and optional ones */
    struct shell_text text;
};

/* --- variables that there are --- */

static void add_optional (struct checking *c, const struct port *ports)
{
    for (; ports && ports->name; ports++) {
        _cleanup_ (strbuf_release) struct strbuf name = STRBUF_INIT;

        script_variable (ports->name, &name);
        if (ports->optional)
            strvec_push (&c->more, name.buf);
        strbuf_reset (&name);
        script_list_variable (ports->name, &name);
        if (type_is_list (&ports->type))
            strvec_push (&c->more, name.buf);
    }
}

static void add_variables (struct checking *c, enum program_place place)
{
    placeholders_at (c->op, place, &c->placeholders);
    for (size_t i = 0; i < c->placeholders.n; i++) {
        _cleanup_ (strbuf_release) struct strbuf name = STRBUF_INIT;

        script_variable (c->placeholders.v[i], &name);
        strvec_push (&c->variables, name.buf);
    }
    add_optional (c, c->op->inputs);
    if (place != AT_PREPARE && place != AT_COLLECT)
        add_optional (c, c->op->slices);
}

/* Two placeholders, or one and a file of another, with one variable. */
static void check_same (const struct checking *c)
{
    for (size_t i = 0; i < c->variables.n; i++) {
        const char *name = c->variables.v[i];
        size_t other = words_index (c->variables.v, i, name);

        if (other < i)
            field_problem (
                c->node, "%s: '%s' and '%s' would both be $%s; rename one",
                c->name, c->placeholders.v[other], c->placeholders.v[i], name);
        else if (strvec_contains (&c->more, name))
            field_problem (c->node,
                           "%s: $%s would be '%s' and something of another "
                           "input; rename one of them",
                           c->name, name, c->placeholders.v[i]);
    }
    for (const char *const *entry = c->op->env; entry && *entry; entry++) {
        size_t len = strcspn (*entry, "=");
        _cleanup_free_ char *name = xstrndup (*entry, len);

        if (strvec_contains (&c->variables, name)
            || strvec_contains (&c->more, name))
            field_problem (c->node,
                           "%s: $%s is an input or the like, and env: sets it, "
                           "too; rename one",
                           c->name, name);
    }
}

/* --- what the text says --- */

/* Where a word of the text is, if that can be told. */
static struct mark mark_of (const struct checking *c,
                            const struct shell_word *word)
{
    struct mark mark = c->node->mark;

    if (c->node->indent > 0) {
        mark.line += 1 + word->line;
        mark.column = 1 + c->node->indent + word->column;
    }
    return mark;
}

static void add_warning (const struct checking *c,
                         const struct shell_word *word, const char *text)
{
    problems_warn (field_reader_of (c->node)->problems, mark_of (c, word),
                   "%s: %s", c->name, text);
}

/* Names in capitals are those of the environment, by custom. */
static bool has_small_letter (const char *name)
{
    for (; *name; name++) {
        if (*name >= 'a' && *name <= 'z')
            return true;
    }
    return false;
}

static bool is_in_env (const struct operator_spec *op, const char *name)
{
    size_t len = strlen (name);

    for (const char *const *entry = op->env; entry && *entry; entry++) {
        if (strncmp (*entry, name, len) == 0 && (*entry)[len] == '=')
            return true;
    }
    return false;
}

static bool is_known (const struct checking *c, const char *name)
{
    size_t len = strlen (name);

    return strvec_contains (&c->variables, name)
           || strvec_contains (&c->more, name)
           || strvec_contains (&c->text.set, name) || is_in_env (c->op, name)
           || !has_small_letter (name)
           || (len > 6 && strcmp (name + len - 6, "_proxy") == 0);
}

static void warn_unknown (const struct checking *c,
                          const struct shell_word *word)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    const char *near;
    _cleanup_free_ char *text = NULL;

    strvec_push_all (&names, c->variables.v);
    strvec_push_all (&names, c->more.v);
    strvec_push_all (&names, c->text.set.v);
    near = nearest_word (word->name, &names);
    text = near ? xasprintf ("$%s is neither an input nor set here; did you "
                             "mean $%s?",
                             word->name, near)
                : xasprintf ("$%s is neither an input nor set here; declare "
                             "it under inputs:, or write ${%s:-}",
                             word->name, word->name);
    add_warning (c, word, text);
}

static bool is_optional (const struct checking *c, const char *name)
{
    const struct port *port = port_find (c->op->inputs, name);

    return port && port->optional && !strvec_contains (&c->text.set, name);
}

static void check_reads (const struct checking *c)
{
    _cleanup_ (strvec_release) struct strvec told = STRVEC_INIT;

    for (size_t i = 0; i < c->text.reads.n; i++) {
        const struct shell_word *word = &c->text.reads.v[i];

        if (strvec_contains (&told, word->name))
            continue;
        strvec_push (&told, word->name);
        if (!is_known (c, word->name)) {
            warn_unknown (c, word);
        } else if (is_optional (c, word->name)) {
            _cleanup_free_ char *text =
                xasprintf ("$%s is optional and may be absent; write ${%s:-}",
                           word->name, word->name);

            add_warning (c, word, text);
        }
    }
}

static void check_braces (const struct checking *c)
{
    for (size_t i = 0; i < c->text.braces.n; i++) {
        const struct shell_word *word = &c->text.braces.v[i];
        size_t n = c->placeholders.n;
        size_t at = words_index (c->placeholders.v, n, word->name);
        char *text;

        if (at == n)
            continue;
        text = xasprintf ("'{%s}' is text in a script; write \"$%s\"",
                          word->name, c->variables.v[at]);
        add_warning (c, word, text);
        free (text);
    }
}

/* --- all of them --- */

/* 'whose' is "", or what of the operator the script is of. */
static void check_script (const struct operator_spec *op,
                          const struct yaml_node *node,
                          enum program_place place, const char *whose)
{
    struct checking c = { .op = op,
                          .node = node,
                          .placeholders = STRVEC_INIT,
                          .variables = STRVEC_INIT,
                          .more = STRVEC_INIT,
                          .text = SHELL_TEXT_INIT };

    if (!node)
        return;
    c.name = xasprintf ("script of %soperator '%s'", whose, op->name);
    add_variables (&c, place);
    check_same (&c);
    if (script_is_shell (node->text) && shell_text_read (&c.text, node->text)) {
        check_reads (&c);
        check_braces (&c);
    }
    if (script_is_shell (node->text) && place != AT_PREPARE
        && place != AT_COLLECT)
        script_check_failures (node);
    shell_text_release (&c.text);
    strvec_release (&c.more);
    strvec_release (&c.variables);
    strvec_release (&c.placeholders);
    free (c.name);
}

void scripts_check (const struct yaml_node *node,
                    const struct operator_spec *op)
{
    const struct yaml_node *programs =
        field_find (field_find (node, "group"), "programs");

    check_script (op, field_find (node, "script"),
                  op->group ? AT_INSTANCE : AT_COMMAND, "");
    check_script (op, field_find (field_find (node, "prepare"), "script"),
                  AT_PREPARE, "prepare of ");
    check_script (op, field_find (field_find (node, "collect"), "script"),
                  AT_COLLECT, "collect of ");
    for (size_t i = 0; programs && i < programs->n; i++) {
        _cleanup_free_ char *whose =
            xasprintf ("program '%s' of ", programs->keys[i]->text);

        check_script (op, field_find (programs->items[i], "script"),
                      AT_INSTANCE, whose);
    }
}
