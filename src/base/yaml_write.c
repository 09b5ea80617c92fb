/* SPDX-License-Identifier: BSD-3-Clause */
/* yaml_write.c - a tree of YAML as text that a person can read */
#include "base/base.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/yaml_write.h"

enum {
    INDENT = 2,
    FLOW_MOST = 64,
    KEY_MOST = 128, /* libyaml needs the colon within 1024 characters, and an
                       escape has 6 */
};

/* --- from JSON --- */

/* Is it what it says wherever it stands, without quotes? */
static bool is_simple (const char *text)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyz"
                               "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                               "0123456789_./+-";

    return text[0] != '\0' && text[strspn (text, safe)] == '\0'
           && strcmp (text, "-") != 0;
}

/* Plain text that is no text. */
static bool reads_otherwise (const struct yaml_node *node)
{
    _cleanup_json_ struct json *v = yaml_to_json (node);

    return json_kind (v) != JSON_KIND_STRING;
}

static struct yaml_node *container_from_json (struct arena *arena,
                                              struct yaml_node *node,
                                              const struct json *v)
{
    size_t n = json_count (v);

    node->items = arena_array (arena, n, sizeof (*node->items));
    if (json_kind (v) == JSON_KIND_ARRAY) {
        node->kind = YAML_SEQUENCE;
        for (; node->n < n; node->n++)
            node->items[node->n] = yaml_from_json (arena, json_at (v, node->n));
        return node;
    }
    node->kind = YAML_MAPPING;
    node->keys = arena_array (arena, n, sizeof (*node->keys));
    JSON_FOREACH (v, it) {
        struct yaml_node *key = arena_alloc (arena, sizeof (*key));

        key->kind = YAML_SCALAR;
        key->text = arena_strdup (arena, json_iter_key (it));
        node->keys[node->n] = key;
        node->items[node->n++] = yaml_from_json (arena, json_iter_value (it));
    }
    return node;
}

struct yaml_node *yaml_from_json (struct arena *arena, const struct json *v)
{
    struct yaml_node *node = arena_alloc (arena, sizeof (*node));
    enum json_kind kind = json_kind (v);
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (kind == JSON_KIND_ARRAY || kind == JSON_KIND_OBJECT)
        return container_from_json (arena, node, v);
    node->kind = YAML_SCALAR;
    if (kind == JSON_KIND_STRING) {
        node->text = arena_strdup (arena, json_as_string (v));
        node->quoted = reads_otherwise (node);
    } else {
        json_dump (v, JSON_COMPACT, &text);
        node->text = arena_strdup (arena, text.buf);
    }
    return node;
}

/* --- as text --- */

/* How many bytes the character at 'text' has where YAML takes it for a line
 * break (U+0085, U+2028, U+2029) or for none of its own (DEL, C1, U+FEFF and
 * what is no character), and its number; 0: it can stand as it is.
 */
static size_t needs_escape (const char *text, unsigned int *number)
{
    unsigned char a = (unsigned char)text[0];
    unsigned char b = (unsigned char)(a ? text[1] : 0);
    unsigned char c = (unsigned char)(b ? text[2] : 0);

    *number = (a & 0xfU) << 12 | (b & 0x3fU) << 6 | (c & 0x3fU);
    if (a == 0xe2 && (*number == 0x2028 || *number == 0x2029))
        return 3;
    if (a == 0xef && (*number == 0xfeff || *number >= 0xfffe))
        return 3;
    *number = a == 0xc2 ? b : a;
    return a == 0xc2 && b < 0xa0 ? 2 : a == 0x7f;
}

static void write_quoted (const char *text, struct strbuf *out)
{
    _cleanup_json_ struct json *v = json_string (text);
    _cleanup_ (strbuf_release) struct strbuf quoted = STRBUF_INIT;
    unsigned int number;

    json_dump (v, JSON_COMPACT, &quoted);
    for (const char *c = quoted.buf; *c;) {
        size_t len = needs_escape (c, &number);

        if (len > 0)
            strbuf_addf (out, "\\u%04x", number);
        else
            strbuf_add_char (out, *c);
        c += len > 0 ? len : 1;
    }
}

static void write_scalar (const struct yaml_node *node, struct strbuf *out)
{
    if (yaml_is_null (node))
        strbuf_add_str (out, "null");
    else if (!node->quoted && is_simple (node->text))
        strbuf_add_str (out, node->text);
    else
        write_quoted (node->text, out);
}

/* Lines that can stand as they are. */
static bool is_block_text (const struct yaml_node *node)
{
    const char *text = node->text;
    size_t len = node->kind == YAML_SCALAR ? strlen (text) : 0;
    unsigned int number;

    if (len < 2 || !strchr (text, '\n') || strchr (" \t\n", text[0])
        || (text[len - 1] == '\n' && text[len - 2] == '\n'))
        return false;
    for (const char *c = text; *c; c++) {
        if (((unsigned char)*c < ' ' && *c != '\n' && *c != '\t')
            || needs_escape (c, &number) > 0)
            return false;
    }
    return true;
}

static void write_block_text (const char *text, int indent, struct strbuf *out)
{
    size_t len = strlen (text);

    strbuf_add_str (out, text[len - 1] == '\n' ? "|\n" : "|-\n");
    while (*text) {
        size_t n = strcspn (text, "\n");

        if (n > 0)
            strbuf_addf (out, "%*s%.*s", indent, "", (int)n, text);
        strbuf_add_char (out, '\n');
        text += n + (text[n] == '\n');
    }
}

/* A key that is longer than YAML finds by its colon stands behind "?", its
 * colon in the block on the next line.
 */
static void write_key (const char *key, int indent, struct strbuf *out)
{
    bool explicit = strlen (key) > KEY_MOST;

    strbuf_add_str (out, explicit ? "? " : "");
    if (is_simple (key))
        strbuf_add_str (out, key);
    else
        write_quoted (key, out);
    if (explicit)
        strbuf_addf (out, "\n%*s", indent, "");
    strbuf_add_char (out, ':');
}

static void write_flow (const struct yaml_node *node, struct strbuf *out)
{
    if (node->kind == YAML_SCALAR) {
        write_scalar (node, out);
        return;
    }
    strbuf_add_char (out, node->kind == YAML_SEQUENCE ? '[' : '{');
    for (size_t i = 0; i < node->n; i++) {
        strbuf_add_str (out, i > 0 ? ", " : "");
        if (node->kind == YAML_MAPPING) {
            write_key (node->keys[i]->text, 0, out);
            strbuf_add_char (out, ' ');
        }
        write_flow (node->items[i], out);
    }
    strbuf_add_char (out, node->kind == YAML_SEQUENCE ? ']' : '}');
}

/* Can it stand between brackets, mappings aside? */
static bool is_flow (const struct yaml_node *node)
{
    if (node->kind != YAML_SEQUENCE)
        return node->n == 0 && !is_block_text (node);
    for (size_t i = 0; i < node->n; i++) {
        if (!is_flow (node->items[i]))
            return false;
    }
    return true;
}

/* A mapping that is short and has none in it? */
static bool is_short (const struct yaml_node *node)
{
    size_t len = 0;

    if (node->kind != YAML_MAPPING)
        return false;
    for (size_t i = 0; i < node->n; i++) {
        struct strbuf text = STRBUF_INIT;

        if (!is_flow (node->items[i]))
            return false;
        write_flow (node->items[i], &text);
        len += strlen (node->keys[i]->text) + text.len + strlen (": , ");
        strbuf_release (&text);
    }
    return len <= FLOW_MOST;
}

static void write_items (const struct yaml_node *list, int indent,
                         struct strbuf *out);

/* What stands behind "KEY:" or "-" of lines that begin with 'indent'. */
static void write_value (const struct yaml_node *node, int indent,
                         struct strbuf *out)
{
    if (is_flow (node) || is_short (node)) {
        strbuf_add_char (out, ' ');
        write_flow (node, out);
        strbuf_add_char (out, '\n');
    } else if (node->kind == YAML_SCALAR) {
        strbuf_add_char (out, ' ');
        write_block_text (node->text, indent + INDENT, out);
    } else {
        strbuf_add_char (out, '\n');
        if (node->kind == YAML_MAPPING)
            yaml_write_pairs (node, indent + INDENT, out);
        else
            write_items (node, indent + INDENT, out);
    }
}

static void write_items (const struct yaml_node *list, int indent,
                         struct strbuf *out)
{
    for (size_t i = 0; i < list->n; i++) {
        strbuf_addf (out, "%*s-", indent, "");
        write_value (list->items[i], indent, out);
    }
}

void yaml_write_pair (const char *key, const struct yaml_node *value,
                      int indent, struct strbuf *out)
{
    strbuf_addf (out, "%*s", indent, "");
    write_key (key, indent, out);
    write_value (value, indent, out);
}

void yaml_write_pairs (const struct yaml_node *mapping, int indent,
                       struct strbuf *out)
{
    for (size_t i = 0; i < mapping->n; i++)
        yaml_write_pair (mapping->keys[i]->text, mapping->items[i], indent,
                         out);
}
