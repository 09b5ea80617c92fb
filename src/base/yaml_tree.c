/* SPDX-License-Identifier: BSD-3-Clause */
/* yaml_tree.c - libyaml's events -> a tree of marked nodes */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <yaml.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/yaml_tree.h"

enum {
    DEPTH_MAX = 64, /* nobody writes this by hand; readers may recurse */
    FILE_BYTES_MAX = 16 << 20,
};

struct yaml_tree {
    struct arena *arena;
    const char *file;
    struct yaml_node *root;
    const void *lent;
};

/* A container whose end is still to come. */
struct level {
    struct yaml_node *node;
    struct yaml_node **children; /* a mapping's keys and values in turn */
    size_t n;
    size_t alloc;
};

struct reader {
    struct yaml_tree *tree;
    struct problems *problems;
    const char *text;
    size_t len;
    struct level levels[DEPTH_MAX];
    int depth;
    int documents;
};

static struct mark mark_of (const struct reader *reader, yaml_mark_t mark)
{
    return (struct mark){ reader->tree->file, (int)mark.line + 1,
                          (int)mark.column + 1 };
}

/* --- duplicate keys --- */

static void find_duplicates (struct reader *reader,
                             const struct yaml_node *node)
{
    struct json *lines = json_object (); /* {KEY: line} */

    for (size_t i = 0; i < node->n; i++) {
        const struct yaml_node *key = node->keys[i];
        const struct json *first;

        if (!key->text)
            continue;
        first = json_get (lines, key->text);
        if (first)
            problems_add (
                reader->problems, key->mark,
                "key '%.60s' was given before, in line %d; remove one",
                key->text, (int)json_as_int (first));
        else
            json_set (lines, key->text, json_int (key->mark.line));
    }
    json_unref (lines);
}

/* --- building --- */

static struct yaml_node *new_node (struct reader *reader, enum yaml_kind kind,
                                   yaml_mark_t mark)
{
    struct yaml_node *node =
        arena_alloc (reader->tree->arena, sizeof (struct yaml_node));

    node->kind = kind;
    node->mark = mark_of (reader, mark);
    node->tree = reader->tree;
    return node;
}

static void check_key (struct reader *reader, const struct yaml_node *node)
{
    if (node->kind != YAML_SCALAR)
        problems_add (reader->problems, node->mark,
                      "%s cannot be a key; write 'key: value' with a plain key",
                      yaml_kind_name (node));
    else if (!node->quoted && strcmp (node->text, "<<") == 0)
        problems_add (reader->problems, node->mark,
                      "merge keys ('<<') are not read; write the keys out");
    else if (!node->quoted && node->text[0] == '\0')
        problems_add (reader->problems, node->mark,
                      "there is no key before ':'; write 'key: value'");
}

/* Put 'node' where it belongs: the document's root or the open container. */
static void attach (struct reader *reader, struct yaml_node *node)
{
    struct level *level;

    if (reader->depth == 0) {
        reader->tree->root = node;
        return;
    }
    level = &reader->levels[reader->depth - 1];
    node->up = level->node;
    if (level->node->kind == YAML_MAPPING && level->n % 2 == 0)
        check_key (reader, node);
    level->children = grow_array (level->children, level->n, &level->alloc,
                                  sizeof (struct yaml_node *));
    level->children[level->n++] = node;
}

static int begin (struct reader *reader, enum yaml_kind kind, yaml_mark_t mark)
{
    struct yaml_node *node = new_node (reader, kind, mark);

    attach (reader, node);
    if (reader->depth == DEPTH_MAX)
        return problems_add (reader->problems, node->mark,
                             "nested deeper than %d; use fewer levels",
                             (int)DEPTH_MAX);
    reader->levels[reader->depth].node = node;
    reader->levels[reader->depth].n = 0;
    reader->depth++;
    return 0;
}

static void end_mapping (struct reader *reader, const struct level *level)
{
    struct yaml_node *node = level->node;

    node->n = level->n / 2;
    node->keys = arena_array (reader->tree->arena, node->n, sizeof (node));
    node->items = arena_array (reader->tree->arena, node->n, sizeof (node));
    for (size_t i = 0; i < node->n; i++) {
        node->keys[i] = level->children[2 * i];
        node->items[i] = level->children[2 * i + 1];
        node->items[i]->key = node->keys[i];
    }
    find_duplicates (reader, node);
}

static void end (struct reader *reader)
{
    const struct level *level = &reader->levels[--reader->depth];
    struct yaml_node *node = level->node;

    if (node->kind == YAML_MAPPING) {
        end_mapping (reader, level);
        return;
    }
    node->n = level->n;
    node->items = arena_array (reader->tree->arena, node->n, sizeof (node));
    if (node->n > 0)
        memcpy (node->items, level->children, node->n * sizeof (node));
}

static void add_scalar (struct reader *reader, const yaml_event_t *event)
{
    struct yaml_node *node = new_node (reader, YAML_SCALAR, event->start_mark);
    const char *text = (const char *)event->data.scalar.value;

    node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    node->text = arena_strdup (reader->tree->arena, text);
    if (strlen (text) != event->data.scalar.length)
        problems_add (reader->problems, node->mark,
                      "text contains a NUL character; remove the \\0");
    attach (reader, node);
}

/* Something stands for the alias so that keys and values keep taking turns. */
static void add_alias (struct reader *reader, const yaml_event_t *event)
{
    struct yaml_node *node = new_node (reader, YAML_SCALAR, event->start_mark);

    node->text = "*";
    problems_add (reader->problems, node->mark,
                  "aliases ('*%.60s') are not read; write the value out",
                  (const char *)event->data.alias.anchor);
    attach (reader, node);
}

static void refuse_properties (struct reader *reader, yaml_mark_t mark,
                               const yaml_char_t *anchor,
                               const yaml_char_t *tag)
{
    if (anchor)
        problems_add (reader->problems, mark_of (reader, mark),
                      "anchors ('&%.60s') are not read; remove it",
                      (const char *)anchor);
    if (tag)
        problems_add (reader->problems, mark_of (reader, mark),
                      "tags ('%.60s') are not read; remove it",
                      (const char *)tag);
}

/* -1: do not go on. */
static int take_event (struct reader *reader, const yaml_event_t *event)
{
    yaml_mark_t mark = event->start_mark;

    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (++reader->documents > 1)
            return problems_add (
                reader->problems, mark_of (reader, mark),
                "a second document begins; keep one in a file");
        return 0;
    case YAML_ALIAS_EVENT:
        add_alias (reader, event);
        return 0;
    case YAML_SCALAR_EVENT:
        refuse_properties (reader, mark, event->data.scalar.anchor,
                           event->data.scalar.tag);
        add_scalar (reader, event);
        return 0;
    case YAML_SEQUENCE_START_EVENT:
        refuse_properties (reader, mark, event->data.sequence_start.anchor,
                           event->data.sequence_start.tag);
        return begin (reader, YAML_SEQUENCE, mark);
    case YAML_MAPPING_START_EVENT:
        refuse_properties (reader, mark, event->data.mapping_start.anchor,
                           event->data.mapping_start.tag);
        return begin (reader, YAML_MAPPING, mark);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        end (reader);
        return 0;
    default:
        return 0;
    }
}

/* --- syntax errors --- */

static const struct {
    const char *problem;
    const char *remedy;
} remedies[] = {
    { "mapping values are not allowed in this context",
      "quote text that contains ': ', or check the indentation" },
    { "did not find expected key",
      "indent the line like the others of its mapping" },
    { "did not find expected '-' indicator",
      "indent the line like the others of its list" },
    { "could not find expected ':'",
      "write 'key: value' with a space after the colon" },
    { "did not find expected ',' or ']'", "close the list with ']'" },
    { "did not find expected ',' or '}'", "close the mapping with '}'" },
    { "found unexpected end of stream", "close the quotes" },
    { "found character that cannot start any token", "put the text in quotes" },
};

static const char *find_remedy (const char *problem)
{
    for (size_t i = 0; i < ARRAY_SIZE (remedies); i++) {
        if (strcmp (problem, remedies[i].problem) == 0)
            return remedies[i].remedy;
    }
    return "check the indentation, the colons and the quotes";
}

static void complain_of_bytes (struct reader *reader,
                               const yaml_parser_t *parser)
{
    struct mark mark = { reader->tree->file, 1, 1 };

    for (size_t i = 0; i < parser->problem_offset && i < reader->len; i++) {
        mark.column = reader->text[i] == '\n' ? 1 : mark.column + 1;
        mark.line += reader->text[i] == '\n';
    }
    problems_add (reader->problems, mark, "%s; save the file as UTF-8 text",
                  parser->problem);
}

static void complain_of_syntax (struct reader *reader,
                                const yaml_parser_t *parser)
{
    struct mark mark = mark_of (reader, parser->problem_mark);
    size_t at = parser->problem_mark.index;
    struct strbuf text = STRBUF_INIT;

    /* The index counts characters, so with text beyond ASCII this guess may
     * miss a tab; then libyaml's own words have to do.
     */
    if (at < reader->len && reader->text[at] == '\t') {
        problems_add (reader->problems, mark,
                      "a tab where YAML wants spaces; replace it");
        return;
    }
    strbuf_add_str (&text, parser->problem);
    if (parser->context) {
        strbuf_addf (&text, " %s", parser->context);
        if (parser->context_mark.line != parser->problem_mark.line)
            strbuf_addf (&text, " that begins in line %zu",
                         parser->context_mark.line + 1);
    }
    problems_add (reader->problems, mark, "%s; %s", text.buf,
                  find_remedy (parser->problem));
    strbuf_release (&text);
}

static void complain_of_parser (struct reader *reader,
                                const yaml_parser_t *parser)
{
    if (parser->error == YAML_MEMORY_ERROR)
        alloc_failed (reader->len);
    if (parser->error == YAML_READER_ERROR)
        complain_of_bytes (reader, parser);
    else
        complain_of_syntax (reader, parser);
}

/* --- reading --- */

static void read_events (struct reader *reader, yaml_parser_t *parser)
{
    bool more = true;

    while (more) {
        yaml_event_t event;

        if (!yaml_parser_parse (parser, &event)) {
            complain_of_parser (reader, parser);
            return;
        }
        more = take_event (reader, &event) == 0
               && event.type != YAML_STREAM_END_EVENT;
        yaml_event_delete (&event);
    }
}

struct yaml_tree *yaml_tree_parse (const char *text, size_t len,
                                   const char *file, struct problems *problems)
{
    struct problems found = PROBLEMS_INIT;
    struct yaml_tree *tree = xcalloc (1, sizeof (*tree));
    struct reader reader = { .tree = tree, .text = text, .len = len };
    yaml_parser_t parser;
    size_t before;

    reader.problems = problems ? problems : &found;
    before = reader.problems->n;
    tree->arena = arena_create ();
    tree->file = arena_strdup (tree->arena, file);
    if (!yaml_parser_initialize (&parser))
        alloc_failed (sizeof (parser));
    yaml_parser_set_encoding (&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string (&parser, (const unsigned char *)text, len);
    read_events (&reader, &parser);
    yaml_parser_delete (&parser);
    for (int i = 0; i < DEPTH_MAX; i++)
        free (reader.levels[i].children);
    if (reader.problems->n > before) {
        yaml_tree_destroy (tree);
        tree = NULL;
    }
    problems_release (&found);
    return tree;
}

/* What to do about a file that cannot be read. */
static const char *reading_remedy (const char *path, const struct error *err)
{
    struct stat st;

    if (stat (path, &st) < 0 && (errno == ENOENT || errno == ENOTDIR))
        return "correct its name";
    if (error_is_machine_error (err) && err->number != EACCES)
        return "fix that, then try again";
    if (stat (path, &st) < 0)
        return "correct its name";
    if (!S_ISREG (st.st_mode))
        return "put a file of YAML text there";
    if (st.st_size > FILE_BYTES_MAX)
        return "name another file; this one is no campaign and no site";
    return "make it readable: chmod u+r";
}

struct yaml_tree *yaml_tree_read (const char *path, const char *shown_as,
                                  struct problems *problems)
{
    struct strbuf text = STRBUF_INIT;
    struct yaml_tree *tree = NULL;
    struct error err = ERROR_INIT;

    if (file_read (path, FILE_BYTES_MAX, &text, &err) < 0)
        problems_add (problems, (struct mark){ shown_as, 0, 0 }, "%s; %s",
                      err.text, reading_remedy (path, &err));
    else
        tree = yaml_tree_parse (text.buf, text.len, shown_as, problems);
    strbuf_release (&text);
    return tree;
}

void yaml_tree_destroy (struct yaml_tree *tree)
{
    if (!tree)
        return;
    arena_destroy (tree->arena);
    free (tree);
}

/* "---" alone is a document with nothing in it. */
const struct yaml_node *yaml_tree_root (const struct yaml_tree *tree)
{
    const struct yaml_node *root = tree->root;

    if (root && root->kind == YAML_SCALAR && !root->quoted
        && root->text[0] == '\0')
        return NULL;
    return root;
}

void yaml_tree_lend (struct yaml_tree *tree, const void *lent)
{
    tree->lent = lent;
}

const void *yaml_lent (const struct yaml_node *node)
{
    return node->tree->lent;
}
