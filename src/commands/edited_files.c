/* SPDX-License-Identifier: BSD-3-Clause */
/* edited_files.c - campaign.yaml and site.yaml while a command works */
#include "base/base.h"

#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/problems.h"
#include "campaign/plan.h"
#include "campaign/site_file.h"
#include "commands/campaign.h"
#include "commands/data_import.h"
#include "commands/edited_files.h"
#include "commands/training_frames.h"
#include "engine/history/orphans.h"
#include "space/layout.h"

/* Of one complaint. */
enum { HELD_MAX_BYTES = 1 << 16 };

/* --- what was taken on last --- */

static struct plan *recompile (const struct edited_files *files,
                               struct json *config)
{
    _cleanup_ (problems_release) struct problems problems = PROBLEMS_INIT;
    struct plan *plan =
        campaign_plan (files->invocation, false, config, NULL, &problems);

    return plan;
}

struct plan *edited_files_recompile (struct json *config, void *files)
{
    return recompile (files, config);
}

struct plan *edited_files_recorded (const struct edited_files *files,
                                    const struct engine *engine)
{
    const struct state *state = &engine->state;
    struct strbuf file = STRBUF_INIT;
    struct plan *plan = NULL;
    _cleanup_json_ struct json *config = NULL;
    _cleanup_free_ char *path = NULL;

    if (!state->config_sha256[0])
        return NULL;
    layout_config_file (state->config_iteration, state->config_number, &file);
    path = engine_path (engine, &file);
    if ((config = json_read_file (path, NULL)))
        plan = recompile (files, config);
    return plan;
}

/* Was that said before?  From now on it was. */
static bool is_known (const struct edited_files *files, const char *text)
{
    _cleanup_free_ char *path = path_join (files->invocation->dir, LAYOUT_HELD);
    _cleanup_ (strbuf_release) struct strbuf said = STRBUF_INIT;
    bool known = file_read (path, HELD_MAX_BYTES, &said, NULL) == 0
                 && strcmp (said.buf, text) == 0;

    if (!known)
        file_write_atomic (path, text, strlen (text), NULL);
    return known;
}

static void say_held (struct edited_files *files, const char *text)
{
    files->held = true;
    if (!invocation_option (files->invocation, "quiet")
        || !is_known (files, text))
        complain (STATUS_DONE, "%s", text);
}

static void say_what_holds (struct edited_files *files,
                            const struct problems *problems)
{
    const struct problem *first = problems->v;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    while (first->warning)
        first++;
    strbuf_addf (&text,
                 "line %d of %s: %s (problems in all: %zu, see `fanfold "
                 "check`); the definition that was taken on last holds until "
                 "that is fixed",
                 first->line, path_base (first->file), first->message,
                 problems_errors (problems));
    say_held (files, text.buf);
}

/* --- results without a stage --- */

/* Of the plan that has it (NULL: there is none). */
static int64_t frames_of (const struct engine *engine, const struct plan *plan,
                          const char *name)
{
    int at = plan ? plan_stage_find (plan, name) : -1;

    return at >= 0 ? training_frames_of_stage (engine, &plan->stages[at]) : 0;
}

int64_t edited_files_frames (const struct edited_files *files,
                             const struct engine *engine, const char *name)
{
    _cleanup_plan_ struct plan *before = edited_files_recorded (files, engine);

    return frames_of (engine, before, name);
}

void edited_files_orphans (const struct edited_files *files,
                           const struct engine *engine, const struct plan *plan,
                           struct problems *problems)
{
    bool is_taken = definition_is_taken (plan, &engine->state);
    struct mark mark = { files->paths[0], 0, 0 };
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    _cleanup_ (strbuf_release) struct strbuf moved = STRBUF_INIT;
    _cleanup_plan_ struct plan *before = NULL;

    orphans_find (plan, &engine->state, &names);
    if (names.n > 0 || !is_taken)
        before = edited_files_recorded (files, engine);
    if (before && elements_moved_text (plan, before, &moved))
        problems_add (problems, mark, "%s", moved.buf);
    for (size_t i = 0; i < names.n; i++) {
        _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

        orphan_text (plan, &engine->state, names.v[i],
                     frames_of (engine, before, names.v[i]), &text);
        if (is_taken)
            problems_warn (problems, mark, "%s", text.buf);
        else
            problems_add (problems, mark, "%s", text.buf);
    }
}

void edited_files_held (const char *why, void *arg)
{
    struct edited_files *files = arg;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    strbuf_addf (&text,
                 "%s; the definition that was taken on last holds until then",
                 why);
    if (files->invocation->command != &forget_command
        && files->invocation->command != &reset_command)
        say_held (files, text.buf);
}

/* Does a person have to say what becomes of results, or whose are to be taken,
 * before they go on?  Cron (--quiet) goes on with what was taken on last; where
 * campaigns went away meanwhile whose results were taken, nothing is wrong.
 */
static bool is_refused (const struct edited_files *files,
                        const struct engine *engine, const struct plan *plan)
{
    const struct invocation *invocation = files->invocation;
    _cleanup_ (problems_release) struct problems problems = PROBLEMS_INIT;
    bool is;

    if (!invocation->command->needs_all_results
        || invocation_option (invocation, "quiet"))
        return false;
    edited_files_orphans (files, engine, plan, &problems);
    if (!definition_is_taken (plan, &engine->state))
        reuse_from_check (&plan->reuse_from, plan->dir, &problems);
    if ((is = problems_errors (&problems) > 0))
        campaign_print_problems (&problems);
    return is;
}

/* What looks wrong is said when it is first driven by, or asked what it would
 * do; the first few, as check says all.
 */
static void say_warnings (const struct problems *problems)
{
    static const size_t most = 8;
    _cleanup_ (problems_release) struct problems first = PROBLEMS_INIT;
    size_t n = 0;

    for (size_t i = 0; i < problems->n; i++) {
        const struct problem *p = &problems->v[i];

        if (p->warning && n++ < most)
            problems_warn (&first, (struct mark){ p->file, p->line, p->column },
                           "%s%s%s", p->message, *p->remedy ? "; " : "",
                           p->remedy);
    }
    campaign_print_problems (&first);
    if (n > most)
        complain (STATUS_DONE, "%zu more warnings, see `fanfold check`",
                  n - most);
}

static bool wants_warnings (const struct edited_files *files,
                            const struct engine *engine,
                            const struct plan *plan)
{
    const struct command *command = files->invocation->command;

    return command == &plan_command
           || (command->drives && !definition_is_taken (plan, &engine->state));
}

struct plan *edited_files_plan (struct edited_files *files,
                                const struct engine *engine)
{
    const struct invocation *invocation = files->invocation;
    struct problems problems = PROBLEMS_INIT;
    struct plan *plan =
        campaign_plan (invocation, false, NULL, NULL, &problems);

    if (!plan && !invocation->command->needs_valid_files
        && (plan = edited_files_recorded (files, engine)))
        say_what_holds (files, &problems);
    else if (!plan)
        campaign_print_problems (&problems);
    else if (wants_warnings (files, engine, plan))
        say_warnings (&problems);
    problems_release (&problems);
    if (plan && is_refused (files, engine, plan)) {
        plan_destroy (plan);
        plan = NULL;
    }
    return plan;
}

/* --- do they change? --- */

/* How long they must have stood still. */
static const double still_s = 1;

static bool is_same (const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino
           && a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec
           && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static bool are_same (const struct stat *a, const struct stat *b)
{
    return is_same (&a[0], &b[0]) && is_same (&a[1], &b[1])
           && is_same (&a[2], &b[2]);
}

/* A file that is not there is all zeros. */
static void look (const struct edited_files *files, struct stat *stats)
{
    memset (stats, 0, EDITED_FILES * sizeof (*stats));
    for (size_t i = 0; i < EDITED_FILES; i++) {
        if (files->paths[i] && stat (files->paths[i], &stats[i]) < 0)
            memset (&stats[i], 0, sizeof (stats[i]));
    }
}

void edited_files_open (struct edited_files *files,
                        const struct invocation *invocation)
{
    *files = (struct edited_files){ .invocation = invocation };
    files->paths[0] = path_join (invocation->dir, "campaign.yaml");
    files->paths[1] = invocation->site ? xstrdup (invocation->site)
                                       : site_file_find (invocation->dir);
    files->paths[2] = path_join (invocation->dir, LAYOUT_KEPT_DIR);
    look (files, files->taken);
}

void edited_files_close (struct edited_files *files)
{
    free (files->paths[0]);
    free (files->paths[1]);
    free (files->paths[2]);
}

void edited_files_driven (const struct edited_files *files)
{
    _cleanup_free_ char *path = path_join (files->invocation->dir, LAYOUT_HELD);

    if (!files->held)
        unlink (path);
}

struct plan *edited_files_reread (const struct heartbeat *heartbeat, void *arg)
{
    struct edited_files *files = arg;
    struct problems problems = PROBLEMS_INIT;
    struct stat now[EDITED_FILES];
    struct plan *plan;
    struct strbuf text = STRBUF_INIT;
    struct error err = ERROR_INIT;

    look (files, now);
    if (are_same (now, files->taken))
        return NULL;
    if (!are_same (now, files->seen)) {
        memcpy (files->seen, now, sizeof (now));
        files->seen_s = clock_mono_s ();
    }
    if (clock_mono_s () < files->seen_s + still_s)
        return NULL;
    memcpy (files->taken, now, sizeof (now));
    plan = campaign_plan (files->invocation, false, NULL, heartbeat, &problems);
    if (!plan)
        say_what_holds (files, &problems);
    else
        say_warnings (&problems);
    problems_release (&problems);
    if (plan && data_import (plan, heartbeat, &err) < 0) {
        strbuf_addf (&text,
                     "%s; the definition that was taken on last holds until "
                     "that is fixed and campaign.yaml written anew",
                     err.text);
        say_held (files, text.buf);
        strbuf_release (&text);
        plan_destroy (plan);
        plan = NULL;
    }
    files->held = files->held && !plan;
    return plan;
}
