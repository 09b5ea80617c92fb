/* SPDX-License-Identifier: BSD-3-Clause */
/* select_rules.c - the rules that the options of `fanfold select` ask for */
#include "config.h"

#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/json.h"
#include "base/problems.h"
#include "base/strbuf.h"
#include "base/yaml_tree.h"
#include "commands/invocation.h"
#include "commands/select_rules.h"
#include "commands/select_source.h"
#include "formats/number.h"
#include "selection/committee_rules.h"
#include "selection/rules.h"

const struct command_option select_options[] = {
    { "force", "LOW:HIGH", "levels in eV/angstrom (0.05:0.15)" },
    { "virial", "LOW:HIGH", "levels in eV/atom" },
    { "energy", "LOW:HIGH", "levels in eV/atom" },
    { "semantics", "NAME", "dpgen, dpgen2 or simplify" },
    { "adaptive", "N", "the N largest are candidates; a fraction if below 1" },
    { "quota", "N", "of each system (100)" },
    { "pick", "NAME", "random, max, stratified or inverse_population" },
    { "skip-steps", "N", "frames before step N do not count" },
    { "rules", "FILE", "YAML or JSON with more, as a stage's `with:`" },
    { "stage", "NAME", "the rules and files of a stage of the campaign" },
    { "iteration", "N", "of the stage (the newest), or for `iterations:`" },
    { "json", NULL, "the numbers as JSON" },
    { 0 },
};

/* "0.05:0.15", or the high level alone. */
static int read_levels (const char *option,
                        const char *text,
                        struct json *rules,
                        struct error *err)
{
    const char *end = text + strlen (text), *colon = strchr (text, ':');
    struct json *levels = json_object ();
    double low = 0, high;
    bool ok = !colon || number_read (text, end, &low) == colon;

    ok = ok && number_read (colon ? colon + 1 : text, end, &high) == end;
    if (ok) {
        if (colon)
            json_set (levels, "low", json_real (low));
        json_set (levels, "high", json_real (high));
        json_set (rules, option, levels);
        return 0;
    }
    json_unref (levels);
    return error_set (err, "--%s: '%s'; write LOW:HIGH", option, text);
}

static int read_whole (const char *option,
                       const char *key,
                       const char *text,
                       struct json *rules,
                       struct error *err)
{
    const char *end = text + strlen (text);
    int64_t n;

    if (integer_read (text, end, &n) != end || n < 0)
        return error_set (err, "--%s: '%s'; write a whole number", option,
                          text);
    json_set (rules, key, json_int (n));
    return 0;
}

/* How many of the largest by force, or which part of all. */
static int read_adaptive (const char *text,
                          struct json *rules,
                          struct error *err)
{
    const char *end = text + strlen (text);
    struct json *top, *adaptive;
    double n;

    if (number_read (text, end, &n) != end || !(n >= 0) || n > 1e15)
        return error_set (err, "--adaptive: '%s'; write a number", text);
    top = json_object ();
    adaptive = json_object ();
    if (n < 1)
        json_set (top, "fraction", json_real (n));
    else
        json_set (top, "count", json_int ((int64_t)n));
    json_set (adaptive, "force", top);
    json_set (rules, "adaptive", adaptive);
    return 0;
}

static struct json *default_rules (void)
{
    struct json *rules = json_object (), *levels = json_object ();

    json_set (levels, "low", json_real (0.05));
    json_set (levels, "high", json_real (0.15));
    json_set (rules, "force", levels);
    json_set (rules, "quota", json_int (100));
    json_set (rules, "quota_per", json_string ("system"));
    return rules;
}

/* --- a file --- */

/* What else a plan may say, beside the committee's rules. */
static const char *const list_keys[] = { "elements", "labelled", NULL };

static bool is_among (const char *key, const char *const *keys)
{
    while (*keys && strcmp (*keys, key) != 0)
        keys++;
    return *keys;
}

static bool is_rule (const char *key)
{
    return is_among (key, rules_keys) || is_among (key, list_keys)
           || is_among (key, committee_rules_keys)
           || strcmp (key, "iterations") == 0;
}

static int take_file (const char *path,
                      const struct json *read,
                      struct json *rules,
                      struct error *err)
{
    if (json_kind (read) != JSON_KIND_OBJECT)
        return error_set (err, "%s: expected rules, as {force: {low, high}}",
                          path);
    JSON_FOREACH (read, it) {
        if (!is_rule (json_iter_key (it)))
            return error_set (err, "%s: unknown key '%s'", path,
                              json_iter_key (it));
        json_set (rules, json_iter_key (it), json_ref (json_iter_value (it)));
    }
    return 0;
}

static int read_file (const char *path, struct json *rules, struct error *err)
{
    struct problems problems = PROBLEMS_INIT;
    struct yaml_tree *tree = yaml_tree_read (path, path, &problems);
    struct json *read = NULL;
    int rc;

    if (tree) {
        read = yaml_to_json (yaml_tree_root (tree));
        rc = take_file (path, read, rules, err);
    } else {
        struct strbuf text = STRBUF_INIT;

        problems_format (&problems, &text);
        rc = error_set (err, "%s", text.buf);
        strbuf_release (&text);
    }
    json_unref (read);
    yaml_tree_destroy (tree);
    problems_release (&problems);
    return rc;
}

/* --- all of it --- */

static int read_option (const struct command_option *option,
                        const char *text,
                        struct json *rules,
                        struct error *err)
{
    if (strcmp (option->arg, "LOW:HIGH") == 0)
        return read_levels (option->name, text, rules, err);
    if (strcmp (option->name, "adaptive") == 0)
        return read_adaptive (text, rules, err);
    if (strcmp (option->name, "skip-steps") == 0)
        return read_whole (option->name, "skip_steps", text, rules, err);
    if (strcmp (option->name, "quota") == 0)
        return read_whole (option->name, "quota", text, rules, err);
    if (strcmp (option->name, "semantics") == 0
        || strcmp (option->name, "pick") == 0)
        json_set (rules, option->name, json_string (text));
    return 0;
}

static void leave_out (struct json *rules,
                       const char *key,
                       const char *rule,
                       const char *why,
                       struct json *left_out)
{
    struct json *one = json_object ();

    json_set (one, "rule", json_string (rule));
    json_set (one, "why", json_string (why));
    json_push (left_out, one);
    json_delete (rules, key);
}

/* What looks at structures, and what that is called. */
static const struct {
    const char *key;
    const char *value; /* NULL: any */
    const char *rule;
} looks[] = {
    { "filters", NULL, "filters" },
    { "duplicates", NULL, "duplicates" },
    { "pick", "diverse", "pick: diverse" },
};

static bool is_asked (const struct json *rules, size_t i)
{
    const struct json *value = json_get (rules, looks[i].key);

    return looks[i].value ? strcmp (json_as_string (value), looks[i].value) == 0
                          : !json_is_null (value);
}

/* Leave out what looks at data that is not there, which is only looked for when
 * there is such a rule: there may be many files.
 */
static void leave_absent_out (const struct select_source *source,
                              struct json *rules,
                              struct json *left_out)
{
    bool any = false;

    for (size_t i = 0; i < ARRAY_SIZE (looks); i++)
        any = any || is_asked (rules, i);
    if (any && !select_source_has_trajectories (source)) {
        for (size_t i = 0; i < ARRAY_SIZE (looks); i++) {
            if (is_asked (rules, i))
                leave_out (rules, looks[i].key, looks[i].rule,
                           "there are no trajectories", left_out);
        }
    } else if (!source->inputs && !json_is_null (json_get (rules, "duplicates"))
               && json_count (json_get (rules, "labelled")) == 0) {
        leave_out (rules, "duplicates", "duplicates",
                   "no labelled data is named", left_out);
    }
}

/* Of 'from', what stands beside the rules. */
static void copy_lists (const struct json *from, struct json *rules)
{
    const char *const *const keys[] = { list_keys, committee_rules_keys };

    for (size_t i = 0; i < ARRAY_SIZE (keys); i++) {
        for (const char *const *key = keys[i]; *key; key++) {
            struct json *value = json_get (from, *key);

            if (value && !json_is_null (value))
                json_set (rules, *key, json_ref (value));
        }
    }
}

/* What the stage or the default says, and --rules. */
static struct json *base_rules (const struct invocation *invocation,
                                const struct select_source *source,
                                struct error *err)
{
    const char *file = invocation_option (invocation, "rules");
    struct json *all = default_rules ();

    if (source->inputs) {
        json_unref (all);
        all = rules_of_iteration (source->inputs, source->iteration, err);
        if (!all)
            return NULL;
        json_set (all, "seed", json_int (source->seed));
        copy_lists (source->inputs, all);
    }
    if (!file || read_file (file, all, err) == 0)
        return all;
    json_unref (all);
    return NULL;
}

struct json *select_rules (const struct invocation *invocation,
                           const struct select_source *source,
                           struct json *left_out,
                           struct error *err)
{
    struct json *all = base_rules (invocation, source, err), *rules = NULL;
    const char *text;
    int rc = 0;

    if (all)
        rules = rules_of_iteration (all, source->iteration, err);
    for (const struct command_option *o = select_options;
         rules && rc == 0 && o->name; o++) {
        if (o->arg && (text = invocation_option (invocation, o->name)))
            rc = read_option (o, text, rules, err);
    }
    if (rules && rc == 0) {
        copy_lists (all, rules);
        leave_absent_out (source, rules, left_out);
    } else {
        json_unref (rules);
        rules = NULL;
    }
    json_unref (all);
    return rules;
}
