/* SPDX-License-Identifier: BSD-3-Clause */
/* rules_defaults.c - what holds where a rule is not written */
#include "base/base.h"

#include "base/json.h"
#include "selection/rules/rules_defaults.h"

enum { FAMILIES = SEMANTICS_SIMPLIFY + 1 };

const char *const rules_semantics[] = {
    [SEMANTICS_DPGEN] = "dpgen",
    [SEMANTICS_DPGEN2] = "dpgen2",
    [SEMANTICS_SIMPLIFY] = "simplify",
    NULL,
};

/* Which of its levels a default goes with. */
enum levels_kind { ANY, FIXED, ADAPTIVE };

#define ALL(text)                                                              \
    {                                                                          \
        text, text, text                                                       \
    }

static const struct rule_default {
    const char *name;
    const char *text[FAMILIES]; /* dpgen, dpgen2, simplify */
    enum levels_kind with;
    const char *unless; /* this is written; NULL: always */
} defaults[] = {
    { "levels.force", { NULL, "{\"high\": 0.5}", NULL }, ADAPTIVE, NULL },
    { "pick.how", ALL ("\"random\""), ANY, NULL },
    { "pick.quota", { NULL, "10", NULL }, ANY, NULL },
    { "pick.per",
      { "\"system\"", "\"iteration\"", "\"iteration\"" },
      ANY,
      NULL },
    { "pick.minimum", ALL ("0"), ANY, NULL },
    { "pick.hard", ALL ("1.0"), ANY, NULL },
    { "pick.bins", ALL ("10"), ANY, NULL },
    { "pick.pool", ALL ("20"), ANY, NULL },
    /* DP-GEN has none: the start is the same in all tasks of a system. */
    { "skip.steps", { "1", "0", "0" }, ANY, NULL },
    { "skip.frames", ALL ("0"), ANY, NULL },
    { "convergence.accurate",
      { NULL, "0.9", NULL },
      FIXED,
      "convergence.drift" },
    { "convergence.drift",
      { NULL, "0.05", NULL },
      ADAPTIVE,
      "convergence.accurate" },
};

static const struct top tops[FAMILIES][DEVIATION_QUANTITIES] = {
    [SEMANTICS_DPGEN] = { [DEVIATION_FORCE] = { 10, 0 } },
    [SEMANTICS_DPGEN2] = { [DEVIATION_FORCE] = { 200, 0.01 } },
};

struct top rules_default_top (int semantics, int q)
{
    return tops[semantics][q];
}

static bool is_written (const struct json *v, const char *name)
{
    return !json_is_null (json_get_path (v, name));
}

/* -1: it is not known.  Of a word that is none that is said elsewhere, and not
 * of every default that would be missing.
 */
static int semantics_of (const struct json *v)
{
    const char *word = json_get_string (v, "semantics");
    int i = 0;

    while (rules_semantics[i] && strcmp (rules_semantics[i], word) != 0)
        i++;
    if (rules_semantics[i])
        return i;
    return is_written (v, "semantics") ? SEMANTICS_DPGEN : -1;
}

static const char *default_in (const struct rule_default *rule, int semantics,
                               const struct json *v)
{
    bool adaptive = is_written (v, "levels.adaptive");

    if (semantics < 0 || (rule->with == FIXED && adaptive)
        || (rule->with == ADAPTIVE && !adaptive)
        || (rule->unless && is_written (v, rule->unless)))
        return NULL;
    return rule->text[semantics];
}

const char *rules_default (const char *name, const struct json *v)
{
    for (size_t i = 0; i < ARRAY_SIZE (defaults); i++) {
        if (strcmp (defaults[i].name, name) == 0)
            return default_in (&defaults[i], semantics_of (v), v);
    }
    return NULL;
}

struct json *rules_completed (const struct json *v)
{
    struct json *made = json_object ();

    JSON_FOREACH (v, it)
        json_set (made, json_iter_key (it), json_ref (json_iter_value (it)));
    if (!is_written (made, "semantics"))
        json_set (made, "semantics",
                  json_string (rules_semantics[SEMANTICS_DPGEN]));
    for (size_t i = 0; i < ARRAY_SIZE (defaults); i++) {
        const char *text = default_in (&defaults[i], semantics_of (made), made);

        if (text && !is_written (made, defaults[i].name))
            json_set_path (made, defaults[i].name,
                           json_parse (text, strlen (text), "default", NULL));
    }
    return made;
}
