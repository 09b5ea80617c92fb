/* SPDX-License-Identifier: BSD-3-Clause */
/* draft.c - a campaign directory that is being written in memory */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "import/draft.h"

void draft_init (struct draft *draft, const struct import_files *files)
{
    *draft = (struct draft){ .files = files };
    outline_init (&draft->campaign);
    outline_init (&draft->site);
    strvec_init (&draft->paths);
    strvec_init (&draft->texts);
    draft->copies = json_object ();
    strvec_init (&draft->absent);
    strvec_init (&draft->remarks);
    key_report_init (&draft->report);
}

void draft_release (struct draft *draft)
{
    outline_release (&draft->campaign);
    outline_release (&draft->site);
    strvec_release (&draft->paths);
    strvec_release (&draft->texts);
    json_unref (draft->copies);
    strvec_release (&draft->absent);
    strvec_release (&draft->remarks);
    key_report_release (&draft->report);
}

static char *numbered (const char *path, size_t n)
{
    const char *dot = strrchr (path_base (path), '.');

    if (n < 2)
        return xstrdup (path);
    if (!dot)
        dot = path + strlen (path);
    return xasprintf ("%.*s-%zu%s", (int)(dot - path), path, n, dot);
}

const char *draft_add_file (struct draft *draft, const char *path,
                            const char *text)
{
    for (size_t n = 1;; n++) {
        char *name = numbered (path, n);
        size_t at = words_index (draft->paths.v, draft->paths.n, name);

        if (at == draft->paths.n) {
            strvec_push (&draft->paths, name);
            strvec_push (&draft->texts, text);
        }
        free (name);
        if (strcmp (draft->texts.v[at], text) == 0)
            return draft->paths.v[at];
    }
}

void draft_add_copy (struct draft *draft, const char *to, const char *from)
{
    json_set (draft->copies, to, json_string (from));
    if (!draft->files->look (from))
        draft_remark (draft, "when it is there, copy %s to %s/", from, to);
}

char *draft_path (const struct draft *draft, const char *prefix,
                  const char *path)
{
    _cleanup_free_ char *below = path_join (prefix ? prefix : "", path);
    _cleanup_free_ char *full = path_join (draft->files->dir, below);
    char *absolute = path_absolute (full);

    return absolute;
}

char *draft_locate (struct draft *draft, const char *prefix, const char *path)
{
    char *absolute = draft_path (draft, prefix, path);

    if (!draft->files->look (absolute)
        && !strvec_contains (&draft->absent, absolute))
        strvec_push (&draft->absent, absolute);
    return absolute;
}

struct json *draft_named (const struct draft *draft, const char *absolute)
{
    const char *around = draft->files->around;

    if (!around || strcmp (around, "/") == 0
        || !path_is_at_or_below (absolute, around))
        return json_string (absolute);
    absolute += strlen (around);
    return json_stringf ("..%s", absolute);
}

void draft_remark (struct draft *draft, const char *fmt, ...)
{
    va_list ap;
    _cleanup_free_ char *text = NULL;

    va_start (ap, fmt);
    text = text_made_plain (xvasprintf (fmt, ap));
    va_end (ap);
    if (!strvec_contains (&draft->remarks, text))
        strvec_push (&draft->remarks, text);
}
