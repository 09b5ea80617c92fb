/* SPDX-License-Identifier: BSD-3-Clause */
/* trace.pml - is a journal a behaviour of protocol.pml?
 *
 * `spin -T` runs this with the events of stages on standard input, as numbers
 * (tests/model/trace.awk): CODE A B and a line break.  It prints the line of each
 * event that may not follow, leaves out the rest of that stage, and ends with how
 * many stages there were.
 */
#define NUMBER short
#define SUBS 2100
#define TASKS 2100
#define JOBS 2100
#include "protocol.pml"

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
        :: code == 99 -> printf ("%d stages\n", stages); break
        :: code != 0 && code != 99 && !legal -> goto next
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
        fi;
        if
        :: !legal -> printf ("refused %d\n", line)
        :: else -> skip
        fi;
    next:
        skip
    od
}
