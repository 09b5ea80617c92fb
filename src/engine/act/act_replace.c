/* SPDX-License-Identifier: BSD-3-Clause */
/* act_replace.c - what is done again makes way: moved to .fanfold/replaced
 *
 * A driver that was suspended in here, and replaced, may go on when its
 * successor has made new files where the old ones were.  Its rename must fail
 * then: whatever was to be moved leaves something at its target.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "engine/act/act.h"
#include "engine/act/publish.h"
#include "engine/decide/actions.h"
#include "engine/history/engine.h"
#include "space/layout.h"
#include "space/lease.h"

/* In the place of what was not there: no directory can be renamed to one that
 * holds something.  A directory needs no temporary file.
 */
static int leave_marker (const char *target, struct error *err)
{
    char *held = path_join (target, "nothing-was-here");
    int rc = file_make_lasting_dirs (held, err);

    free (held);
    return rc;
}

/* A driver that was killed may have made half of the marker. */
static int finish_marker (const char *target, struct error *err)
{
    struct strvec names = STRVEC_INIT;
    int rc = file_list_dir (target, &names, err);

    if (rc == 0 && names.n == 0)
        rc = leave_marker (target, err);
    strvec_release (&names);
    return rc;
}

static int move_one (struct engine *engine, const char *path, const char *to,
                     struct error *err)
{
    char *from = path_join (engine->dir, path);
    int there;
    int rc = -1;

    engine_heartbeat (engine);
    if (lease_check (engine->lease, err) < 0
        || (there = file_look (to, err)) < 0)
        goto done;
    if (there > 0) { /* moved before a crash */
        rc = finish_marker (to, err);
        goto done;
    }
    if (file_make_lasting_parent (to, err) < 0
        || (there = file_look (from, err)) < 0)
        goto done;
    rc = there > 0 ? file_rename (from, to, err) : leave_marker (to, err);
done:
    free (from);
    return rc;
}

static int move_below (struct engine *engine, const char *path,
                       const char *replaced, struct error *err)
{
    char *to = path_join (replaced, path);
    int rc = move_one (engine, path, to, err);

    free (to);
    return rc;
}

/* What a reset keeps; first, since what it is in moves next. */
static int move_kept (struct engine *engine, struct error *err)
{
    const struct json *path = json_get (engine->state.moves, "keep");
    struct strbuf relative = STRBUF_INIT;
    char *to;
    int rc;

    if (!path)
        return 0;
    layout_kept_dir (engine->state.replaced, &relative);
    to = engine_path (engine, &relative);
    rc = move_one (engine, json_as_string (path), to, err);
    free (to);
    return rc;
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

enum act_result act_replace (struct engine *engine, const struct action *action,
                             struct error *err)
{
    const struct json *paths = json_get (engine->state.moves, "paths");
    struct json *event = event_new ("replaced", engine_now_s (engine));
    struct json *datasets = json_object ();
    struct strbuf relative = STRBUF_INIT;
    char *replaced;
    int rc = move_kept (engine, err);

    (void)action;
    layout_replaced_dir (engine->state.replaced, &relative);
    replaced = engine_path (engine, &relative);
    for (size_t i = 0; rc == 0 && i < json_count (paths); i++)
        rc = move_below (engine, json_as_string (json_at (paths, i)), replaced,
                         err);
    json_set (event, "number", json_int (engine->state.replaced));
    if (rc == 0)
        rc = publish_again (engine, datasets, err);
    if (json_count (datasets) > 0)
        json_set (event, "datasets", json_ref (datasets));
    if (rc == 0)
        rc = engine_record (engine, json_ref (event), err);
    json_unref (datasets);
    json_unref (event);
    free (replaced);
    return rc < 0 ? ACT_FAILED : ACT_DONE;
}
