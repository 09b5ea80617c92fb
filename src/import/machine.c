/* SPDX-License-Identifier: BSD-3-Clause */
/* machine.c - a machine file of DP-GEN as profiles of site.yaml */
#include "base/base.h"

#include "base/json.h"
#include "import/document.h"
#include "import/draft.h"
#include "import/machine.h"
#include "import/machine_keys.h"
#include "import/settings.h"

void stage_machine_release (struct stage_machine *stage)
{
    free (stage->profile);
    json_unref (stage->task);
    json_unref (stage->program);
    json_unref (stage->files);
    *stage = (struct stage_machine){ .profile = NULL };
}

/* --- the whole file --- */

static const struct {
    const char *key; /* DP-GEN's */
    const char *profile;
} stages_of_dpgen[IMPORT_STAGES] = {
    [IMPORT_TRAIN] = { "train", "train" },
    [IMPORT_EXPLORE] = { "model_devi", "explore" },
    [IMPORT_LABEL] = { "fp", "label" },
};

/* The first of a list is the one DP-GEN takes. */
static const struct json *stage_mapping (const struct json *stage,
                                         const char *key, struct draft *draft)
{
    if (json_kind (stage) == JSON_KIND_ARRAY && json_count (stage) > 0) {
        if (json_count (stage) > 1)
            key_report_say (&draft->report, key, KEY_TRANSLATED,
                            "the first of the list, as in DP-GEN; the others "
                            "have no effect");
        stage = json_at (stage, 0);
    }
    return stage;
}

/* Files that are copied to tasks: labels have them as `files`. */
static void take_files (struct draft *draft, const struct json *object,
                        const char *key, const char *path,
                        enum import_stage which, struct stage_machine *out)
{
    struct json *list = json_get (object, key);

    if (which != IMPORT_LABEL || json_kind (list) != JSON_KIND_ARRAY
        || json_count (list) == 0)
        return;
    out->files = json_ref (list);
    key_report_say (&draft->report, path, KEY_TRANSLATED,
                    "files of the stage label");
}

static int add_nested (struct draft *draft, const struct json *stage,
                       enum import_stage which, struct stage_machine *out,
                       struct error *err)
{
    const char *key = stages_of_dpgen[which].key;
    _cleanup_free_ char *prefix = xasprintf ("%s.", key);
    _cleanup_free_ char *command_key = xasprintf ("%s.command", key);
    struct machine_source source = {
        .profile = stages_of_dpgen[which].profile,
        .prefix = prefix,
        .command_key = command_key,
    };
    struct section keys = { .prefix = prefix,
                            .table = machine_stage_keys,
                            .report = &draft->report };
    int rc = 0;

    stage = stage_mapping (stage, key, draft);
    keys.v = stage;
    if (json_kind (stage) != JSON_KIND_OBJECT) {
        return error_set (err,
                          "%s: expected a mapping of keys, or a list of one, "
                          "found %s",
                          key, json_kind_name (stage));
    }
    source.machine = section_get (&keys, "machine");
    source.resources = section_get (&keys, "resources");
    if (json_kind (section_get (&keys, "command")) == JSON_KIND_STRING)
        source.command = json_get_string (stage, "command");
    machine_add_profile (draft, &source, out);
    take_files (draft, stage, "user_forward_files", "fp.user_forward_files",
                which, out);
    settings_tell (&keys);
    return rc;
}

/* train_machine, train_resources, train_command side by side. */
static void add_flat (struct draft *draft, const struct section *file,
                      enum import_stage which, struct stage_machine *out)
{
    const char *key = stages_of_dpgen[which].key;
    _cleanup_free_ char *machine_key = xasprintf ("%s_machine", key);
    _cleanup_free_ char *resources_key = xasprintf ("%s_resources", key);
    _cleanup_free_ char *command_key = xasprintf ("%s_command", key);
    _cleanup_free_ char *prefix = xasprintf ("%s_", key);
    _cleanup_free_ char *dp = NULL;
    const struct json *command = section_get (file, command_key);
    const struct json *path = json_get (file->v, "deepmd_path");
    struct machine_source source = {
        .profile = stages_of_dpgen[which].profile,
        .prefix = prefix,
        .machine = section_get (file, machine_key),
        .resources = section_get (file, resources_key),
        .command_key = command_key,
    };

    if (json_kind (command) == JSON_KIND_STRING)
        source.command = json_as_string (command);
    else if (which == IMPORT_TRAIN && json_kind (path) == JSON_KIND_STRING)
        source.command = dp = xasprintf (
            "%s/bin/dp", json_as_string (section_get (file, "deepmd_path")));
    machine_add_profile (draft, &source, out);
    take_files (draft, file->v, "fp_user_forward_files",
                "fp_user_forward_files", which, out);
}

int machine_translate (const struct json *machine, struct draft *draft,
                       struct stage_machine stages[IMPORT_STAGES],
                       struct error *err)
{
    const struct section keys = { .v = machine,
                                  .prefix = "",
                                  .table = machine_file_keys,
                                  .more = machine_flat_keys,
                                  .report = &draft->report };
    bool any = false;

    outline_set (&draft->site, "format", json_int (1), NULL);
    for (size_t i = 0; i < IMPORT_STAGES; i++) {
        const char *key = stages_of_dpgen[i].key;
        const struct json *nested = section_get (&keys, key);
        char *flat = xasprintf ("%s_machine", key);

        any = any || nested || json_get (machine, flat);
        free (flat);
        if (!nested)
            add_flat (draft, &keys, i, &stages[i]);
        else if (add_nested (draft, nested, i, &stages[i], err) < 0)
            return -1;
    }
    if (!any)
        return error_set (err,
                          "no machine file of DP-GEN: it has none of train, "
                          "model_devi, fp and train_machine, ...");
    settings_tell (&keys);
    return 0;
}
