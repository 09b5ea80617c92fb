/* SPDX-License-Identifier: BSD-3-Clause */
/* lease.pml - the lease and the journal under it (src/space/lease.c,
 * src/engine/history/journal.c, engine.c)
 *
 * Two drivers take the lease in turn, record events and release it.  Either may
 * be suspended or killed between any two of its calls, its host may fail and
 * lose what was not synced, and another host may see the journal late.  Names
 * of the lock directory, marks and segments stand here one by one.
 *
 * Shown: an event that was reported as recorded is in the journal of every
 * later driver, under its number, and no number is reported twice; somebody
 * can always go on until all events are recorded.
 *
 * Bounds: EPOCHS terms, WORK events; KILLS, STALLS, CRASHES, LATE looks.  HOSTS 1: both drivers on
 * one host; 2: each on its own.
 */
#ifndef FAULT
#define FAULT 0
#endif
#ifndef HOSTS
#define HOSTS 2
#endif
#ifndef KILLS
#define KILLS 1
#endif
#ifndef STALLS
#define STALLS 1
#endif
#ifndef CRASHES
#define CRASHES 0
#endif
#ifndef LATE
#define LATE 1
#endif
#ifndef WORK
#define WORK 3
#endif
#ifndef EPOCHS
#define EPOCHS 6
#endif
#define NOBODY 7

/* --- the lock directory --- */

bit held[EPOCHS + 2];  /* lock/<e> */
bit freed[EPOCHS + 2]; /* lock/<e>.free */
byte owner[EPOCHS + 2];
byte mark[EPOCHS + 2];      /* in the record of <e> */
byte mark_left[EPOCHS + 2]; /* in that of <e>.free */
byte last[EPOCHS + 2];      /* the newest segment, beside each mark */
byte last_left[EPOCHS + 2];

/* --- the journal --- */

bit segment[EPOCHS + 1]; /* journal/<e>, whole with its head */
byte before[EPOCHS + 1]; /* the segment that it continues; 0: none */
byte base[EPOCHS + 1];   /* how many events were accepted until there */
byte length[EPOCHS + 1]; /* events of its own */
byte synced[EPOCHS + 1]; /* of these, on the disk */

/* --- what happens to drivers --- */

bit dead[2];
bit stalled[2];
byte kills = KILLS;
byte stalls = STALLS;
byte crashes = CRASHES;
byte late = LATE;

/* --- what must hold --- */

byte reported[WORK + 2]; /* [n]: the epoch that reported event n; 0: none */
byte most;               /* the highest of them */
#define ALL_DONE (most >= WORK)

#if FAULT == 10 /* the mark counts events, and does not name the last segment */
#define NOT_THE_LAST(top) false
#else
#define NOT_THE_LAST(top) (top < my_last)
#endif
#if FAULT == 3 /* it does not wait for what a suspended one wrote last */
#define SEES_LATE true
#else
#define SEES_LATE !standstill
#endif

/* The highest number, whether it is free, how many names carry it. */
inline list_names (high, is_free, same)
{
    high = EPOCHS + 1;
    do
    :: high > 0 && !held[high] && !freed[high] -> high--
    :: else -> break
    od;
    is_free = high > 0 && freed[high];
    same = (high > 0 -> held[high] + freed[high] : 0)
}

/* How many events the chain from 'top' has, of which 'seen' are in 'top'. */
#define EVENTS(top, seen) (top > 0 -> base[top] + seen : 0)

/* Who has the lease goes by what it read, as if it had recorded that.  Each
 * event that was ever reported must be there, under its number.
 */
inline build_on (top, n)
{
    assert (n >= most);
    at = top;
    upto = n;
    do
    :: at > 0 ->
        do
        :: upto > base[at] ->
            assert (reported[upto] == 0 || reported[upto] == at);
            assert (synced[at] >= upto - base[at]); /* on the disk */
            reported[upto] = at;
            upto--
        :: else -> break
        od;
        at = before[at]
    :: else -> break
    od;
    most = n
}

inline highest_segment (top)
{
    top = EPOCHS;
    do
    :: top > 0 && !segment[top] -> top--
    :: else -> break
    od
}

#define CHECKED(e) (held[e] && !held[e + 1])

proctype driver (byte d) provided (!stalled[d])
{
    byte high, judged, epoch, my_mark, my_last, top, n, at, upto, pos_seg, was, i;
    bit is_free, after_crash, standstill, own, ok;
    byte same;

idle:
    {
        do
        :: atomic { ALL_DONE -> goto over }
        :: atomic {
            !ALL_DONE ->
            judged = 0; own = 0; epoch = 0
           };
again:
           atomic { list_names (high, is_free, same) };
           if
           :: high >= EPOCHS -> goto over /* beyond the bounds */
           :: high < EPOCHS && !is_free && high > 0 && high != judged ->
               /* judge the holder: its process, or its heartbeat */
               atomic {
                   judged = high;
                   if
                   :: !held[high] -> skip
                   :: held[high] && (dead[owner[high]] || owner[high] == d) ->
                      skip
                   :: held[high] && owner[high] != d && stalled[owner[high]] &&
                      HOSTS == 2 -> skip
                   fi
               };
               goto again
           :: else -> skip
           fi;
           atomic {
               epoch = high + 1;
               after_crash = high > 0 && !is_free;
               ok = high == 0 || held[high] || freed[high];
               my_mark = (is_free -> mark_left[high] : (ok -> mark[high] : 0));
               my_last = (is_free -> last_left[high] : (ok -> last[high] : 0));
               standstill = after_crash && (HOSTS == 2 || !ok)
           };
           /* link(2): it appears whole, or it is there already */
           atomic {
               if
               :: held[epoch] -> goto idle
               :: else ->
                   held[epoch] = 1; owner[epoch] = d; mark[epoch] = my_mark; last[epoch] = my_last
               fi
           };
#if FAULT != 1 /* who links a number does not look again */
           atomic {
               list_names (high, is_free, same);
               if
               :: high != epoch || same != 1 ->
                   held[epoch] = 0;
                   goto idle
               :: else -> skip
               fi
           };
#endif
#if FAULT != 2 /* the names of earlier epochs are left */
           d_step {
               i = 1;
               do
               :: i < epoch -> held[i] = 0; freed[i] = 0; i++
               :: else -> break
               od
           };
#endif
           /* catch up: maybe late, but as far as the mark; after a
            * standstill until all shows
            */
           atomic {
               highest_segment (top);
               if
               :: n = EVENTS (top, length[top])
               :: late > 0 && HOSTS == 2 && top > 0 && SEES_LATE ->
                  late--;
                  if
                  :: length[top] > 0 -> n = EVENTS (top, length[top] - 1)
                  :: top = before[top]; n = EVENTS (top, length[top])
                  fi;
                  if
#if FAULT != 4 /* it does not wait until it sees as much as the mark says */
                  :: n < my_mark || NOT_THE_LAST (top) -> /* until all shows */
                      highest_segment (top);
                      n = EVENTS (top, length[top])
#endif
                  :: else -> skip
                  fi
               fi;
               n >= my_mark || FAULT == 4; /* else it waits for ever */
               pos_seg = top;
               was = n
           };
#if FAULT != 5 /* what a killed one left is built on before it is durable */
           atomic {
               if
               :: (after_crash || n > my_mark) && pos_seg > 0 ->
                   synced[pos_seg] = length[pos_seg]
               :: else -> skip
               fi
           };
#endif
           /* what it read it builds on, while it has the lease */
           atomic {
               if
               :: CHECKED (epoch) -> build_on (pos_seg, n)
               :: else -> goto lost
               fi
           };
           /* record events */
           do
           :: !ALL_DONE && n < WORK ->
               if
               :: CHECKED (epoch) -> skip
               :: else -> goto lost
               fi;
               if
               :: !own ->
                   d_step { /* the head: what of the one before counts */
                       segment[epoch] = 1;
                       before[epoch] = pos_seg;
                       base[epoch] = n;
                       length[epoch] = 0;
                       if
                       :: pos_seg > 0 -> synced[pos_seg] = length[pos_seg]
                       :: else -> skip
                       fi;
                       own = 1
                   }
               :: else -> skip
               fi;
               d_step {
                   length[epoch] = length[epoch] + 1;
#if FAULT == 6 /* the head does not say how much was accepted */
                   i = epoch + 1;
                   do
                   :: i <= EPOCHS -> base[i] = base[i] + segment[i]; i++
                   :: else -> break
                   od
#endif
               };
#if FAULT != 7 /* reported before it is durable */
               d_step { synced[epoch] = length[epoch] };
#endif
               atomic {
                   n++;
                   if
#if FAULT != 8 /* the lease is not looked at when the event is durable */
                   :: !CHECKED (epoch) -> goto lost
#endif
                   :: else ->
                       assert (reported[n] == 0); /* no number twice */
                       reported[n] = epoch;
                       most = n
                   fi
               }
           :: n > was || ALL_DONE -> break
           od;
           /* release, with the mark */
           if
           :: n > my_mark ->
               if
               :: held[epoch] -> skip
               :: else -> goto lost
               fi;
               atomic {
                   freed[epoch] = 1;
#if FAULT != 9 /* released without the mark */
                   mark_left[epoch] = n; last_left[epoch] = (own -> epoch : pos_seg)
#endif
               };
               atomic { held[epoch] = 0 }
           :: else ->
               atomic {
                   if
                   :: held[epoch] ->
                       held[epoch] = 0; freed[epoch] = 1;
                       mark_left[epoch] = mark[epoch];
                       last_left[epoch] = last[epoch]
                   :: else -> skip
                   fi
               }
           fi
        od;
lost:
        goto idle
    } unless { dead[d] };
    /* killed: another process, later */
    atomic {
        dead[d];
        d_step {
            high = 0; judged = 0; epoch = 0; my_mark = 0; my_last = 0; top = 0; n = 0;
            at = 0; upto = 0; pos_seg = 0; was = 0; i = 0; is_free = 0;
            after_crash = 0; standstill = 0; own = 0; ok = 0; same = 0
        }
    };
    atomic { dead[d] = 0; goto idle };
over:
    skip
}

proctype world ()
{
    byte d, e;

end:
    do
    :: atomic { kills > 0 && !ALL_DONE -> kills--;
        if :: d = 0 :: d = 1 fi;
        stalled[d] = 0; dead[d] = 1; d = 0 }
    :: atomic { stalls > 0 && !ALL_DONE -> stalls--;
        if :: !stalled[0] -> stalled[0] = 1 :: !stalled[1] -> stalled[1] = 1 fi }
    :: atomic { stalled[0] -> stalled[0] = 0 }
    :: atomic { stalled[1] -> stalled[1] = 0 }
    :: atomic { crashes > 0 && !ALL_DONE -> crashes--;
        /* the host of driver d: what it wrote and did not sync is lost */
        if :: d = 0 :: d = 1 fi;
        d_step {
            e = 1;
            do
            :: e <= EPOCHS ->
                if
                :: segment[e] && (HOSTS == 1 || owner[e] == d) ->
                    length[e] = synced[e]
                :: else -> skip
                fi;
                e++
            :: else -> break
            od;
            e = 0
        };
        if
        :: HOSTS == 1 -> stalled[0] = 0; stalled[1] = 0;
            dead[0] = 1; dead[1] = 1
        :: else -> stalled[d] = 0; dead[d] = 1
        fi;
        d = 0 }
    od
}

init
{
    atomic { run driver (0); run driver (1); run world () }
}
