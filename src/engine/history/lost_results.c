/* SPDX-License-Identifier: BSD-3-Clause */
/* lost_results.c - what a stage made, and is not there any more */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "engine/history/lost_results.h"
#include "engine/history/output_artifacts.h"
#include "engine/history/removal.h"
#include "engine/history/state.h"
#include "space/layout.h"

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

/* Is the path below the directory of the stage? */
static bool is_of (const struct state *state, const struct stage_state *stage,
                   int iteration, const char *path)
{
    const struct stage_place place =
        state_place (state, iteration, stage->name, "");
    struct strbuf dir = STRBUF_INIT;
    bool is;

    layout_stage_dir (&place, &dir);
    strbuf_add_char (&dir, '/');
    is = strncmp (path, dir.buf, dir.len) == 0;
    strbuf_release (&dir);
    return is;
}

/* Whose result is it?  NULL: of none. */
static const struct stage_state *maker (const struct state *state,
                                        const char *path, int *iteration)
{
    for (int i = 0; i <= state_iteration (state); i++) {
        const struct iteration_state *it = &state->iterations[i];

        for (size_t k = 0; k < it->n_stages; k++) {
            *iteration = i;
            if (is_of (state, &it->stages[k], i, path))
                return &it->stages[k];
        }
    }
    return NULL;
}

/* The first path that lies where stages keep results and is not there, or
 * NULL.
 */
static const char *first_lost (const struct json *value, const char *dir)
{
    const char *lost = NULL;

    if (json_kind (value) == JSON_KIND_STRING) {
        const char *name = json_as_string (value);
        char *path = path_join (dir, name);

        lost = layout_stage_dir_length (name) > 0 && !file_exists (path) ? name
                                                                         : NULL;
        free (path);
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
static void say_removed (const struct state *state,
                         const struct stage_state *stage, int iteration,
                         const char *dir, const char *lost, struct error *err)
{
    const struct stage_place place =
        state_place (state, iteration, stage->name, "");
    struct json *file =
        stage->removed ? output_file_read (dir, &place, NULL) : NULL;
    struct strbuf text = STRBUF_INIT;

    JSON_FOREACH (file ? stage->removed : NULL, it) {
        if (text.len > 0
            || output_artifacts_each (file, &place, json_iter_key (it),
                                      find_path, (void *)lost, NULL)
                   == 0)
            continue;
        removal_text (json_iter_value (it), &text);
        error_set (err, "'%s' of stage '%s' was %s", json_iter_key (it),
                   stage->name, text.buf);
    }
    strbuf_release (&text);
    json_unref (file);
}

int lost_results_look (const struct state *state, const struct json *values,
                       const char *dir, struct error *err)
{
    const char *lost = first_lost (values, dir);
    const struct stage_state *stage;
    int iteration;

    if (!lost || !(stage = maker (state, lost, &iteration)))
        return -1;
    say_removed (state, stage, iteration, dir, lost, err);
    return lost_results_say (stage->name, iteration, err);
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
