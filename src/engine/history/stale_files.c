/* SPDX-License-Identifier: BSD-3-Clause */
/* stale_files.c - unfinished files of drivers that were killed
 *
 * Whoever holds the lease is the only one to write the files of the engine, so
 * what the holder before left unfinished is not in use.  Messages are
 * written without the lease: theirs must have lain for a while.  (What prepare
 * and collect left goes when they are done again.)
 */
#include "base/base.h"

#include "base/file.h"
#include "base/heartbeat.h"
#include "campaign/plan.h"
#include "engine/history/engine.h"
#include "engine/history/stale_files.h"
#include "engine/history/state.h"
#include "space/layout.h"
#include "space/lease.h"

/* Leaving a message does not take so long. */
#define STALE_S 3600

/* .fanfold/run/<generation> and, 'depth' levels down, attempts and chunks. */
static void clean_numbered (const char *path, int depth,
                            const struct heartbeat *heartbeat)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;

    heartbeat_send (heartbeat);
    file_remove_temporaries (path, 0);
    if (depth > 0)
        file_list_dir (path, &names, NULL);
    for (size_t i = 0; i < names.n; i++) {
        char *below;

        if (strspn (names.v[i], "0123456789") != strlen (names.v[i]))
            continue;
        below = path_join (path, names.v[i]);
        clean_numbered (below, depth - 1, heartbeat);
        free (below);
    }
}

static void clean (const struct plan *plan, struct strbuf *relative, int depth,
                   const struct heartbeat *heartbeat)
{
    _cleanup_free_ char *path = path_join (plan->dir, relative->buf);

    clean_numbered (path, depth, heartbeat);
    strbuf_release (relative);
}

static void clean_named (const struct plan *plan, const char *name,
                         double age_s)
{
    _cleanup_free_ char *path = path_join (plan->dir, name);

    file_remove_temporaries (path, age_s);
}

static void clean_config (const struct plan *plan, int iteration)
{
    struct strbuf path = STRBUF_INIT;

    layout_config_file (iteration, 0, &path);
    strbuf_truncate (&path, (size_t)(path_base (path.buf) - path.buf));
    clean (plan, &path, 0, NULL);
}

static void clean_stage (const struct plan *plan, const struct state *state,
                         const struct stage *stage,
                         const struct heartbeat *heartbeat)
{
    const int iteration = state_iteration (state);
    const struct stage_state *s = state_stage (state, iteration, stage->name);
    _cleanup_free_ char *dir = state_stage_dir (state, iteration, stage->name);
    struct strbuf run = STRBUF_INIT;

    layout_run (s ? s->generation : 0, &run);
    clean (plan, &run, 2, heartbeat);
    if (dir)
        clean_named (plan, dir, 0);
}

/* Copies of inputs: a directory for each content. */
static void clean_inputs (const struct plan *plan)
{
    _cleanup_free_ char *inputs = path_join (plan->dir, LAYOUT_INPUTS_DIR);
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;

    file_list_dir (inputs, &names, NULL);
    for (size_t i = 0; i < names.n; i++) {
        _cleanup_free_ char *name = path_join (LAYOUT_INPUTS_DIR, names.v[i]);

        clean_named (plan, name, 0);
    }
}

void stale_files_remove (const struct plan *plan, const struct state *state,
                         bool after_crash, const struct heartbeat *heartbeat)
{
    const int iteration = state_iteration (state);

    clean_named (plan, LAYOUT_WAKE_DIR, STALE_S);
    clean_named (plan, LAYOUT_REQUESTS_DIR, STALE_S);
    if (!after_crash)
        return;
    clean_named (plan, ".", 0);
    clean_named (plan, LAYOUT_HIDDEN_DIR, 0);
    clean_named (plan, LAYOUT_JOURNAL_DIR, 0);
    clean_named (plan, LAYOUT_CHAIN_DIR, 0);
    clean_inputs (plan);
    if (iteration >= 0)
        clean_config (plan, iteration);
    clean_config (plan, iteration + 1); /* it is written before it begins */
    for (size_t i = 0; iteration >= 0 && i < plan->n_stages; i++)
        clean_stage (plan, state, &plan->stages[i], heartbeat);
}

int unpublished_remove (const struct engine *engine, struct error *err)
{
    _cleanup_free_ char *all = path_join (engine->dir, LAYOUT_PUBLISHING_DIR);

    return file_discard_numbered (all, "", lease_epoch (engine->lease),
                                  &engine->heartbeat, err);
}
