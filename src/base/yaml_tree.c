/* SPDX-License-Identifier: BSD-3-Clause */
/* yaml_tree.c - libyaml's events -> a tree of marked nodes */
#include "base/base.h"

#include <sys/stat.h>
#include <yaml.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/json.h"
#include "base/yaml_alias.h"
#include "base/yaml_quote.h"
#include "base/yaml_tree.h"

enum {
    DEPTH_MAX = 64, /* this is not written by hand; readers may recurse */
    FILE_BYTES_MAX = 16 << 20,
};

struct yaml_tree {
    struct arena *arena;
    const char *file;
    struct yaml_node *root;
    const void *lent;
};

struct reader {
    struct yaml_tree *tree;
    struct problems *problems;
    const char *text;
    size_t len;
    yaml_parser_t parser;
    struct yaml_anchors anchors;
    int depth;
    yaml_mark_t quote, quote_end; /* of the last text in quotes */
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

static void complain_of_bytes (struct reader *reader)
{
    const yaml_parser_t *parser = &reader->parser;
    struct mark mark = { reader->tree->file, 1, 1 };

    for (size_t i = 0; i < parser->problem_offset && i < reader->len; i++) {
        mark.column = reader->text[i] == '\n' ? 1 : mark.column + 1;
        mark.line += reader->text[i] == '\n';
    }
    problems_add (reader->problems, mark, "%s; save the file as UTF-8 text",
                  parser->problem);
}

/* Lines that are longer are not worth showing. */
enum { SHOWN_LINE_MAX = 160 };

/* Append what to do about the syntax: the line as it should be, where quotes
 * are all that it lacks.
 */
static void add_remedy (const struct reader *reader, struct strbuf *text)
{
    const yaml_parser_t *parser = &reader->parser;
    bool flow = parser->context && strstr (parser->context, "flow");
    const char *line = reader->text, *end = reader->text + reader->len, *next;
    size_t len;

    for (size_t n = parser->problem_mark.line; n > 0 && line; n--) {
        next = memchr (line, '\n', (size_t)(end - line));
        line = next ? next + 1 : NULL;
    }
    next = line ? memchr (line, '\n', (size_t)(end - line)) : NULL;
    len = line ? (size_t)((next ? next : end) - line) : 0;
    flow = flow && parser->context_mark.line < parser->problem_mark.line;
    strbuf_add_str (text, "; write ");
    if (len == 0 || len > SHOWN_LINE_MAX
        || !yaml_quote_line (line, len, flow, text)) {
        strbuf_truncate (text, text->len - strlen ("write "));
        strbuf_add_str (text, find_remedy (parser->problem));
    }
}

/* A quote that is not closed takes what follows with it, up to the next one:
 * the line where it was opened is the wrong one.  False: there is none.
 */
static bool complain_of_quote (struct reader *reader)
{
    const yaml_parser_t *parser = &reader->parser;
    bool open = parser->context && strstr (parser->context, "quoted scalar")
                && strstr (parser->problem, "end of stream");
    bool late = reader->quote.line < reader->quote_end.line
                && reader->quote_end.line == parser->problem_mark.line;

    if (open)
        problems_add (reader->problems, mark_of (reader, parser->context_mark),
                      "the quotes that open here are not closed; close them "
                      "where the text ends");
    else if (late)
        problems_add (reader->problems, mark_of (reader, reader->quote),
                      "the quotes that open here are closed in line %zu, and "
                      "what follows there is not YAML; close them where the "
                      "text ends",
                      reader->quote_end.line + 1);
    return open || late;
}

static void complain_of_syntax (struct reader *reader)
{
    const yaml_parser_t *parser = &reader->parser;
    struct mark mark = mark_of (reader, parser->problem_mark);
    size_t at = parser->problem_mark.index;
    struct strbuf text = STRBUF_INIT;

    /* The index counts characters, so with text beyond ASCII this guess may
     * miss a tab; then libyaml's own words have to do.
     */
    if (at < reader->len && reader->text[at] == '\t') {
        problems_add (reader->problems, mark,
                      "a tab where YAML takes spaces; replace it");
        return;
    }
    if (complain_of_quote (reader))
        return;
    strbuf_add_str (&text, parser->problem);
    if (parser->context) {
        strbuf_addf (&text, " %s", parser->context);
        if (parser->context_mark.line != parser->problem_mark.line)
            strbuf_addf (&text, " that begins in line %zu",
                         parser->context_mark.line + 1);
    }
    add_remedy (reader, &text);
    problems_add (reader->problems, mark, "%s", text.buf);
    strbuf_release (&text);
}

/* False after complaining. */
static bool next_event (struct reader *reader, yaml_event_t *event)
{
    if (yaml_parser_parse (&reader->parser, event))
        return true;
    if (reader->parser.error == YAML_MEMORY_ERROR)
        alloc_failed (reader->len);
    if (reader->parser.error == YAML_READER_ERROR)
        complain_of_bytes (reader);
    else
        complain_of_syntax (reader);
    return false;
}

/* --- building --- */

static void note_quotes (struct reader *reader, const yaml_event_t *event)
{
    yaml_scalar_style_t style = event->data.scalar.style;

    if (style != YAML_SINGLE_QUOTED_SCALAR_STYLE
        && style != YAML_DOUBLE_QUOTED_SCALAR_STYLE)
        return;
    reader->quote = event->start_mark;
    reader->quote_end = event->end_mark;
}

static void check_key (struct reader *reader, const struct yaml_node *node)
{
    if (node->kind != YAML_SCALAR)
        problems_add (reader->problems, node->mark,
                      "%s cannot be a key; write 'key: value' with a plain key",
                      yaml_kind_name (node));
    else if (!node->quoted && node->text[0] == '\0')
        problems_add (reader->problems, node->mark,
                      "there is no key before ':'; write 'key: value'");
}

static void take_properties (struct reader *reader,
                             const struct yaml_node *node,
                             const yaml_char_t *anchor, const yaml_char_t *tag)
{
    if (anchor)
        yaml_anchors_add (&reader->anchors, (const char *)anchor, node);
    if (tag)
        problems_add (reader->problems, node->mark,
                      "tags ('%.60s') are not read; remove it",
                      (const char *)tag);
}

/* Of the lines of a block, whose mark is above them. */
static int block_indent (const struct reader *reader,
                         const struct yaml_node *node)
{
    const char *at = reader->text, *end = reader->text + reader->len;
    int indent = 0;

    for (int line = 0; at && line < node->mark.line; line++) {
        at = memchr (at, '\n', (size_t)(end - at));
        if (at)
            at++;
    }
    for (; at && at < end && (*at == ' ' || *at == '\n'); at++)
        indent = *at == ' ' ? indent + 1 : 0;
    return indent;
}

static void take_scalar (struct reader *reader, const yaml_event_t *event,
                         struct yaml_node *node)
{
    const char *text = (const char *)event->data.scalar.value;

    take_properties (reader, node, event->data.scalar.anchor,
                     event->data.scalar.tag);
    node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    node->text = arena_strdup (reader->tree->arena, text);
    if (event->data.scalar.style == YAML_LITERAL_SCALAR_STYLE)
        node->indent = block_indent (reader, node);
    if (strlen (text) != event->data.scalar.length)
        problems_add (reader->problems, node->mark,
                      "text contains a NUL character; remove the \\0");
}

/* Take the children, of a mapping its keys and values in turn. */
static void keep_children (struct reader *reader, struct yaml_node *node,
                           struct yaml_node **children, size_t n)
{
    size_t each = node->kind == YAML_MAPPING ? 2 : 1;

    node->n = n / each;
    node->items = arena_array (reader->tree->arena, node->n, sizeof (node));
    if (node->kind == YAML_MAPPING)
        node->keys = arena_array (reader->tree->arena, node->n, sizeof (node));
    for (size_t i = 0; i < node->n; i++) {
        node->items[i] = children[each * i + each - 1];
        if (node->keys)
            node->items[i]->key = node->keys[i] = children[each * i];
    }
    if (node->keys) {
        find_duplicates (reader, node);
        yaml_merge (&reader->anchors, node);
    }
}

static struct yaml_node *read_node (struct reader *reader,
                                    const yaml_event_t *event,
                                    const struct yaml_node *up, bool is_key);

/* Read what is in a container, up to its end.  -1: do not go on. */
static int read_inside (struct reader *reader, struct yaml_node *node)
{
    _cleanup_free_ struct yaml_node **children = NULL;
    struct yaml_node *child = node;
    size_t n = 0, alloc = 0;
    bool ended = false;
    yaml_event_t event;

    if (reader->depth == DEPTH_MAX)
        return problems_add (reader->problems, node->mark,
                             "nested deeper than %d; use fewer levels",
                             (int)DEPTH_MAX);
    reader->depth++;
    while (child && !ended && next_event (reader, &event)) {
        ended = event.type == YAML_SEQUENCE_END_EVENT
                || event.type == YAML_MAPPING_END_EVENT;
        child = ended ? NULL
                      : read_node (reader, &event, node,
                                   node->kind == YAML_MAPPING && n % 2 == 0);
        if (child) {
            children = grow_array (children, n, &alloc, sizeof (child));
            children[n++] = child;
        }
        yaml_event_delete (&event);
    }
    reader->depth--;
    if (ended)
        keep_children (reader, node, children, n);
    return ended ? 0 : -1;
}

/* The node that begins with 'event'.  NULL: do not go on. */
static struct yaml_node *read_node (struct reader *reader,
                                    const yaml_event_t *event,
                                    const struct yaml_node *up, bool is_key)
{
    struct yaml_node *node =
        arena_alloc (reader->tree->arena, sizeof (struct yaml_node));
    bool is_read = false;

    node->mark = mark_of (reader, event->start_mark);
    node->tree = reader->tree;
    node->up = up;
    switch (event->type) {
    case YAML_ALIAS_EVENT:
        is_read = true;
        yaml_alias_expand (&reader->anchors,
                           (const char *)event->data.alias.anchor,
                           DEPTH_MAX - reader->depth, node);
        break;
    case YAML_SCALAR_EVENT:
        note_quotes (reader, event);
        take_scalar (reader, event, node);
        break;
    case YAML_SEQUENCE_START_EVENT:
        node->kind = YAML_SEQUENCE;
        take_properties (reader, node, event->data.sequence_start.anchor,
                         event->data.sequence_start.tag);
        break;
    default:
        node->kind = YAML_MAPPING;
        take_properties (reader, node, event->data.mapping_start.anchor,
                         event->data.mapping_start.tag);
    }
    if (is_key)
        check_key (reader, node);
    if (node->kind != YAML_SCALAR && !is_read && read_inside (reader, node) < 0)
        return NULL;
    return node;
}

/* --- reading --- */

static void read_stream (struct reader *reader)
{
    int documents = 0;
    bool more = true;
    yaml_event_t event;

    while (more && next_event (reader, &event)) {
        switch (event.type) {
        case YAML_STREAM_START_EVENT:
        case YAML_DOCUMENT_END_EVENT:
            break;
        case YAML_STREAM_END_EVENT:
            more = false;
            break;
        case YAML_DOCUMENT_START_EVENT:
            more = ++documents == 1;
            if (!more)
                problems_add (reader->problems,
                              mark_of (reader, event.start_mark),
                              "a second document begins; keep one in a file");
            break;
        default:
            reader->tree->root = read_node (reader, &event, NULL, false);
            more = reader->tree->root != NULL;
        }
        yaml_event_delete (&event);
    }
}

struct yaml_tree *yaml_tree_parse (const char *text, size_t len,
                                   const char *file, struct problems *problems)
{
    _cleanup_ (problems_release) struct problems found = PROBLEMS_INIT;
    struct yaml_tree *tree = xcalloc (1, sizeof (*tree));
    struct reader reader = { .tree = tree, .text = text, .len = len };
    size_t before;

    reader.problems = problems ? problems : &found;
    before = problems_errors (reader.problems);
    tree->arena = arena_create ();
    reader.anchors.arena = tree->arena;
    reader.anchors.problems = reader.problems;
    tree->file = arena_strdup (tree->arena, file);
    if (!yaml_parser_initialize (&reader.parser))
        alloc_failed (sizeof (reader.parser));
    yaml_parser_set_encoding (&reader.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string (&reader.parser, (const unsigned char *)text,
                                  len);
    read_stream (&reader);
    yaml_parser_delete (&reader.parser);
    yaml_anchors_release (&reader.anchors);
    if (problems_errors (reader.problems) > before) {
        yaml_tree_destroy (tree);
        tree = NULL;
    }
    return tree;
}

/* What to do about a file that cannot be read. */
static const char *reading_remedy (const char *path, const struct error *err)
{
    struct stat st;

    if (stat (path, &st) < 0 && (errno == ENOENT || errno == ENOTDIR))
        return "name a file that is there";
    if (error_is_machine_error (err) && err->number != EACCES)
        return "fix that, then try again";
    if (stat (path, &st) < 0)
        return "name a file that is there";
    if (!S_ISREG (st.st_mode))
        return "put a file of YAML text there";
    if (st.st_size > FILE_BYTES_MAX)
        return "name another file; this one is no campaign and no site";
    return "make it readable: chmod u+r";
}

struct yaml_tree *yaml_tree_read (const char *path, const char *shown_as,
                                  struct problems *problems)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct yaml_tree *tree = NULL;
    struct error err = ERROR_INIT;

    if (file_read (path, FILE_BYTES_MAX, &text, &err) < 0)
        problems_add (problems, (struct mark){ shown_as, 0, 0 }, "%s; %s",
                      err.text, reading_remedy (path, &err));
    else
        tree = yaml_tree_parse (text.buf, text.len, shown_as, problems);
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
