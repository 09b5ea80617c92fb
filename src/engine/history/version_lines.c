/* SPDX-License-Identifier: BSD-3-Clause */
/* version_lines.c - which versions of its code a stage's tasks ran */
#include "config.h"

#include "base/json.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "engine/history/version_lines.h"

void version_lines_note (struct json *lines, const char *line)
{
    const char *key = line;

    if (!*line)
        return;
    if (!json_get (lines, line) && json_count (lines) >= VERSION_LINES_MAX)
        key = "";
    json_set (lines, key, json_int (json_get_int (lines, key) + 1));
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
