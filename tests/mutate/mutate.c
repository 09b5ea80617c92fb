/* SPDX-License-Identifier: BSD-3-Clause */
/* mutate.c - a good YAML file with one slip in it, hundreds of times
 *
 * usage: mutate FILE DIR
 * Writes DIR/0001.yaml, 0002.yaml, ... and prints a line for each: its name,
 * the line of the file that is to be blamed, and what the slip is.  A slip is
 * such that no campaign.yaml or site.yaml is good with it, whatever the key:
 * where a key's name is the user's own (a stage, an input, ...), or its value
 * may be anything, there is none.
 */
#include "base/base.h"

#include "base/file.h"
#include "base/problems.h"
#include "base/yaml_tree.h"

struct mutation {
    const char *dir;
    const char *text; /* of the good file */
    size_t n;         /* mutants so far */
};

/* --- where things stand in the text --- */

static size_t offset_of (const char *text, struct mark mark)
{
    const char *at = text;

    for (int line = 1; line < mark.line; line++)
        at = strchr (at, '\n') + 1;
    return (size_t)(at - text) + (size_t)mark.column - 1;
}

/* How much of the text the scalar takes; 0: it is not written as it is read (a
 * block, escapes, an alias).
 */
static size_t written_length (const char *text, const struct yaml_node *node)
{
    const char *at = text + offset_of (text, node->mark);
    size_t n = strlen (node->text);

    if (!node->quoted)
        return strncmp (at, node->text, n) == 0 ? n : 0;
    if ((*at == '"' || *at == '\'') && strncmp (at + 1, node->text, n) == 0
        && at[n + 1] == *at)
        return n + 2;
    return 0;
}

static const char *key_text (const struct yaml_node *node)
{
    return node->key ? node->key->text : "";
}

static bool is_one_of (const char *word, const char *const *words)
{
    for (; *words; words++) {
        if (strcmp (word, *words) == 0)
            return true;
    }
    return false;
}

/* Is the node, or one that it is in, the value of one of these keys? */
static bool is_below (const struct yaml_node *node, const char *const *keys)
{
    for (; node; node = node->up) {
        if (node->key && is_one_of (node->key->text, keys))
            return true;
    }
    return false;
}

/* --- one mutant --- */

static void write_mutant (struct mutation *m, size_t at, size_t length,
                          const char *instead, int line, const char *what)
{
    struct strbuf text = STRBUF_INIT, name = STRBUF_INIT;
    FILE *f;

    strbuf_add (&text, m->text, at);
    strbuf_add_str (&text, instead);
    strbuf_add_str (&text, m->text + at + length);
    strbuf_addf (&name, "%s/%04zu.yaml", m->dir, ++m->n);
    f = fopen (name.buf, "w");
    if (!f || fputs (text.buf, f) < 0 || fclose (f) != 0) {
        perror (name.buf);
        exit (1);
    }
    printf ("%04zu.yaml %d %s\n", m->n, line, what);
    strbuf_release (&text);
    strbuf_release (&name);
}

static void replace (struct mutation *m, const struct yaml_node *node,
                     const char *instead, const char *what)
{
    struct strbuf said = STRBUF_INIT;
    size_t length = written_length (m->text, node);

    strbuf_addf (&said, "%s of '%.40s'", what, node->text);
    if (length > 0)
        write_mutant (m, offset_of (m->text, node->mark), length, instead,
                      node->mark.line, said.buf);
    strbuf_release (&said);
}

/* --- slips in keys --- */

/* Below these, keys are names that a user chose. */
static const char *const own_names[] = {
    "stages",  "operators", "inputs",  "outputs",          "slices",
    "history", "profiles",  "systems", "for_each",         "env",
    "steps",   "programs",  "fields",  "pseudopotentials", "functions",
    "params",  NULL,
};

static void mutate_key (struct mutation *m, const struct yaml_node *map,
                        const struct yaml_node *key)
{
    struct strbuf wrong = STRBUF_INIT;

    if (is_one_of (key_text (map), own_names))
        return;
    strbuf_addf (&wrong, "%sq", key->text);
    replace (m, key, wrong.buf, "unknown key in place");
    strbuf_release (&wrong);
}

/* The same key once more, in the line behind it. */
static void repeat_key (struct mutation *m, const struct yaml_node *key)
{
    size_t at = offset_of (m->text, key->mark);
    const char *end = strchr (m->text + at, '\n');
    size_t line_begin = at - ((size_t)key->mark.column - 1);
    struct strbuf line = STRBUF_INIT;

    for (size_t i = line_begin; i < at; i++) {
        if (m->text[i] != ' ')
            return; /* something else stands before it */
    }
    strbuf_add (&line, m->text + line_begin, at - line_begin);
    strbuf_addf (&line, "%s: 1\n", key->text);
    if (end)
        write_mutant (m, line_begin, 0, line.buf, key->mark.line + 1,
                      "a key given twice");
    strbuf_release (&line);
}

/* --- slips in values --- */

/* Values of these may be of any kind, or are remarks. */
static const char *const any_value[] = { "default", "doc", NULL };

static void mutate_kind (struct mutation *m, const struct yaml_node *node)
{
    if (is_below (node, any_value))
        return;
    replace (m, node, "{mutant: {a: 1}}", "a mapping in place");
}

/* Here a word names a size. */
static const char *const named_sizes[] = { "shape", NULL };

static bool is_number (const char *text)
{
    char *end;

    strtod (text, &end);
    return end != text && *end == '\0';
}

/* "5m", "4GiB": a number and its unit. */
static bool has_unit (const char *text)
{
    size_t digits = strspn (text, "0123456789.");

    return digits > 0 && text[digits] && strlen (text + digits) <= 3
           && strspn (text + digits, "smhdKMGTiB") == strlen (text + digits);
}

static void mutate_number (struct mutation *m, const struct yaml_node *node)
{
    if (node->quoted || is_below (node, any_value))
        return;
    if (is_number (node->text) && !is_below (node, named_sizes))
        replace (m, node, "several", "a word in place");
    else if (has_unit (node->text))
        replace (m, node, "5parsec", "an unknown unit in place");
    else if (strcmp (node->text, "true") == 0
             || strcmp (node->text, "false") == 0)
        replace (m, node, "perhaps", "neither true nor false in place");
}

/* Two or more words joined by dots. */
static bool is_reference (const char *text)
{
    size_t n = strspn (text, "abcdefghijklmnopqrstuvwxyz0123456789_.");

    return islower ((unsigned char)*text) && text[n] == '\0'
           && strchr (text, '.') && !is_number (text);
}

static const char *const references_in[] = { "with", "inputs", NULL };

static void mutate_reference (struct mutation *m, const struct yaml_node *node)
{
    struct strbuf wrong = STRBUF_INIT;
    const char *key = key_text (node);

    if (!is_reference (node->text))
        return;
    if (strcmp (key, "uses") != 0
        && (!node->up || strcmp (key_text (node->up), "outputs") != 0)
        && (!is_below (node, references_in) || is_below (node, any_value)))
        return;
    strbuf_addf (&wrong, "%sqq", node->text);
    replace (m, node, wrong.buf, "a misspelt reference in place");
    strbuf_release (&wrong);
}

static const char *const expressions[] = { "when", "until", NULL };

static void mutate_expression (struct mutation *m, const struct yaml_node *node)
{
    struct strbuf wrong = STRBUF_INIT;

    if (!is_one_of (key_text (node), expressions)
        && !(node->up && strcmp (key_text (node->up), "history") == 0))
        return;
    strbuf_addf (&wrong, "%s and nobody > 1", node->text);
    replace (m, node, wrong.buf, "an unknown name in an expression in place");
    strbuf_reset (&wrong);
    strbuf_addf (&wrong, "(%s", node->text);
    replace (m, node, wrong.buf, "an open bracket in place");
    strbuf_release (&wrong);
}

static const char *const argvs[] = { "command", NULL };

/* {NAME} of an argv is {NAMEqq}. */
static void mutate_placeholder (struct mutation *m,
                                const struct yaml_node *node)
{
    const char *open = strchr (node->text, '{');
    const char *close = open ? strchr (open, '}') : NULL;
    struct strbuf wrong = STRBUF_INIT;

    if (!close || !islower ((unsigned char)open[1]) || !is_below (node, argvs))
        return;
    strbuf_addf (&wrong, "\"%.*sqq%s\"", (int)(close - node->text), node->text,
                 close);
    replace (m, node, wrong.buf, "an unknown placeholder in place");
    strbuf_release (&wrong);
}

/* What is no YAML at all. */
static void mutate_syntax (struct mutation *m, const struct yaml_node *node)
{
    replace (m, node, "%5", "a word that cannot begin so in place");
}

/* --- the tree --- */

static void mutate_node (struct mutation *m, const struct yaml_node *node)
{
    if (node->kind == YAML_SCALAR) {
        mutate_kind (m, node);
        mutate_number (m, node);
        mutate_reference (m, node);
        mutate_expression (m, node);
        mutate_placeholder (m, node);
        mutate_syntax (m, node);
        return;
    }
    for (size_t i = 0; i < node->n; i++) {
        if (node->keys) {
            mutate_key (m, node, node->keys[i]);
            repeat_key (m, node->keys[i]);
        }
        mutate_node (m, node->items[i]);
    }
}

int main (int argc, char **argv)
{
    struct problems problems = PROBLEMS_INIT;
    struct strbuf text = STRBUF_INIT;
    struct error err = ERROR_INIT;
    struct yaml_tree *tree;

    if (argc != 3) {
        fprintf (stderr, "usage: mutate FILE DIR\n");
        return 2;
    }
    if (file_read (argv[1], 1 << 20, &text, &err) < 0) {
        fprintf (stderr, "mutate: %s\n", err.text);
        return 1;
    }
    tree = yaml_tree_parse (text.buf, text.len, argv[1], &problems);
    if (!tree) {
        fprintf (stderr, "mutate: %s is no good YAML\n", argv[1]);
        return 1;
    }
    mutate_node (&(struct mutation){ argv[2], text.buf, 0 },
                 yaml_tree_root (tree));
    yaml_tree_destroy (tree);
    problems_release (&problems);
    strbuf_release (&text);
    return 0;
}
