/* SPDX-License-Identifier: BSD-3-Clause */
/* job_manifest.c - job.json */
#include "base/base.h"

#include "handover/job_manifest.h"
#include "base/file.h"
#include "base/json.h"
#include "base/json_record.h"

static const struct json_field fields[] = {
    JSON_FIELD (struct job_manifest, token, TEXT),
    JSON_FIELD (struct job_manifest, stage_dir, STRING),
    JSON_FIELD (struct job_manifest, generation, COUNT),
    JSON_FIELD (struct job_manifest, attempt, COUNT),
    JSON_FIELD (struct job_manifest, chunk, COUNT),
    JSON_FIELD (struct job_manifest, elements, COUNT),
    JSON_FIELD (struct job_manifest, slots, COUNT),
    JSON_FIELD (struct job_manifest, cores, COUNT, .optional = true),
    JSON_FIELD_AS (struct job_manifest, node.cores, "node_cores", COUNT,
                   .optional = true),
    JSON_FIELD_AS (struct job_manifest, node.numas, "node_numas", COUNT,
                   .optional = true),
    JSON_FIELD_AS (struct job_manifest, node.gpus, "node_gpus", COUNT,
                   .optional = true),
    JSON_FIELD (struct job_manifest, element_walltime_s, REAL),
    JSON_FIELD (struct job_manifest, visibility_s, REAL),
    JSON_FIELD (struct job_manifest, grace_s, REAL),
    JSON_FIELD (struct job_manifest, log_bytes, COUNT),
    JSON_FIELD (struct job_manifest, retired, TREE),
    JSON_FIELDS_END,
};

struct json *job_manifest_to_json (const struct job_manifest *manifest)
{
    struct json *v = json_object ();

    json_set (v, "format", json_int (1));
    json_record_write (manifest, fields, v);
    json_set (v, "tasks", task_range_to_json (&manifest->tasks));
    json_set (v, "task", resources_to_json (&manifest->task));
    if (manifest->mps)
        json_set (v, "mps", json_bool (true));
    json_set (v, "rules", place_rules_to_json (&manifest->rules));
    return v;
}

void job_manifest_release (struct job_manifest *manifest)
{
    task_range_release (&manifest->tasks);
    json_unref (manifest->retired);
    manifest->retired = NULL;
    free (manifest->stage_dir);
    manifest->stage_dir = NULL;
}

/* Every element has a task: nothing else is ever submitted. */
static int want_tasks (const struct json *v, struct job_manifest *manifest,
                       struct error *err)
{
    const char *tasks;

    if (json_want_string (v, "tasks", &tasks, err) < 0
        || task_range_parse (tasks, &manifest->tasks, err) < 0)
        return -1;
    if (manifest->elements >= 1
        && manifest->elements <= (int64_t)task_range_count (&manifest->tasks))
        return 0;
    return error_set (err, "key 'elements': %" PRId64 " of %zu tasks",
                      manifest->elements, task_range_count (&manifest->tasks));
}

static int read_parts (const struct json *v, struct job_manifest *read,
                       struct error *err)
{
    struct json *task, *rules;

    if (json_record_read (v, fields, read, err) < 0
        || json_want_object (v, "task", &task, err) < 0
        || resources_from_json (task, &read->task, err) < 0)
        return -1;
    if (json_get (v, "rules")
        && (json_want_object (v, "rules", &rules, err) < 0
            || place_rules_from_json (rules, &read->rules, err) < 0))
        return -1;
    if (strlen (read->token) != TOKEN_LENGTH)
        return error_set (err, "key 'token': '%s' is no token", read->token);
    if (!path_is_inside (read->stage_dir))
        return error_set (err, "key 'stage_dir': '%s' is not in the campaign",
                          read->stage_dir);
    if (want_tasks (v, read, err) < 0)
        return -1;
    read->mps = json_as_bool (json_get (v, "mps"));
    return 0;
}

int job_manifest_from_json (const struct json *v, struct job_manifest *manifest,
                            struct error *err)
{
    struct job_manifest read = { 0 };
    int64_t format;

    if (json_want_int (v, "format", &format, err) < 0)
        return -1;
    if (format != 1)
        return error_set (err,
                          "format %lld is newer than this program; update it",
                          (long long)format);
    if (read_parts (v, &read, err) < 0) {
        job_manifest_release (&read);
        return -1;
    }
    *manifest = read;
    return 0;
}
