/* SPDX-License-Identifier: BSD-3-Clause */
/* check.c - what must hold in every world */
#include "base/base.h"

#include "handover/task_result.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "check.h"
#include "check_generations.h"
#include "check_publishing.h"
#include "check_taking.h"
#include "disk.h"
#include "faults.h"
#include "engine/decide/notices.h"
#include "engine/history/engine.h"
#include "engine/history/journal.h"
#include "scenario.h"
#include "space/layout.h"
#include "space/lease.h"
#include "world.h"

enum { SHOWN_MAX = 20 };

void check_init (struct check *check, struct world *world,
                 const struct scenario *scenario)
{
    *check = (struct check){ .world = world,
                             .scenario = scenario,
                             .commits = json_object (),
                             .tokens = json_object (),
                             .dependency_jobs = json_object (),
                             .events = json_object (),
                             .generations = json_object (),
                             .fresh = json_object (),
                             .violations = STRBUF_INIT,
                             .folded = STATE_INIT };
}

void check_release (struct check *check)
{
    json_unref (check->commits);
    json_unref (check->tokens);
    json_unref (check->dependency_jobs);
    json_unref (check->events);
    json_unref (check->generations);
    json_unref (check->fresh);
    json_unref (check->again);
    state_release (&check->folded);
    strbuf_release (&check->violations);
}

void check_fail (struct check *check, const char *fmt, ...)
{
    va_list ap;

    if (++check->n > SHOWN_MAX)
        return;
    strbuf_addf (&check->violations, "#   at %.3f s: ", check->world->now_s);
    va_start (ap, fmt);
    strbuf_vaddf (&check->violations, fmt, ap);
    va_end (ap);
    strbuf_add_char (&check->violations, '\n');
}

void check_open (struct check *check, const struct error *err)
{
    const struct process *current = check->world->current;

    /* A segment may show later than the one that continues it. */
    if (!current->dead && current->errors == 0 && err->number != ENOENT)
        check_fail (check, "the campaign cannot be opened: %s", err->text);
}

/* Look without being anybody: sees all, takes no time, cannot fail. */
static struct process *step_aside (struct check *check)
{
    struct process *current = check->world->current;

    check->world->current = NULL;
    return current;
}

static bool ends_with (const char *s, const char *end)
{
    size_t n = strlen (s), m = strlen (end);

    return n >= m && strcmp (s + n - m, end) == 0;
}

/* --- a task takes effect once --- */

static void check_durable (const char *path, void *arg)
{
    struct check *check = arg;

    if (!disk_is_durable (check->world->disk, path))
        check_fail (check, "'%s' is seen before it is on the disk", path);
}

/* .../job/<task> */
static bool is_task_place (const char *path)
{
    const char *job = strstr (path, "/" LAYOUT_JOBS "/");
    const char *task = job ? job + strlen ("/" LAYOUT_JOBS "/") : "";

    return *task && task[strspn (task, "0123456789")] == '\0';
}

/* What is done again may come to be again. */
static void forget_commits (struct check *check, const char *from)
{
    struct json *kept = json_object ();
    char *dir = scenario_first_names (from);

    JSON_FOREACH (check->commits, it) {
        const char *path = json_iter_key (it);

        if (strncmp (path, dir, strlen (dir)) != 0)
            json_set (kept, path, json_ref (json_iter_value (it)));
    }
    json_unref (check->commits);
    check->commits = kept;
    free (dir);
}

void check_renamed (const char *from, const char *to, void *arg)
{
    struct check *check = arg;

    check_generation_renamed (check, from, to);
    if (strstr (to, "/.fanfold/replaced/"))
        forget_commits (check, from);

    if (is_task_place (to)) {
        char *name = scenario_first_names (to);

        if (json_get (check->commits, name))
            check_fail (check, "'%s' came to be a second time", to);
        json_set (check->commits, name, json_real (check->world->now_s));
        free (name);
        disk_each_file (check->world->disk, to, check_durable, check);
    }
    if (disk_is_file (check->world->disk, to) && !strstr (to, "/work/"))
        check_durable (to, check);
    if (is_task_place (from))
        check_fail (check, "'%s' became '%s'", from, to);
}

/* --- the journal --- */

/* --- limits --- */

struct counting {
    const struct state *state;
    int64_t living;
};

static void count_known (const struct sim_job_view *job, void *arg)
{
    struct counting *counting = arg;
    const struct submission *s = state_submission (counting->state, job->token);

    if (s && s->id && s->status != SUBMISSION_ENDED
        && strcmp (s->id, job->id) == 0)
        counting->living += job->living;
}

/* What drivers know of and the next array together fit the site's limit.  Where
 * a status lies, or there is none, they cannot know.
 */
static void check_room (struct check *check, const struct engine *engine,
                        int64_t elements)
{
    const int64_t *struck = check->world->faults->struck;
    int64_t most = check->scenario->site.submit;
    struct counting counting = { &engine->state, 0 };

    if (most == 0 || struck[SIM_STATUS_LIES] + struck[SIM_STATUS_UNKNOWN] > 0)
        return;
    sim_each_job (check->world->sim, count_known, &counting);
    if (counting.living > 0 && counting.living + elements > most)
        check_fail (check,
                    "%" PRId64 " elements live and %" PRId64
                    " more are submitted, the site allows %" PRId64,
                    counting.living, elements, most);
}

/* The plan's limits hold for every array, and only one job stands for a chunk.
 */
static void check_intent (struct check *check, const struct engine *engine,
                          const struct json *event)
{
    const struct stage_state *stage =
        state_stage (&engine->state, state_iteration (&engine->state),
                     json_as_string (json_get (event, "stage")));
    const struct attempt *attempt = stage_open_attempt (stage);
    int64_t most = engine->plan->profiles[0].limits.elements;
    int64_t elements = json_as_int (json_get (event, "elements"));
    int64_t chunk = json_as_int (json_get (event, "chunk"));
    int standing = 0;

    if (elements > most)
        check_fail (check, "%" PRId64 " elements, limits: elements: %" PRId64,
                    elements, most);
    for (size_t i = 0; i < attempt->n_submissions; i++) {
        if (attempt->submissions[i].chunk == chunk
            && attempt->submissions[i].status != SUBMISSION_ABSENT)
            standing++;
    }
    if (standing != 1)
        check_fail (check, "%d submissions stand for chunk %" PRId64, standing,
                    chunk);
    check_room (check, engine, elements);
    json_set (check->tokens, json_as_string (json_get (event, "token")),
              json_bool (true));
}

/* When the driver looked at the latest: one that was suspended between its look
 * and its word, and that nobody replaced, journals what it saw.
 */
static double looked_s (const struct world *world, const struct process *driver)
{
    const double soon_s = 10;

    return driver->stopped_s > 0 && world->now_s < driver->resumed_s + soon_s
               ? driver->stopped_s
               : world->now_s;
}

/* A result that could long be seen is the outcome ok, log or no log. */
static void check_outcome (struct check *check, const struct engine *engine,
                           const struct json *event, double seen_s,
                           int32_t task)
{
    const struct plan *plan = engine->plan;
    const char *stage = json_as_string (json_get (event, "stage"));
    struct stage_place place = {
        .stage = stage,
        .code = plan->stages[plan_stage_find (plan, stage)].op->code,
        .iteration = (int)json_as_int (json_get (event, "iteration")),
    };
    struct strbuf path = STRBUF_INIT;
    const struct json *commit;
    char *name;

    strbuf_add_str (&path, SCENARIO_DIR "/");
    layout_task_dir (&place, task, &path);
    name = scenario_first_names (path.buf);
    commit = json_get (check->commits, name);
    free (name);
    if (commit
        && seen_s > json_as_double (commit) + plan->profiles[0].visibility_s)
        check_fail (check,
                    "task %d of stage '%s' was judged, but '%s' is there"
                    " since %g s",
                    task, stage, path.buf, json_as_double (commit));
    strbuf_release (&path);
}

static void check_outcomes (struct check *check, const struct engine *engine,
                            const struct json *event, double seen_s)
{
    JSON_FOREACH (json_get (event, "outcomes"), it) {
        struct task_range range = TASK_RANGE_INIT;

        if (strcmp (json_iter_key (it), "ok") == 0)
            continue;
        task_range_parse (json_as_string (json_iter_value (it)), &range, NULL);
        for (int32_t t = -1; (t = task_range_next (&range, t)) >= 0;)
            check_outcome (check, engine, event, seen_s, t);
        task_range_release (&range);
    }
}

/* What a driver journals while it holds the lease is never lost: nobody writes
 * another event of the same number.
 */
static void check_number (struct check *check, const struct engine *engine,
                          const struct json *event)
{
    struct strbuf text = STRBUF_INIT;
    char number[24];

    if (lease_check (engine->lease, NULL) < 0)
        return; /* replaced while it wrote: that is ignored */
    snprintf (number, sizeof (number), "%" PRId64,
              json_as_int (json_get (event, "n")));
    json_dump (event, JSON_COMPACT, &text);
    if (json_get (check->events, number))
        check_fail (check, "event %s was journaled before:\n%s\n%s", number,
                    json_as_string (json_get (check->events, number)),
                    text.buf);
    json_set (check->events, number, json_string (text.buf));
    strbuf_release (&text);
}

static void trace (const struct check *check, const struct json *event)
{
    const struct process *process = check->world->current;
    struct strbuf text = STRBUF_INIT;

    json_dump (event, JSON_COMPACT, &text);
    printf ("# %.3f %s %d on %d: %s\n", check->world->now_s, process->what,
            process->pid, process->host, text.buf);
    strbuf_release (&text);
}

static void note_dependency_job (struct check *check, const struct json *event)
{
    const char *token = json_as_string (json_get (event, "token"));

    json_set (check->tokens, token, json_bool (true));
    json_set (check->dependency_jobs, token, json_bool (true));
}

struct lasting {
    struct check *check;
    const char *run; /* run files of the stage that the event is of; or NULL */
    const struct json *checkpoints; /* those of tasks that the event tells of */
    bool chain; /* the event tells of the script of jobs that drive */
};

/* Of a task that the event does not tell of? */
static bool is_other_checkpoint (const char *path, const struct json *told)
{
    static const char folder[] = "/" LAYOUT_CHECKPOINTS "/";
    const char *at = strstr (path, folder);
    char key[16];

    if (!at)
        return false;
    snprintf (key, sizeof (key), "%d", atoi (at + strlen (folder)));
    return !json_get (told, key);
}

/* What an action has left of another stage, of checkpoints or of jobs that
 * drive, which failed for want of a sync, and which no event tells of yet: each
 * is written anew, or synced, before one does.
 */
static bool is_unfinished (const char *path, const struct lasting *lasting)
{
    if (path_is_at_or_below (path, SCENARIO_DIR "/" LAYOUT_CHAIN_DIR))
        return !lasting->chain;
    return path_is_at_or_below (path, SCENARIO_DIR "/" LAYOUT_RUN_DIR)
           && (!(lasting->run && path_is_at_or_below (path, lasting->run))
               || is_other_checkpoint (path, lasting->checkpoints));
}

/* What a driver made before it journals: all of it outlasts a crash of the
 * machine, but for unfinished files, generations that have not appeared, what
 * only people read, what is said or made again (a summary whose directory could
 * not be synced) or only saves time, what is looked at once more before it is
 * used, and where steps of the front end work.
 */
static void check_lasting (const char *path, void *arg)
{
    const struct lasting *lasting = arg;

    if (!strstr (path, "/work/") && !strstr (path, "/prepare.")
        && !strstr (path, "/collect.") && !ends_with (path, "/log")
        && !ends_with (path, "/lock/beat") && !strstr (path, ".part/")
        && !ends_with (path, "/" LAYOUT_STATE_FILE)
        && !ends_with (path, "/" LAYOUT_SUMMARY)
        && !strstr (path, "/" FILE_TEMPORARY)
        && !strstr (path, "/" LAYOUT_MAKING_DIR "/")
        && !strstr (path, "/" LAYOUT_NOTICES_DIR)
        && !is_unfinished (path, lasting))
        check_fail (lasting->check,
                    "'%s' may be gone after a crash, the journal is not", path);
}

/* Of a stage that is over so do the results, whoever made them. */
static void check_results_last (struct check *check, const struct json *event)
{
    struct lasting lasting = { check, NULL, NULL, true };
    char *dir = xasprintf (SCENARIO_DIR "/%s",
                           json_as_string (json_get (event, "stage")));

    disk_each_fleeting (check->world->disk, dir, 0, check_lasting, &lasting);
    free (dir);
}

/* The stage that an event is of, by its name or by a token; or NULL. */
static const char *stage_of (const struct state *state,
                             const struct json *event)
{
    const char *token = json_get_string (event, "token");
    const struct iteration_state *it =
        state->n_iterations > 0 ? &state->iterations[state->n_iterations - 1]
                                : NULL;

    if (json_get (event, "stage"))
        return json_get_string (event, "stage");
    for (size_t i = 0; it && i < it->n_stages; i++) {
        const struct attempt *attempt = stage_open_attempt (&it->stages[i]);

        for (size_t s = 0; attempt && s < attempt->n_submissions; s++) {
            if (strcmp (attempt->submissions[s].token, token) == 0)
                return it->stages[i].name;
        }
    }
    return NULL;
}

static void check_made_lasts (struct check *check, const struct engine *engine,
                              const struct json *event, pid_t maker)
{
    int iteration = state_iteration (&engine->state);
    const char *stage = stage_of (&engine->state, event);
    struct strbuf relative = STRBUF_INIT;
    char *run = NULL;
    const char *ev = json_get_string (event, "ev");
    struct lasting lasting = { check, NULL, json_get (event, "checkpoints"),
                               strcmp (ev, "dependency_job") == 0 };

    if (stage) {
        const struct stage_state *s =
            state_stage (&engine->state, iteration, stage);

        layout_run (s ? s->generation : 0, &relative);
        run = path_join (SCENARIO_DIR, relative.buf);
    }
    lasting.run = run;
    disk_each_fleeting (check->world->disk, SCENARIO_DIR, maker, check_lasting,
                        &lasting);
    strbuf_release (&relative);
    free (run);
}

/* What was there still is what the tasks make. */
static void check_not_again (struct check *check, const struct state *state,
                             const char *stage)
{
    char *below = state_stage_dir (state, state_iteration (state), stage);
    struct strbuf dir = STRBUF_INIT;
    char *name;

    strbuf_addf (&dir, SCENARIO_DIR "/%s", below);
    free (below);
    name = scenario_first_names (dir.buf);
    if (!json_get (check->again, name))
        check_fail (check, "tasks of '%s' are run again without the journal",
                    dir.buf);
    free (name);
    strbuf_release (&dir);
}

void check_event (struct check *check, const struct engine *engine,
                  const struct json *event)
{
    const char *kind = json_as_string (json_get (event, "ev"));
    struct process *current;

    if (check->traced)
        trace (check, event);
    current = step_aside (check);
    check_made_lasts (check, engine, event, current->pid);
    if (strcmp (kind, "stage") == 0)
        check_results_last (check, event);
    check_number (check, engine, event);
    if (strcmp (kind, "intent") == 0)
        check_intent (check, engine, event);
    if (strcmp (kind, "intent") == 0 && check->again)
        check_not_again (check, &engine->state,
                         json_get_string (event, "stage"));
    if (strcmp (kind, "dependency_job") == 0)
        note_dependency_job (check, event);
    if (strcmp (kind, "results") == 0)
        check_outcomes (check, engine, event, looked_s (check->world, current));
    if (lease_check (engine->lease, NULL) == 0) {
        check_generations (check, &engine->state, event);
        check_publishing (check, engine);
        check_taken (check, &engine->state, event);
    }
    check->world->current = current;
}

static int fold (const struct json *event, void *arg, struct error *err)
{
    return state_apply (arg, event, err);
}

static char *state_text (const struct state *state)
{
    struct json *v = state_to_json (state);
    struct strbuf text = STRBUF_INIT;

    json_dump (v, JSON_COMPACT, &text);
    json_unref (v);
    return strbuf_detach (&text);
}

static void fold_anew (struct check *check)
{
    struct error err = ERROR_INIT;

    state_release (&check->folded);
    check->folded = (struct state)STATE_INIT;
    check->position = (struct journal_position){ 0 };
    if (journal_read (check->scenario->plan->dir, &check->position, fold,
                      &check->folded, &err)
        < 0)
        check_fail (check, "the journal cannot be read: %s", err.text);
}

/* Fold what was appended, as far as that is still the journal: what a driver
 * that was replaced appended late is not.
 */
static void fold_more (struct check *check)
{
    if (journal_read (check->scenario->plan->dir, &check->position, fold,
                      &check->folded, NULL)
        < 0)
        fold_anew (check);
}

static void check_folded (struct check *check, const struct state *state)
{
    char *theirs = state_text (state);
    char *folded = state_text (&check->folded);

    if (strcmp (theirs, folded) != 0)
        check_fail (check, "the journal folds to\n%s\nnot to\n%s", folded,
                    theirs);
    free (theirs);
    free (folded);
}

void check_fold (struct check *check, const struct engine *engine)
{
    struct process *current = step_aside (check);

    fold_more (check);
    /* Unless somebody else has driven on meanwhile, or nothing is new. */
    if (check->position.n == engine->position.n
        && check->position.n != check->compared_n) {
        check_folded (check, &engine->state);
        check->compared_n = check->position.n;
    }
    check->world->current = current;
}

static int print_event (const struct json *event, void *arg, struct error *err)
{
    struct strbuf text = STRBUF_INIT;

    (void)arg;
    (void)err;
    json_dump (event, JSON_COMPACT, &text);
    printf ("%s\n", text.buf);
    strbuf_release (&text);
    return 0;
}

void check_print_journal (struct check *check)
{
    struct process *current = step_aside (check);
    struct journal_position position = { 0 };
    struct error err = ERROR_INIT;

    if (journal_read (check->scenario->plan->dir, &position, print_event, NULL,
                      &err)
        < 0)
        check_fail (check, "the journal cannot be read: %s", err.text);
    check->world->current = current;
}

/* --- the end --- */

struct results {
    const struct disk *disk;
    struct json *files;
};

static void add_digest (const char *path, struct results *results)
{
    struct strbuf bytes = STRBUF_INIT;
    char hex[DIGEST_HEX_SIZE];

    disk_get (results->disk, path, &bytes);
    digest_bytes (bytes.buf, bytes.len, hex);
    json_set (results->files, path, json_string (hex));
    strbuf_release (&bytes);
}

/* Of outputs.json: which results another campaign made is not of its bytes. */
static void leave_origins (struct strbuf *text)
{
    struct json *v = json_parse (text->buf, text->len, "", NULL);

    if (json_get (v, "reused")) {
        json_delete (v, "reused");
        strbuf_reset (text);
        json_dump (v, JSON_PRETTY, text);
    }
    json_unref (v);
}

static void add_result (const char *path, void *arg)
{
    struct results *results = arg;
    struct strbuf text = STRBUF_INIT;

    if (strstr (path, "/" LAYOUT_DATASET_DIR "/")
        && !strstr (path, "/.fanfold/"))
        add_digest (path, results);
    if (!strstr (path, "/.fanfold/")
        && (ends_with (path, "/outputs.json")
            || ends_with (path, "/out/made"))) {
        char *name = scenario_first_names (path), *first;

        disk_get (results->disk, path, &text);
        leave_origins (&text);
        first = scenario_first_names (text.buf);
        json_set (results->files, name, json_string (first));
        free (name);
        free (first);
    }
    strbuf_release (&text);
}

struct json *check_results (const struct world *world)
{
    struct results results = { world->disk, json_object () };

    disk_each_file (world->disk, SCENARIO_DIR, add_result, &results);
    return results.files;
}

static void check_same (struct check *check, const struct json *calm)
{
    struct json *results = check_results (check->world);

    JSON_FOREACH (calm, it) {
        const struct json *result = json_get (results, json_iter_key (it));

        if (json_equal (result, json_iter_value (it)))
            continue;
        check_fail (check, "'%s' is not as in the calm world",
                    json_iter_key (it));
        if (check->traced)
            printf ("# %s\n# but in the calm world\n# %s\n",
                    json_as_string (result),
                    json_as_string (json_iter_value (it)));
    }
    if (json_count (results) != json_count (calm))
        check_fail (check, "%zu results, %zu in the calm world",
                    json_count (results), json_count (calm));
    json_unref (results);
}

static void check_job (const struct sim_job_view *job, void *arg)
{
    struct check *check = arg;

    if (!json_get (check->tokens, job->token))
        check_fail (check, "job %s (%s) was never journaled", job->id,
                    job->token);
    if (job->living > 0)
        check_fail (check, "job %s (%s) is left behind, %s", job->id,
                    job->token, job->released ? "released" : "held");
}

/* What each task printed that made something: wherever it was taken from. */
static void check_log (const char *path, void *arg)
{
    static const char result[] = "/" LAYOUT_OUT "/" LAYOUT_RESULT_FILE;
    struct check *check = arg;
    char *dir, *log;

    if (!strstr (path, "/" LAYOUT_JOBS "/") || !ends_with (path, result))
        return;
    dir = xstrndup (path, strlen (path) - strlen (result));
    log = path_join (dir, LAYOUT_TASK_LOG);
    if (!disk_is_file (check->world->disk, log))
        check_fail (check, "'%s' is not there", log);
    free (log);
    free (dir);
}

static void note_removed (const char *path, void *arg)
{
    struct check *check = arg;
    char *dir;

    if (!ends_with (path, "/" LAYOUT_REMOVED))
        return;
    dir = scenario_first_names (path);
    dir[strlen (dir) - strlen ("/" LAYOUT_REMOVED)] = '\0';
    json_set (check->again, dir, json_bool (true));
    free (dir);
}

void check_again (struct check *check)
{
    check->again = json_object ();
    disk_each_file (check->world->disk, SCENARIO_DIR, note_removed, check);
    check_generations_forget (check);
    json_unref (check->events);
    check->events = json_object ();
    state_release (&check->folded);
    check->folded = (struct state)STATE_INIT;
    check->position = (struct journal_position){ 0 };
    check->compared_n = 0;
}

/* Once, and once more where it is not known; where nothing goes wrong once. */
static void check_told (struct check *check, bool calm)
{
    int64_t most = calm ? 1 : NOTICE_BEGUN_MOST;

    JSON_FOREACH (check->world->told, it) {
        int64_t n = json_as_int (json_iter_value (it));

        if (n > most)
            check_fail (check, "event %s was told %" PRId64 " times",
                        json_iter_key (it), n);
    }
    if (calm && json_count (check->folded.notify) > 0
        && (check->folded.notices || json_count (check->world->told) == 0))
        check_fail (check, "not all that happened was told");
}

void check_end (struct check *check, const struct json *calm)
{
    struct state state = check->folded;

    check->folded = (struct state)STATE_INIT;
    fold_anew (check);
    if (check->position.n == state.n)
        check_folded (check, &state);
    state_release (&state);
    sim_each_job (check->world->sim, check_job, check);
    disk_each_file (check->world->disk, SCENARIO_DIR, check_log, check);
    check_generations_end (check, &check->folded);
    check_told (check, !calm);
    if (calm)
        check_same (check, calm);
}
