/* SPDX-License-Identifier: BSD-3-Clause */
/* programs.c - what of an operator runs from a copy of its programs */
#include "config.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/file.h"
#include "base/file_glob.h"
#include "base/json.h"
#include "base/strbuf.h"
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
    char *plain;
    bool held;

    while (len > 1 && item[len - 1] == '/')
        len--;
    plain = xstrndup (item, len);
    held = path_is_at_or_below (path, plain)
           || (path_is_pattern (plain)
               && fnmatch (plain, path,
                           FNM_PATHNAME | FNM_PERIOD | FNM_LEADING_DIR)
                      == 0);
    free (plain);
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
    char *path = xstrndup (text, len);
    bool held = programs_hold (items, path);

    free (path);
    return held;
}

/* To a script $campaign is what a call is of. */
static bool holds_place (const char *const *items, const char *text, size_t len)
{
    char *path = xstrndup (text, len);
    bool held = false;

    for (; items && *items && !held; items++)
        held = holds (programs_place (*items), path) && !is_hidden (path);
    free (path);
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
