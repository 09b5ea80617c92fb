/* SPDX-License-Identifier: BSD-3-Clause */
/* json_parse.c - JSON text to values
 *
 * cJSON finds the structure; this is the only file that knows it.  It is
 * lenient about characters and numbers, so every string and number is checked
 * before it sees the text.  It keeps all numbers as doubles, so integers are
 * told from reals by the text, which is followed while its values become ours.
 */
#include "config.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/json_private.h"
#include "base/strbuf.h"

enum {
    DEPTH_MAX = 512,
    NUMBER_MAX = 63, /* characters; of a longer one cJSON reads the start */
};

/* --- what cJSON would let pass --- */

struct scan {
    const char *at, *end;
};

static bool is_digit (const struct scan *scan)
{
    return scan->at < scan->end && *scan->at >= '0' && *scan->at <= '9';
}

static bool take_char (struct scan *scan, const char *any)
{
    if (scan->at == scan->end || !*scan->at || !strchr (any, *scan->at))
        return false;
    scan->at++;
    return true;
}

/* At least one. */
static bool take_digits (struct scan *scan)
{
    const char *start = scan->at;

    while (is_digit (scan))
        scan->at++;
    return scan->at > start;
}

/* These return the complaint about what begins at 'at', which is then where it
 * is wrong, or NULL and go behind it.
 */
static const char *scan_number (struct scan *scan)
{
    const char *start = scan->at;
    bool zero;

    take_char (scan, "-");
    zero = take_char (scan, "0");
    if (zero && is_digit (scan))
        return "a number that begins with 0";
    if (!zero && !take_digits (scan))
        return "a digit is missing";
    if (take_char (scan, ".") && !take_digits (scan))
        return "a digit is missing behind the decimal point";
    if (take_char (scan, "eE")) {
        take_char (scan, "+-");
        if (!take_digits (scan))
            return "a digit is missing in the exponent";
    }
    if (scan->at - start <= NUMBER_MAX)
        return NULL;
    scan->at = start;
    return "a number of more than 63 characters";
}

/* The four digits of \uXXXX, or -1. */
static int scan_hex (struct scan *scan)
{
    int value = 0;

    for (int i = 0; i < 4; i++) {
        static const char digits[] = "0123456789abcdef0123456789ABCDEF";
        const char *digit = scan->at < scan->end && *scan->at
                                ? strchr (digits, *scan->at)
                                : NULL;

        if (!digit)
            return -1;
        value = 16 * value + (int)((digit - digits) % 16);
        scan->at++;
    }
    return value;
}

/* Behind the u of \uXXXX. */
static const char *scan_code (struct scan *scan)
{
    int code = scan_hex (scan);

    if (code < 0)
        return "\\u needs four hexadecimal digits";
    if (code == 0)
        return "a NUL character";
    if (code < 0xd800 || code > 0xdfff)
        return NULL;
    if (code > 0xdbff || !take_char (scan, "\\") || !take_char (scan, "u"))
        return "half of a surrogate pair";
    code = scan_hex (scan);
    return code < 0xdc00 || code > 0xdfff ? "half of a surrogate pair" : NULL;
}

static bool is_plain (char c)
{
    return c >= ' ' && c <= '~' && c != '"' && c != '\\';
}

static const char *scan_string (struct scan *scan)
{
    const char *start = scan->at++, *complaint = NULL;

    while (scan->at < scan->end) {
        size_t len;

        if (is_plain (*scan->at)) {
            scan->at++;
            continue;
        }
        if (take_char (scan, "\""))
            return NULL;
        len = json_utf8_length (scan->at, (size_t)(scan->end - scan->at));
        if (len == 0)
            return "text that is not UTF-8";
        if (*scan->at == '\0')
            return "a NUL character";
        if ((unsigned char)*scan->at < ' ')
            return "a control character; write it as \\u and four digits";
        if (!take_char (scan, "\\"))
            scan->at += len;
        else if (take_char (scan, "u"))
            complaint = scan_code (scan);
        else if (!take_char (scan, "\"\\/bfnrt"))
            complaint = "an escape that JSON does not have";
        if (complaint)
            return complaint;
    }
    scan->at = start;
    return "a string that does not end";
}

static const char *scan_text (struct scan *scan)
{
    int depth = 0;

    while (scan->at < scan->end) {
        char c = *scan->at;
        const char *complaint = NULL;

        if (c == '\0')
            return "a NUL character";
        if (c == '"')
            complaint = scan_string (scan);
        else if (c == '-' || is_digit (scan))
            complaint = scan_number (scan);
        else if ((unsigned char)c < ' ' && !strchr ("\t\n\r", c))
            return "a control character";
        else if ((unsigned char)c > '~')
            return "unexpected character"; /* cJSON skips a byte order mark */
        else if ((c == '[' || c == '{') && ++depth > DEPTH_MAX)
            return "nested too deep";
        else {
            depth -= c == ']' || c == '}';
            scan->at++;
        }
        if (complaint)
            return complaint;
    }
    return depth > 0 ? "the text ends before all brackets are closed" : NULL;
}

/* --- cJSON's values to ours --- */

struct reading {
    const char *name; /* of the text, for messages */
    const char *text, *at, *end;
    struct error *err;
};

static void complain (const struct reading *reading, const char *at,
                      const struct json_place *place, const char *what)
{
    struct strbuf where = STRBUF_INIT;
    int line = 1, column = 1;

    for (const char *c = reading->text; c < at; c++) {
        column = *c == '\n' ? 1 : column + 1;
        line += *c == '\n';
    }
    json_place_text (place, &where);
    error_set (reading->err, "%s:%d:%d: %s%s", reading->name, line, column,
               where.buf, what);
    strbuf_release (&where);
}

static const char *skip_space (const char *at, const char *end)
{
    while (at < end && strchr (" \t\n\r", *at))
        at++;
    return at;
}

/* Behind a string or number, which was checked. */
static const char *skip_token (const char *at, const char *end)
{
    if (*at == '"') {
        while (*++at != '"')
            at += *at == '\\';
        return at + 1;
    }
    while (at < end && *at && strchr ("+-.eE0123456789", *at))
        at++;
    return at;
}

/* The next string or number of the text. */
static struct scan next_token (struct reading *reading)
{
    struct scan token = { reading->at, reading->end };

    while (*token.at != '"' && *token.at != '-' && !is_digit (&token))
        token.at++;
    token.end = reading->at = skip_token (token.at, reading->end);
    return token;
}

static struct json *take_number (struct reading *reading, const cJSON *item,
                                 const struct json_place *place)
{
    struct scan token = next_token (reading);
    size_t len = (size_t)(token.end - token.at);
    char what[NUMBER_MAX + 64];

    if (!isfinite (item->valuedouble)) {
        complain (reading, token.at, place,
                  "the number is greater than a double can be");
        return NULL;
    }
    if (memchr (token.at, '.', len) || memchr (token.at, 'e', len)
        || memchr (token.at, 'E', len))
        return json_real (item->valuedouble);
    /* What is beyond the limit stays beyond it when it becomes a double. */
    if (fabs (item->valuedouble) <= (double)JSON_INT_MAX)
        return json_int ((int64_t)item->valuedouble);
    snprintf (what, sizeof (what),
              "the integer %.*s is beyond 2^53 - 1; write it as text", (int)len,
              token.at);
    complain (reading, token.at, place, what);
    return NULL;
}

static struct json *take_value (struct reading *reading, cJSON *item,
                                const struct json_place *place);

/* Take all of 'list', which is freed on the way: they never both exist. */
static struct json *take_children (struct reading *reading, cJSON *list,
                                   struct json *made,
                                   const struct json_place *up)
{
    struct json_place place = { .up = up };
    bool keyed = json_kind (made) == JSON_KIND_OBJECT;
    struct json *v = made;

    for (cJSON *item; v && (item = list->child); place.index++) {
        const char *at = keyed ? next_token (reading).at : NULL;

        place.key = item->string;
        v = take_value (reading, item, &place);
        if (v && !keyed) {
            json_push (made, v);
        } else if (v && json_own_member (made, item->string, v)) {
            item->string = NULL;
        } else if (v) {
            complain (reading, at, &place, "duplicate object key");
            json_unref (v);
            v = NULL;
        }
        list->child = item->next;
        item->next = NULL;
        cJSON_Delete (item);
    }
    if (v)
        return made;
    json_unref (made);
    return NULL;
}

static struct json *take_value (struct reading *reading, cJSON *item,
                                const struct json_place *place)
{
    char *string;

    switch (item->type & 0xff) {
    case cJSON_Array:
        return take_children (reading, item, json_array (), place);
    case cJSON_Object:
        return take_children (reading, item, json_object (), place);
    case cJSON_Number:
        return take_number (reading, item, place);
    case cJSON_String:
        next_token (reading);
        string = item->valuestring;
        item->valuestring = NULL;
        return json_own_string (string);
    case cJSON_NULL:
        return json_null ();
    default:
        return json_bool (cJSON_IsTrue (item));
    }
}

/* Where cJSON stopped; behind the first character of what should be a key, it
 * stops one later.
 */
static const char *wrong_at (const struct reading *reading, const char *at)
{
    const char *before = at - 1;

    if (before <= reading->text)
        return at;
    while (--before > reading->text && strchr (" \t\n\r", *before))
        ;
    if (*before == '{')
        return strchr (" \t\n\r}", at[-1]) ? at : at - 1;
    if (*before == ',')
        return strchr (" \t\n\r0123456789", at[-1]) ? at : at - 1;
    return at;
}

/* cJSON stopped at 'at'. */
static void complain_syntax (const struct reading *reading, const char *at)
{
    char what[] = "unexpected 'x'";

    what[sizeof (what) - 3] = at < reading->end ? *at : ' ';
    if (at == reading->end || strchr (" \t\n\r", *at))
        complain (reading, at, NULL, "a value is missing");
    else
        complain (reading, at, NULL, what);
}

struct json *json_parse (const char *text, size_t len, const char *name,
                         struct error *err)
{
    struct reading reading = { name, text, text, text + len, err };
    struct scan scan = { text, text + len };
    const char *complaint = scan_text (&scan), *stop = text;
    struct json *v = NULL;
    cJSON *root;

    if (complaint) {
        complain (&reading, scan.at, NULL, complaint);
        return NULL;
    }
    cJSON_InitHooks (&(cJSON_Hooks){ xmalloc, free });
    root = cJSON_ParseWithLengthOpts (text, len, &stop, false);
    if (root)
        stop = skip_space (stop, reading.end);
    if (!root)
        complain_syntax (&reading, wrong_at (&reading, stop));
    else if (stop < reading.end)
        complain (&reading, stop, NULL, "text behind the value");
    else
        v = take_value (&reading, root, NULL);
    cJSON_Delete (root);
    return v;
}
