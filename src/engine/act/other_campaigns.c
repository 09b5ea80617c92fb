/* SPDX-License-Identifier: BSD-3-Clause */
/* other_campaigns.c - generations of campaigns that a person named */
#include "base/base.h"

#include <sys/stat.h>

#include "base/file.h"
#include "base/file_glob.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "campaign/reuse_from.h"
#include "engine/act/other_campaigns.h"
#include "engine/act/stage_description.h"
#include "engine/history/engine.h"
#include "space/layout.h"
#include "space/task_key.h"

/* --- what is wanted --- */

/* Does 'word', a key or the name of a stage or of what it is a step of, speak
 * of all of the stage (task -1), or of this task?
 */
static bool speaks_of (const char *word, const char *stage, int iteration,
                       int32_t task)
{
    struct task_key key;

    if (task_key_parse (word, &key) < 0)
        return stage_is_of (stage, word);
    return key.iteration == iteration && stage_is_of (stage, key.stage)
           && (key.task < 0 || key.task == task);
}

static bool is_refused (const struct engine *engine, const char *stage,
                        int iteration, int32_t task)
{
    const char *const *word = engine->no_reuse;
    bool refused = word && !*word;

    for (; !refused && word && *word; word++)
        refused = speaks_of (*word, stage, iteration, task);
    return refused;
}

bool others_are_wanted (const struct engine *engine, const struct stage *stage,
                        int iteration, int32_t task)
{
    return stage_reuses (stage)
           && state_fresh_since (&engine->state,
                                 stage_first_name (stage, &engine->state),
                                 iteration)
                  == 0
           && !is_refused (engine, stage->name, iteration, task);
}

/* --- what there is --- */

static void add (struct other_generations *found, const char *campaign,
                 const char *relative)
{
    _cleanup_free_ char *dir = path_join (campaign, relative);
    _cleanup_free_ char *witness = path_join (dir, LAYOUT_WITNESS);
    _cleanup_free_ char *outputs = path_join (dir, LAYOUT_OUTPUTS);
    struct stat st;

    if (file_exists (outputs) && stat (witness, &st) == 0) {
        found->v =
            grow_array (found->v, found->n, &found->alloc, sizeof (*found->v));
        found->v[found->n++] = (struct other_generation){
            xstrdup (campaign), xstrdup (dir),
            (double)st.st_mtim.tv_sec + (double)st.st_mtim.tv_nsec * 1e-9
        };
    }
}

static void add_campaign (struct other_generations *found, const char *campaign,
                          const char *code)
{
    _cleanup_free_ char *pattern = xasprintf ("*/%s/iter/[0-9]*", code);
    _cleanup_ (strvec_release) struct strvec dirs = STRVEC_INIT;

    (void)file_glob (campaign, pattern, &dirs, NULL);
    for (size_t i = 0; i < dirs.n; i++)
        add (found, campaign, dirs.v[i]);
}

static int compare (const void *x, const void *y)
{
    const struct other_generation *a = x, *b = y;

    if (a->made_s != b->made_s)
        return a->made_s > b->made_s ? -1 : 1;
    return strcmp (a->dir, b->dir);
}

void other_generations_find (const struct engine *engine, const char *code,
                             struct other_generations *found)
{
    const struct reuse_from *from = &engine->plan->reuse_from;
    const struct json *named = engine->state.reuse_from;
    _cleanup_ (strvec_release) struct strvec dirs = STRVEC_INIT;

    for (size_t i = 0; i < from->n; i++)
        reuse_from_find (from->v[i].pattern, engine->dir, &dirs, NULL, NULL);
    for (size_t i = 0; i < json_count (named); i++)
        reuse_from_find (json_as_string (json_at (named, i)), engine->dir,
                         &dirs, NULL, NULL);
    for (size_t i = 0; i < dirs.n; i++)
        add_campaign (found, dirs.v[i], code);
    if (found->n > 0)
        qsort (found->v, found->n, sizeof (*found->v), compare);
}

void other_generations_release (struct other_generations *found)
{
    for (size_t i = 0; i < found->n; i++) {
        free (found->v[i].campaign);
        free (found->v[i].dir);
    }
    free (found->v);
    *found = (struct other_generations){ 0 };
}
