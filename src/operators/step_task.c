/* SPDX-License-Identifier: BSD-3-Clause */
/* step_task.c - what a step of a built-in operator is told: task.json */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "operators/step_task.h"
#include "selection/deviations/committee_rules.h"

enum { TASK_FORMAT = 1 };

static int push_strings (const struct json *list, const char *what,
                         struct strvec *strings, struct error *err)
{
    for (size_t i = 0; i < json_count (list); i++) {
        const struct json *item = json_at (list, i);

        if (json_kind (item) != JSON_KIND_STRING)
            return error_set (err, "%s[%zu]: expected a string, got %s", what,
                              i, json_kind_name (item));
        strvec_push (strings, json_as_string (item));
    }
    return 0;
}

/* The parts a record may lack: those of a task that runs somewhere. */
static int read_placing (struct step_task *task, struct error *err)
{
    struct json *resources = json_get (task->record, "resources");

    task->resources = (struct resources){ .ranks = 1, .cores = 1, .nodes = 1 };
    if (!json_is_null (resources)
        && resources_from_json (resources, &task->resources, err) < 0)
        return error_prefix (err, "resources");
    task->seed = json_as_int (json_get (task->record, "seed"));
    if (json_get (task->record, "raw")
        && json_want_string (task->record, "raw", &task->raw, err) < 0)
        return -1;
    task->stacked = json_get (task->record, "stacked");
    return push_strings (json_get (task->record, "launcher"), "launcher",
                         &task->launcher, err);
}

static int read_record (struct step_task *task, struct error *err)
{
    int64_t format;

    if (json_want_int (task->record, "format", &format, err) < 0)
        return -1;
    if (format != TASK_FORMAT)
        return error_set (err, "format %" PRId64 " is not known here", format);
    if (json_want_string (task->record, "campaign_dir", &task->campaign_dir,
                          err)
            < 0
        || json_want_object (task->record, "inputs", &task->inputs, err) < 0
        || json_want_object (task->record, "outputs", &task->outputs, err) < 0)
        return -1;
    return read_placing (task, err);
}

static int check_text (const struct operator_spec *op,
                       const struct json *inputs, struct error *err)
{
    JSON_FOREACH (inputs, it) {
        if (operator_check_text (op, json_iter_key (it), json_iter_value (it),
                                 err)
            < 0)
            return -1;
    }
    return 0;
}

int step_task_read (const struct operator_spec *op, struct step_task *task,
                    struct error *err)
{
    static const char path[] = "task.json";

    struct step_task read = STEP_TASK_INIT;

    read.record = json_read_file (path, err);
    if (!read.record)
        return -1;
    if (read_record (&read, err) < 0) {
        step_task_release (&read);
        return error_prefix (err, "%s", path);
    }
    if (op && check_text (op, read.inputs, err) < 0) {
        step_task_release (&read);
        return -1;
    }
    *task = read;
    return 0;
}

void step_task_release (struct step_task *task)
{
    strvec_release (&task->launcher);
    json_unref (task->record);
    *task = (struct step_task)STEP_TASK_INIT;
}

int step_strings (const struct json *inputs, const char *name,
                  struct strvec *strings, struct error *err)
{
    struct json *list;

    if (json_want_array (inputs, name, &list, err) < 0)
        return error_prefix (err, "inputs");
    return push_strings (list, name, strings, err);
}

int step_check_program (const struct known_input *input, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;
    int rc = step_strings (input->others, input->name, &words, err);

    if (rc == 0 && (words.n == 0 || words.v[0][0] == '\0'))
        rc = error_set (err,
                        "%s: there is no program; write [PROGRAM, "
                        "ARGUMENT, ...]",
                        input->name);
    return rc;
}

int step_check_count (const struct known_input *input, struct error *err)
{
    int64_t n;

    return step_count (input->others, input->name, 1, &n, err);
}

int step_check_identical (const struct known_input *input, struct error *err)
{
    const char *word = json_as_string (input->value);

    if (words_contain (committee_identical, word))
        return 0;
    return error_set (err, "identical_members: '%s'; write error or allow",
                      word);
}

bool step_allows_identical (const struct json *inputs)
{
    return strcmp (json_as_string (json_get (inputs, "identical_members")),
                   committee_identical[1])
           == 0;
}

int step_count (const struct json *inputs, const char *name, int64_t least,
                int64_t *count, struct error *err)
{
    int64_t n;

    if (json_want_int (inputs, name, &n, err) < 0)
        return error_prefix (err, "inputs");
    if (n < least)
        return error_set (err,
                          "%s: %" PRId64 " is less than %" PRId64
                          "; write %" PRId64 " or more",
                          name, n, least, least);
    *count = n;
    return 0;
}

int step_task_output (const struct step_task *task, const char *name,
                      const char **path, struct error *err)
{
    const char *wanted;

    if (json_want_string (task->outputs, name, &wanted, err) < 0)
        return error_prefix (err, "outputs");
    if (file_make_parent (wanted, err) < 0)
        return -1;
    *path = wanted;
    return 0;
}

int step_write (const char *path, struct json *record, struct error *err)
{
    int rc = json_write_file (path, record, err);

    json_unref (record);
    return rc;
}
