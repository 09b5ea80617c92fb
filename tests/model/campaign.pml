/* SPDX-License-Identifier: BSD-3-Clause */
/* campaign.pml - submission, claims and commits
 *
 * Two drivers bring one stage of three tasks to its end: attempts of one array
 * job with one element, which up to two agents run at a time.  What the
 * scheduler and the world may do is bounded by budgets (below).  Of the lease
 * stands here what lease.pml shows: an event of a driver counts unless a later
 * one has read the journal, and it is told so when the lease is gone.
 * Time that everybody waits for (settle, visibility) passes in one step, when
 * no driver is in the middle of a call, all that is late has come, and
 * everything shows.
 */
#define TASKS 3
#define ALL 7
#define NUMBER byte
#ifndef FAULT
#define FAULT 0
#endif
#ifndef SUBS
#define SUBS 3 /* submissions, all attempts together */
#endif
#ifndef JOBS
#define JOBS 4 /* ids 1 to 3 */
#endif
#ifndef ARTIFACTS
#define ARTIFACTS 1
#endif
#ifndef KILLS
#define KILLS 0 /* drivers killed */
#endif
#ifndef STALLS
#define STALLS 0 /* drivers suspended */
#endif
#ifndef LOST
#define LOST 0 /* replies lost, requests lost, jobs that come late */
#endif
#ifndef TWICE
#define TWICE 0 /* requests that made two jobs */
#endif
#ifndef STRANGERS
#define STRANGERS 0 /* ids that somebody else's job gets next */
#endif
#ifndef AGENT_KILLS
#define AGENT_KILLS 0 /* agents killed, with their host; half of them run again */
#endif
#ifndef COPIES
#define COPIES 0 /* elements that the scheduler gives up while they run */
#endif
#ifndef LIES
#define LIES 0 /* answers that a running element has ended */
#endif
#ifndef LATE
#define LATE 0 /* looks at logs or results that show an old state */
#endif
#include "protocol.pml"

#define NOBODY 2

byte m; /* of protocol.pml */
bit there;

byte kills = KILLS, stalls = STALLS, lost_replies = LOST, twice = TWICE;
byte strangers = STRANGERS, agent_kills = AGENT_KILLS, copies = COPIES;
byte lies = LIES, late = LATE;

/* --- the lease --- */

byte holder = NOBODY; /* whose name is in the lock directory */
byte folded = NOBODY; /* who read the journal last */
bit dead[2], stalled[2], busy[2];
bit finished;

/* --- the scheduler --- */

#define J_NONE 0
#define J_LATE 1
#define J_HELD 2
#define J_QUEUED 3
#define J_RUNS 4
#define J_ENDED 5
#define STRANGER 9
byte job_state[JOBS];
bit job_hidden[JOBS]; /* find() does not show it yet */
byte job_run[JOBS];   /* the agent of its last start; 2: nobody's */
byte next_token = 1;
/* A driver was replaced while it submitted, and died: a held job may be left,
 * which never runs.
 */
bit left;
bit withdraws[2]; /* replaced, and waits until what it submitted must show */

/* --- the stage's files --- */

byte manifest;             /* the token in job.json of the last attempt */
byte recorded_token, recorded_id; /* submission.json */
bit closed[SUBS + 1];      /* <attempt>/closed */
byte asked[SUBS * 2];      /* of [k, host]: 1 asked, 2 and waited, 3 asked again */
bit over_old[SUBS];        /* visibility has passed since */

/* --- logs of the last attempt; bits 0-2: ends that are ok, 3: the claim --- */

bit l_there[3];
byte l_whole[3], l_durable[3], l_journaled[3];
byte given[9]; /* [newer * 3 + older]: what a claim gives an older one */
byte tasks_now = ALL; /* of the attempt */

#if FAULT == 22 /* a claim does not cut what older logs say later */
#define GIVEN(newer, older) l_durable[older]
#elif FAULT == 23 /* an end counts before it is durable */
#define GIVEN(newer, older) l_whole[older]
#else
#define GIVEN(newer, older) given[newer * 3 + older]
#endif
#if FAULT == 23
#define SAFE(n) l_whole[n]
#else
#define SAFE(n) l_durable[n]
#endif
#define LIMIT2 (SAFE (2) | l_journaled[2])
#define LIMIT1 ((l_there[2] -> GIVEN (2, 1) : SAFE (1)) | l_journaled[1])
#define COUNTS1 (l_there[1] && (!l_there[2] || (LIMIT1 & 8)))
#define LIMIT0 (((l_there[2] || COUNTS1) -> ((l_there[2] -> GIVEN (2, 0) : 15) & (COUNTS1 -> GIVEN (1, 0) : 15)) : SAFE (0)) | l_journaled[0])
#define LOGGED ((LIMIT0 | LIMIT1 | LIMIT2) & 7)

#define BIT(t) (1 << (t))
#define RECORDED_OK ((outcome[0] == OK) + 2 * (outcome[1] == OK) + 4 * (outcome[2] == OK))
#define OUT_THERE ((out[0] > 0) + 2 * (out[1] > 0) + 4 * (out[2] > 0))

/* --- what decide() sees --- */

#define HAS_SUB (a_open && s_n > a_first && s_status[s_n - 1] != S_ABSENT)
#define LAST (s_n - 1)
#define IS_LIVE(id, token) (ADDRESSED (id, token) && job_state[id] >= J_HELD && job_state[id] <= J_RUNS)
#if FAULT == 16 /* jobs are addressed by their id alone */
#define ADDRESSED(id, token) (job_token[id] != NO_JOB)
#else
#define ADDRESSED(id, token) (job_token[id] == token)
#endif

#define NEWS_OF_RUN ((LOGGED & ~RECORDED_OK & tasks_now) || RECORDED_OK == ALL || (!IS_LIVE (s_id[LAST], s_token[LAST]) && (!s_over[LAST] || over_old[LAST])) || (IS_LIVE (s_id[LAST], s_token[LAST]) && s_over[LAST]))
#define MUST_ASK(k, d) (k >= a_first && k < s_n && (s_found[k] || s_empty[k] > 0) && asked[k * 2 + d] < 2 && asked[k * 2] != 3 && asked[k * 2 + 1] != 3)
#define MUST_WAIT(k, d) (MUST_ASK (k, d) && asked[k * 2 + d] == 1)
#define MAY_SWEEP(k, d) (MUST_ASK (k, d) && asked[k * 2 + d] == 0)
#if SUBS == 2
#define ANY(WHAT, d) (WHAT (0, d) || WHAT (1, d))
#elif SUBS == 3
#define ANY(WHAT, d) (WHAT (0, d) || WHAT (1, d) || WHAT (2, d))
#else
#define ANY(WHAT, d) (WHAT (0, d) || WHAT (1, d) || WHAT (2, d) || WHAT (3, d))
#endif
#define MAY_CLOSE(d) (!ANY (MUST_ASK, d))
#define NEWS(d) (!finished && (!a_open || !HAS_SUB || (s_status[LAST] == S_INTENDED && asked[LAST * 2 + d] != 1) || s_status[LAST] == S_RECORDED || (s_status[LAST] == S_RELEASED && NEWS_OF_RUN) || (s_status[LAST] == S_ENDED && (MAY_CLOSE (d) || ANY (MAY_SWEEP, d)))))

/* --- calls of the scheduler --- */

/* The jobs that find() shows, as a set. */
inline find_jobs (token, set)
{
    m = 1;
    set = 0;
    do
    :: m < JOBS ->
        if
        :: job_token[m] == token && job_state[m] >= J_HELD && !job_hidden[m] ->
            set = set | BIT (m)
        :: else -> skip
        fi;
        m++
    :: else -> break
    od;
    m = 0
}

inline cancel_job (j, token)
{
    if
    :: ADDRESSED (j, token) ->
        assert (job_token[j] != STRANGER); /* no stranger's job is touched */
        if
        :: job_state[j] == J_RUNS && job_run[j] < 2 ->
            agent_dead[job_run[j]] = 1
        :: else -> skip
        fi;
        job_state[j] = (job_state[j] > J_LATE -> J_ENDED : job_state[j])
    :: else -> skip
    fi
}

/* Cancel those of a set, but for one. */
inline cancel_set (set, token, but)
{
    m = 1;
    do
    :: m < JOBS ->
        if
        :: (set & BIT (m)) && m != but -> cancel_job (m, token)
        :: else -> skip
        fi;
        m++
    :: else -> break
    od;
    m = 0
}

inline new_job (j, token, state, unseen)
{
    if
    :: job_state[1] == J_NONE -> j = 1
    :: job_state[1] != J_NONE && job_state[2] == J_NONE -> j = 2
    :: else -> assert (JOBS > 3 && job_state[JOBS - 1] == J_NONE); j = JOBS - 1
    fi;
    job_token[j] = token;
    job_state[j] = state;
    job_run[j] = 2;
    job_hidden[j] = unseen
}

/* --- drivers --- */

bit agent_dead[2];
byte agent_job[2]; /* 0: no agent */
byte agent_attempt[2];

#define CHECK if :: holder == d -> skip :: else -> goto replaced fi
#define RECORD(event) atomic { legal = 1; if :: folded == d -> event; assert (legal) :: else -> skip fi; if :: holder == d -> skip :: else -> goto replaced fi }

/* What is taken for absent is not there, or two jobs might stand for a chunk; but
 * one that a suspended driver submits may come just then, which it cancels again.
 */
inline no_job_of (tok)
{
    MUST (STALLS > 0 || !((job_token[1] == tok && job_state[1] != J_NONE) || (job_token[2] == tok && job_state[2] != J_NONE) || (job_token[JOBS - 1] == tok && job_state[JOBS - 1] != J_NONE)))
}

inline note_asked (k)
{
    asked[k * 2 + d] = (asked[k * 2 + d] == 0 -> 1 : (asked[k * 2 + d] == 2 -> 3 : asked[k * 2 + d]))
}

/* What is ok by the logs, and how much of each log that stands on. */
inline record_logged (set)
{
    assert ((((l0 & l1) | (l0 & l2) | (l1 & l2)) & 7 & set) == 0); /* no effect twice */
    assert (((l0 & ~l_durable[0]) | (l1 & ~l_durable[1]) | (l2 & ~l_durable[2])) == 0);
    l_journaled[0] = l_journaled[0] | l0;
    l_journaled[1] = l_journaled[1] | l1;
    l_journaled[2] = l_journaled[2] | l2;
    record_ok (set)
}

inline record_ok (set)
{
    i = 0;
    do
    :: i < TASKS ->
        if
        :: set & BIT (i) -> on_ok (i, ARTIFACTS)
        :: else -> skip
        fi;
        i++
    :: else -> break
    od;
    i = 0
}

/* Of what was started something; the rest stays pending.  Told by the logs or
 * found: ok, else lost.
 */
inline record_judged (set)
{
    i = 0;
    do
    :: i < TASKS ->
        if
        :: !(tasks_now & BIT (i)) || outcome[i] != PENDING -> skip
        :: else ->
            if
            :: set & BIT (i) -> on_ok (i, ARTIFACTS)
            :: else ->
                /* a durable end that counts could long be seen, too */
                MUST (ARTIFACTS || !(LOGGED & seen_long & BIT (i)));
                on_not_ok (i)
            fi
        fi;
        i++
    :: else -> break
    od;
    i = 0
}

inline open_attempt ()
{
    on_attempt ();
    tasks_now = ALL & ~RECORDED_OK;
    i = 0;
    do
    :: i < TASKS ->
        if
        :: outcome[i] != OK -> on_pending (i)
        :: else -> skip
        fi;
        i++
    :: else -> break
    od;
    i = 0;
    do
    :: i < 3 ->
        l_there[i] = 0; l_whole[i] = 0; l_durable[i] = 0; l_journaled[i] = 0;
        given[i] = 0; given[3 + i] = 0; given[6 + i] = 0;
        i++
    :: else -> break
    od;
    i = 0;
    recorded_token = 0;
    recorded_id = 0;
    logs_seen_long = 0
}

byte logs_seen_long; /* ends that were durable and counted before time passed */

proctype driver (byte d) provided (!stalled[d])
{
    byte i, j, k, token, id, set, seen, l0, l1, l2, seen_long;
    bit live, submitting;

idle:
    {
        atomic {
            submitting = 0; token = 0; id = 0; set = 0; seen = 0; l0 = 0;
            l1 = 0; l2 = 0; seen_long = 0; live = 0; k = 0; j = 0; busy[d] = 0;
            if
            :: finished -> goto over
            :: NEWS (d) && (holder == NOBODY || holder == d ||
                            dead[holder] || stalled[holder]) ->
                holder = d;
                busy[d] = 1
            fi
        };
        /* the journal is read; what others append does not count any more */
        atomic { CHECK; folded = d };
again:
        atomic {
            token = 0; id = 0; set = 0; seen = 0; l0 = 0; l1 = 0; l2 = 0;
            seen_long = 0; live = 0; j = 0; submitting = 0;
            k = (s_n > 0 -> s_n - 1 : 0);
            CHECK;
            if
            :: !a_open && RECORDED_OK == ALL -> goto finish
            :: !a_open && RECORDED_OK != ALL -> goto open
            :: a_open && !HAS_SUB -> goto submit
            :: HAS_SUB && s_status[k] == S_INTENDED && asked[k * 2 + d] != 1 -> goto find
            :: HAS_SUB && s_status[k] == S_RECORDED -> goto release
            :: HAS_SUB && s_status[k] == S_RELEASED && NEWS_OF_RUN -> goto observe
            :: HAS_SUB && s_status[k] == S_ENDED && ANY (MAY_SWEEP, d) -> goto sweep
            :: HAS_SUB && s_status[k] == S_ENDED && MAY_CLOSE (d) -> goto close
            :: else -> goto rest
            fi
        };
rest:
        atomic {
            if
            :: holder == d -> holder = NOBODY
            :: else -> skip
            fi;
            goto idle
        };

open:
        RECORD (open_attempt ());
        goto again;

        /* --- submit --- */
submit:
        atomic {
            assert (s_n < SUBS); /* the bounds suffice */
            token = next_token;
            next_token++;
            manifest = token
        };
#if FAULT != 11 /* submitted before the intent is journaled */
        CHECK;
        RECORD (on_intent (0, token));
#endif
        submitting = 1;
        atomic {
            if
            :: true -> new_job (id, token, J_HELD, 0)
            :: lost_replies > 0 -> /* a job, no answer; find() may be late */
                lost_replies--;
                if
                :: true -> new_job (id, token, J_HELD, 0)
                :: true -> new_job (id, token, J_HELD, 1)
                :: true -> new_job (id, token, J_LATE, 0)
                :: skip
                fi;
                id = 0
            :: twice > 0 ->
                twice--;
                new_job (id, token, J_HELD, 0);
                new_job (j, token, J_HELD, 0);
                j = 0
            fi
        };
#if FAULT == 11
        CHECK;
        RECORD (on_intent (0, token));
#endif
        k = s_n - 1;
        if
        :: id > 0 ->
#if FAULT == 12 /* released before the id is recorded */
            atomic {
                if
                :: job_state[id] == J_HELD ->
                    job_state[id] = J_QUEUED; recorded_token = token;
                    recorded_id = id; on_job_released (id); assert (legal)
                :: else -> skip
                fi
            };
#endif
            CHECK;
            RECORD (on_recorded (k, id, 0))
        :: else -> CHECK
        fi;
        submitting = 0;
        goto again;

        /* --- find: what became of an intent --- */
find:
#if FAULT == 13 /* no answer is taken for no job */
        RECORD (no_job_of (s_token[k]); s_empty[k] = 2; on_absent (k));
        goto again;
#endif
        if
#if FAULT == 14 /* empty answers need not be settle_s apart */
        :: s_empty[k] >= 2 ->
#else
        :: s_empty[k] >= 2 && (asked[k * 2] == 3 || asked[k * 2 + 1] == 3) ->
#endif
            CHECK;
            RECORD (no_job_of (s_token[k]); on_absent (k));
            goto again
        :: else -> skip
        fi;
        atomic { find_jobs (s_token[k], set) };
        if
        :: set == 0 ->
            CHECK;
#if FAULT == 14
            RECORD (on_empty (k));
#else
            RECORD (on_empty (k); note_asked (k));
#endif
            goto again
        :: else -> skip
        fi;
        atomic {
            id = 1;
            do
            :: !(set & BIT (id)) -> id++
            :: else -> break
            od
        };
        atomic { cancel_set (set, s_token[k], id) };
        CHECK;
        RECORD (on_recorded (k, id, 1); note_asked (k));
        goto again;

        /* --- release --- */
release:
        atomic { token = s_token[k]; id = s_id[k] };
        atomic { recorded_token = token; recorded_id = id };
        atomic {
            if
            :: ADDRESSED (id, token) ->
                assert (job_token[id] != STRANGER);
                job_state[id] = (job_state[id] == J_HELD -> J_QUEUED : job_state[id])
            :: else -> skip
            fi;
            if
            :: skip
            :: lost_replies > 0 -> lost_replies--; goto again
            fi
        };
        CHECK;
        RECORD (on_released (k));
        goto again;

        /* --- poll, then logs; what of it is new --- */
observe:
        atomic {
            id = s_id[k];
            token = s_token[k];
            live = IS_LIVE (id, token);
            if
            :: skip
            :: live && lies > 0 -> lies--; live = 0
            fi
        };
        atomic {
            seen_long = logs_seen_long;
            if
            :: l0 = LIMIT0; l1 = LIMIT1; l2 = LIMIT2
            :: late > 0 && (LOGGED & ~RECORDED_OK & ~logs_seen_long) ->
                late--; /* nothing new shows */
                l0 = l_journaled[0] | (LIMIT0 & logs_seen_long);
                l1 = l_journaled[1] | (LIMIT1 & logs_seen_long);
                l2 = l_journaled[2] | (LIMIT2 & logs_seen_long)
            fi;
            set = (l0 | l1 | l2) & 7
        };
        atomic { set = set & ~RECORDED_OK & tasks_now };
        if
        :: set ->
            CHECK;
            RECORD (record_logged (set))
        :: else -> skip
        fi;
        if
        :: RECORDED_OK == ALL -> CHECK; RECORD (on_ended (k)); goto again
        :: RECORDED_OK != ALL && live && s_over[k] ->
            CHECK; RECORD (on_back (k); over_old[k] = 0); goto again
        :: RECORDED_OK != ALL && !live && !s_over[k] ->
            CHECK; RECORD (on_over (k)); goto again
        :: RECORDED_OK != ALL && !live && s_over[k] && over_old[k] -> skip
        :: else -> goto rest
        fi;
        /* judge */
        atomic {
            set = 0;
#if FAULT != 21 /* out/result.json is not looked for */
            if
            :: ARTIFACTS ->
                seen = OUT_THERE;
                if
                :: set = OUT_THERE
                :: late > 0 -> late--;
                    set = out_seen[0] + 2 * out_seen[1] + 4 * out_seen[2]
                fi
            :: else -> skip
            fi
#endif
        };
        CHECK;
        RECORD (record_judged (set));
        CHECK;
        RECORD (on_ended (k));
        goto again;

        /* --- sweep, close --- */
sweep:
        atomic {
            k = a_first;
            do
            :: !MAY_SWEEP (k, d) -> k++
            :: else -> break
            od;
            token = s_token[k];
            id = (s_status[k] == S_ABSENT -> 0 : s_id[k])
        };
        atomic { find_jobs (token, set) };
        atomic { cancel_set (set, token, id) };
        CHECK;
        RECORD (on_swept (k); note_asked (k));
        goto again;

close:
        closed[a_n] = 1;
#if FAULT != 17 /* an attempt closes without a look for late jobs */
        k = a_first;
        do
        :: k < s_n ->
            atomic { token = s_token[k];
                id = (s_status[k] == S_ABSENT -> 0 : s_id[k]);
                find_jobs (token, set) };
            if
            :: set & ~BIT (id) -> atomic { cancel_set (set, token, id) }
            :: else -> skip
            fi;
            k++
        :: else -> break
        od;
#endif
        CHECK;
        RECORD (on_closed ());
        goto again;

finish:
        RECORD (on_stage (); finished = 1);
        goto idle;

replaced:
#if FAULT != 18 /* who was replaced does not take back what it submitted */
        if
        :: submitting ->
#if FAULT != 19 /* it looks only once, also where the reply was lost */
            if
            :: id == 0 -> /* its request may still be on the way */
                withdraws[d] = 1;
                atomic {
                    job_state[1] != J_LATE && job_state[2] != J_LATE && job_state[JOBS - 1] != J_LATE ->
                    job_hidden[1] = 0;
                    job_hidden[2] = 0;
                    job_hidden[JOBS - 1] = 0;
                    withdraws[d] = 0
                }
            :: else -> skip
            fi;
#endif
            /* its token is looked for, and cancelled unless it is wanted */
            atomic {
                find_jobs (token, set);
                i = 0;
                j = 0;
                seen = 0;
                do
                :: i < s_n ->
                    if
                    :: s_token[i] == token ->
                        seen = (s_status[i] == S_INTENDED -> 15 :
                                (s_status[i] == S_ABSENT -> 0 : BIT (s_id[i])))
                    :: else -> skip
                    fi;
                    i++
                :: else -> break
                od;
                i = 0
            };
            atomic { set = set & ~seen; cancel_set (set, token, 0) }
        :: else -> skip
        fi;
#endif
        goto idle
    } unless { dead[d] };
    atomic {
        dead[d];
        left = left || (submitting && holder != d);
        i = 0; j = 0; k = 0; token = 0; id = 0; set = 0; seen = 0; l0 = 0;
        l1 = 0; l2 = 0; seen_long = 0; live = 0; submitting = 0;
        withdraws[d] = 0;
        holder = (holder == d -> NOBODY : holder);
        dead[d] = 0;
        goto idle
    };
over:
    skip
}

/* --- agents --- */

#define RUNS_LAST (agent_attempt[g] == a_n && a_n > 0)

inline agent_gone ()
{
    if
    :: job_run[agent_job[g]] == g && job_state[agent_job[g]] == J_RUNS ->
        job_state[agent_job[g]] = J_ENDED
    :: else -> skip
    fi;
    agent_job[g] = 0
}

proctype agent (byte g)
{
    byte n, t, s0, s1, done;
    bit mine;

end:
    {
        atomic { agent_job[g] != 0 && !agent_dead[g] };
        /* is it the job that was recorded, and the attempt open? */
        atomic {
            if
            :: closed[agent_attempt[g]] || !RUNS_LAST ||
                recorded_token != manifest || recorded_id != agent_job[g] ->
                goto done_
            :: else -> skip
            fi
        };
        /* claim: what older logs are seen to hold, then a number that is free */
        do
        :: atomic { n < 3 && l_there[n] && RUNS_LAST ->
            if
            :: n == 0 ->
                if
                :: s0 = LIMIT0
                :: late > 0 && l_durable[0] -> late--; s0 = l_journaled[0]
                fi
            :: n == 1 -> s0 = LIMIT0 & ((s0 & 15) | l_journaled[0] | LIMIT0); s1 = LIMIT1
            :: else -> goto done_ /* beyond the bounds */
            fi;
            n++ }
        :: atomic { n < 3 && !l_there[n] && RUNS_LAST ->
            if
            :: n > 0 -> s0 = s0
            :: else -> skip
            fi };
           /* O_EXCL: somebody else may have come first */
           atomic {
               if
               :: !RUNS_LAST -> goto done_
               :: RUNS_LAST && l_there[n] -> skip
               :: RUNS_LAST && !l_there[n] ->
                   l_there[n] = 1;
                   given[n * 3] = s0;
                   given[n * 3 + 1] = s1;
                   mine = 1;
                   done = (s0 | s1) & 7
               fi
           };
           if
           :: mine -> break
           :: else -> skip
           fi
        :: atomic { !RUNS_LAST || n >= 3 -> goto done_ }
        od;
        atomic { s0 = 0; s1 = 0; l_durable[n] = (RUNS_LAST -> 8 : l_durable[n]); l_whole[n] = l_whole[n] | l_durable[n] };
        do
        :: t < TASKS && (!(tasks_now & BIT (t)) || (done & BIT (t))) -> t++
        :: t < TASKS && (tasks_now & BIT (t)) && !(done & BIT (t)) ->
            if
            :: closed[agent_attempt[g]] -> goto done_
            :: else -> skip
            fi;
            /* it runs */
#if ARTIFACTS
            if
            :: out[t] == 0 ->
#if FAULT == 24 /* out is renamed before it is synced */
                atomic { if :: out[t] == 0 -> out[t] = 1 :: else -> skip fi };
                out[t] = 2
#elif FAULT == 27 /* out takes the place of what is there */
                skip;
                atomic { on_commit (t); assert (legal) }
#else
                skip;
                atomic {
                    if
                    :: out[t] == 0 -> on_commit (t); assert (legal)
                    :: else -> skip /* found */
                    fi
                }
#endif
            :: else -> skip /* found */
            fi;
#endif
            atomic { if :: RUNS_LAST -> l_whole[n] = l_whole[n] | BIT (t) :: else -> skip fi };
            atomic { if :: RUNS_LAST -> l_durable[n] = l_whole[n] :: else -> skip fi; t++ }
        :: t >= TASKS -> break
        od;
done_:
        atomic {
            if
            :: !agent_dead[g] -> agent_gone (); n = 0; t = 0; s0 = 0; s1 = 0; done = 0; mine = 0
            fi
        };
        goto end
    } unless { agent_dead[g] };
    atomic {
        agent_dead[g] -> 
        /* with its host: what it had not synced is lost, or not */
        if
        :: mine && RUNS_LAST -> l_whole[n] = l_durable[n]
        :: else -> skip
        fi;
        agent_dead[g] = 0; agent_job[g] = 0;
        n = 0; t = 0; s0 = 0; s1 = 0; done = 0; mine = 0;
        goto end
    }
}

/* --- the scheduler and the world --- */

#define CAN_START(j, g) (!finished && job_state[j] == J_QUEUED && agent_job[g] == 0 && !agent_dead[g])

inline start (j, g)
{
    job_state[j] = J_RUNS;
    job_run[j] = g;
    agent_job[g] = j;
    agent_attempt[g] = a_n
}

inline time_passes ()
{
    m = 0;
    do
    :: m < SUBS ->
        over_old[m] = s_over[m];
        asked[m * 2] = (asked[m * 2] == 1 -> 2 : asked[m * 2]);
        asked[m * 2 + 1] = (asked[m * 2 + 1] == 1 -> 2 : asked[m * 2 + 1]);
        m++
    :: else -> break
    od;
    m = 0;
    do
    :: m < TASKS -> out_seen[m] = out[m] == 2; m++
    :: else -> break
    od;
    m = 0;
    do
    :: m < JOBS -> job_hidden[m] = 0; m++
    :: else -> break
    od;
    m = 0;
    logs_seen_long = LOGGED
}

/* The scheduler takes an element for ended, or runs it again. */
inline give_up (id)
{
    if
    :: job_state[id] == J_RUNS && job_run[id] == g ->
        job_run[id] = 2;
        if
        :: job_state[id] = J_ENDED
        :: job_state[id] = J_QUEUED
        fi
    :: else -> skip
    fi
}

#define LIVES(g) (agent_job[g] != 0 && !agent_dead[g])
#define FOLLOWED(g) (LIVES (g) && job_run[agent_job[g]] == g)
#define AT_REST(d) (!busy[d] || stalled[d] || withdraws[d])

proctype world ()
{
    byte j, g;

end:
    do
    :: atomic { CAN_START (1, 0) -> start (1, 0) }
    :: atomic { CAN_START (2, 0) -> start (2, 0) }
    :: atomic { JOBS > 3 && CAN_START (JOBS - 1, 0) -> start (JOBS - 1, 0) }
    :: atomic { agent_job[0] != 0 && CAN_START (1, 1) -> start (1, 1) }
    :: atomic { agent_job[0] != 0 && CAN_START (2, 1) -> start (2, 1) }
    :: atomic { JOBS > 3 && agent_job[0] != 0 && CAN_START (JOBS - 1, 1) -> start (JOBS - 1, 1) }
    :: atomic { job_state[1] == J_LATE -> job_state[1] = J_HELD }
    :: atomic { job_state[2] == J_LATE -> job_state[2] = J_HELD }
    :: atomic { job_state[JOBS - 1] == J_LATE -> job_state[JOBS - 1] = J_HELD }
    :: atomic { !finished && AT_REST (0) && AT_REST (1) &&
        a_open && HAS_SUB &&
        ((s_over[LAST] && !over_old[LAST]) ||
         (s_status[LAST] == S_INTENDED && (asked[LAST * 2] == 1 || asked[LAST * 2 + 1] == 1)) ||
         (s_status[LAST] == S_ENDED && (ANY (MUST_WAIT, 0) || ANY (MUST_WAIT, 1)))) &&
        job_state[1] != J_LATE && job_state[2] != J_LATE && job_state[JOBS - 1] != J_LATE ->
        time_passes () }
    :: atomic { kills > 0 && !finished -> kills--;
        if :: g = 0 :: g = 1 fi;
        stalled[g] = 0; dead[g] = 1; g = 0 }
    :: atomic { stalls > 0 && !finished && ((busy[0] && !stalled[0]) || (busy[1] && !stalled[1])) -> stalls--;
        if :: !stalled[0] && busy[0] -> stalled[0] = 1
        :: !stalled[1] && busy[1] -> stalled[1] = 1 fi }
    :: atomic { stalled[0] -> stalled[0] = 0 }
    :: atomic { stalled[1] -> stalled[1] = 0 }
    :: atomic { agent_kills > 0 && !finished && (LIVES (0) || LIVES (1)) -> agent_kills--;
        if :: LIVES (0) -> g = 0 :: LIVES (1) -> g = 1 fi;
        agent_dead[g] = 1;
        give_up (agent_job[g]); g = 0 }
    :: atomic { copies > 0 && !finished && (FOLLOWED (0) || FOLLOWED (1)) -> copies--;
        if :: FOLLOWED (0) -> g = 0 :: FOLLOWED (1) -> g = 1 fi;
        give_up (agent_job[g]); g = 0 }
    :: atomic { strangers > 0 && !finished &&
        (job_state[1] == J_ENDED || job_state[2] == J_ENDED || job_state[JOBS - 1] == J_ENDED) -> strangers--;
        if :: job_state[1] == J_ENDED -> j = 1
        :: job_state[2] == J_ENDED -> j = 2
        :: job_state[JOBS - 1] == J_ENDED -> j = JOBS - 1 fi;
        job_token[j] = STRANGER; job_state[j] = J_HELD; job_run[j] = 2; j = 0 }
    od
}

/* At the end every task is ok, what it made is there, and no job is left. */
#define IS_LEFT(j) (job_token[j] != STRANGER && job_state[j] >= J_LATE && job_state[j] <= J_HELD)
proctype judge ()
{
    atomic {
        finished && !stalled[0] && !stalled[1] && !busy[0] && !busy[1];
        assert (outcome[0] == OK && outcome[1] == OK && outcome[2] == OK);
        assert (!ARTIFACTS || (out[0] == 2 && out[1] == 2 && out[2] == 2));
        assert (left || !(IS_LEFT (1) || IS_LEFT (2) || IS_LEFT (JOBS - 1)))
    }
}

init
{
    atomic {
        run driver (0); run driver (1); run agent (0); run agent (1);
        run world (); run judge ()
    }
}
