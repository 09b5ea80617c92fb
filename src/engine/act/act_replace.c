/* SPDX-License-Identifier: BSD-3-Clause */
/* act_replace.c - what is done again makes way: moved to .fanfold/replaced
 *
 * A driver that was suspended in here, and replaced, may go on when its
 * successor has made new files where the old ones were.  Its rename must fail
 * then: whatever was to be moved leaves something at its target.
 */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "engine/act/act.h"
#include "engine/act/generation.h"
#include "engine/act/publish.h"
#include "engine/decide/actions.h"
#include "engine/history/engine.h"
#include "space/layout.h"

static int move_below (struct engine *engine, const char *path,
                       const char *replaced, struct error *err)
{
    _cleanup_free_ char *to = path_join (replaced, path);

    return move_aside (engine, path, to, err);
}

/* What a reset keeps; first, since what it is in moves next. */
static int move_kept (struct engine *engine, struct error *err)
{
    const struct json *path = json_get (engine->state.moves, "keep");
    struct strbuf relative = STRBUF_INIT;
    _cleanup_free_ char *to = NULL;

    if (!path)
        return 0;
    layout_kept_dir ((int)json_get_int (engine->state.moves, "number"),
                     &relative);
    to = engine_path (engine, &relative);
    return move_aside (engine, json_as_string (path), to, err);
}

/* Training data of iterations that other stages have a part in. */
static int publish_again (struct engine *engine, struct json *datasets,
                          struct error *err)
{
    const struct json *list = json_get (engine->state.moves, "publish");
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < json_count (list); i++) {
        int iteration = (int)json_as_int (json_at (list, i));
        struct json *published = json_object ();
        char key[16];

        snprintf (key, sizeof (key), "%d", iteration);
        rc = publish_iteration (engine, iteration, published, err);
        json_set (datasets, key, published);
    }
    return rc;
}

static int supersede_all (struct engine *engine, struct error *err)
{
    const struct json *list = json_get (engine->state.moves, "supersedes");
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < json_count (list); i++) {
        const struct json *one = json_at (list, i);

        rc = generation_supersede (engine, json_get_string (one, "dir"),
                                   (int)json_get_int (one, "generation"), err);
    }
    return rc;
}

static int move_all (struct engine *engine, struct error *err)
{
    const struct json *paths = json_get (engine->state.moves, "paths");
    _cleanup_free_ char *replaced = generation_replaced_dir (
        engine, (int)json_get_int (engine->state.moves, "number"));
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < json_count (paths); i++)
        rc = move_below (engine, json_as_string (json_at (paths, i)), replaced,
                         err);
    return rc;
}

enum act_result act_replace (struct engine *engine, const struct action *action,
                             struct error *err)
{
    _cleanup_json_ struct json *event =
        event_new ("replaced", engine_now_s (engine));
    _cleanup_json_ struct json *datasets = json_object ();
    int rc = move_kept (engine, err);

    (void)action;
    json_set (event, "number",
              json_ref (json_get (engine->state.moves, "number")));
    if (rc == 0)
        rc = supersede_all (engine, err);
    if (rc == 0)
        rc = move_all (engine, err);
    if (rc == 0)
        rc = publish_again (engine, datasets, err);
    if (json_count (datasets) > 0)
        json_set (event, "datasets", json_ref (datasets));
    if (rc == 0)
        rc = engine_record (engine, json_ref (event), err);
    return rc < 0 ? ACT_FAILED : ACT_DONE;
}
