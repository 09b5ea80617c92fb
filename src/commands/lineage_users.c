/* SPDX-License-Identifier: BSD-3-Clause */
/* lineage_users.c - all stages that a campaign has, and what they say of a file
 * that none of them made
 */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "commands/lineage.h"
#include "commands/lineage_users.h"
#include "engine/history/state.h"
#include "space/layout_read.h"

/* The iterations below TOP/CODE. */
static void add_below (struct lineage *lineage, const char *top,
                       const char *code)
{
    _cleanup_ (strbuf_release) struct strbuf iter = STRBUF_INIT;
    _cleanup_ (strvec_release) struct strvec numbers = STRVEC_INIT;
    _cleanup_free_ char *path = NULL;

    strbuf_addf (&iter, "%s/%s/iter", top, code);
    path = path_join (lineage->dir, iter.buf);
    file_list_dir (path, &numbers, NULL);
    for (size_t n = 0; n < numbers.n; n++) {
        _cleanup_ (strbuf_release) struct strbuf stage = STRBUF_INIT;
        struct space_path at;

        strbuf_addf (&stage, "%s/%s", iter.buf, numbers.v[n]);
        space_path_read (stage.buf, &at);
        if (at.kind == SPACE_STAGE)
            lineage_add (lineage, stage.buf, NULL);
    }
}

static void add_known (struct lineage *lineage, const struct state *state)
{
    for (int i = 0; i <= state_iteration (state); i++) {
        const struct iteration_state *it = &state->iterations[i];

        for (size_t k = 0; k < it->n_stages; k++) {
            _cleanup_free_ char *dir =
                state_stage_dir (state, i, it->stages[k].name);

            if (dir && it->stages[k].status == STAGE_DONE)
                lineage_add (lineage, dir, NULL);
        }
    }
}

void lineage_add_all (struct lineage *lineage, const struct state *state)
{
    struct strvec tops = STRVEC_INIT;

    file_list_dir (lineage->dir, &tops, NULL);
    for (size_t i = 0; i < tops.n; i++) {
        _cleanup_free_ char *top = path_join (lineage->dir, tops.v[i]);
        _cleanup_ (strvec_release) struct strvec codes = STRVEC_INIT;

        file_list_dir (top, &codes, NULL);
        for (size_t k = 0; k < codes.n; k++)
            add_below (lineage, tops.v[i], codes.v[k]);
    }
    strvec_release (&tops);
    add_known (lineage, state);
}

char *lineage_read_digest (const char *dir, const struct state *state,
                           const char *path)
{
    struct lineage all;
    const char *found = NULL;
    double found_s = -1;
    char *sha256;

    lineage_init (&all, dir);
    lineage_add_all (&all, state);
    lineage_follow (&all, NULL);
    JSON_FOREACH (all.files, it) {
        const struct json *file = json_iter_value (it);
        const char *key = json_iter_key (it);
        double used_s = json_get_double (all.used_s, key);

        if ((strcmp (key, path) != 0
             && strcmp (json_get_string (file, "from"), path) != 0)
            || !*json_get_string (file, "sha256") || used_s <= found_s)
            continue;
        found = json_get_string (file, "sha256");
        found_s = used_s;
    }
    sha256 = found ? xstrdup (found) : NULL;
    lineage_release (&all);
    return sha256;
}
