/* SPDX-License-Identifier: BSD-3-Clause */
/* protocol.pml - one stage as the journal tells of it: which event may follow
 * which, and what it changes (src/engine/history/fold_*.c, decide/)
 *
 * campaign.pml records by these and asserts 'legal'; trace.pml reads journals
 * by them and tells where it is not.  SUBS submissions, TASKS tasks and JOBS
 * ids at most.
 */
#define S_NONE 0
#define S_INTENDED 1
#define S_RECORDED 2
#define S_RELEASED 3
#define S_ENDED 4
#define S_ABSENT 5

#define PENDING 0
#define OK 1
#define NOT_OK 2
#define RENEWED 3 /* was cancelled, and runs again in the next attempt */

#define NO_JOB 0 /* of job_token; else the token */

bit legal = 1;

/* --- the stage --- */

bit a_open;   /* an attempt is */
NUMBER a_n;   /* attempts there were */
NUMBER a_first; /* the first submission of the last */
NUMBER s_n;   /* submissions there were */
byte s_status[SUBS];
NUMBER s_chunk[SUBS];
NUMBER s_token[SUBS];
NUMBER s_id[SUBS];
byte s_empty[SUBS]; /* answers that there is no such job */
bit s_found[SUBS];  /* its id was not told but found */
bit s_over[SUBS];
byte outcome[TASKS];

/* --- what lies outside of the journal --- */

NUMBER job_token[JOBS]; /* [id]: whose job has this id */
byte out[TASKS];        /* job/<task>/out: 0 none, 1 not on the disk, 2 there */
bit out_seen[TASKS];    /* so long that every host sees it */

#define MUST(condition) legal = legal && (condition)

/* --- events --- */

inline on_attempt ()
{
    MUST (!a_open);
    a_open = 1;
    a_n++;
    a_first = s_n
}

/* A task of the attempt that was opened. */
inline on_pending (t)
{
    MUST (a_open && outcome[t] != OK);
    outcome[t] = PENDING
}

inline on_intent (chunk, token)
{
    MUST (a_open);
    m = a_first;
    do
    :: m < s_n ->
        MUST (s_chunk[m] != chunk || s_status[m] == S_ABSENT);
        m++
    :: else -> break
    od;
    s_status[s_n] = S_INTENDED;
    s_chunk[s_n] = chunk;
    s_token[s_n] = token;
    s_n++;
    m = 0
}

inline on_recorded (k, id, found)
{
    MUST (s_status[k] == S_INTENDED && job_token[id] == s_token[k]);
    s_status[k] = S_RECORDED;
    s_id[k] = id;
    s_found[k] = found
}

inline on_released (k)
{
    MUST (s_status[k] == S_RECORDED);
    s_status[k] = S_RELEASED
}

inline on_empty (k)
{
    MUST (s_status[k] == S_INTENDED);
    s_empty[k] = (s_empty[k] < 2 -> s_empty[k] + 1 : 2)
}

inline on_absent (k)
{
    MUST (s_status[k] == S_INTENDED && s_empty[k] >= 2);
    s_status[k] = S_ABSENT
}

inline on_refused (k)
{
    MUST (s_status[k] == S_INTENDED);
    s_status[k] = S_ABSENT
}

inline on_swept (k)
{
    MUST (s_status[k] != S_INTENDED && s_status[k] != S_NONE)
}

inline on_cancelling (k)
{
    MUST (s_status[k] == S_RECORDED || s_status[k] == S_RELEASED)
}

inline on_over (k)
{
    MUST (s_status[k] == S_RELEASED);
    s_over[k] = 1
}

inline on_back (k)
{
    MUST (s_status[k] == S_RELEASED && s_over[k]);
    s_over[k] = 0
}

inline standing_released (there)
{
    m = a_first;
    there = 0;
    do
    :: m < s_n -> there = there || s_status[m] == S_RELEASED; m++
    :: else -> break
    od;
    m = 0
}

/* A task is ok: once, and what it made is on the disk. */
inline on_ok (t, artifacts)
{
    standing_released (there);
    MUST (a_open && there && outcome[t] != OK && (!artifacts || out[t] == 2));
    outcome[t] = OK
}

/* It is judged to be anything else, though not where a result could be seen. */
inline on_not_ok (t)
{
    standing_released (there);
    MUST (a_open && there && outcome[t] == PENDING && !out_seen[t]);
    outcome[t] = NOT_OK
}

/* A person said that what was cancelled is to run again: in the next attempt,
 * since how it ended in this one is known.
 */
inline on_renewed (t)
{
    outcome[t] = (outcome[t] == OK -> OK : RENEWED)
}

inline on_ended (k)
{
    MUST (s_status[k] == S_RELEASED);
    s_status[k] = S_ENDED
}

inline on_closed ()
{
    MUST (a_open);
    m = a_first;
    do
    :: m < s_n ->
        MUST (s_status[m] == S_ENDED || s_status[m] == S_ABSENT);
        m++
    :: else -> break
    od;
    a_open = 0;
    m = 0
}

inline on_stage ()
{
    MUST (!a_open)
}

/* --- what others do --- */

/* The scheduler accepted a job. */
inline on_job (id, token)
{
    job_token[id] = token
}

/* A job was released: that of a submission whose id is recorded. */
inline on_job_released (id)
{
    m = 0;
    there = 0;
    do
    :: m < s_n ->
        there = there || (s_token[m] == job_token[id] && s_id[m] == id &&
                          s_status[m] != S_INTENDED);
        m++
    :: else -> break
    od;
    m = 0;
    MUST (there)
}

/* The rename that makes a task ok. */
inline on_commit (t)
{
    MUST (out[t] == 0);
    out[t] = 2
}
