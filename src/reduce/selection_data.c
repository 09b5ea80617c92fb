/* SPDX-License-Identifier: BSD-3-Clause */
/* selection_data.c - lists in task.json, and the sections that hold some */
#include "base/base.h"

#include "base/json.h"
#include "reduce/selection_data.h"
#include "reduce/selection_input.h"
#include "selection/rules/rule_fields.h"

int input_list (const struct json *inputs, const char *key,
                const struct json **list, struct error *err)
{
    struct json *value = json_get (inputs, key);

    *list = NULL;
    if (json_is_null (value))
        return 0;
    if (json_want_array (inputs, key, &value, err) < 0)
        return -1;
    *list = value;
    return 0;
}

int input_texts (const struct json *inputs, const char *key,
                 struct strvec *texts, struct error *err)
{
    const struct json *list;

    if (input_list (inputs, key, &list, err) < 0)
        return -1;
    for (size_t i = 0; i < json_count (list); i++) {
        const char *text = json_as_string (json_at (list, i));

        if (text[0] == '\0')
            return error_set (err, "key '%s': expected a list of texts", key);
        strvec_push (texts, text);
    }
    return 0;
}

int input_path (const struct json *list, size_t i, const char **path,
                struct error *err)
{
    const struct json *value = json_at (list, i);

    if (json_as_string (value)[0] == '\0')
        return error_set (err, "[%zu]: expected a path, got %s", i,
                          json_kind_name (value));
    *path = json_as_string (value);
    return 0;
}

/* A list of a section: one for each exploring task, or empty. */
static int want_by_task (const struct selection_input *input,
                         const struct json *section, const char *key,
                         const struct json **list, struct error *err)
{
    size_t n = json_count (json_get (input->inputs, "system"));

    if (input_list (section, key, list, err) < 0)
        return -1;
    if (json_count (*list) > 0 && json_count (*list) != n)
        return error_set (err,
                          "%s has %zu elements, system has %zu; bind them to "
                          "outputs of the same stage",
                          key, json_count (*list), n);
    return 0;
}

/* Of each trajectory, and of what has a label. */
int input_read_features (struct selection_input *input, struct error *err)
{
    const struct json *section = json_get (input->inputs, "features"), *list;
    int rc = want_by_task (input, section, "frames", &list, err);

    for (size_t i = 0; json_count (list) > 0 && i < input->n_trajectories;
         i++) {
        struct trajectory *one = &input->trajectories[i];

        if (rc == 0
            && (rc = input_path (list, (size_t)one->task, &one->features, err))
                   < 0)
            error_prefix (err, "frames");
    }
    if (rc == 0)
        rc = input_texts (section, "labelled", &input->labelled_features, err);
    return rc < 0 ? error_prefix (err, "features") : 0;
}

/* Under which conditions a task explored, and whether it says that it ended as
 * it should not.
 */
static int read_conditions (const struct json *section,
                            struct selection_input *input, struct error *err)
{
    const struct json *conditions, *blown_up;

    if (want_by_task (input, section, "conditions", &conditions, err) < 0
        || want_by_task (input, section, "blown_up", &blown_up, err) < 0)
        return -1;
    for (size_t i = 0; i < input->n_trajectories; i++) {
        struct trajectory *one = &input->trajectories[i];
        const struct json *own = json_at (conditions, (size_t)one->task);
        const struct json *blown = json_at (blown_up, (size_t)one->task);

        if (!json_is_null (own) && json_kind (own) != JSON_KIND_OBJECT)
            return error_set (err, "conditions: [%lld]: expected {NAME: VALUE}",
                              (long long)one->task);
        if (!json_is_null (blown) && json_kind (blown) != JSON_KIND_BOOL)
            return error_set (err, "blown_up: [%lld]: expected true or false",
                              (long long)one->task);
        one->conditions = json_is_null (own) ? NULL : own;
        one->blown_up = json_as_bool (blown);
    }
    return 0;
}

/* It is asked for by a rule, or by labelled frames, of which there may be none
 * yet.
 */
int input_read_health (struct selection_input *input, struct error *err)
{
    static const char *const keys[] = { "closest", "labelled", "conditions",
                                        "blown_up", NULL };
    const struct json *section = json_get (input->inputs, "health");
    struct health_rules *rules = &input->health;

    if (section && rules_only_keys (section, keys, err) < 0)
        return error_prefix (err, "health");
    rules->closest = HEALTH_CLOSEST;
    rules->any =
        rules_given (section, "closest") || rules_given (section, "labelled");
    if (!rules->any)
        return 0;
    return health_rules_from_json (section, rules, err) < 0
                   || input_texts (section, "labelled", &input->health_labelled,
                                   err)
                          < 0
                   || read_conditions (section, input, err) < 0
               ? error_prefix (err, "health")
               : 0;
}

/* What the labels of a probe are read from. */
int input_read_calibration (struct selection_input *input, struct error *err)
{
    static const struct rule_field field[] = {
        RULE_FIELD (struct selection_input, probe_labels, "labels", TEXT),
        RULE_FIELDS_END,
    };
    const struct json *calibration = json_get (input->inputs, "calibration");

    return input_texts (calibration, "probe", &input->probe, err) < 0
                   || rules_read (calibration, field, input, err) < 0
               ? error_prefix (err, "calibration")
               : 0;
}
