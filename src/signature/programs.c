/* SPDX-License-Identifier: BSD-3-Clause */
/* programs.c - what of an operator runs from a copy of its programs */
#include "base/base.h"

#include <fnmatch.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/file_glob.h"
#include "base/json.h"
#include "signature/programs.h"
#include "signature/template.h"

const char *programs_place (const char *path)
{
    while (strncmp (path, "../", 3) == 0)
        path += 3;
    return path;
}

/* "lib/" is "lib". */
static bool holds (const char *item, const char *path)
{
    size_t len = strlen (item);
    _cleanup_free_ char *plain = NULL;
    bool held;

    while (len > 1 && item[len - 1] == '/')
        len--;
    plain = xstrndup (item, len);
    held = path_is_at_or_below (path, plain)
           || (path_is_pattern (plain)
               && fnmatch (plain, path,
                           FNM_PATHNAME | FNM_PERIOD | FNM_LEADING_DIR)
                      == 0);
    return held;
}

static bool is_hidden (const char *place)
{
    return place[0] == '.' || strstr (place, "/.");
}

bool programs_hold (const char *const *items, const char *path)
{
    bool held = false;

    for (; items && *items && !held; items++)
        held = holds (*items, path);
    return held && !is_hidden (programs_place (path));
}

/* A word of 'len' bytes that begins a text. */
static bool holds_word (const char *const *items, const char *text, size_t len)
{
    _cleanup_free_ char *path = xstrndup (text, len);

    return programs_hold (items, path);
}

/* To a script $campaign is what a call is of. */
static bool holds_place (const char *const *items, const char *text, size_t len)
{
    _cleanup_free_ char *path = xstrndup (text, len);
    bool held = false;

    for (; items && *items && !held; items++)
        held = holds (programs_place (*items), path) && !is_hidden (path);
    return held;
}

/* What ends a path in a text; also of a list such as PYTHONPATH=a:b. */
static const char ends_path[] = " \t\n\"'`;|&<>(){}$*?[]\\:,=#!";

void programs_argument (const char *const *items, const char *argument,
                        struct strbuf *out)
{
    static const char below[] = "{campaign}/";
    const size_t len = sizeof (below) - 1;
    const char *at = argument, *found;

    while ((found = strstr (at, below))) {
        const char *path = found + len;
        bool whole = found == argument && !strchr (path, '{');
        bool is_text = found > argument && found[-1] == '{';

        strbuf_add (out, at, (size_t)(found - at));
        at = path;
        if (!is_text
            && ((whole && programs_hold (items, path))
                || holds_word (items, path, strcspn (path, ends_path)))) {
            strbuf_add_str (out, "{" PROGRAMS_PLACEHOLDER "}/");
            at = programs_place (path);
        } else {
            strbuf_add_str (out, below);
        }
    }
    strbuf_add_str (out, at);
}

/* Behind "$": how much of it is the variable, with what stands around it; 0:
 * another one.
 */
static size_t variable_len (const char *text)
{
    if (strncmp (text, "campaign", 8) == 0)
        return 8;
    return strncmp (text, "{campaign}", 10) == 0 ? 10 : 0;
}

void programs_script (const char *const *items, const char *text,
                      struct strbuf *out)
{
    const char *at = text, *found;

    while ((found = strchr (at, '$'))) {
        const char *name = found + 1;
        size_t len = variable_len (name);
        const char *path = name + len + (name[len] == '"');

        strbuf_add (out, at, (size_t)(name - at));
        at = name;
        if (len == 0 || *path != '/'
            || !holds_place (items, path + 1, strcspn (path + 1, ends_path)))
            continue;
        strbuf_add_str (out, "{" PROGRAMS_PLACEHOLDER "}");
        at = name + len;
    }
    strbuf_add_str (out, at);
}

/* --- what is found in place --- */

/* Of the name of a variable. */
static bool is_letter (char c)
{
    return c == '_' || isalnum ((unsigned char)c);
}

/* Is what 'item' stands for below the directory 'path'?  Of "a*" and "b/c" the
 * parts are compared that both have.
 */
static bool is_above (const char *path, const char *item)
{
    const char *end = item;
    _cleanup_free_ char *part = NULL;
    bool above;

    for (const char *at = path; at && end; at = strchr (at + 1, '/'))
        end = strchr (end + (end > item), '/');
    if (!end)
        return false;
    part = xstrndup (item, (size_t)(end - item));
    above = fnmatch (part, path, FNM_PATHNAME | FNM_PERIOD) == 0;
    return above;
}

/* Of "sub/{name}" the text before the brace, which may go on with anything. */
static bool may_become (const char *path, const char *item)
{
    size_t len = strlen (path), plain = strcspn (item, "*?[");

    return strncmp (path, item, len < plain ? len : plain) == 0;
}

/* 'word' of 'len' bytes stands behind "{campaign}/", and then comes 'next'. */
static bool is_open (const char *const *items, const char *word, size_t len,
                     char next)
{
    bool computed = next && strchr ("{$`*?[\\", next), open;
    _cleanup_free_ char *text = xstrndup (word, len);
    const char *path = programs_place (text);

    while (!computed && len > 0 && text[len - 1] == '/')
        text[--len] = '\0';
    open = strstr (path, "..") || strstr (path, "//")
           || (!computed && !path_is_inside (path));
    for (; items && *items && !open; items++) {
        const char *item = programs_place (*items);

        open = !holds (item, path)
               && (computed ? may_become (path, item) : is_above (path, item));
    }
    return open;
}

bool programs_argument_is_open (const char *const *items, const char *argument)
{
    static const char name[] = "{campaign}";
    const size_t len = sizeof (name) - 1;
    const char *at = argument;

    while ((at = strstr (at, name))) {
        bool is_text = at > argument && at[-1] == '{';
        bool first = at == argument;
        const char *path = at + len + 1;
        size_t n;

        at += len;
        if (is_text)
            continue;
        if (*at != '/')
            return true;
        n = first && !strchr (path, '{') ? strlen (path)
                                         : strcspn (path, ends_path);
        if (is_open (items, path, n, path[n]))
            return true;
    }
    return false;
}

bool programs_script_is_open (const char *const *items, const char *text)
{
    const char *at = text;

    while ((at = strchr (at, '$'))) {
        const char *name = ++at;
        size_t len = variable_len (name), n;
        const char *path = name + len + (name[len] == '"');

        if (len == 0) {
            /* "${campaign%x}" */
            if (strncmp (name, "{campaign", 9) == 0 && !is_letter (name[9]))
                return true;
            continue;
        }
        if (name[0] != '{' && is_letter (name[len]))
            continue;
        n = strcspn (path + (*path == '/'), ends_path);
        if (*path != '/' || is_open (items, path + 1, n, path[1 + n]))
            return true;
    }
    return false;
}

/* --- where it ran --- */

void programs_run_from (const struct json *manifest, const char *path,
                        struct strbuf *out)
{
    const char *copy = json_get_string (manifest, "programs");
    struct arena *arena = arena_create ();
    const char *const *files = NULL;

    if (*copy && json_want_argv (manifest, "files", arena, &files, NULL) == 0
        && programs_hold (files, path))
        strbuf_addf (out, "%s/%s", copy, programs_place (path));
    else
        strbuf_add_str (out, path);
    arena_destroy (arena);
}
