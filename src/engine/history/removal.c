/* SPDX-License-Identifier: BSD-3-Clause */
/* removal.c - outputs that were removed, since nothing needed them any more */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "engine/history/removal.h"
#include "engine/history/state.h"

const struct json *stage_removal (const struct stage_state *stage,
                                  const char *output)
{
    return stage ? json_get (stage->removed, output) : NULL;
}

bool stage_is_being_removed (const struct stage_state *stage)
{
    JSON_FOREACH (stage->removed, it) {
        if (!json_get (json_iter_value (it), "bytes"))
            return true;
    }
    return false;
}

bool removal_is_of_raw (const struct json *removal)
{
    return strcmp (json_get_string (removal, "keep"), REMOVAL_UNTIL_DONE) == 0;
}

void removal_text (const struct json *removal, struct strbuf *out)
{
    strbuf_addf (out, "removed in iteration %" PRId64 " (%s: %s)",
                 json_get_int (removal, "at"),
                 removal_is_of_raw (removal) ? "raw" : "keep",
                 json_get_string (removal, "keep"));
}

static char *removals_path (const char *dir, const struct stage_place *place)
{
    _cleanup_ (strbuf_release) struct strbuf relative = STRBUF_INIT;
    char *path;

    layout_stage_path (place, LAYOUT_REMOVED, &relative);
    path = path_join (dir, relative.buf);
    return path;
}

struct json *removals_read (const char *dir, const struct stage_place *place)
{
    _cleanup_free_ char *path = removals_path (dir, place);
    _cleanup_json_ struct json *file = json_read_file (path, NULL);
    struct json *removals = json_ref (json_get (file, "outputs"));

    return removals;
}

struct json *removals_file (struct json *removals)
{
    struct json *file = json_object ();

    json_set (file, "format", json_int (1));
    json_set (file, "outputs", json_ref (removals));
    return file;
}
