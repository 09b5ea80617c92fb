/* SPDX-License-Identifier: BSD-3-Clause */
/* template_keys.c - keys of the user's template that Fanfold completes */
#include "base/base.h"

#include <fnmatch.h>

#include "base/problems.h"
#include "operators/kit.h"

struct search {
    const struct template_key *keys;
    const char *name;
    const char *unit;
    struct strbuf found; /* a line for each that is refused */
};

static int note_ours (const char *key, size_t line, void *arg,
                      struct error *err)
{
    struct search *search = arg;

    (void)err;
    for (const struct template_key *ours = search->keys; ours->key; ours++) {
        if (fnmatch (ours->key, key, 0) != 0)
            continue;
        strbuf_addf (&search->found,
                     "%s%s:%zu: '%s' is filled in by Fanfold for every %s; %s",
                     search->found.len > 0 ? "\n" : "", search->name, line, key,
                     search->unit, ours->instead ? ours->instead : "remove it");
        break;
    }
    return 0;
}

int template_check_keys_of (const char *unit, template_scanner *scan,
                            const struct template_key *keys, const char *text,
                            size_t len, const char *name, struct error *err)
{
    struct search search = {
        .keys = keys, .name = name, .unit = unit, .found = STRBUF_INIT
    };
    int rc = scan (text, len, note_ours, &search, err) == 0 ? 0 : -1;

    if (rc == 0 && search.found.len > 0)
        rc = error_set (err, "%s", search.found.buf);
    strbuf_release (&search.found);
    return rc;
}

int template_check_keys (template_scanner *scan,
                         const struct template_key *keys, const char *text,
                         size_t len, const char *name, struct error *err)
{
    return template_check_keys_of ("frame", scan, keys, text, len, name, err);
}

/* --- words that are misspelt --- */

char *template_meant (const char *used, const char *known, size_t least,
                      size_t letters)
{
    _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;
    const char *meant = NULL;
    char *copy;

    strvec_split (&words, known, " ");
    if (strlen (used) >= least && !strvec_contains (&words, used))
        meant = nearest_word (used, &words);
    copy = meant && word_distance (used, meant) <= letters ? xstrdup (meant)
                                                           : NULL;
    return copy;
}

/* --- what only looks wrong --- */

void template_doubt (struct strbuf *says, const char *name, size_t line,
                     const char *fmt, ...)
{
    _cleanup_free_ char *text = NULL;
    va_list ap;

    va_start (ap, fmt);
    text = xvasprintf (fmt, ap);
    va_end (ap);
    strbuf_addf (says, "%s%s", says->len > 0 ? "\n" : "", name);
    if (line > 0)
        strbuf_addf (says, ":%zu", line);
    strbuf_addf (says, ": %s", text);
}

/* --- a key at the start of each line --- */

/* No key of a table is longer. */
enum { KEY_SIZE = 64 };

static int tell_first_word (const char *at, const char *end, size_t line,
                            template_each_key *each, void *arg,
                            struct error *err)
{
    char key[KEY_SIZE];
    size_t n = 0;

    while (at < end && strchr (" \t\r", *at))
        at++;
    while (at + n < end && n < KEY_SIZE - 1 && !strchr (" \t\r=#!", at[n])
           && !(at[n] == '/' && at + n + 1 < end && at[n + 1] == '/'))
        n++;
    if (n == 0)
        return 0;
    memcpy (key, at, n);
    key[n] = '\0';
    return each (key, line, arg, err);
}

int template_first_words (const char *text, size_t len, template_each_key *each,
                          void *arg, struct error *err)
{
    const char *at = text, *stop = text + len;
    int rc = 0;

    for (size_t line = 1; rc == 0 && at < stop; line++) {
        const char *end = memchr (at, '\n', (size_t)(stop - at));

        if (!end)
            end = stop;
        rc = tell_first_word (at, end, line, each, arg, err);
        at = end + 1;
    }
    return rc;
}
