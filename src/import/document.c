/* SPDX-License-Identifier: BSD-3-Clause */
/* document.c - the text of a JSON or YAML file that DP-GEN would read */
#include "base/base.h"

#include "base/json.h"
#include "base/problems.h"
#include "base/yaml_tree.h"
#include "import/document.h"

/* --- JSON --- */

/* Where the string ends that begins at 'at', which is a quote; 'end' if none.
 */
static const char *string_end (const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++) {
        if (*at == '\\' && at + 1 < end)
            at++;
    }
    return at;
}

static bool is_key (const char *behind, const char *end)
{
    while (behind < end && isspace ((unsigned char)*behind))
        behind++;
    return behind < end && *behind == ':';
}

/* The text with numbers behind the names of comments that come again: people
 * write "_comment" twice, which no strict reader takes.
 */
static void number_comments (const char *text, size_t len, struct strbuf *out)
{
    _cleanup_json_ struct json *seen = json_object ();
    const char *end = text + len, *at = text;

    while (at < end) {
        const char *close = *at == '"' ? string_end (at, end) : at;
        char *name;

        strbuf_add (out, at, (size_t)(close - at));
        if (close > at && close < end && at[1] == '_'
            && is_key (close + 1, end)) {
            int64_t n;

            name = xstrndup (at + 1, (size_t)(close - at - 1));
            n = 1 + json_get_int (seen, name);
            json_set (seen, name, json_int (n));
            if (n > 1 && strcmp (name, "_") != 0)
                strbuf_addf (out, " (%lld)", (long long)n);
            free (name);
        }
        if (close < end)
            strbuf_add_char (out, *close);
        at = close + 1;
    }
}

static struct json *parse_json (const char *text, size_t len, const char *name,
                                struct error *err)
{
    struct error strict = ERROR_INIT;
    struct json *v = json_parse (text, len, name, &strict);
    struct strbuf numbered = STRBUF_INIT;

    if (v)
        return v;
    number_comments (text, len, &numbered);
    v = json_parse (numbered.buf, numbered.len, name, NULL);
    strbuf_release (&numbered);
    if (!v)
        error_copy (err, &strict);
    return v;
}

/* --- YAML --- */

static struct json *parse_yaml (const char *text, size_t len, const char *name,
                                struct error *err)
{
    _cleanup_ (problems_release) struct problems problems = PROBLEMS_INIT;
    _cleanup_ (strbuf_release) struct strbuf said = STRBUF_INIT;
    struct yaml_tree *tree = yaml_tree_parse (text, len, name, &problems);
    const struct yaml_node *root = tree ? yaml_tree_root (tree) : NULL;
    struct json *v = NULL;

    if (root && root->kind == YAML_MAPPING) {
        v = yaml_to_json (root);
    } else if (tree) {
        error_set (err, "%s:1:1: expected a mapping of keys, found %s", name,
                   root ? yaml_kind_name (root) : "nothing");
    } else {
        problems_format (&problems, &said);
        error_set (err, "%.*s", (int)strcspn (said.buf, "\n"), said.buf);
    }
    yaml_tree_destroy (tree);
    return v;
}

struct json *document_parse (const char *text, size_t len, const char *name,
                             struct error *err)
{
    size_t skip = strspn (text, " \t\r\n");
    struct json *v;

    if (skip < len && text[skip] != '{' && text[skip] != '[')
        return parse_yaml (text, len, name, err);
    v = parse_json (text, len, name, err);
    if (v && json_kind (v) != JSON_KIND_OBJECT) {
        error_set (err, "%s:1:1: expected an object of keys, found %s", name,
                   json_kind_name (v));
        json_unref (v);
        v = NULL;
    }
    return v;
}

/* --- values --- */

static int wrong (const struct json *v, const char *path, const char *wanted,
                  struct error *err)
{
    return error_set (err, "%s: expected %s, found %s", path, wanted,
                      json_kind_name (v));
}

int value_number (const struct json *v, const char *path, double *out,
                  struct error *err)
{
    const char *text = json_as_string (v);
    char *end;
    double value;

    if (json_is_number (v)) {
        *out = json_as_double (v);
        return 0;
    }
    if (json_kind (v) != JSON_KIND_STRING)
        return wrong (v, path, "a number", err);
    value = strtod (text, &end);
    if (end == text || *end || !isfinite (value))
        return error_set (err, "%s: expected a number, found '%.40s'", path,
                          text);
    *out = value;
    return 0;
}

int value_int (const struct json *v, const char *path, int64_t *out,
               struct error *err)
{
    double value;

    if (value_number (v, path, &value, err) < 0)
        return -1;
    if (value != floor (value) || fabs (value) > (double)JSON_INT_MAX)
        return error_set (err, "%s: expected a whole number, found %g", path,
                          value);
    *out = (int64_t)value;
    return 0;
}

int value_bool (const struct json *v, const char *path, bool *out,
                struct error *err)
{
    if (json_kind (v) == JSON_KIND_BOOL) {
        *out = json_as_bool (v);
        return 0;
    }
    if (json_kind (v) != JSON_KIND_INT
        || (json_as_int (v) != 0 && json_as_int (v) != 1))
        return wrong (v, path, "true or false", err);
    *out = json_as_int (v) == 1;
    return 0;
}

int value_text (const struct json *v, const char *path, const char **out,
                struct error *err)
{
    if (json_kind (v) != JSON_KIND_STRING)
        return wrong (v, path, "text", err);
    *out = json_as_string (v);
    return 0;
}

int value_list (const struct json *v, const char *path, struct json **out,
                struct error *err)
{
    if (json_kind (v) != JSON_KIND_ARRAY)
        return wrong (v, path, "a list", err);
    *out = (struct json *)v;
    return 0;
}

int value_mapping (const struct json *v, const char *path, struct json **out,
                   struct error *err)
{
    if (json_kind (v) != JSON_KIND_OBJECT)
        return wrong (v, path, "a mapping of keys", err);
    *out = (struct json *)v;
    return 0;
}

struct json *number_json (double v)
{
    if (v == floor (v) && fabs (v) < 1e15)
        return json_int ((int64_t)v);
    return json_real (v);
}
