/* SPDX-License-Identifier: BSD-3-Clause */
/* trace.pml - is a journal a behaviour of protocol.pml?
 *
 * `spin -T` runs this with the events of stages on standard input, as numbers
 * (tests/model/trace.awk): CODE A B and a line break.  Those of generations are
 * told for each campaign: a number is given once, to what is put together; what is
 * in force is superseded before its stage is prepared again, and what is
 * superseded has moved before anything else is prepared.  It prints the line of
 * each event that may not follow, leaves out the rest of that stage or campaign,
 * and ends with how many stages there were.
 */
#define NUMBER short
#define SUBS 2100
#define TASKS 2100
#define JOBS 2100
#include "protocol.pml"

#define MAKING 1
#define IN_FORCE 2
#define SUPERSEDED 3
byte generation[2100]; /* [number]: how it stands */
short given;           /* the highest number */
short in_place[2100];  /* [place]: its last generation */
short moving;          /* the number of what is being moved; 0: nothing */

chan STDIN;
int c;

inline number (x)
{
    x = 0;
    do
    :: STDIN ? c;
        if
        :: c >= 48 && c <= 57 -> x = 10 * x + c - 48
        :: else -> break
        fi
    od
}

/* The next stage's life: nothing has happened. */
inline begin ()
{
    a_open = 0;
    a_n = 0;
    a_first = 0;
    m = 0;
    do
    :: m < s_n ->
        s_status[m] = 0; s_empty[m] = 0; s_over[m] = 0; s_id[m] = 0;
        s_token[m] = 0; s_chunk[m] = 0;
        m++
    :: else -> break
    od;
    s_n = 0;
    m = 0;
    do
    :: m < a -> outcome[m] = PENDING; m++
    :: else -> break
    od;
    m = 0;
    do
    :: m < JOBS -> job_token[m] = 0; m++
    :: else -> break
    od
}

/* A campaign's generations: none was made. */
inline begin_generations ()
{
    given = 0;
    moving = 0;
    m = 0;
    do
    :: m < 2100 -> generation[m] = 0; in_place[m] = 0; m++
    :: else -> break
    od;
    m = 0
}

inline on_preparing (n, at)
{
    MUST (n > given && !moving && generation[in_place[at]] != IN_FORCE);
    given = n;
    generation[n] = MAKING;
    in_place[at] = n
}

inline on_generation (n, from, to)
{
    MUST (generation[n] == from);
    generation[n] = to
}

inline on_replacing (n)
{
    MUST (n > given && !moving);
    given = n;
    moving = n
}

inline on_moved (n)
{
    MUST (moving == n);
    moving = 0
}

active proctype reader ()
{
    int code, a, b;
    int line, stages;
    short m;
    bit there;

    do
    :: true -> number (code);
        if
        :: c == -1 -> break
        :: else -> skip
        fi;
        number (a);
        number (b);
        line++;
        if
        :: code == 0 -> begin (); legal = 1; stages++
        :: code == 20 -> begin_generations (); legal = 1
        :: code == 99 -> printf ("%d stages\n", stages); break
        :: code != 0 && code != 20 && code != 99 && !legal -> goto next
        :: legal && code == 1 -> on_attempt ()
        :: legal && code == 2 -> on_pending (a)
        :: legal && code == 3 -> on_intent (a, b)
        :: legal && code == 4 -> on_job (b, s_token[a]); on_recorded (a, b, 0)
        :: legal && code == 5 -> on_released (a)
        :: legal && code == 6 -> on_empty (a)
        :: legal && code == 7 -> on_absent (a)
        :: legal && code == 8 -> on_refused (a)
        :: legal && code == 9 -> on_swept (a)
        :: legal && code == 10 -> on_cancelling (a)
        :: legal && code == 11 -> on_over (a)
        :: legal && code == 12 -> on_back (a)
        :: legal && code == 13 -> on_ok (a, 0)
        :: legal && code == 14 -> on_not_ok (a)
        :: legal && code == 15 -> on_ended (a)
        :: legal && code == 16 -> on_closed ()
        :: legal && code == 17 -> on_stage ()
        :: legal && code == 18 -> outcome[a] = OK /* was there when it was prepared */
        :: legal && code == 19 -> on_renewed (a)
        :: legal && code == 21 -> on_preparing (a, b)
        :: legal && code == 22 -> on_generation (a, MAKING, IN_FORCE)
        :: legal && code == 23 -> on_generation (a, IN_FORCE, SUPERSEDED)
        :: legal && code == 24 -> on_replacing (a)
        :: legal && code == 25 -> on_moved (a)
        :: legal && code == 26 -> given = (a > given -> a : given)
        fi;
        if
        :: !legal -> printf ("refused %d\n", line)
        :: else -> skip
        fi;
    next:
        skip
    od
}
