/* SPDX-License-Identifier: BSD-3-Clause */
/* view.c - how submissions stand, from what qstat prints
 *
 * The letters are those of qstat(1B), the negative exit statuses those of
 * OpenPBS's and TORQUE's mom.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/compiler.h"
#include "base/error.h"
#include "pbs/records.h"
#include "pbs/view.h"

/* --- what a record tells --- */

enum {
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

static enum outcome ending (const struct pbs_word *word)
{
    char dialect = word->state == 'C' ? 'C' : 'F';

    /* A shell that outlives its killed child exits 0. */
    if (word->substate == SUBSTATE_DELETED)
        return OUTCOME_CANCELLED;
    for (size_t i = 0; i < ARRAY_SIZE (statuses); i++) {
        if (statuses[i].state == dialect && statuses[i].status == word->status)
            return statuses[i].outcome;
    }
    return word->status == 0 ? OUTCOME_OK : OUTCOME_FAILED;
}

static bool has_ended (const struct pbs_word *word)
{
    return word->state && strchr ("CFX", word->state);
}

/* What the server knows of how things ended, and when that is. */
struct history {
    double kept_s;
    double now_s;
};

/* One that was deleted before it started has no record of its own, nor has
 * any that had ended when its whole array was deleted; and any may have lost
 * it when the array lives for longer than records are kept.
 */
static bool was_deleted (const struct pbs_word *array, struct history history)
{
    return array->substate == SUBSTATE_DELETED || array->began_s <= 0
           || history.now_s - array->began_s < history.kept_s;
}

static struct element_status ended (const struct pbs_word *array,
                                    const struct pbs_word *word,
                                    struct history history)
{
    if (word->own && word->exited)
        return (struct element_status){ ELEMENT_ENDED, ending (word) };
    if (!word->own && history.kept_s > 0 && was_deleted (array, history))
        return (struct element_status){ ELEMENT_ENDED, OUTCOME_CANCELLED };
    return (struct element_status){ ELEMENT_UNKNOWN, OUTCOME_NONE };
}

/* The sub-jobs of a held array are shown as queued, and an array that waits for
 * another job is shown as held.
 */
static enum element_state queued (const struct pbs_word *array)
{
    return array->state == 'H' && !array->waits ? ELEMENT_HELD : ELEMENT_QUEUED;
}

static struct element_status element (const struct pbs_word *array,
                                      const struct pbs_word *word,
                                      struct history history)
{
    struct element_status status = { ELEMENT_UNCLEAR, OUTCOME_NONE };

    if (has_ended (word))
        return ended (array, word, history);
    switch (word->state) {
    case '\0':
        status.state = array->state == 'H' || array->state == 'Q'
                           ? queued (array)
                           : ELEMENT_UNKNOWN;
        break;
    case 'Q': /* also when it comes again, with a status of its last run */
    case 'T': /* is being moved to another queue */
    case 'W': /* for its time */
        status.state = queued (array);
        break;
    case 'H':
        status.state = ELEMENT_HELD;
        break;
    case 'B':
    case 'E':
    case 'R':
    case 'S':
    case 'U':
        status.state = ELEMENT_RUNNING;
        break;
    }
    return status;
}

static const char *stuck_advice (const char *comment)
{
    static const struct {
        const char *words;
        const char *advice;
    } stuck[] = {
        { "Can Never Run",
          "no node has what it asks for; compare `node`, `gres` and "
          "`directives` of the profile with `pbsnodes -av`; `fanfold cancel`, "
          "mend, `fanfold resume`" },
        { "Queue not started",
          "an administrator starts the queue, or name another `queue`" },
        { "Number of concurrent running subjobs limit reached",
          "`limits: running:` of the profile counts its elements" },
        { "too many failed attempts",
          "PBS holds what could not be started many times; see the "
          "administrator, then `qrls`" },
    };

    for (size_t i = 0; i < ARRAY_SIZE (stuck); i++) {
        if (strstr (comment, stuck[i].words))
            return stuck[i].advice;
    }
    return NULL;
}

/* --- the view --- */

void pbs_view_init (struct pbs_view *view,
                    const struct job_status *jobs,
                    size_t n)
{
    *view = (struct pbs_view){ xcalloc (n + 1, sizeof (*view->jobs)), n };
    for (size_t i = 0; i < n; i++) {
        struct pbs_view_job *job = &view->jobs[i];
        struct pbs_id id = { .number = -1 };

        pbs_read_id (jobs[i].id, &id);
        job->number = id.number;
        job->n_elements = jobs[i].n_elements;
        job->words =
            xcalloc ((size_t)job->n_elements + 1, sizeof (*job->words));
    }
}

void pbs_view_release (struct pbs_view *view)
{
    for (size_t i = 0; i < view->n; i++)
        free (view->jobs[i].words);
    free (view->jobs);
    *view = (struct pbs_view){ 0 };
}

/* --- one record --- */

static struct pbs_view_job *find_job (struct pbs_view *view, int64_t number)
{
    for (size_t i = 0; i < view->n; i++) {
        if (view->jobs[i].number == number)
            return &view->jobs[i];
    }
    return NULL;
}

/* TORQUE writes exit_status and job_array_id. */
static struct pbs_word read_word (const struct pbs_record *record)
{
    const char *state = pbs_value (record, "job_state");
    const char *hold = pbs_value (record, "Hold_Types");
    const char *depend = pbs_value (record, "depend");
    struct pbs_word word = { .substate = pbs_number (record, "substate", 0),
                             .exited = true };

    /* A job without a letter, or with more than one, is there: '?'. */
    word.state = state && strlen (state) == 1 ? state[0] : '?';
    word.waits = depend && strncmp (depend, "after", 5) == 0 && hold
                 && strcmp (hold, "s") == 0;
    word.began_s = pbs_time (record, "stime");
    word.own =
        pbs_value (record, "array_index") || pbs_value (record, "job_array_id");
    word.status = pbs_number (record, "Exit_status", INT64_MIN);
    if (word.status == INT64_MIN)
        word.status = pbs_number (record, "exit_status", INT64_MIN);
    if (word.status == INT64_MIN)
        word.exited = false;
    return word;
}

/* The first thing worth a person's attention. */
static void add_note (struct pbs_view_job *job,
                      const struct pbs_record *record,
                      const struct pbs_word *word)
{
    const char *comment = pbs_value (record, "comment");
    const char *advice = NULL;

    if (job->note[0])
        return;
    if (!strchr ("QTWHBERSUCFX", word->state)) {
        snprintf (job->note, sizeof (job->note),
                  "job %.60s: its state is '%c', a letter not known here; "
                  "nothing is concluded from it",
                  record->id, word->state);
        return;
    }
    if (comment && strchr ("QH", word->state))
        advice = stuck_advice (comment);
    if (!advice && word->state == 'H' && !word->waits) {
        comment = "it is held";
        advice = "`qrls` lets it run";
    }
    if (advice)
        snprintf (job->note, sizeof (job->note), "job %.60s waits: %.90s: %s",
                  record->id, comment, advice);
}

static int take_record (const struct pbs_record *record,
                        void *arg,
                        struct error *err)
{
    struct pbs_view_job *job;
    struct pbs_word word;
    struct pbs_id id;

    if (!pbs_read_id (record->id, &id))
        return error_set (err, "qstat told of '%.200s', which is no job",
                          record->id);
    job = find_job (arg, id.number);
    if (!job)
        return 0;
    word = read_word (record);
    add_note (job, record, &word);
    if (id.index < 0)
        job->array = word;
    else if (id.index < job->n_elements)
        job->words[id.index] = word;
    return 0;
}

int pbs_view_qstat (struct pbs_view *view,
                    const char *text,
                    size_t len,
                    struct error *err)
{
    return pbs_read_records ("Job Id: ", text, len, take_record, view, err);
}

/* --- the whole --- */

bool pbs_view_has_lost_records (const struct pbs_view *view)
{
    for (size_t i = 0; i < view->n; i++) {
        const struct pbs_view_job *job = &view->jobs[i];

        for (int64_t e = 0; e < job->n_elements; e++) {
            if (has_ended (&job->words[e]) && !job->words[e].own)
                return true;
        }
    }
    return false;
}

void pbs_view_result (const struct pbs_view *view,
                      double kept_s,
                      double now_s,
                      struct job_status *jobs)
{
    struct history history = { kept_s, now_s };

    for (size_t i = 0; i < view->n; i++) {
        const struct pbs_view_job *job = &view->jobs[i];

        for (int64_t e = 0; e < job->n_elements; e++)
            jobs[i].elements[e] =
                element (&job->array, &job->words[e], history);
        memcpy (jobs[i].note, job->note, sizeof (job->note));
    }
}
