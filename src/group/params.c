/* SPDX-License-Identifier: BSD-3-Clause */
/* params.c - the parameters of a group: those of its programs together */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "group/order.h"
#include "group/params.h"
#include "group/values.h"
#include "signature/group.h"

#define PARAMS_FILE "params.json"

/* What all together wrote, and who wrote each. */
struct joined {
    struct json *values;  /* {NAME: value} */
    struct json *writers; /* {NAME: "local/force:2"} */
};

static enum params_joined join_values (struct joined *joined,
                                       const struct json *v, const char *writer,
                                       struct error *err)
{
    JSON_FOREACH (v, it) {
        const char *key = json_iter_key (it);
        const char *other = json_get_string (joined->writers, key);

        if (json_get (joined->writers, key)) {
            error_set (err,
                       "parameter '%s' was written by '%s' and by '%s'; one of "
                       "them may write it",
                       key, other, writer);
            return PARAMS_BAD;
        }
        json_set (joined->values, key, json_ref (json_iter_value (it)));
        json_set (joined->writers, key, json_string (writer));
    }
    return PARAMS_OK;
}

static enum params_joined join_file (struct joined *joined, const char *path,
                                     const char *writer, struct error *err)
{
    enum params_joined rc = PARAMS_BAD;
    _cleanup_json_ struct json *v = NULL;
    int there = file_look (path, err);

    if (there <= 0)
        return there < 0 ? PARAMS_FAILED : PARAMS_OK;
    v = json_read_file (path, err);
    if (!v)
        rc = error_is_machine_error (err) ? PARAMS_FAILED : PARAMS_BAD;
    else if (json_kind (v) != JSON_KIND_OBJECT)
        error_set (err, "'%s' wrote %s into '%s', not an object", writer,
                   json_kind_name (v), path);
    else
        rc = join_values (joined, v, writer, err);
    return rc;
}

/* A program of one instance and that instance write the same file. */
static bool has_own_file (const struct group_spec *group,
                          const struct part *part)
{
    return part->level != LEVEL_PROGRAM
           || group->programs[part->program].instances > 1;
}

static enum params_joined join_part (struct joined *joined,
                                     const struct group_spec *group,
                                     const struct part *part, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf path = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf name = STRBUF_INIT;
    enum params_joined rc = PARAMS_OK;

    part_params_file (group, part, &path);
    part_name (group, part, &name);
    if (has_own_file (group, part))
        rc = join_file (joined, path.buf, name.buf, err);
    return rc;
}

static enum params_joined write_joined (const struct json *values,
                                        struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    enum params_joined rc = PARAMS_OK;

    json_dump (values, JSON_PRETTY, &text);
    if (file_write_atomic (PARAMS_FILE, text.buf, text.len, err) < 0)
        rc = PARAMS_FAILED;
    return rc;
}

enum params_joined params_join (const struct group_spec *group,
                                struct error *err)
{
    struct joined joined = { json_object (), json_object () };
    enum params_joined rc;
    struct part *parts;
    size_t n, n_direct;

    parts = group_parts (group, &n);
    rc = join_file (&joined, PARAMS_FILE, PARAMS_FILE, err);
    n_direct = json_count (joined.values);
    for (size_t i = 0; rc == PARAMS_OK && i < n; i++)
        rc = join_part (&joined, group, &parts[i], err);
    if (rc == PARAMS_OK && json_count (joined.values) > n_direct)
        rc = write_joined (joined.values, err);
    free (parts);
    json_unref (joined.values);
    json_unref (joined.writers);
    return rc;
}
