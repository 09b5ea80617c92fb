/* SPDX-License-Identifier: BSD-3-Clause */
/* jobs.c - how jobs stand, from what qstat prints
 *
 * The letters are those of qstat(1B), the negative exit statuses those of
 * OpenPBS's and TORQUE's mom.
 */
#include "base/base.h"

#include "base/clock.h"
#include "job_view.h"
#include "pbs/pbs.h"
#include "reply_text.h"
#include "site_description.h"

/* --- what a record tells --- */

enum {
    UNKNOWN = 1u << COMPLAINT_UNKNOWN_JOB,
    OVER = 1u << COMPLAINT_OVER,
    SUBSTATE_DELETED = 91,
    KILLED_BY_TERM = 256 + 15, /* what qdel leaves behind */
};

static const struct {
    char state; /* 'F': OpenPBS, 'C': TORQUE */
    int64_t status;
    enum outcome outcome;
} statuses[] = {
    { 'F', -1, OUTCOME_NODE_FAILURE },  /* could not be started there */
    { 'F', -2, OUTCOME_NODE_FAILURE },  /* ... */
    { 'F', -20, OUTCOME_NODE_FAILURE }, /* the node was lost */
    { 'F', -26, OUTCOME_OUT_OF_MEMORY },
    { 'F', -27, OUTCOME_OUT_OF_MEMORY },
    { 'F', -28, OUTCOME_TIMEOUT },
    { 'F', -29, OUTCOME_TIMEOUT },
    { 'C', -1, OUTCOME_NODE_FAILURE },
    { 'C', -2, OUTCOME_NODE_FAILURE },
    { 'C', -10, OUTCOME_OUT_OF_MEMORY },
    { 'C', -11, OUTCOME_TIMEOUT },
    { 'C', -12, OUTCOME_TIMEOUT },
    { 'C', KILLED_BY_TERM, OUTCOME_CANCELLED },
};

static const struct stuck_reason reasons[] = {
    { "Can Never Run",
      "no node has what it asks for; compare `node`, `gres` and `directives` "
      "of the profile with `pbsnodes -av`; run `fanfold cancel`, change "
      "them, then run `fanfold resume`" },
    { "Queue not started",
      "an administrator starts the queue, or name another `queue`" },
    { "Number of concurrent running subjobs limit reached",
      "`limits: running:` of the profile counts its elements" },
    { "too many failed attempts",
      "PBS holds what could not be started many times; see the administrator, "
      "then `qrls`" },
    { NULL, NULL },
};

static char state_of (const char *settings)
{
    const char *state = reply_value (settings, "job_state");

    /* A job without a letter, or with more than one, is there: '?'. */
    return state && strlen (state) == 1 ? state[0] : '?';
}

static bool was_deleted (const char *settings)
{
    return reply_number (settings, "substate", 0) == SUBSTATE_DELETED;
}

/* One that waits until another job has ended is shown as held, too. */
static bool is_held (const char *settings)
{
    const char *depend = reply_value (settings, "depend");

    return state_of (settings) == 'H'
           && !(depend && strncmp (depend, "after", 5) == 0
                && reply_says (settings, "Hold_Types", "s"));
}

static enum outcome ending (const char *settings, int64_t status)
{
    char dialect = state_of (settings) == 'C' ? 'C' : 'F';

    /* A shell that outlives its killed child exits 0. */
    if (was_deleted (settings))
        return OUTCOME_CANCELLED;
    for (size_t i = 0; i < ARRAY_SIZE (statuses); i++) {
        if (statuses[i].state == dialect && statuses[i].status == status)
            return statuses[i].outcome;
    }
    return status == 0 ? OUTCOME_OK : OUTCOME_FAILED;
}

/* --- telling the view --- */

static void add_note (struct job_view_job *job, const char *id,
                      const char *settings)
{
    const char letter[] = { state_of (settings), '\0' };
    const char *comment = reply_value (settings, "comment");
    const char *advice = NULL;

    if (!strchr ("QTWHBERSUCFX", letter[0]))
        job_view_note_unclear (job, id, letter);
    if (comment && strchr ("QH", letter[0]))
        advice = stuck_advice (reasons, comment);
    if (advice)
        job_view_note_waits (job, id, comment, advice);
    else if (is_held (settings))
        job_view_note_waits (job, id, "it is held", "`qrls` lets it run");
}

/* The sub-jobs of a held array are shown as queued.  One that was deleted as a
 * whole, or before it began, has lost the records of what ended only now.
 */
static void tell_array (struct job_view_job *job, const char *settings)
{
    bool waits = strchr ("HQ", state_of (settings));
    double began_s = reply_time (settings, "stime");

    job->held = is_held (settings);
    job->since_s = was_deleted (settings) || began_s <= 0 ? INFINITY : began_s;
    job_view_tell (job, -1, waits ? ELEMENT_QUEUED : ELEMENT_UNKNOWN,
                   OUTCOME_NONE);
}

static void tell_ended (struct job_view_job *job, int64_t index,
                        const char *settings)
{
    /* TORQUE writes exit_status. */
    int64_t torque = reply_number (settings, "exit_status", INT64_MIN);
    int64_t status = reply_number (settings, "Exit_status", torque);

    if (status == INT64_MIN)
        job_view_tell (job, index, ELEMENT_UNKNOWN, OUTCOME_NONE);
    else
        job_view_tell (job, index, ELEMENT_ENDED, ending (settings, status));
}

/* Without an index the record of a sub-job is a copy of the array's: how it
 * ended is lost.  Q is also one that comes again, T one on its way to another
 * queue, W one that waits for its time.
 */
static void tell_part (struct job_view_job *job, int64_t index,
                       const char *settings)
{
    char state = state_of (settings);
    bool own = reply_value (settings, "array_index")
               || reply_value (settings, "job_array_id");

    if (strchr ("CFX", state) && own)
        tell_ended (job, index, settings);
    else if (strchr ("CFX", state))
        job_view_tell_lost (job, index);
    else
        job_view_tell (job, index,
                       strchr ("QTW", state)     ? ELEMENT_QUEUED
                       : state == 'H'            ? ELEMENT_HELD
                       : strchr ("BERSU", state) ? ELEMENT_RUNNING
                                                 : ELEMENT_UNCLEAR,
                       OUTCOME_NONE);
}

/* TORQUE puts "-INDEX" behind the name of a sub-job; our names have no dash. */
static char *name_of (const char *settings)
{
    const char *name = reply_value (settings, "Job_Name");

    return name ? xstrndup (name, strcspn (name, "-")) : xstrdup ("");
}

int pbs_read_names (const char *text, size_t len, void *names,
                    struct error *err)
{
    struct pbs_records records = pbs_records ("Job Id: ", text, len);
    const char *settings;

    while ((settings = pbs_next_record (&records, err))) {
        _cleanup_free_ char *name = name_of (settings);

        strvec_push (names, name);
    }
    return pbs_records_end (&records);
}

int pbs_tell_jobs (const char *text, size_t len, void *view, struct error *err)
{
    struct pbs_records records = pbs_records ("Job Id: ", text, len);
    const char *settings;

    while ((settings = pbs_next_record (&records, err))) {
        const char *row = records.id.buf;
        struct job_view_job *job;
        struct pbs_id id;
        char *name;

        if (!pbs_read_id (row, &id)) {
            records.lines.rc =
                error_set (err, "qstat told of '%.200s', which is no job", row);
            continue;
        }
        name = name_of (settings);
        job = job_view_find (view, id.number, name);
        free (name);
        if (!job)
            continue;
        add_note (job, row, settings);
        if (id.index < 0)
            tell_array (job, settings);
        else
            tell_part (job, id.index, settings);
    }
    job_view_settle (view);
    return pbs_records_end (&records);
}

/* What is said of jobs counts although others are unknown, or have ended and
 * are not shown.
 */
static enum answer ask_qstat (struct client *client, bool ended_too,
                              struct job_view *view, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec argv = STRVEC_INIT;

    strvec_push_all (&argv, (char *const *)LIST ("qstat", "-f", "-t"));
    if (ended_too)
        strvec_push (&argv, "-x");
    job_view_ids (view, &argv);
    return client_ask (client, (const char *const *)argv.v, UNKNOWN | OVER,
                       pbs_tell_jobs, view, err);
}

/* Jobs that have ended are shown with -x, and only where the server keeps a
 * history; where it does not, -x shows no job at all, though it runs.  What is
 * remembered of the history may be minutes old: silence proves nothing.
 */
enum answer pbs_poll (struct client *client, struct job_view *view,
                      struct error *err)
{
    struct site_facts facts;
    enum answer answer = commands_facts (client, &facts, err);

    if (answer == ANSWER_OK)
        answer = ask_qstat (client, facts.shown_s > 0, view, err);
    if (answer == ANSWER_OK && facts.shown_s > 0 && job_view_is_silent (view)) {
        facts.shown_s = 0;
        answer = ask_qstat (client, false, view, err);
    }
    if (answer == ANSWER_OK)
        job_view_infer (view, clock_wall_s (), facts.shown_s);
    return answer;
}
