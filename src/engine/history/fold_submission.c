/* SPDX-License-Identifier: BSD-3-Clause */
/* fold_submission.c - what happens to one submission, folded in */
#include "base/base.h"

#include "base/json.h"
#include "engine/history/fold.h"

int64_t fold_uid (const struct json *event)
{
    const struct json *uid = json_get (event, "uid");

    return uid ? json_as_int (uid) + 1 : 0;
}

static int fold_intent (struct state *state, const struct json *event,
                        struct error *err)
{
    struct stage_state *stage;
    struct attempt *attempt;
    struct submission *submission;
    const char *token;
    int64_t chunk;
    int64_t elements;

    if (json_want_int (event, "chunk", &chunk, err) < 0
        || json_want_int (event, "elements", &elements, err) < 0
        || json_want_string (event, "token", &token, err) < 0
        || !(stage = fold_event_stage (state, event, err)))
        return -1;
    if (!(attempt = stage_open_attempt (stage)))
        return error_set (err, "stage '%s' has no open attempt", stage->name);
    if (chunk < 0 || chunk >= attempt->packing.chunks || elements < 1
        || elements > TASK_MAX + 1 || strlen (token) > TOKEN_LENGTH)
        return error_set (err, "chunk, elements or token are out of range");
    attempt->submissions =
        grow_array (attempt->submissions, attempt->n_submissions,
                    &attempt->alloc, sizeof (*attempt->submissions));
    submission = &attempt->submissions[attempt->n_submissions++];
    memset (submission, 0, sizeof (*submission));
    snprintf (submission->token, sizeof (submission->token), "%s", token);
    submission->chunk = (int)chunk;
    submission->elements = elements;
    submission->intended_s = fold_now_s (event);
    submission->uid = fold_uid (event);
    if (json_get (event, "path"))
        fold_text (&state->path, json_get_string (event, "path"));
    return 0;
}

/* Times of another boot, or of a clock that other hosts set, say nothing of how
 * long it is between two answers.
 */
static void fold_asked (struct submission *submission, const struct json *event)
{
    const char *boot = json_as_string (json_get (event, "boot"));
    double up_s = json_as_double (json_get (event, "up_s"));
    const struct json *before = json_get (submission->asked, boot);
    double first_s = json_as_double (json_at (before, 0));
    struct json *span;

    if (!json_get (event, "boot"))
        return;
    if (!before || first_s > up_s)
        first_s = up_s;
    if (!submission->asked)
        submission->asked = json_object ();
    span = json_array ();
    json_push (span, json_real (first_s));
    json_push (span, json_real (up_s));
    json_set (submission->asked, boot, span);
}

static int fold_recorded (struct state *state, const struct json *event,
                          struct error *err)
{
    struct submission *submission;
    const char *id;

    if (json_want_string (event, "id", &id, err) < 0
        || !(submission = fold_event_submission (state, event, err)))
        return -1;
    if (*id == '\0')
        return error_set (err, "the job of token '%s' has no id",
                          submission->token);
    fold_text (&submission->id, id);
    submission->found = json_as_bool (json_get (event, "found"));
    fold_asked (submission, event);
    submission->status = SUBMISSION_RECORDED;
    return 0;
}

static int fold_noted (struct state *state, const struct json *event,
                       struct error *err)
{
    struct submission *submission;
    const char *why;

    if (json_want_string (event, "why", &why, err) < 0
        || !(submission = fold_event_submission (state, event, err)))
        return -1;
    fold_text (&submission->note, *why ? why : NULL);
    submission->noted_s = *why ? fold_now_s (event) : 0;
    return 0;
}

static int fold_released (struct state *state, const struct json *event,
                          struct error *err)
{
    struct submission *submission = fold_event_submission (state, event, err);

    if (!submission)
        return -1;
    if (!submission->id)
        return error_set (err, "'%s' was not recorded", submission->token);
    submission->status = SUBMISSION_RELEASED;
    return 0;
}

/* What a scheduler answered of it, or was told. */
static int fold_known (struct state *state, const struct json *event,
                       struct error *err)
{
    struct submission *submission = fold_event_submission (state, event, err);
    const char *kind = json_get_string (event, "ev");

    if (!submission)
        return -1;
    if (strcmp (kind, "empty") == 0)
        submission->empty_answers++;
    else if (strcmp (kind, "swept") == 0)
        submission->swept = true;
    else if (strcmp (kind, "cancelling") == 0)
        submission->cancel_asked = true;
    else
        submission->over_s =
            strcmp (kind, "over") == 0 ? fold_now_s (event) : 0;
    fold_asked (submission, event);
    return 0;
}

static int fold_gone (struct state *state, const struct json *event,
                      struct error *err)
{
    struct submission *submission = fold_event_submission (state, event, err);
    bool ended = strcmp (json_get_string (event, "ev"), "ended") == 0;

    if (!submission)
        return -1;
    submission->status = ended ? SUBMISSION_ENDED : SUBMISSION_ABSENT;
    fold_drop_dependency_jobs (state);
    return 0;
}

static int fold_refused (struct state *state, const struct json *event,
                         struct error *err)
{
    if (fold_gone (state, event, err) < 0)
        return -1;
    return fold_paused (state, event, err);
}

const struct event_fold submission_folds[] = {
    { "intent", fold_intent },
    { "recorded", fold_recorded },
    { "noted", fold_noted },
    { "released", fold_released },
    { "empty", fold_known },
    { "swept", fold_known },
    { "cancelling", fold_known },
    { "over", fold_known },
    { "back", fold_known },
    { "ended", fold_gone },
    { "absent", fold_gone },
    { "refused", fold_refused },
    { NULL, NULL },
};
