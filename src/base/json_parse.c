/* SPDX-License-Identifier: BSD-3-Clause */
/* json_parse.c - JSON text to values
 *
 * cJSON finds the structure; this is the only file that knows it.  It is
 * lenient about characters and numbers, so every string and number is checked
 * before it sees the text.  It keeps all numbers as doubles, so integers are
 * told from reals by the text, which is followed while its values become ours.
 */
#include "base/base.h"

#include <cjson/cJSON.h>

#include "base/json_private.h"

enum {
    DEPTH_MAX = 512,
    NUMBER_MAX = 63, /* characters; of a longer one cJSON reads the start */
};

/* --- what cJSON would let pass --- */

struct reading {
    const char *name; /* of the text, for messages */
    const char *text, *at, *end;
    struct error *err;
};

static bool is_digit (const struct reading *reading)
{
    return reading->at < reading->end && *reading->at >= '0'
           && *reading->at <= '9';
}

static bool take_char (struct reading *reading, const char *any)
{
    if (reading->at == reading->end || !*reading->at
        || !strchr (any, *reading->at))
        return false;
    reading->at++;
    return true;
}

/* At least one. */
static bool take_digits (struct reading *reading)
{
    const char *start = reading->at;

    while (is_digit (reading))
        reading->at++;
    return reading->at > start;
}

static const char not_finite[] = "NaN and infinities are no numbers of JSON; "
                                 "write null, or leave the key out";

/* These return the complaint about what begins at 'at', which is then where it
 * is wrong, or NULL and go behind it.
 */
static const char *scan_number (struct reading *reading)
{
    const char *start = reading->at;
    bool zero;

    take_char (reading, "-");
    zero = take_char (reading, "0");
    if (zero && is_digit (reading))
        return "a number that begins with 0";
    if (!zero && reading->at < reading->end && *reading->at == 'I')
        return not_finite;
    if (!zero && !take_digits (reading))
        return "a digit is missing";
    if (take_char (reading, ".") && !take_digits (reading))
        return "a digit is missing behind the decimal point";
    if (take_char (reading, "eE")) {
        take_char (reading, "+-");
        if (!take_digits (reading))
            return "a digit is missing in the exponent";
    }
    if (reading->at - start <= NUMBER_MAX)
        return NULL;
    reading->at = start;
    return "a number of more than 63 characters";
}

/* The four digits of \uXXXX, or -1. */
static int scan_hex (struct reading *reading)
{
    int value = 0;

    for (int i = 0; i < 4; i++) {
        static const char digits[] = "0123456789abcdef0123456789ABCDEF";
        const char *digit = reading->at < reading->end && *reading->at
                                ? strchr (digits, *reading->at)
                                : NULL;

        if (!digit)
            return -1;
        value = 16 * value + (int)((digit - digits) % 16);
        reading->at++;
    }
    return value;
}

/* Behind the u of \uXXXX. */
static const char *scan_code (struct reading *reading)
{
    int code = scan_hex (reading);

    if (code < 0)
        return "\\u needs four hexadecimal digits";
    if (code == 0)
        return "a NUL character";
    if (code < 0xd800 || code > 0xdfff)
        return NULL;
    if (code > 0xdbff || !take_char (reading, "\\")
        || !take_char (reading, "u"))
        return "half of a surrogate pair";
    code = scan_hex (reading);
    return code < 0xdc00 || code > 0xdfff ? "half of a surrogate pair" : NULL;
}

static bool is_plain (char c)
{
    return c >= ' ' && c <= '~' && c != '"' && c != '\\';
}

static const char *scan_string (struct reading *reading)
{
    const char *start = reading->at++, *complaint = NULL;

    while (reading->at < reading->end) {
        size_t len;

        if (is_plain (*reading->at)) {
            reading->at++;
            continue;
        }
        if (take_char (reading, "\""))
            return NULL;
        len = json_utf8_length (reading->at,
                                (size_t)(reading->end - reading->at));
        if (len == 0)
            return "text that is not UTF-8";
        if (*reading->at == '\0')
            return "a NUL character";
        if ((unsigned char)*reading->at < ' ')
            return "a control character; write it as \\u and four digits";
        if (!take_char (reading, "\\"))
            reading->at += len;
        else if (take_char (reading, "u"))
            complaint = scan_code (reading);
        else if (!take_char (reading, "\"\\/bfnrt"))
            complaint = "an escape that JSON does not have";
        if (complaint)
            return complaint;
    }
    reading->at = start;
    return "a string that does not end";
}

static const char *scan_text (struct reading *reading)
{
    int depth = 0;

    while (reading->at < reading->end) {
        char c = *reading->at;
        const char *complaint = NULL;

        if (c == '\0')
            return "a NUL character";
        if (c == '"')
            complaint = scan_string (reading);
        else if (c == '-' || is_digit (reading))
            complaint = scan_number (reading);
        else if ((unsigned char)c < ' ' && !strchr ("\t\n\r", c))
            return "a control character";
        else if ((unsigned char)c > '~')
            return "unexpected character"; /* cJSON skips a byte order mark */
        else if ((c == '[' || c == '{') && ++depth > DEPTH_MAX)
            return "nested too deep";
        else {
            depth -= c == ']' || c == '}';
            reading->at++;
        }
        if (complaint)
            return complaint;
    }
    return depth > 0 ? "the text ends before all brackets are closed" : NULL;
}

/* --- cJSON's values to ours --- */

PRINTF_LIKE (4, 5)
static void complain (const struct reading *reading, const char *at,
                      const struct json_place *place, const char *fmt, ...)
{
    struct strbuf what = STRBUF_INIT;
    int line = 1, column = 1;
    va_list ap;

    for (const char *c = reading->text; c < at; c++) {
        column = *c == '\n' ? 1 : column + 1;
        line += *c == '\n';
    }
    json_place_text (place, &what);
    va_start (ap, fmt);
    strbuf_vaddf (&what, fmt, ap);
    va_end (ap);
    error_set (reading->err, "%s:%d:%d: %s", reading->name, line, column,
               what.buf);
    strbuf_release (&what);
}

/* Where the next string or number of the text begins; we are behind it then. */
static const char *next_token (struct reading *reading)
{
    const char *start;

    while (*reading->at != '"' && *reading->at != '-' && !is_digit (reading))
        reading->at++;
    start = reading->at;
    if (*start == '"')
        scan_string (reading);
    else
        scan_number (reading);
    return start;
}

static struct json *take_number (struct reading *reading, const cJSON *item,
                                 const struct json_place *place)
{
    const char *start = next_token (reading);
    size_t len = (size_t)(reading->at - start);

    if (!isfinite (item->valuedouble)) {
        complain (reading, start, place,
                  "the number is greater than a double can be");
        return NULL;
    }
    if (memchr (start, '.', len) || memchr (start, 'e', len)
        || memchr (start, 'E', len))
        return json_real (item->valuedouble);
    /* What is beyond the limit stays beyond it when it becomes a double. */
    if (fabs (item->valuedouble) <= (double)JSON_INT_MAX)
        return json_int ((int64_t)item->valuedouble);
    complain (reading, start, place,
              "the integer %.*s is beyond 2^53 - 1; write it as text", (int)len,
              start);
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
        const char *at = keyed ? next_token (reading) : NULL;

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

/* What Python writes that JSON lacks. */
static bool is_not_finite (const struct reading *reading, const char *at)
{
    static const char *const words[] = { "NaN", "nan", "Infinity", "inf" };
    size_t left;

    left = (size_t)(reading->end - at);
    for (size_t i = 0; i < ARRAY_SIZE (words); i++) {
        if (strlen (words[i]) <= left
            && strncmp (at, words[i], strlen (words[i])) == 0)
            return true;
    }
    return false;
}

/* cJSON stopped at 'at'. */
static void complain_syntax (const struct reading *reading, const char *at)
{
    if (at == reading->end || strchr (" \t\n\r", *at))
        complain (reading, at, NULL, "a value is missing");
    else if (is_not_finite (reading, at))
        complain (reading, at, NULL, "%s", not_finite);
    else
        complain (reading, at, NULL, "unexpected '%c'", *at);
}

struct json *json_parse (const char *text, size_t len, const char *name,
                         struct error *err)
{
    struct reading reading = { name, text, text, text + len, err };
    const char *complaint = scan_text (&reading), *stop = text;
    struct json *v = NULL;
    cJSON *root;

    if (complaint) {
        complain (&reading, reading.at, NULL, "%s", complaint);
        return NULL;
    }
    reading.at = text;
    cJSON_InitHooks (&(cJSON_Hooks){ xmalloc, free });
    root = cJSON_ParseWithLengthOpts (text, len, &stop, false);
    while (root && stop < reading.end && strchr (" \t\n\r", *stop))
        stop++;
    if (!root)
        complain_syntax (&reading, wrong_at (&reading, stop));
    else if (stop < reading.end)
        complain (&reading, stop, NULL, "text behind the value");
    else
        v = take_value (&reading, root, NULL);
    cJSON_Delete (root);
    return v;
}
