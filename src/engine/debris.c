/* SPDX-License-Identifier: BSD-3-Clause */
/* debris.c - unfinished files of drivers that were killed
 *
 * Whoever holds the lease is the only one to write the files of the engine, so
 * what the holder before left unfinished is nobody's.  Messages are written
 * without the lease: theirs must have lain for a while.  (What prepare, collect
 * and publish left goes when they are done again.)
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "campaign/plan.h"
#include "engine/debris.h"
#include "engine/engine.h"
#include "space/layout.h"
#include "space/lease.h"

/* Nobody takes so long to leave a message. */
#define STALE_S 3600

/* .fanfold/run/<stage>/<iter> and, 'depth' levels down, attempts and chunks. */
static void clean_numbered (const char *path, int depth)
{
    struct strvec names = STRVEC_INIT;

    file_remove_temporaries (path, 0);
    if (depth > 0)
        file_list_dir (path, &names, NULL);
    for (size_t i = 0; i < names.n; i++) {
        char *below;

        if (strspn (names.v[i], "0123456789") != strlen (names.v[i]))
            continue;
        below = path_join (path, names.v[i]);
        clean_numbered (below, depth - 1);
        free (below);
    }
    strvec_release (&names);
}

static void clean (const struct engine *engine,
                   struct strbuf *relative,
                   int depth)
{
    char *path = engine_path (engine, relative);

    clean_numbered (path, depth);
    free (path);
}

static void clean_named (const struct engine *engine,
                         const char *name,
                         double age_s)
{
    char *path = path_join (engine->plan->dir, name);

    file_remove_temporaries (path, age_s);
    free (path);
}

static void clean_config (const struct engine *engine, int iteration)
{
    struct strbuf path = STRBUF_INIT;
    char *file;

    layout_config_file (iteration, &path);
    strbuf_truncate (&path, (size_t)(path_base (path.buf) - path.buf));
    file = engine_path (engine, &path);
    file_remove_temporaries (file, 0);
    free (file);
}

static void clean_stage (const struct engine *engine,
                         const struct stage *stage,
                         int iteration)
{
    struct stage_place place = { stage->name, stage->op->code, iteration };
    struct strbuf path = STRBUF_INIT;

    layout_run_stage (stage->name, iteration, &path);
    clean (engine, &path, 2);
    layout_stage_dir (&place, &path);
    clean (engine, &path, 0);
}

void debris_remove (const struct engine *engine)
{
    int iteration = state_iteration (&engine->state);

    clean_named (engine, LAYOUT_WAKE_DIR, STALE_S);
    clean_named (engine, LAYOUT_REQUESTS_DIR, STALE_S);
    if (!lease_after_crash (engine->lease))
        return;
    clean_named (engine, ".", 0);
    clean_named (engine, LAYOUT_JOURNAL_DIR, 0);
    clean_named (engine, LAYOUT_CHAIN_DIR, 0);
    clean_config (engine, iteration + 1); /* it is written before it begins */
    for (size_t i = 0; iteration >= 0 && i < engine->plan->n_stages; i++)
        clean_stage (engine, &engine->plan->stages[i], iteration);
}
