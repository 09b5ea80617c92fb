/* SPDX-License-Identifier: BSD-3-Clause */
/* lost_results.c - what a stage made, and is not there any more */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "engine/history/lost_results.h"
#include "engine/history/output_artifacts.h"
#include "engine/history/removal.h"
#include "engine/history/state.h"
#include "space/layout_read.h"

int lost_results_say (const char *stage, int iteration, struct error *err)
{
    struct error before = ERROR_INIT;

    if (!err)
        return -1;
    error_copy (&before, err);
    error_set (err, "%s; `fanfold redo %s --iteration %d` makes it again",
               before.text, stage, iteration);
    err->number = before.number;
    return -1;
}

/* The first path that lies where stages keep results and is not there, or
 * NULL.
 */
static const char *first_lost (const struct json *value, const char *dir)
{
    const char *lost = NULL;

    if (json_kind (value) == JSON_KIND_STRING) {
        const char *name = json_as_string (value);
        _cleanup_free_ char *path = path_join (dir, name);

        lost = layout_stage_dir_length (name) > 0 && !file_exists (path) ? name
                                                                         : NULL;
    } else if (json_kind (value) == JSON_KIND_OBJECT) {
        JSON_FOREACH (value, it)
            lost = lost ? lost : first_lost (json_iter_value (it), dir);
    } else {
        for (size_t i = 0; !lost && i < json_count (value); i++)
            lost = first_lost (json_at (value, i), dir);
    }
    return lost;
}

static int find_path (const struct output_artifact *artifact, void *arg,
                      struct error *err)
{
    (void)err;
    return path_is_at_or_below (arg, artifact->path) ? -1 : 0;
}

/* That it is gone by what `keep:` says, if it is. */
static void say_removed (const struct stage_state *stage,
                         const struct stage_place *place, const char *dir,
                         const char *lost, struct error *err)
{
    _cleanup_json_ struct json *file =
        stage->removed ? output_file_read (dir, place, NULL) : NULL;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    JSON_FOREACH (file ? stage->removed : NULL, it) {
        if (text.len > 0
            || output_artifacts_each (file, place, json_iter_key (it),
                                      find_path, (void *)lost, NULL)
                   == 0)
            continue;
        removal_text (json_iter_value (it), &text);
        error_set (err, "'%s' of stage '%s' was %s", json_iter_key (it),
                   stage->name, text.buf);
    }
}

int lost_results_look (const struct state *state, const struct json *values,
                       const char *dir, struct error *err)
{
    const char *lost = first_lost (values, dir);
    const struct stage_state *stage;
    struct stage_place place;
    struct space_path at;

    if (!lost)
        return -1;
    space_path_read (lost, &at);
    place = (struct stage_place){ at.name, at.code, at.iteration, 0 };
    if (at.kind != SPACE_STAGE || !(stage = state_stage_in (state, &place)))
        return -1;
    say_removed (stage, &place, dir, lost, err);
    return lost_results_say (stage->name, at.iteration, err);
}

bool lost_results_are_there (const struct state *state,
                             const struct json *values, const char *dir,
                             struct error *err)
{
    const char *lost = first_lost (values, dir);

    if (!lost)
        return true;
    error_set (err, "%s: is missing", lost);
    lost_results_look (state, values, dir, err);
    return false;
}
