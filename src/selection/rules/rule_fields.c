/* SPDX-License-Identifier: BSD-3-Clause */
/* rule_fields.c - what a user may write, by a table of fields */
#include "base/base.h"

#include "base/json.h"
#include "selection/rules/rule_fields.h"

static int unknown_key (const char *key, const char *const *keys,
                        struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf known = STRBUF_INIT;

    for (size_t i = 0; keys[i]; i++)
        strbuf_addf (&known, "%s%s", i > 0 ? ", " : "", keys[i]);
    error_set (err, "unknown key '%s'; there is %s", key, known.buf);
    return -1;
}

int rules_only_keys (const struct json *v, const char *const *keys,
                     struct error *err)
{
    if (json_kind (v) != JSON_KIND_OBJECT)
        return error_set (err, "expected an object, got %s; write {KEY: VALUE}",
                          json_kind_name (v));
    JSON_FOREACH (v, it) {
        if (!words_contain (keys, json_iter_key (it)))
            return unknown_key (json_iter_key (it), keys, err);
    }
    return 0;
}

bool rules_given (const struct json *v, const char *key)
{
    return !json_is_null (json_get_path (v, key));
}

const char *const rules_data_keys[] = { "labelled", "earlier", "probe",
                                        "labels", NULL };

bool rules_any_given (const struct json *v, const char *section)
{
    JSON_FOREACH (json_get (v, section), it) {
        if (!json_is_null (json_iter_value (it))
            && !words_contain (rules_data_keys, json_iter_key (it)))
            return true;
    }
    return false;
}

static int check_range (const struct rule_field *field, double value,
                        struct error *err)
{
    bool ok = field->above ? value > field->least : value >= field->least;

    if (ok && isfinite (value) && (field->most == 0 || value <= field->most))
        return 0;
    if (field->most != 0)
        return error_set (err, "%s: %g; write %g to %g", field->key, value,
                          field->least, field->most);
    if (field->above)
        return error_set (err, "%s: %g; write a number above %g", field->key,
                          value, field->least);
    return error_set (err, "%s: %.17g is less than %g; write %g or more",
                      field->key, value, field->least, field->least);
}

static int read_choice (const struct json *v, const struct rule_field *field,
                        int *choice, struct error *err)
{
    const char *name = json_as_string (json_get (v, field->key));
    _cleanup_ (strbuf_release) struct strbuf known = STRBUF_INIT;
    int i = 0;

    for (; field->names[i] && strcmp (name, field->names[i]) != 0; i++)
        strbuf_addf (&known, "%s%s",
                     i == 0                ? ""
                     : field->names[i + 1] ? ", "
                                           : " or ",
                     field->names[i]);
    if (field->names[i])
        *choice = i;
    else
        error_set (err, "%s: '%s' is not known; use %s", field->key, name,
                   known.buf);
    return field->names[i] ? 0 : -1;
}

static int read_field (const struct json *v, const struct rule_field *field,
                       void *member, struct error *err)
{
    const char *text;
    int64_t count;
    double real;

    switch (field->kind) {
    case RULE_COUNT:
        if (json_want_int (v, field->key, &count, err) < 0
            || check_range (field, (double)count, err) < 0)
            return -1;
        memcpy (member, &count, sizeof (count));
        return 0;
    case RULE_REAL:
        if (json_want_double (v, field->key, &real, err) < 0
            || check_range (field, real, err) < 0)
            return -1;
        memcpy (member, &real, sizeof (real));
        return 0;
    case RULE_BOOL:
        return json_want_bool (v, field->key, member, err);
    case RULE_CHOICE:
        return read_choice (v, field, member, err);
    case RULE_TEXT:
        if (json_want_string (v, field->key, &text, err) < 0)
            return -1;
        if (text[0] == '\0')
            return error_set (err, "key '%s': the text is empty", field->key);
        memcpy (member, &text, sizeof (text));
        return 0;
    case RULE_OTHER:
        break;
    }
    return 0;
}

int rules_read (const struct json *v, const struct rule_field *fields,
                void *record, struct error *err)
{
    for (; fields->key; fields++) {
        if ((fields->needed || rules_given (v, fields->key))
            && read_field (v, fields, (char *)record + fields->offset, err) < 0)
            return -1;
    }
    return 0;
}

int rules_read_only (const struct json *v, const struct rule_field *fields,
                     void *record, struct error *err)
{
    const char *keys[16] = { NULL };

    for (size_t i = 0; fields[i].key; i++)
        keys[i] = fields[i].key;
    if (rules_only_keys (v, keys, err) < 0)
        return -1;
    return rules_read (v, fields, record, err);
}
