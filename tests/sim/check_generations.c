/* SPDX-License-Identifier: BSD-3-Clause */
/* check_generations.c - what must hold of generations, in every world */
#include "base/base.h"

#include "arrays/task_range.h"
#include "base/file.h"
#include "base/json.h"
#include "check.h"
#include "check_generations.h"
#include "disk.h"
#include "engine/history/state.h"
#include "handover/slice_file.h"
#include "scenario.h"
#include "space/layout.h"
#include "world.h"

#define HIDDEN SCENARIO_DIR "/" LAYOUT_HIDDEN_DIR
#define RUN SCENARIO_DIR "/" LAYOUT_RUN_DIR "/"
#define MAKING SCENARIO_DIR "/" LAYOUT_MAKING_DIR "/"
#define DATASET SCENARIO_DIR "/" LAYOUT_DATASET_DIR

/* --- what is known of each: {N: {"at", "text", "stage", "iteration"}} --- */

static char *text_at (const struct check *check, const char *dir,
                      const char *name)
{
    struct strbuf text = STRBUF_INIT;
    char *path = path_join (dir, name);
    int rc = disk_get (check->world->disk, path, &text);

    free (path);
    if (rc == 0)
        return strbuf_detach (&text);
    strbuf_release (&text);
    return NULL;
}

static struct json *known (const struct check *check, int number)
{
    char key[16];

    snprintf (key, sizeof (key), "%d", number);
    return json_get (check->generations, key);
}

static void appeared (struct check *check, const char *at)
{
    char *text = text_at (check, at, LAYOUT_STAGE_MANIFEST);
    struct json *manifest =
        text ? json_parse (text, strlen (text), at, NULL) : NULL;
    int number = (int)json_get_int (manifest, "generation");
    const char *first = json_get_string (manifest, "first_name");
    struct json *one;
    char key[16];

    if (number <= 0)
        check_fail (check, "'%s' appears without a number", at);
    else if (known (check, number))
        check_fail (check, "generation %d appears a second time", number);
    if (number > 0) {
        snprintf (key, sizeof (key), "%d", number);
        one = json_object ();
        json_set (one, "at", json_string (at));
        json_set (one, "text", json_string (text));
        json_set (
            one, "stage",
            json_string (*first ? first : json_get_string (manifest, "stage")));
        json_set (one, "iteration",
                  json_int (json_get_int (manifest, "iteration")));
        json_set (one, "definition",
                  json_string (json_get_string (manifest, "definition")));
        json_set (check->generations, key, one);
    }
    json_unref (manifest);
    free (text);
}

static void follow (struct check *check, const char *from, const char *to)
{
    JSON_FOREACH (check->generations, it) {
        struct json *one = json_iter_value (it);
        const char *at = json_get_string (one, "at");

        if (path_is_at_or_below (at, from))
            json_set (one, "at", json_stringf ("%s%s", to, at + strlen (from)));
    }
}

/* --- what a person wants made again --- */

/* The number of the last request to; of what is older nothing may be taken. */
static int barrier (const struct check *check, const char *stage,
                    int64_t iteration)
{
    int64_t highest = json_get_int (check->fresh, "*");
    char *keys[2] = { xasprintf ("%s/%lld", stage, (long long)iteration),
                      xasprintf ("%s/*", stage) };

    for (size_t i = 0; i < ARRAY_SIZE (keys); i++) {
        int64_t number = json_get_int (check->fresh, keys[i]);

        highest = number > highest ? number : highest;
        free (keys[i]);
    }
    return (int)highest;
}

static bool is_too_old (const struct check *check, int number,
                        const struct json *one)
{
    return number < barrier (check, json_get_string (one, "stage"),
                             json_get_int (one, "iteration"));
}

static void note_request (struct check *check, const struct state *state,
                          const struct json *event)
{
    struct json *number = json_get (event, "number");
    const struct json *fresh = json_get (event, "fresh");
    const char *forgotten = json_get_string (event, "forgotten");
    char *key;

    if (strcmp (json_get_string (event, "kind"), "reset") == 0)
        json_set (check->fresh, "*", json_ref (number));
    if (*forgotten) {
        key = xasprintf ("%s/*", forgotten);
        json_set (check->fresh, key, json_ref (number));
        free (key);
    }
    for (size_t i = 0; i < json_count (fresh); i++) {
        const char *name = json_as_string (json_at (fresh, i));

        key = xasprintf ("%s/%lld", state_first_name (state, name, name),
                         (long long)json_get_int (event, "to"));
        json_set (check->fresh, key, json_ref (number));
        free (key);
    }
}

static void check_superseded (struct check *check, const struct state *state)
{
    for (size_t i = 0; i < json_count (state->superseded); i++) {
        const struct json *one = json_at (state->superseded, i);
        int number = (int)json_get_int (one, "generation");

        if (is_too_old (check, number, one))
            check_fail (check,
                        "generation %d of '%s' may be taken, which was to be "
                        "made again",
                        number, json_get_string (one, "stage"));
    }
}

/* --- renames --- */

/* All results of a generation became those of another. */
static void check_whole (struct check *check, const char *from, const char *to)
{
    const struct json *source = NULL, *target = NULL;
    int number = 0;

    JSON_FOREACH (check->generations, it) {
        const struct json *one = json_iter_value (it);
        char *jobs = path_join (json_get_string (one, "at"), LAYOUT_JOBS);

        if (strcmp (jobs, from) == 0) {
            source = one;
            number = atoi (json_iter_key (it));
        }
        if (strcmp (jobs, to) == 0)
            target = one;
        free (jobs);
    }
    if (!source || !target)
        check_fail (check, "'%s' became '%s', which are of no generations",
                    from, to);
    else if (strcmp (json_get_string (source, "definition"),
                     json_get_string (target, "definition"))
             != 0)
        check_fail (check, "'%s' was taken by another definition", from);
    else if (is_too_old (check, number, source))
        check_fail (check, "'%s' was taken, which was to be made again", from);
}

/* What has been put together in the run files of generation 'number'. */
static void check_lands (struct check *check, int number, const char *from,
                         const char *to)
{
    const struct json *one = known (check, number);

    if (path_is_at_or_below (to, SCENARIO_DIR "/" LAYOUT_RUN_DIR)
        || path_is_at_or_below (to, DATASET))
        return;
    if (strncmp (to, MAKING, strlen (MAKING)) == 0) {
        if (atoi (to + strlen (MAKING)) != number)
            check_fail (check, "'%s' became '%s', of another one", from, to);
    } else if (!one || !path_is_at_or_below (to, json_get_string (one, "at"))) {
        check_fail (check, "'%s' became '%s', but generation %d is '%s'", from,
                    to, number, json_get_string (one, "at"));
    }
}

static bool ends_with_jobs (const char *path)
{
    return strcmp (path_base (path), LAYOUT_JOBS) == 0;
}

void check_generation_renamed (struct check *check, const char *from,
                               const char *to)
{
    follow (check, from, to);
    if (strncmp (to, MAKING, strlen (MAKING)) == 0)
        return; /* on its way out */
    if (strncmp (from, MAKING, strlen (MAKING)) == 0
        && !strchr (from + strlen (MAKING), '/'))
        appeared (check, to);
    else if (strncmp (from, RUN, strlen (RUN)) == 0
             && atoi (from + strlen (RUN)) > 0)
        check_lands (check, atoi (from + strlen (RUN)), from, to);
    else if (ends_with_jobs (from) && ends_with_jobs (to))
        check_whole (check, from, to);
}

/* --- what is where --- */

static void check_unchanged (struct check *check)
{
    JSON_FOREACH (check->generations, it) {
        const struct json *one = json_iter_value (it);
        const char *at = json_get_string (one, "at");
        char *text = text_at (check, at, LAYOUT_STAGE_MANIFEST);

        if (!text || strcmp (text, json_get_string (one, "text")) != 0)
            check_fail (check, "stage.json of generation %s, '%s', %s",
                        json_iter_key (it), at,
                        text ? "was changed" : "is gone");
        free (text);
    }
}

static bool is_in_force (const struct stage_state *stage)
{
    return stage->generation > 0 && stage->status != STAGE_WAITING
           && stage->status != STAGE_SKIPPED && !stage->bad_input;
}

static void check_in_place (struct check *check, const struct state *state,
                            int iteration, const struct stage_state *stage)
{
    char *below = state_stage_dir (state, iteration, stage->name);
    const struct json *one = known (check, stage->generation);
    struct strbuf dir = STRBUF_INIT;

    strbuf_addf (&dir, SCENARIO_DIR "/%s", below);
    free (below);
    if (!one || strcmp (json_get_string (one, "at"), dir.buf) != 0)
        check_fail (check, "generation %d is in force in '%s', but it is '%s'",
                    stage->generation, dir.buf, json_get_string (one, "at"));
    strbuf_release (&dir);
}

/* May the generation lie in the tree?  Where its stage waits a killed driver
 * may have left it, unless all is over.
 */
static bool belongs (const struct state *state, int number,
                     const struct json *one, bool over)
{
    int iteration = (int)json_get_int (one, "iteration");
    bool waits = true;

    for (int i = 0; i <= state_iteration (state); i++) {
        const struct iteration_state *it = &state->iterations[i];

        for (size_t k = 0; k < it->n_stages; k++) {
            const struct stage_state *stage = &it->stages[k];

            if (!is_in_force (stage))
                continue;
            if (stage->generation == number)
                return true;
            if (i == iteration
                && strcmp (state_first_name (state, stage->name, stage->name),
                           json_get_string (one, "stage"))
                       == 0)
                waits = false;
        }
    }
    return waits && !over;
}

static void check_places (struct check *check, const struct state *state,
                          bool over)
{
    if (state->moves)
        return;
    for (int i = 0; i <= state_iteration (state); i++) {
        const struct iteration_state *it = &state->iterations[i];

        for (size_t k = 0; k < it->n_stages; k++) {
            if (is_in_force (&it->stages[k]))
                check_in_place (check, state, i, &it->stages[k]);
        }
    }
    JSON_FOREACH (check->generations, it) {
        const struct json *one = json_iter_value (it);
        const char *at = json_get_string (one, "at");

        if (!path_is_at_or_below (at, HIDDEN)
            && !belongs (state, atoi (json_iter_key (it)), one, over))
            check_fail (check,
                        "generation %s lies in '%s', but is not in force",
                        json_iter_key (it), at);
    }
}

/* --- what was taken --- */

/* Of task 'task' of the generation at 'at', by its slices or its stage.json. */
static struct strvec identities_at (const struct check *check, const char *at)
{
    char *lines = text_at (check, at, LAYOUT_SLICES);
    char *manifest = text_at (check, at, LAYOUT_STAGE_MANIFEST);
    struct strvec identities = STRVEC_INIT;
    struct json *v;

    for (char *line = lines, *end; line && (end = strchr (line, '\n'));
         line = end + 1) {
        v = json_parse (line, (size_t)(end - line), at, NULL);
        strvec_push (&identities, json_get_string (v, SLICE_IDENTITY));
        json_unref (v);
    }
    if (!lines && manifest) {
        v = json_parse (manifest, strlen (manifest), at, NULL);
        strvec_push (&identities, json_get_string (v, "identity"));
        json_unref (v);
    }
    free (lines);
    free (manifest);
    return identities;
}

static void check_identity (struct check *check, const char *at, int32_t task,
                            const struct strvec *identities)
{
    char *out = xasprintf ("%s/" LAYOUT_JOBS "/%06d/" LAYOUT_OUT, at, task);
    char *text = text_at (check, out, LAYOUT_RESULT_FILE);
    struct json *result =
        text ? json_parse (text, strlen (text), out, NULL) : NULL;

    if (!result || task >= (int32_t)identities->n
        || strcmp (json_get_string (result, "identity"), identities->v[task])
               != 0
        || json_get_int (result, "task") != task)
        check_fail (check, "'%s' was taken, but is not what the task makes",
                    out);
    json_unref (result);
    free (text);
    free (out);
}

struct old_files {
    struct check *check;
    struct json *inodes; /* {NUMBER: path} of those that may not be taken */
    bool collect;
};

static void look_at_file (const char *path, void *arg)
{
    struct old_files *old = arg;
    struct stat st;
    char key[24];

    if (disk_stat (old->check->world->disk, NOBODY, path, &st) != 0)
        return;
    snprintf (key, sizeof (key), "%llu", (unsigned long long)st.st_ino);
    if (old->collect)
        json_set (old->inodes, key, json_string (path));
    else if (json_get (old->inodes, key))
        check_fail (old->check, "'%s' is '%s', which was to be made again",
                    path, json_get_string (old->inodes, key));
}

static void look_at_files (const char *at, struct old_files *old)
{
    char *jobs = path_join (at, LAYOUT_JOBS);

    disk_each_file (old->check->world->disk, jobs, look_at_file, old);
    free (jobs);
}

static void check_not_old (struct check *check, const struct json *taker)
{
    struct old_files old = { check, json_object (), true };

    JSON_FOREACH (check->generations, it) {
        const struct json *one = json_iter_value (it);

        if (is_too_old (check, atoi (json_iter_key (it)), one)
            && json_equal (json_get (one, "stage"), json_get (taker, "stage"))
            && json_equal (json_get (one, "iteration"),
                           json_get (taker, "iteration")))
            look_at_files (json_get_string (one, "at"), &old);
    }
    old.collect = false;
    look_at_files (json_get_string (taker, "at"), &old);
    json_unref (old.inodes);
}

static void check_taken (struct check *check, const struct json *event)
{
    const struct json *one =
        known (check, (int)json_get_int (event, "generation"));
    const char *at = json_get_string (one, "at");
    struct task_range ok = TASK_RANGE_INIT;
    struct strvec identities;

    if (!one || !json_get (event, "ok") || json_get (event, "logs"))
        return;
    identities = identities_at (check, at);
    task_range_parse (json_get_string (event, "ok"), &ok, NULL);
    for (int32_t t = -1; (t = task_range_next (&ok, t)) >= 0;)
        check_identity (check, at, t, &identities);
    check_not_old (check, one);
    task_range_release (&ok);
    strvec_release (&identities);
}

/* --- all of it --- */

void check_generations (struct check *check, const struct state *state,
                        const struct json *event)
{
    const char *kind = json_get_string (event, "ev");

    if (strcmp (kind, "request") == 0)
        note_request (check, state, event);
    if (strcmp (kind, "prepared") == 0)
        check_taken (check, event);
    check_superseded (check, state);
    check_unchanged (check);
    check_places (check, state, false);
}

void check_generations_forget (struct check *check)
{
    struct json *left = json_object ();

    JSON_FOREACH (check->generations, it) {
        struct json *one = json_iter_value (it);

        if (!path_is_at_or_below (json_get_string (one, "at"), HIDDEN))
            json_set (left, json_iter_key (it), json_ref (one));
    }
    json_unref (check->generations);
    check->generations = left;
    json_unref (check->fresh);
    check->fresh = json_object ();
}

static void check_names (const char *path, void *arg)
{
    static const char *const names[] = { LAYOUT_OUTPUTS, LAYOUT_STAGE_MANIFEST,
                                         LAYOUT_SLICES, LAYOUT_RESULT_FILE };
    struct check *check = arg;
    struct strbuf text = STRBUF_INIT;

    for (size_t i = 0; i < ARRAY_SIZE (names); i++) {
        if (strcmp (path_base (path), names[i]) == 0
            && !path_is_at_or_below (path, HIDDEN))
            disk_get (check->world->disk, path, &text);
    }
    if (text.len > 0
        && (strstr (text.buf, LAYOUT_REPLACED_DIR)
            || strstr (text.buf, LAYOUT_MAKING_DIR)))
        check_fail (check, "'%s' names what may be deleted", path);
    strbuf_release (&text);
}

void check_generations_end (struct check *check, const struct state *state)
{
    check_unchanged (check);
    check_places (check, state, true);
    disk_each_file (check->world->disk, SCENARIO_DIR, check_names, check);
}
