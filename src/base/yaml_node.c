/* SPDX-License-Identifier: BSD-3-Clause */
/* yaml_node.c - looking at a YAML tree and reading its scalars */
#include "base/base.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/yaml_tree.h"

const struct yaml_node *yaml_get (const struct yaml_node *node, const char *key)
{
    if (!node || node->kind != YAML_MAPPING)
        return NULL;
    for (size_t i = 0; i < node->n; i++) {
        if (strcmp (node->keys[i]->text, key) == 0)
            return node->items[i];
    }
    return NULL;
}

struct yaml_node *yaml_overlay (struct arena *arena,
                                const struct yaml_node *own,
                                const struct yaml_node *below)
{
    struct yaml_node *node = arena_alloc (arena, sizeof (*node));

    *node = *own;
    node->keys = arena_array (arena, own->n + below->n, sizeof (node));
    node->items = arena_array (arena, own->n + below->n, sizeof (node));
    for (size_t i = 0; i < own->n; i++) {
        node->keys[i] = own->keys[i];
        node->items[i] = own->items[i];
    }
    for (size_t i = 0; i < below->n; i++) {
        if (yaml_get (own, below->keys[i]->text))
            continue;
        node->keys[node->n] = below->keys[i];
        node->items[node->n++] = below->items[i];
    }
    return node;
}

static bool is_plain (const struct yaml_node *node)
{
    return node && node->kind == YAML_SCALAR && !node->quoted;
}

bool yaml_is_null (const struct yaml_node *node)
{
    if (!node)
        return true;
    return is_plain (node)
           && (node->text[0] == '\0' || strcmp (node->text, "~") == 0
               || strcmp (node->text, "null") == 0);
}

int yaml_to_bool (const struct yaml_node *node, bool *out)
{
    bool is_true = is_plain (node) && strcmp (node->text, "true") == 0;

    if (!is_true && (!is_plain (node) || strcmp (node->text, "false") != 0))
        return -1;
    *out = is_true;
    return 0;
}

/* What 'text' is: an optional sign and digits (with 'real' also a point and an
 * exponent), and no leading zero, which some take for octal.
 */
static bool is_number (const char *text, bool real)
{
    const char *digits = text + (*text == '-' || *text == '+');
    char *end;

    if (text[strspn (text, real ? "0123456789+-.eE" : "0123456789+-")] != '\0'
        || (digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9'))
        return false;
    strtod (text, &end);
    return end > text && *end == '\0';
}

int yaml_to_int (const struct yaml_node *node, int64_t *out)
{
    long long v;

    if (!is_plain (node) || !is_number (node->text, false))
        return -1;
    errno = 0;
    v = strtoll (node->text, NULL, 10);
    if (errno != 0 || !json_int_fits (v))
        return -1;
    *out = v;
    return 0;
}

int yaml_to_double (const struct yaml_node *node, double *out)
{
    double v;

    if (!is_plain (node) || !is_number (node->text, true))
        return -1;
    v = strtod (node->text, NULL);
    if (!isfinite (v))
        return -1;
    *out = v;
    return 0;
}

const char *yaml_name (const struct yaml_node *node)
{
    while (!node->key && node->up)
        node = node->up;
    return node->key && node->key->text ? node->key->text : "";
}

const char *yaml_kind_name (const struct yaml_node *node)
{
    static const char *const names[] = { [YAML_SCALAR] = "text",
                                         [YAML_SEQUENCE] = "a list",
                                         [YAML_MAPPING] = "a mapping" };

    return node ? names[node->kind] : "nothing";
}

static struct json *scalar_to_json (const struct yaml_node *node)
{
    bool b;
    int64_t i;
    double d;

    if (yaml_is_null (node))
        return json_null ();
    if (yaml_to_bool (node, &b) == 0)
        return json_bool (b);
    if (yaml_to_int (node, &i) == 0)
        return json_int (i);
    /* An integer beyond 2^53 stays text: as a real it would lose digits. */
    if (!is_number (node->text, false) && yaml_to_double (node, &d) == 0)
        return json_real (d);
    return json_string (node->text);
}

struct json *yaml_to_json (const struct yaml_node *node)
{
    struct json *v;

    if (!node || node->kind == YAML_SCALAR)
        return scalar_to_json (node);
    v = node->kind == YAML_MAPPING ? json_object () : json_array ();
    for (size_t i = 0; i < node->n; i++) {
        struct json *child = yaml_to_json (node->items[i]);

        if (node->kind == YAML_MAPPING)
            json_set (v, node->keys[i]->text, child);
        else
            json_push (v, child);
    }
    return v;
}
