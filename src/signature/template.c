/* SPDX-License-Identifier: BSD-3-Clause */
/* template.c - argv templates with {placeholders} */
#include "base/base.h"

#include "base/arena.h"
#include "base/json.h"
#include "signature/template.h"
#include "signature/type.h"

/* An argument being read. */
struct reading {
    const char *argument;
    const char *at; /* what is left of it */
    size_t doubled; /* "{{" whose "}}" has not come yet */
};

static struct reading read_argument (const char *argument)
{
    return (struct reading){ argument, argument, 0 };
}

/* A literal character or a placeholder, whichever is at the front of what is
 * left of an argument.
 */
struct piece {
    char c;           /* '\0': a placeholder */
    const char *name; /* not NUL-terminated */
    size_t len;
};

/* How long the name at 's' is: words joined by dots, each beginning with a
 * letter; a '@' may stand before it.  0: there is none.
 */
static size_t name_length (const char *s)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    enum { STARTS = 2 * 26 };
    size_t len = s[0] == '@';

    while (s[len] && memchr (letters, s[len], STARTS)) {
        len += strspn (s + len, letters);
        if (s[len] != '.')
            return len;
        len++;
    }
    return 0;
}

/* Take the next piece.  1, 0 at the end, or -1. */
static int next_piece (struct reading *reading, struct piece *piece,
                       struct error *err)
{
    const char *s = reading->at;
    bool opens = s[0] == '{' && s[1] == '{';
    bool closes = s[0] == '}' && s[1] == '}' && reading->doubled > 0;
    size_t len = s[0] == '{' && !opens ? name_length (s + 1) : 0;

    if (*s == '\0')
        return 0;
    if (len > 0 && s[len + 1] == '\0')
        return error_set (err,
                          "'%s': column %zu: '{' is not closed; write %s}, or "
                          "{{ for a brace",
                          reading->argument,
                          (size_t)(s - reading->argument) + 1, s);
    if (len > 0 && s[len + 1] == '}') {
        *piece = (struct piece){ .name = s + 1, .len = len };
        reading->at = s + len + 2;
        return 1;
    }
    reading->doubled = reading->doubled + opens - closes;
    *piece = (struct piece){ .c = *s };
    reading->at = s + (opens || closes ? 2 : 1);
    return 1;
}

int template_scan (const char *argument,
                   int (*each) (const char *name, void *arg, struct error *err),
                   void *arg, struct error *err)
{
    struct reading reading = read_argument (argument);
    struct piece piece;
    int rc;

    while ((rc = next_piece (&reading, &piece, err)) > 0) {
        char *name;

        if (piece.c)
            continue;
        name = xstrndup (piece.name, piece.len);
        rc = each (name, arg, err);
        free (name);
        if (rc < 0)
            break;
    }
    return rc;
}

static struct json *find_value (const struct piece *piece,
                                const struct json *values, struct error *err)
{
    _cleanup_free_ char *name = xstrndup (piece->name, piece->len);
    struct json *value = json_get (values, name);

    if (!value)
        error_set (err, "unknown placeholder '{%s}'", name);
    return value;
}

/* Append a value that is neither list, object nor null. */
static int add_scalar (const struct json *value, struct strbuf *out)
{
    switch (json_kind (value)) {
    case JSON_KIND_BOOL:
    case JSON_KIND_INT:
    case JSON_KIND_REAL:
        json_dump (value, JSON_COMPACT, out);
        return 0;
    case JSON_KIND_STRING:
        strbuf_add_str (out, json_as_string (value));
        return 0;
    default:
        return -1;
    }
}

/* One argument for each element; lists in lists are spread as well. */
static int spread_list (const struct json *list, int depth, struct strvec *argv)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    int rc = depth > TYPE_MAX_DEPTH ? -1 : 0;

    for (size_t i = 0; rc == 0 && i < json_count (list); i++) {
        const struct json *item = json_at (list, i);

        if (json_is_null (item))
            continue;
        if (json_kind (item) == JSON_KIND_ARRAY) {
            rc = spread_list (item, depth + 1, argv);
            continue;
        }
        strbuf_reset (&text);
        rc = add_scalar (item, &text);
        if (rc == 0)
            strvec_push (argv, text.buf);
    }
    return rc;
}

/* "{NAME}" and nothing else? */
static bool whole_placeholder (const char *argument, struct piece *piece)
{
    struct reading reading = read_argument (argument);

    return next_piece (&reading, piece, NULL) == 1 && !piece->c
           && *reading.at == '\0';
}

static int expand_text (const char *argument, const struct json *values,
                        struct strbuf *out, struct error *err)
{
    struct reading reading = read_argument (argument);
    struct piece piece;
    int rc;

    while ((rc = next_piece (&reading, &piece, err)) > 0) {
        const struct json *value;

        if (piece.c) {
            strbuf_add_char (out, piece.c);
            continue;
        }
        value = find_value (&piece, values, err);
        if (!value)
            return error_prefix (err, "'%s'", argument);
        if (add_scalar (value, out) < 0)
            return error_set (err, "'%s': '{%.*s}' is %s here", argument,
                              (int)piece.len, piece.name,
                              json_kind_name (value));
    }
    return rc;
}

int template_expand (const char *argument, const struct json *values,
                     struct strvec *argv, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_ (strvec_release) struct strvec spread = STRVEC_INIT;
    struct json *list = NULL;
    struct piece piece;
    int rc;

    if (whole_placeholder (argument, &piece))
        list = find_value (&piece, values, NULL);
    if (json_kind (list) == JSON_KIND_ARRAY) {
        rc = spread_list (list, 1, &spread);
        if (rc < 0)
            error_set (err, "'%s': a list of what is no argument", argument);
    } else {
        rc = expand_text (argument, values, &text, err);
        if (rc == 0)
            strvec_push (&spread, text.buf);
    }
    if (rc == 0)
        strvec_push_all (argv, spread.v);
    return rc;
}

int template_expand_argv (const char *const *argv_template,
                          const struct json *values, struct strvec *argv,
                          struct error *err)
{
    _cleanup_ (strvec_release) struct strvec all = STRVEC_INIT;
    int rc = 0;

    for (size_t i = 0; rc == 0 && argv_template[i]; i++)
        rc = template_expand (argv_template[i], values, &all, err);
    if (rc == 0)
        strvec_push_all (argv, all.v);
    return rc;
}

static void add_words (const struct json *value, int depth,
                       struct strvec *words)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (json_kind (value) == JSON_KIND_ARRAY && depth <= TYPE_MAX_DEPTH) {
        for (size_t i = 0; i < json_count (value); i++)
            add_words (json_at (value, i), depth + 1, words);
        return;
    }
    if (json_is_null (value))
        return;
    if (add_scalar (value, &text) < 0)
        json_dump (value, JSON_COMPACT, &text);
    strvec_push (words, text.buf);
}

void template_words (const struct json *value, struct strvec *words)
{
    add_words (value, 0, words);
}

void template_explain_too_long (const char *const *argv_template,
                                const struct json *values, struct error *err)
{
    const char *longest = NULL;
    size_t all = 0, most = 0, items = 0;

    for (; *argv_template; argv_template++) {
        _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;
        size_t bytes = 0;

        (void)template_expand (*argv_template, values, &words, NULL);
        for (size_t i = 0; i < words.n; i++)
            bytes += strlen (words.v[i]) + 1;
        if (bytes > most) {
            most = bytes;
            longest = *argv_template;
            items = words.n;
        }
        all += bytes;
    }
    if (items > 1)
        error_set (
            err,
            "its arguments have %zu bytes, which is more than the system "
            "takes; '%s' is %zu of them: write {@%s, the path of a file "
            "that has one of them a line",
            all, longest, items, longest + 1);
    else
        error_set (
            err,
            "its arguments have %zu bytes, which is more than the system "
            "takes; '%.100s' has %zu of them: hand long text over in a "
            "file",
            all, longest ? longest : "", most);
}

void template_rename (const char *argument,
                      const char *(*rename) (const char *name, void *arg),
                      void *arg, struct strbuf *out)
{
    struct reading reading = read_argument (argument);
    const char *before = argument;
    struct piece piece;

    while (next_piece (&reading, &piece, NULL) > 0) {
        _cleanup_free_ char *name =
            piece.c ? NULL : xstrndup (piece.name, piece.len);
        const char *other = name ? rename (name, arg) : NULL;

        if (other)
            strbuf_addf (out, "{%s}", other);
        else
            strbuf_add (out, before, (size_t)(reading.at - before));
        before = reading.at;
    }
}

/* Would any brace of it be read as other than text? */
static bool has_braces_that_count (const char *text)
{
    for (; (text = strchr (text, '{')); text++) {
        if (text[1] == '{' || name_length (text + 1) > 0)
            return true;
    }
    return false;
}

void template_escape (const char *text, struct strbuf *out)
{
    size_t doubled = 0;

    if (!has_braces_that_count (text)) {
        strbuf_add_str (out, text);
        return;
    }
    for (; *text; text++) {
        bool closes = *text == '}' && doubled > 0;

        if (*text == '{' || closes)
            strbuf_add_char (out, *text);
        strbuf_add_char (out, *text);
        doubled = doubled + (*text == '{') - closes;
    }
}

/* --- as JSON --- */

struct json *argv_to_json (const char *const *argv)
{
    struct json *v = json_array ();

    for (; argv && *argv; argv++)
        json_push (v, json_string (*argv));
    return v;
}

struct json *argvs_to_json (const char *const *const *argvs)
{
    struct json *v = json_array ();

    for (; argvs && *argvs; argvs++)
        json_push (v, argv_to_json (*argvs));
    return v;
}

/* NULL in *out when it is empty and 'may_be_empty'. */
static int argv_from_json (const struct json *list, struct arena *arena,
                           bool may_be_empty, const char *const **out,
                           struct error *err)
{
    size_t n = json_count (list);
    const char **argv = arena_array (arena, n + 1, sizeof (*argv));

    if (json_kind (list) != JSON_KIND_ARRAY || (n == 0 && !may_be_empty))
        return error_set (err, "expected a list of words");
    for (size_t i = 0; i < n; i++) {
        const struct json *word = json_at (list, i);

        if (json_kind (word) != JSON_KIND_STRING)
            return error_set (err, "[%zu]: expected a string, got %s", i,
                              json_kind_name (word));
        argv[i] = arena_strdup (arena, json_as_string (word));
    }
    *out = n > 0 ? argv : NULL;
    return 0;
}

int json_want_text (const struct json *v, const char *key, struct arena *arena,
                    const char **out, struct error *err)
{
    const char *text;

    if (json_want_string (v, key, &text, err) < 0)
        return -1;
    *out = arena_strdup (arena, text);
    return 0;
}

int json_want_argv (const struct json *v, const char *key, struct arena *arena,
                    const char *const **out, struct error *err)
{
    struct json *list;

    if (json_want_array (v, key, &list, err) < 0)
        return -1;
    if (argv_from_json (list, arena, true, out, err) < 0)
        return error_prefix (err, "key '%s'", key);
    return 0;
}

int json_want_argvs (const struct json *v, const char *key, struct arena *arena,
                     const char *const *const **out, struct error *err)
{
    struct json *list;
    const char *const **argvs;

    if (json_want_array (v, key, &list, err) < 0)
        return -1;
    argvs = arena_array (arena, json_count (list) + 1, sizeof (*argvs));
    for (size_t i = 0; i < json_count (list); i++) {
        if (argv_from_json (json_at (list, i), arena, false, &argvs[i], err)
            < 0)
            return error_prefix (err, "key '%s': [%zu]", key, i);
    }
    *out = argvs;
    return 0;
}
