/* SPDX-License-Identifier: BSD-3-Clause */
/* json_text.c - parts of a JSON text that is too long to make values of it all
 */
#include "config.h"

#include <stdbool.h>
#include <string.h>

#include "base/json_text.h"

static bool is_space (char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

const char *json_text_skip_space (const char *at, const char *end)
{
    while (at < end && is_space (*at))
        at++;
    return at;
}

/* Behind the string whose quote is at 'at', or NULL. */
static const char *skip_string (const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++) {
        if (*at == '\\' && ++at == end)
            return NULL;
    }
    return at < end ? at + 1 : NULL;
}

/* Behind the bracket that closes the one at 'at', or NULL. */
static const char *skip_nested (const char *at, const char *end)
{
    size_t depth = 0;

    while (at && at < end) {
        char c = *at;

        if (c == '"') {
            at = skip_string (at, end);
            continue;
        }
        at++;
        depth += c == '[' || c == '{';
        depth -= c == ']' || c == '}';
        if (depth == 0)
            return at;
    }
    return NULL;
}

const char *json_text_skip (const char *at, const char *end)
{
    const char *start = at;

    if (at < end && *at == '"')
        return skip_string (at, end);
    if (at < end && (*at == '[' || *at == '{'))
        return skip_nested (at, end);
    while (at < end && !is_space (*at) && !strchr (",:]}", *at))
        at++;
    return at > start ? at : NULL;
}

/* Behind 'c' and the white space before it, or NULL. */
static const char *skip_sign (const char *at, const char *end, char c)
{
    at = json_text_skip_space (at, end);
    return at < end && *at == c ? at + 1 : NULL;
}

const char *json_text_member (const char *text, size_t len, const char *key)
{
    const char *end = text + len, *at = skip_sign (text, end, '{');
    size_t key_len = strlen (key);

    while (at) {
        const char *name = skip_sign (at, end, '"');
        const char *behind = name ? skip_string (name - 1, end) : NULL;

        at = behind ? skip_sign (behind, end, ':') : NULL;
        if (!at)
            break;
        at = json_text_skip_space (at, end);
        if ((size_t)(behind - name) == key_len + 1
            && memcmp (name, key, key_len) == 0)
            return at;
        at = json_text_skip (at, end);
        if (at)
            at = skip_sign (at, end, ',');
    }
    return NULL;
}
