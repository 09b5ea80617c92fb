/* SPDX-License-Identifier: BSD-3-Clause */
/* home.c - is this the directory in which the campaign was begun? */
#include "base/base.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "engine/history/engine.h"
#include "engine/history/events.h"
#include "engine/history/home.h"
#include "space/lease.h"

/* "DEVICE:INODE" of what is at 'path'; NULL where that cannot be known. */
static char *inode_text (const char *path)
{
    struct stat st;

    return stat (path, &st) < 0 ? NULL
                                : xasprintf ("%ju:%ju", (uintmax_t)st.st_dev,
                                             (uintmax_t)st.st_ino);
}

void home_write (const struct engine *engine, struct json *event)
{
    _cleanup_free_ char *path = realpath (engine->dir, NULL);
    _cleanup_free_ char *inode = path ? inode_text (path) : NULL;

    if (inode) {
        json_set (event, "path", json_string (path));
        json_set (event, "inode", json_string (inode));
    }
}

static bool is_there (const struct state *state, const char *path)
{
    _cleanup_free_ char *inode = inode_text (path);

    return inode && strcmp (inode, state->home.inode) == 0;
}

bool home_is_elsewhere (const struct engine *engine)
{
    const struct state *state = &engine->state;
    _cleanup_free_ char *path = NULL;
    bool elsewhere;

    if (!state->home.path || !state->home.inode)
        return false;
    path = realpath (engine->dir, NULL);
    elsewhere =
        path && strcmp (path, state->home.path) != 0 && !is_there (state, path);
    return elsewhere;
}

/* Of submissions that may have jobs which have not ended. */
static bool is_open (const struct submission *s)
{
    return s->status != SUBMISSION_ENDED && s->status != SUBMISSION_ABSENT;
}

/* Call 'each' for whatever the journal may ask a scheduler for, until it says
 * true.
 */
static const struct submission *find_submission (
    const struct state *state, bool (*each) (const struct submission *s))
{
    const struct iteration_state *it =
        state->n_iterations > 0 ? &state->iterations[state->n_iterations - 1]
                                : NULL;

    for (size_t i = 0; i < state->n_dependency_jobs; i++) {
        if (each (&state->dependency_jobs[i].job))
            return &state->dependency_jobs[i].job;
    }
    for (size_t i = 0; it && i < it->n_stages; i++) {
        const struct attempt *attempt = stage_open_attempt (&it->stages[i]);

        for (size_t j = 0; attempt && j < attempt->n_submissions; j++) {
            if (each (&attempt->submissions[j]))
                return &attempt->submissions[j];
        }
    }
    return NULL;
}

static bool any (const struct submission *s)
{
    (void)s;
    return true;
}

static bool is_of_other_user (const struct submission *s)
{
    return is_open (s) && s->uid > 0 && s->uid - 1 != (int64_t)geteuid ();
}

int home_refuse (const struct engine *engine, struct error *err)
{
    return error_set (
        err,
        "'%s' is not where the campaign was begun, which is '%s': run `fanfold "
        "adopt` if it was moved here (then its jobs stay its own), or `fanfold "
        "adopt --copy` if this is a copy (then they are left to the original)",
        engine->dir, engine->state.home.path);
}

int home_check (const struct engine *engine, struct error *err)
{
    return find_submission (&engine->state, any) && home_is_elsewhere (engine)
               ? home_refuse (engine, err)
               : 0;
}

int home_check_user (const struct engine *engine, struct error *err)
{
    const struct submission *s =
        find_submission (&engine->state, is_of_other_user);
    const struct passwd *user;

    if (!s)
        return 0;
    user = getpwuid ((uid_t)(s->uid - 1));
    return error_set (
        err,
        "jobs of this campaign were submitted by user %s (%" PRId64
        "), who alone can follow and end them; until that is "
        "done only they can drive it",
        user ? user->pw_name : "of another host", s->uid - 1);
}

/* A copy is no move, and its original must not be driven beside it. */
static int check_moved (const struct engine *engine, struct error *err)
{
    const char *path = engine->state.home.path;

    if (!is_there (&engine->state, path))
        return 0;
    return error_set (err,
                      "the campaign is still in '%s', so this is a copy: "
                      "`fanfold adopt --copy` leaves its jobs to the original",
                      path);
}

int home_settle (struct engine *engine, bool copy, struct error *err)
{
    struct json *event = event_new ("adopted", engine_now_s (engine));

    home_write (engine, event);
    json_set (event, "copy", json_bool (copy));
    return engine_record (engine, event, err);
}

int home_adopt (struct engine *engine, bool copy, struct error *err)
{
    if (!home_is_elsewhere (engine))
        return 1;
    if (!copy && check_moved (engine, err) < 0)
        return -1;
    if (lease_renew (engine->dir, engine->position.epoch, err) < 0
        || engine_take_over (engine, err) != 0)
        return -1;
    return home_settle (engine, copy, err);
}
