/* SPDX-License-Identifier: BSD-3-Clause */
/* view.c - how submissions stand, from what qstat prints */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "pbs/ids.h"
#include "pbs/records.h"
#include "pbs/view.h"

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
    struct pbs_word word = { .substate = pbs_number (record, "substate", 0),
                             .exited = true };

    /* A job without a letter, or with more than one, is there: '?'. */
    word.state = state && strlen (state) == 1 ? state[0] : '?';
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
        advice = pbs_stuck (comment);
    else if (word->state == 'H')
        comment = "held", advice = "`qrls` lets it run";
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

void pbs_view_result (const struct pbs_view *view,
                      bool history,
                      struct job_status *jobs)
{
    for (size_t i = 0; i < view->n; i++) {
        const struct pbs_view_job *job = &view->jobs[i];

        for (int64_t e = 0; e < job->n_elements; e++)
            jobs[i].elements[e] =
                pbs_element (&job->array, &job->words[e], history);
        memcpy (jobs[i].note, job->note, sizeof (job->note));
    }
}
