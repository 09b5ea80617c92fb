/* SPDX-License-Identifier: BSD-3-Clause */
/* version_lines.c - which versions of its code a stage's tasks ran */
#include "base/base.h"

#include "base/json.h"
#include "base/units.h"
#include "engine/history/version_lines.h"
#include "signature/operator.h"
#include "signature/template.h"

void version_lines_note (struct json *lines, const char *line)
{
    const char *key = line;

    if (!*line)
        return;
    if (!json_get (lines, line) && json_count (lines) >= VERSION_LINES_MAX)
        key = "";
    json_set (lines, key, json_int (json_get_int (lines, key) + 1));
}

static bool asked_for_same (const char *const *versions,
                            const struct json *manifest)
{
    _cleanup_json_ struct json *asked = argv_to_json (versions);

    return json_equal (asked, json_get (manifest, "versions"));
}

bool version_lines_allow (const char *const *versions,
                          const struct json *manifest,
                          const struct json *witness)
{
    bool allow = true;
    int64_t tasks = 0;

    if (!versions || asked_for_same (versions, manifest))
        return true;
    JSON_FOREACH (json_get (witness, "versions"), it) {
        const char *line = json_iter_key (it);

        allow = allow && *line && operator_takes_version (versions, line);
        tasks += json_as_int (json_iter_value (it));
    }
    return allow && tasks > 0 && tasks >= json_get_int (manifest, "tasks");
}

void version_lines_text (const struct json *lines, struct strbuf *out)
{
    size_t begin = out->len;

    JSON_FOREACH (lines, it) {
        const char *line = json_iter_key (it);

        strbuf_add_str (out, out->len > begin ? ", " : "");
        if (*line)
            strbuf_addf (out, "'%s' (", line);
        else
            strbuf_add_str (out, "others (");
        format_count (json_as_int (json_iter_value (it)), "task", out);
        strbuf_add_char (out, ')');
    }
}
