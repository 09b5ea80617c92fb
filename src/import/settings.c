/* SPDX-License-Identifier: BSD-3-Clause */
/* settings.c - keys of an input, each by its row */
#include "base/base.h"

#include "base/json.h"
#include "base/problems.h"
#include "import/document.h"
#include "import/settings.h"

/* --- names --- */

/* Is 'name' one of "trj_freq t_freq"? */
static bool has_name (const char *names, const char *name)
{
    size_t len = strlen (name);

    while (*names) {
        size_t n = strcspn (names, " ");

        if (n == len && strncmp (names, name, n) == 0)
            return true;
        names += n + strspn (names + n, " ");
    }
    return false;
}

/* The name that is there, else the first.  Caller frees. */
static char *name_in (const struct json *v, const char *names)
{
    for (const char *at = names; *at; at += strspn (at, " ")) {
        char *name = xstrndup (at, strcspn (at, " "));

        if (!json_is_null (json_get (v, name)))
            return name;
        at += strlen (name);
        free (name);
    }
    return xstrndup (names, strcspn (names, " "));
}

static const struct setting *row_in (const struct setting *table,
                                     const char *name)
{
    for (; table && table->names; table++) {
        if (has_name (table->names, name))
            return table;
    }
    return NULL;
}

static const struct setting *row_of (const struct section *s, const char *name)
{
    const struct setting *row = row_in (s->table, name);

    return row ? row : row_in (s->more, name);
}

char *section_path (const struct section *s, const char *names)
{
    _cleanup_free_ char *name = name_in (s->v, names);
    char *path = xasprintf ("%s%s", s->prefix, name);

    return path;
}

struct json *section_get (const struct section *s, const char *names)
{
    _cleanup_free_ char *name = name_in (s->v, names);
    _cleanup_free_ char *path = section_path (s, names);
    struct json *v = json_get (s->v, name);

    if (json_is_null (v))
        v = NULL;
    else if (s->report)
        key_report_take (s->report, path);
    return v;
}

bool section_has (const struct section *s, const char *name)
{
    return !json_is_null (json_get (s->v, name));
}

/* What the section has beside its rows: one of them may be meant. */
static void unknown_names (const struct section *s, struct strvec *names)
{
    JSON_FOREACH (s->v, it) {
        if (!row_of (s, json_iter_key (it)))
            strvec_push (names, json_iter_key (it));
    }
}

int key_missing (const struct section *s, const char *names, struct error *err)
{
    _cleanup_free_ char *name = name_in (s->v, names);
    _cleanup_ (strvec_release) struct strvec unknown = STRVEC_INIT;
    const char *nearest;

    unknown_names (s, &unknown);
    nearest = nearest_word (name, &unknown);
    if (nearest)
        error_set (err, "%s%s: it is missing; is '%s' meant to be it?",
                   s->prefix, name, nearest);
    else
        error_set (err, "%s%s: it is missing", s->prefix, name);
    return -1;
}

/* The key of a section by the function for a value. */
#define KEY_OF(kind, type)                                                     \
    int key_##kind (const struct section *s, const char *names, type *out,     \
                    struct error *err)                                         \
    {                                                                          \
        const struct json *v = section_get (s, names);                         \
        char *path;                                                            \
        int rc;                                                                \
                                                                               \
        if (!v)                                                                \
            return 1;                                                          \
        path = section_path (s, names);                                        \
        rc = value_##kind (v, path, out, err);                                 \
        free (path);                                                           \
        return rc;                                                             \
    }

KEY_OF (number, double)
KEY_OF (int, int64_t)
KEY_OF (bool, bool)
KEY_OF (text, const char *)
KEY_OF (list, struct json *)
KEY_OF (mapping, struct json *)

/* --- refusing --- */

static int refuse_value (const struct section *s, const struct setting *row,
                         struct error *err)
{
    const char *text = row->only;
    int64_t number = 0;
    bool on = false;

    if (strcmp (row->only, "") == 0)
        return section_get (s, row->names) ? error_set (
                   err, "%s%s: %s", s->prefix, row->names, row->why)
                                           : 0;
    if (strcmp (row->only, "false") == 0) {
        if (key_bool (s, row->names, &on, err) < 0)
            return -1;
        return on ? error_set (err, "%s%s: %s", s->prefix, row->names, row->why)
                  : 0;
    }
    if (strcmp (row->only, "0") == 0) {
        if (key_int (s, row->names, &number, err) < 0)
            return -1;
        return number == 0
                   ? 0
                   : error_set (err, "%s%s: %lld %s", s->prefix, row->names,
                                (long long)number, row->why);
    }
    if (key_text (s, row->names, &text, err) < 0)
        return -1;
    return strcmp (text, row->only) == 0
               ? 0
               : error_set (err, "%s%s: '%s' %s", s->prefix, row->names, text,
                            row->why);
}

int settings_refuse (const struct section *s, struct error *err)
{
    for (const struct setting *row = s->table; row->names; row++) {
        if (row->why && refuse_value (s, row, err) < 0)
            return -1;
    }
    return 0;
}

/* --- applying --- */

/* The path below 'part' that the row stores at; NULL: it is none of it. */
static const char *place_in (const struct setting *row, const char *part)
{
    size_t len = strlen (part);

    if (!row->to || strncmp (row->to, part, len) != 0 || row->to[len] != '.')
        return NULL;
    return row->to + len + 1;
}

/* The value to be stored; 1: there is none. */
static int read_value (const struct section *s, const struct setting *row,
                       struct json **out, struct error *err)
{
    double number = row->otherwise;
    int64_t whole = (int64_t)row->otherwise;
    bool on = false;
    int rc;

    switch (row->kind) {
    case SETTING_NUMBER:
        rc = key_number (s, row->names, &number, err);
        *out = number_json (number);
        break;
    case SETTING_WHOLE:
        rc = key_int (s, row->names, &whole, err);
        *out = json_int (whole);
        break;
    case SETTING_SWITCH:
        rc = key_bool (s, row->names, &on, err);
        *out = json_bool (on);
        return rc == 0 && !on ? 1 : rc;
    default:
        *out = json_ref (section_get (s, row->names));
        return *out ? 0 : 1;
    }
    return rc > 0 && row->otherwise != 0 ? 0 : rc;
}

static int apply_row (const struct section *s, const struct setting *row,
                      const char *to, struct json *out, struct json *notes,
                      struct error *err)
{
    _cleanup_json_ struct json *v = NULL;
    bool on = !row->needs;
    _cleanup_free_ char *path = NULL;
    int rc;

    if (row->needs && key_bool (s, row->needs, &on, err) < 0)
        return -1;
    if (!on)
        return 0;
    rc = read_value (s, row, &v, err);
    path = section_path (s, row->names);
    if (rc > 0 && row->required && row->needs)
        rc = error_set (err, "%s: it is missing, and %s is true", path,
                        row->needs);
    else if (rc > 0 && row->required)
        rc = key_missing (s, row->names, err);
    if (rc == 0 && row->least != 0 && json_as_int (v) < row->least)
        rc = error_set (err, "%s: expected %lld or more, found %lld", path,
                        (long long)row->least, (long long)json_as_int (v));
    if (rc == 0 && notes)
        json_set (notes, to, json_string (path));
    if (rc == 0)
        json_set_path (out, to, json_ref (v));
    return rc < 0 ? -1 : 0;
}

int settings_apply (const struct section *s, const char *part, struct json *out,
                    struct json *notes, struct error *err)
{
    for (const struct setting *row = s->table; row->names; row++) {
        const char *to = place_in (row, part);

        if (to && apply_row (s, row, to, out, notes, err) < 0)
            return -1;
    }
    return 0;
}

/* --- telling --- */

static void tell_unknown (const struct section *s, const char *path,
                          const char *name)
{
    const struct setting *const tables[] = { s->table, s->more };
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    const char *nearest;

    for (size_t i = 0; i < ARRAY_SIZE (tables); i++) {
        for (const struct setting *row = tables[i]; row && row->names; row++)
            strvec_split (&names, row->names, " ");
    }
    nearest = nearest_word (name, &names);
    if (nearest)
        key_report_say (s->report, path, KEY_UNKNOWN, "did you mean '%s'?",
                        nearest);
    else
        key_report_say (s->report, path, KEY_UNKNOWN,
                        "no key that is known; it has no effect");
}

static void tell_known (const struct section *s, const char *path,
                        const struct setting *row, const struct json *v)
{
    bool on = true;

    if (json_is_null (v) && row->absent)
        key_report_say (s->report, path, KEY_DEFAULT, "null is not given: %s",
                        row->absent);
    else if (json_is_null (v))
        key_report_say (s->report, path, KEY_NOT_NEEDED,
                        "null is the same as not given");
    else if (row->off && value_bool (v, path, &on, NULL) == 0 && !on)
        key_report_say (s->report, path, KEY_NOT_NEEDED, "%s", row->off);
    else if (row->fate == KEY_TRANSLATED
             && !key_report_is_taken (s->report, path))
        key_report_say (s->report, path, KEY_NOT_NEEDED,
                        "no effect with what the other keys say");
    else
        key_report_say (s->report, path, row->fate, "%s", row->words);
}

static void tell_given (const struct section *s, const char *name,
                        const struct json *v)
{
    _cleanup_free_ char *path = xasprintf ("%s%s", s->prefix, name);
    const struct setting *row = row_of (s, name);

    if (key_report_has (s->report, path))
        ;
    else if (row)
        tell_known (s, path, row, v);
    else if (name[0] == '_')
        key_report_say (s->report, path, KEY_COMMENT, "left out");
    else
        tell_unknown (s, path, name);
}

static void tell_absent (const struct section *s, const struct setting *row)
{
    _cleanup_free_ char *name = name_in (s->v, row->names);
    _cleanup_free_ char *path = xasprintf ("%s%s", s->prefix, name);

    if (row->absent && !json_get (s->v, name)
        && !key_report_has (s->report, path))
        key_report_say (s->report, path, KEY_DEFAULT, "%s", row->absent);
}

void settings_tell (const struct section *s)
{
    JSON_FOREACH (s->v, it)
        tell_given (s, json_iter_key (it), json_iter_value (it));
    for (const struct setting *row = s->table; row && row->names; row++)
        tell_absent (s, row);
}
