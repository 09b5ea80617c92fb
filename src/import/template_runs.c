/* SPDX-License-Identifier: BSD-3-Clause */
/* template_runs.c - what a template and the values of its words come to */
#include "base/base.h"

#include "base/json.h"
#include "import/draft.h"
#include "import/md_template.h"
#include "import/template_runs.h"

/* More files are a mistake. */
enum { COMBINATIONS_MAX = 1000 };

static bool is_variable_name (const char *word)
{
    static const char legal[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

    return *word && word[strspn (word, legal)] == '\0'
           && strcmp (word, "seed") != 0 && strcmp (word, "steps") != 0;
}

/* Numbers that LAMMPS may have as variables; all else is written into a file
 * for each value.
 */
static bool is_numeric (const char *word, const struct json *values)
{
    for (size_t i = 0; i < json_count (values); i++) {
        enum json_kind kind = json_kind (json_at (values, i));

        if (kind != JSON_KIND_INT && kind != JSON_KIND_REAL)
            return false;
    }
    return is_variable_name (word);
}

static size_t combinations_of (const struct json *lists)
{
    size_t n = 1;

    JSON_FOREACH (lists, it) {
        size_t values = json_count (json_iter_value (it));

        if (n > COMBINATIONS_MAX / (values > 0 ? values : 1))
            return COMBINATIONS_MAX + 1;
        n *= values;
    }
    return n;
}

/* Combination 'index' of the lists, the last one varying fastest, into
 * 'chosen'.
 */
static void choose (const struct json *lists, size_t index, struct json *chosen)
{
    size_t n = combinations_of (lists);

    JSON_FOREACH (lists, it) {
        const struct json *values = json_iter_value (it);

        n /= json_count (values);
        json_set (chosen, json_iter_key (it),
                  json_ref (json_at (values, index / n)));
        index %= n;
    }
}

/* The words divided: what for_each sets, and what files are written for. */
static void divide_words (const struct md_template *text,
                          const struct json *words, struct json *for_each,
                          struct json *fixed)
{
    const char *steps = md_template_steps_word (text, words);

    JSON_FOREACH (words, it) {
        const char *word = json_iter_key (it);
        struct json *values = json_iter_value (it);
        bool of_file =
            !is_numeric (word, values) || (steps && strcmp (steps, word) == 0);

        json_set (of_file ? fixed : for_each, word, json_ref (values));
    }
}

/* One run of one combination of the words that need a file. */
static struct json *template_run (struct draft *draft, struct md_template *text,
                                  const struct json *for_each,
                                  const struct json *fixed, size_t index,
                                  struct error *err)
{
    _cleanup_json_ struct json *variables = json_object ();
    struct json *run = NULL;
    _cleanup_ (strbuf_release) struct strbuf lines = STRBUF_INIT;
    int64_t steps;

    choose (fixed, index, variables);
    JSON_FOREACH (for_each, it)
        json_set (variables, json_iter_key (it),
                  json_ref (json_at (json_iter_value (it), 0)));
    text->variables = variables;
    text->for_each = for_each;
    if (md_template_steps (text, &steps, err) == 0
        && md_template_write (text, &lines, err) == 0) {
        run = json_object ();
        json_set (run, "input",
                  json_string (
                      draft_add_file (draft, "lammps/template.in", lines.buf)));
        json_set (run, "for_each", json_ref ((struct json *)for_each));
        json_set (run, "steps", json_int (steps));
    }
    return run;
}

int template_runs_add (struct draft *draft, const char *key,
                       struct md_template *text, const struct json *words,
                       struct json *systems, struct json *runs,
                       struct error *err)
{
    _cleanup_json_ struct json *for_each = json_object ();
    _cleanup_json_ struct json *fixed = json_object ();
    size_t n;
    int rc = 0;

    divide_words (text, words, for_each, fixed);
    n = combinations_of (fixed);
    if (n > COMBINATIONS_MAX)
        rc = error_set (err, "%s: more than %d files would be written", key,
                        COMBINATIONS_MAX);
    for (size_t i = 0; rc == 0 && i < n; i++) {
        struct json *run = template_run (draft, text, for_each, fixed, i, err);

        if (run) {
            json_set (run, "systems", json_ref (systems));
            json_push (runs, run);
        } else {
            rc = -1;
        }
    }
    return rc;
}
