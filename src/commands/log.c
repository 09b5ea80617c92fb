/* SPDX-License-Identifier: BSD-3-Clause */
/* log.c - what a task printed */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/command.h"
#include "commands/log_follow.h"
#include "commands/named_stages.h"
#include "commands/taken_log.h"
#include "commands/task_output.h"
#include "commands/task_record.h"
#include "engine/observe/observe.h"
#include "report/task_watch.h"

/* Of how many failed tasks how much is shown. */
enum { FAILED_TASKS = 20, FAILED_LINES = 20 };

/* What was asked for. */
struct asked {
    int task; /* -1: none was named */
    int try_number;
    bool failed, follow, path;
    struct json *told; /* with --json: where what is shown goes instead */
};

/* The stage as it stands. */
struct looked_at {
    const struct campaign *campaign;
    const char *stage;
    int iteration;
    const struct stage_state *state; /* NULL: it has not begun */
    const struct attempt_logs *logs; /* NULL: no attempt is open */
};

static enum exit_status no_log (const struct looked_at *at, int task,
                                const struct task_record *record,
                                int try_number)
{
    if (record->tries > 0 && try_number > record->tries)
        return complain (STATUS_FAILED,
                         "task %d of stage '%s' in iteration %d has %d %s",
                         task, at->stage, at->iteration, record->tries,
                         record->tries == 1 ? "try" : "tries");
    return complain (STATUS_FAILED,
                     "task %d of stage '%s' in iteration %d has no log%s", task,
                     at->stage, at->iteration,
                     at->state && task < at->state->n_tasks
                             && at->state->tasks[task].outcome != OUTCOME_NONE
                         ? ""
                         : " yet");
}

/* How the try ended, or that it runs. */
static const char *try_outcome (const struct looked_at *at, int task,
                                const struct task_record *record)
{
    enum outcome outcome = task_outcome (at->state, at->logs, task);

    if (record->end)
        return json_get_string (record->end, "outcome");
    return record->start && !record->ended && outcome == OUTCOME_NONE
               ? "running"
               : outcome_name (outcome);
}

/* With --json where the output is, in place of the output; 'task' -1: of a
 * driver's step.  The object is lent by asked->told.
 */
static struct json *tell_output (const struct looked_at *at,
                                 const struct asked *asked, int task,
                                 const struct task_output *output)
{
    struct json *v = json_object ();

    json_set (v, "stage", json_string (at->stage));
    json_set (v, "task", task >= 0 ? json_int (task) : json_null ());
    json_set (v, "file",
              output->path ? json_string (output->path) : json_null ());
    if (output->path) {
        json_set (v, "at_bytes", json_int ((int64_t)output->at));
        json_set (v, "bytes",
                  output->bytes < UINT64_MAX ? json_int ((int64_t)output->bytes)
                                             : json_null ());
    }
    json_push (asked->told, v);
    return v;
}

static void tell_try (const struct looked_at *at, const struct asked *asked,
                      int task, const struct task_record *record,
                      const struct task_output *output)
{
    struct json *v = tell_output (at, asked, task, output);

    json_set (v, "try",
              record->start ? json_int (record->try_number) : json_null ());
    json_set (v, "outcome", json_string (try_outcome (at, task, record)));
    json_set (v, "message",
              json_string (json_get_string (record->end, "message")));
}

/* "task 2, try 2: failed: MESSAGE" */
static void print_try (const struct looked_at *at, int task,
                       const struct task_record *record, FILE *to)
{
    const char *message = json_get_string (record->end, "message");
    const char *how = try_outcome (at, task, record);

    fprintf (to, "task %d", task);
    if (record->start)
        fprintf (to, ", try %d", record->try_number);
    fprintf (to, ": %s%s%s\n", how, *message ? ": " : "", message);
}

/* Is it ok without having run here? */
static bool was_taken (const struct looked_at *at, int task,
                       const struct task_record *record)
{
    return record->tries == 0 && at->state && task < at->state->n_tasks
           && at->state->tasks[task].outcome == OUTCOME_OK;
}

/* What it printed where it ran ('kept' beside its results: NULL it is not), or
 * that this is not there any more.  Takes over 'kept'.
 */
static enum exit_status show_taken (const struct looked_at *at,
                                    const struct asked *asked, int task,
                                    char *kept)
{
    struct task_record record = TASK_RECORD_INIT;
    struct task_output output = { kept, 0, UINT64_MAX };
    enum exit_status status = STATUS_DONE;
    struct strbuf from = STRBUF_INIT;
    struct error err = ERROR_INIT;
    int there = task;

    taken_record_find (&at->campaign->engine, at->state, at->iteration, &there,
                       &record, &from);
    if (!kept && record.start)
        task_output_find (&record, there, &output);
    if (asked->told) {
        struct json *v = tell_output (at, asked, task, &output);

        json_set (v, "outcome", json_string (outcome_name (OUTCOME_OK)));
        json_set (v, "taken_from", json_string (from.buf));
    } else if (output.path && asked->path)
        puts (output.path);
    else
        complain (STATUS_DONE, "task %d of stage '%s' was taken from %s%s",
                  task, at->stage, from.buf,
                  output.path    ? ", where it printed:"
                  : record.start ? ", where it printed nothing"
                                 : ", where its log is not any more");
    if (output.path && !asked->path && !asked->told
        && task_output_copy (&output, 0, stdout, &err) < 0)
        status = complain (STATUS_FAILED, "%s", err.text);
    task_record_release (&record);
    strbuf_release (&from);
    free (output.path);
    return status;
}

/* The task that was named, or the one to show. */
static enum exit_status show_one (const struct looked_at *at,
                                  const struct asked *asked, int task)
{
    struct task_record record = TASK_RECORD_INIT;
    enum exit_status status = STATUS_DONE;
    struct task_output output = { NULL, 0, 0 };
    struct error err = ERROR_INIT;
    int rc = task_record_find (&at->campaign->engine, at->iteration, at->stage,
                               task, asked->try_number, &record, &err);

    if (rc == 0)
        task_output_find (&record, task, &output);
    if (rc == 0 && was_taken (at, task, &record)) {
        status = show_taken (at, asked, task, output.path);
        output.path = NULL;
    } else if (rc == 0 && !output.path) {
        status = no_log (at, task, &record, asked->try_number);
    } else if (rc == 0 && asked->told) {
        tell_try (at, asked, task, &record, &output);
    } else if (rc == 0 && asked->path) {
        puts (output.path);
    } else if (rc == 0) {
        if (asked->task < 0)
            print_try (at, task, &record, stderr);
        rc = task_output_copy (&output, 0, stdout, &err);
    }
    if (rc < 0)
        status = complain (STATUS_FAILED, "%s", err.text);
    task_record_release (&record);
    free (output.path);
    return status;
}

static void show_failure (const struct looked_at *at, const struct asked *asked,
                          int task)
{
    struct task_record record = TASK_RECORD_INIT;
    struct task_output output = { NULL, 0, 0 };
    struct error err = ERROR_INIT;
    int rc = task_record_find (&at->campaign->engine, at->iteration, at->stage,
                               task, 0, &record, &err);

    if (rc == 0)
        task_output_find (&record, task, &output);
    if (asked->told) {
        tell_try (at, asked, task, &record, &output);
    } else if (asked->path) {
        if (output.path)
            puts (output.path);
    } else {
        printf ("==> ");
        print_try (at, task, &record, stdout);
        if (rc == 0 && output.path)
            rc = task_output_copy_end (&output, FAILED_LINES, stdout, &err);
        putchar ('\n');
    }
    if (rc < 0)
        complain (STATUS_FAILED, "%s", err.text);
    task_record_release (&record);
    free (output.path);
}

static enum exit_status show_failures (const struct looked_at *at,
                                       const struct asked *asked)
{
    int failed = 0;

    for (int32_t i = 0; at->state && i < at->state->n_tasks; i++) {
        if (task_failed (at->state, at->logs, i) && failed++ < FAILED_TASKS)
            show_failure (at, asked, i);
    }
    if (failed > FAILED_TASKS)
        fprintf (stderr,
                 "... and %d more; see `fanfold explain %s` and `fanfold log "
                 "%s TASK`\n",
                 failed - FAILED_TASKS, at->stage, at->stage);
    if (failed == 0)
        fprintf (stderr, "no task of stage '%s' in iteration %d has failed\n",
                 at->stage, at->iteration);
    return STATUS_DONE;
}

/* --- a stage that failed, and no task of it --- */

static bool failed_by_itself (const struct looked_at *at)
{
    if (!at->state || at->state->status != STAGE_FAILED)
        return false;
    for (int32_t i = 0; i < at->state->n_tasks; i++) {
        if (task_failed (at->state, at->logs, i))
            return false;
    }
    return true;
}

/* Is that the directory of a driver's 'step'? */
static bool is_of_step (const char *name, const char *step)
{
    size_t n = strlen (step);

    return strncmp (name, step, n) == 0 && name[n] == '.';
}

/* What prepare or collect printed, whichever ran last; NULL: neither did. */
static char *find_step_log (const struct looked_at *at)
{
    _cleanup_ (strbuf_release) struct strbuf relative = STRBUF_INIT;
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    _cleanup_free_ char *run = NULL;
    char *path = NULL;

    layout_run (at->state->generation, &relative);
    run = path_join (at->campaign->engine.dir, relative.buf);
    file_list_dir (run, &names, NULL);
    for (size_t i = 0; i < names.n; i++) {
        bool collects = is_of_step (names.v[i], LAYOUT_COLLECT);

        if (!collects && (path || !is_of_step (names.v[i], LAYOUT_PREPARE)))
            continue;
        free (path);
        path = xasprintf ("%s/%s/" LAYOUT_STEP_LOG, run, names.v[i]);
    }
    return path;
}

static enum exit_status show_step (const struct looked_at *at,
                                   const struct asked *asked)
{
    struct task_output output = { find_step_log (at), 0, UINT64_MAX };
    struct json *v;
    enum exit_status status = STATUS_DONE;
    struct error err = ERROR_INIT;

    if (asked->told) {
        v = tell_output (at, asked, -1, &output);
        json_set (v, "outcome", json_string (outcome_name (OUTCOME_FAILED)));
        json_set (v, "message",
                  json_string (at->state->why ? at->state->why : ""));
    } else if (asked->path && output.path)
        puts (output.path);
    else
        complain (STATUS_DONE, "stage '%s' failed in iteration %d: %s",
                  at->stage, at->iteration,
                  at->state->why ? at->state->why : "");
    if (!asked->path && !asked->told && output.path
        && task_output_copy (&output, 0, stdout, &err) < 0)
        status = complain (STATUS_FAILED, "%s", err.text);
    free (output.path);
    return status;
}

/* Which task it is; -1 after complaining. */
static int find_task (const struct looked_at *at, const struct asked *asked)
{
    int n = at->state ? at->state->n_tasks : 0;

    if (asked->task < 0 && at->state && n > 0)
        return task_to_show (at->state, at->logs, asked->follow);
    if (asked->follow && !at->state)
        return asked->task < 0 ? 0 : asked->task;
    if (asked->task >= 0 && asked->task < n)
        return asked->task;
    complain (STATUS_FAILED,
              "stage '%s' is %s and has %d tasks in iteration %d%s%s",
              at->stage,
              stage_status_name (at->state ? at->state->status : STAGE_WAITING),
              n, at->iteration, at->state && at->state->why ? ": " : "",
              at->state && at->state->why ? at->state->why : "");
    return -1;
}

static enum exit_status understand (const struct invocation *invocation,
                                    struct asked *asked)
{
    const char *number = invocation_option (invocation, "try");

    asked->failed = invocation_option (invocation, "failed") != NULL;
    asked->follow = invocation_option (invocation, "follow") != NULL;
    asked->path = invocation_option (invocation, "path") != NULL;
    if (asked->failed && (asked->task >= 0 || number))
        return complain (STATUS_USAGE,
                         "--failed shows all tasks that failed: name none, and "
                         "no --try");
    if (asked->follow
        && (asked->failed || asked->path || asked->told || number))
        return complain (STATUS_USAGE,
                         "--follow follows one task from its newest try on: "
                         "without --failed, --json, --path and --try");
    asked->try_number = number ? parse_number ("--try", number) : 0;
    if (asked->try_number < 0)
        return STATUS_USAGE;
    if (number && asked->try_number == 0)
        return complain (STATUS_USAGE, "--try: tries are counted from 1");
    return STATUS_DONE;
}

static enum exit_status show (struct campaign *campaign,
                              const struct stage *stage,
                              const struct asked *asked,
                              const struct looked_at *at)
{
    int task;

    if (asked->task < 0 && !asked->follow && failed_by_itself (at))
        return show_step (at, asked);
    if (asked->failed)
        return show_failures (at, asked);
    if ((task = find_task (at, asked)) < 0)
        return STATUS_FAILED;
    return asked->follow ? log_follow (campaign, stage, at->iteration, task)
                         : show_one (at, asked, task);
}

/* What one stage printed. */
static enum exit_status show_stage (struct campaign *campaign,
                                    const struct stage *stage, int iteration,
                                    const struct asked *asked)
{
    struct looked_at at = { campaign, stage->name, iteration, NULL, NULL };
    _cleanup_ (observations_release) struct observations observations = { 0 };
    enum exit_status status;

    at.state = state_stage (&campaign->engine.state, iteration, at.stage);
    status = campaign_stage_logs (campaign, at.stage, iteration, &observations,
                                  &at.logs);
    if (status == STATUS_DONE)
        status = show (campaign, stage, asked, &at);
    return status;
}

/* Of several steps the one to show: the first that failed, else that runs, else
 * the last that has begun.
 */
static const struct stage *step_to_show (const struct state *state,
                                         const struct named_stages *named,
                                         int iteration)
{
    const struct stage *runs = NULL, *begun = named->v[0];

    for (size_t i = 0; i < named->n; i++) {
        const struct stage_state *s =
            state_stage (state, iteration, named->v[i]->name);

        if (s && s->status == STAGE_FAILED)
            return named->v[i];
        if (s && s->n_tasks > 0)
            begun = named->v[i];
        if (s && !runs && stage_open_attempt (s))
            runs = named->v[i];
    }
    return runs ? runs : begun;
}

static enum exit_status show_named (struct campaign *campaign,
                                    const struct named_stages *named,
                                    int iteration, const struct asked *asked)
{
    const struct state *state = &campaign->engine.state;
    enum exit_status status = STATUS_DONE;

    if (!named->family || !asked->failed)
        return show_stage (campaign, step_to_show (state, named, iteration),
                           iteration, asked);
    for (size_t i = 0; status == STATUS_DONE && i < named->n; i++)
        status = show_stage (campaign, named->v[i], iteration, asked);
    return status;
}

static void print_told (int iteration, struct json *told)
{
    _cleanup_json_ struct json *v = json_object ();

    json_set (v, "iteration", json_int (iteration));
    json_set (v, "tasks", json_ref (told));
    print_json (v);
}

static enum exit_status show_log (const struct invocation *invocation,
                                  struct campaign *campaign)
{
    _cleanup_json_ struct json *told =
        invocation_option (invocation, "json") ? json_array () : NULL;
    struct asked asked = { .task = -1, .told = told };
    _cleanup_ (named_stages_release) struct named_stages named =
        NAMED_STAGES_INIT;
    int iteration;
    enum exit_status status = named_stages_find (
        invocation, campaign->plan, invocation->args[0],
        invocation->n_args > 1 ? invocation->args[1] : NULL, &named);

    asked.task = named.task;
    if (status == STATUS_DONE)
        status = named_iteration (campaign, &named, &iteration);
    if (status == STATUS_DONE)
        status = understand (invocation, &asked);
    if (status == STATUS_DONE)
        status = show_named (campaign, &named, iteration, &asked);
    if (status == STATUS_DONE && told)
        print_told (iteration, told);
    return status;
}

static const struct command_option options[] = {
    { "iteration", "N", "look at this iteration (default: the current one)" },
    { "failed", NULL,
      "print the last lines of every task that failed (of at most 20)" },
    { "follow", NULL,
      "print what comes until the task has ended and is not tried again; exit "
      "0 where it is ok, else 1" },
    { "try", "N", "print this try, from 1 (default: the newest)" },
    { "json", NULL,
      "print how it ended and where its output is as one JSON object" },
    { "path", NULL, "print the path of the file it is in instead" },
    { 0 },
};

const struct command log_command = {
    .name = "log",
    .arguments = "STAGE [TASK]",
    .summary = "print a task's output (of the first that failed, if any)",
    .min_args = 1,
    .max_args = 2,
    .pages = true,
    .goes_on = "follow",
    .options = options,
    .prints_bytes = true,
    .run_in = show_log,
};
