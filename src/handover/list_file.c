/* SPDX-License-Identifier: BSD-3-Clause */
/* list_file.c - {@NAME}: a list as a file, for those that no argv has room for
 */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "handover/list_file.h"
#include "handover/scratch_file.h"
#include "handover/stage_manifest.h"
#include "signature/group.h"
#include "signature/template.h"

/* --- who asks for one --- */

static bool has_list_file (const char *const *const *argvs)
{
    for (; argvs && *argvs; argvs++) {
        for (const char *const *word = *argvs; *word; word++) {
            if (strstr (*word, "{@"))
                return true;
        }
    }
    return false;
}

/* The text of a script has no placeholders. */
static struct json *group_templates (const struct group_spec *group)
{
    struct json *v = group_to_json (group);
    struct json *programs = json_get (v, "programs");

    for (size_t i = 0; i < json_count (programs); i++)
        json_delete (json_at (programs, i), "script");
    return v;
}

struct json *list_file_templates (const struct stage_manifest *stage)
{
    if (stage->group)
        return group_templates (stage->group);
    return has_list_file (stage->commands) ? argvs_to_json (stage->commands)
                                           : NULL;
}

static int note_name (const char *name, void *arg, struct error *err)
{
    struct strvec *names = arg;

    (void)err;
    if (name[0] == '@' && !strvec_contains (names, name))
        strvec_push (names, name);
    return 0;
}

/* The names of all {@NAME} in the texts below 'v'; those that are no templates
 * have none.
 */
static void find_names (const struct json *v, struct strvec *names)
{
    if (json_kind (v) == JSON_KIND_STRING)
        template_scan (json_as_string (v), note_name, names, NULL);
    else if (json_kind (v) == JSON_KIND_ARRAY)
        for (size_t i = 0; i < json_count (v); i++)
            find_names (json_at (v, i), names);
    else if (json_kind (v) == JSON_KIND_OBJECT)
        JSON_FOREACH (v, it)
            find_names (json_iter_value (it), names);
}

/* --- the file --- */

/* 'name' is without the @. */
static int join_lines (const char *name, const struct json *values,
                       struct strbuf *text, struct error *err)
{
    const struct json *value = json_get (values, name);
    _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;
    int rc = 0;

    if (!value)
        return error_set (err, "'{@%s}': there is no such value", name);
    template_words (value, &words);
    for (size_t i = 0; rc == 0 && i < words.n; i++) {
        if (strchr (words.v[i], '\n'))
            rc = error_set (err,
                            "'{@%s}': item %zu has a line break, and it is a "
                            "file of lines; read inputs from task.json",
                            name, i);
        strbuf_addf (text, "%s\n", words.v[i]);
    }
    return rc;
}

static int write_list (const char *name, const char *dir, struct json *values,
                       struct error *err)
{
    _cleanup_free_ char *path = xasprintf ("%s/%s.list", dir, name + 1);
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    int rc = join_lines (name + 1, values, &text, err);

    if (rc == 0)
        rc = scratch_file_write (path, 0444, &text, err);
    if (rc == 0)
        json_set (values, name, json_string (path));
    return rc;
}

int list_files_write (const struct json *templates, const char *dir,
                      struct json *values, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    int rc = 0;

    find_names (templates, &names);
    if (names.n > 0)
        rc = file_make_dirs (dir, err);
    for (size_t i = 0; rc == 0 && i < names.n; i++)
        rc = write_list (names.v[i], dir, values, err);
    return rc;
}
