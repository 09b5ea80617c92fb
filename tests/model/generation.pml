/* SPDX-License-Identifier: BSD-3-Clause */
/* generation.pml - one stage is prepared, superseded and prepared again
 *
 * Two drivers bring a stage of two tasks to its end, while a person edits its
 * definition, wants it made again, or deletes what was superseded.  A directory
 * is called by the number of its generation, wherever it lies: being made, in
 * the place, or superseded; each name holds one, and each rename is one step.
 * Agents open a directory and write below what they opened.  Of submission and
 * logs stands here only that an agent runs what is not ok, and tells what it
 * ended; of the lease what lease.pml shows.  What goes wrong is bounded by
 * budgets.  What a person deletes goes in two steps, by its path.
 */
#define N 9 /* numbers 1 to 8 */
#define NOBODY 2
#define MARK 15 /* in the place of what was not there */
#ifndef FAULT
#define FAULT 0
#endif
#ifndef KILLS
#define KILLS 0 /* drivers killed */
#endif
#ifndef STALLS
#define STALLS 0 /* drivers suspended */
#endif
#ifndef EDITS
#define EDITS 0 /* of the definition, there and back */
#endif
#ifndef REDOS
#define REDOS 0 /* requests to make all again */
#endif
#ifndef LATE
#define LATE 0 /* looks at names that show an old state */
#endif
#ifndef AGENTS
#define AGENTS 0 /* agents that end before all is done, or are taken for dead */
#endif
#ifndef DELETED
#define DELETED 0 /* times that all superseded directories are deleted */
#endif
#ifndef CLEARED
#define CLEARED 0 /* times that .fanfold is deleted, while nobody is at work */
#endif

byte kills = KILLS, stalls = STALLS, edits = EDITS, redos = REDOS;
byte late = LATE, failing = AGENTS, deleted = DELETED, cleared = CLEARED;

/* --- results --- */

#define NONE 0
#define HALF 15 /* something is there that is no result */
#define BOTH 3
#define BIT(t) (1 << (t))
/* Task 0 is the same by both definitions; made: how often all was to be made
 * again before.
 */
#define RESULT(t, definition, made) (1 + (t) + ((t) == 1 && (definition) -> 1 : 0) + 4 * (made))
#define IS_VALID(r, t, definition) ((r) != NONE && (r) != HALF && (((r) - 1) & 3) == ((RESULT (t, definition, 0) - 1) & 3))
#define MADE(r) (((r) - 1) >> 2)

/* --- directories, by number --- */

byte r0[N], r1[N];  /* job/000000, job/000001 */
bit has_job[N];
bit defn[N];        /* its definition */
byte made_after[N]; /* so many wishes to make all again */
bit in_half[N];     /* somebody has removed a part of it */

/* --- names --- */

byte place, place_before; /* 0: nothing */
bit making[N];
byte replaced[N];
bit replaced_there; /* .fanfold/replaced */
bit opened[2];      /* by a driver, and not deleted since */

/* --- the lease and the journal --- */

byte holder = NOBODY, folded = NOBODY;
bit dead[2], stalled[2], busy[2], finished, deleting;
bit definition; /* campaign.yaml */
#define NOTHING 0
#define EDIT 1
#define REDO 2
byte asked;

byte number;        /* the highest that was given */
byte current;       /* the stage's generation */
byte since;         /* the number of the last wish to make all again */
byte wishes;        /* how many there were */
short superseded;   /* the set of what may be taken */
byte moving;        /* is being superseded by a request; 0: none */
#define WAITING 0
#define PREPARED 1
#define DONE 2
byte status;
byte ok;

/* --- agents --- */

byte ag_of[2];    /* the generation that it was submitted for; 0: none */
bit ag_lost[2];   /* taken for dead */
byte told[N];     /* what agents of it ended */
#define IS_LIVE(a) (ag_of[a] != 0 && !ag_lost[a])

/* --- what must hold --- */

/* What is in force is the fold's, and is in its place, whole. */
#define IN_FORCE (status == WAITING || (place == current && !in_half[place]))
#define CALM (!STALLS && !DELETED && !LATE)
#define TASK(g, t) ((t) == 0 -> r0[g] : r1[g])

#define CHECK if :: holder == d -> skip :: else -> goto replaced_ fi
#define RECORD(event) atomic { if :: folded == d -> event; assert (IN_FORCE) :: else -> skip fi; if :: holder == d -> skip :: else -> goto replaced_ fi }
/* A round that came to nothing; the next one must not. */
#define FAIL atomic { failed++; assert (failed < 5); goto rest }
byte failed;
short ran;     /* the set of results that were made, while one is there */
bit came_late; /* a late agent put a result into a superseded generation */

inline set_place (g)
{
#if LATE
    place_before = place;
#endif
    place = g
}

inline wipe (g)
{
    r0[g] = NONE; r1[g] = NONE; has_job[g] = 0; in_half[g] = 0;
    defn[g] = 0; made_after[g] = 0
}

/* A generation that nobody can reach any more. */
inline forget_dir (g)
{
    if
    :: (ag_of[0] != g && ag_of[1] != g) -> wipe (g)
    :: else -> skip
    fi
}

/* --- events --- */

inline on_request ()
{
    number++;
    assert (number < N - 1); /* the bounds suffice */
    moving = current;
    if
    :: asked == REDO ->
        wishes++;
#if FAULT != 43 /* what is to be made again may be taken */
        superseded = 0;
        since = number
#else
        superseded = superseded | BIT (current)
#endif
    :: else -> superseded = superseded | BIT (current)
    fi;
    status = WAITING;
    current = 0;
    ok = 0;
    asked = NOTHING;
    s = 1;
    do
    :: s < N -> told[s] = 0; s++
    :: else -> break
    od;
    s = 0
}

inline on_preparing (g, found)
{
#if FAULT != 31 /* a number is given again when it came to nothing */
    number = g;
#endif
    current = g;
    if
#if FAULT == 42 /* what is found counts, though it was to be made again */
    :: found -> superseded = superseded | BIT (found)
#else
    :: found > since -> superseded = superseded | BIT (found)
#endif
    :: else -> skip
    fi
}

/* Which of 'set' are what is wanted now, and nothing older. */
inline on_prepared (g, set)
{
    number = (number < g -> g : number);
    status = PREPARED;
    ok = set;
    assert (!(set & 1) || (IS_VALID (r0[g], 0, defn[g]) && MADE (r0[g]) >= wishes));
    assert (!(set & 2) || (IS_VALID (r1[g], 1, defn[g]) && MADE (r1[g]) >= wishes))
}

inline on_done ()
{
    assert (IS_VALID (r0[current], 0, defn[current]) && IS_VALID (r1[current], 1, defn[current]));
    assert (MADE (r0[current]) >= wishes && MADE (r1[current]) >= wishes);
    status = DONE
}

#if FAULT == 38 /* what later ones make goes, too */
#define CLEANED N
#else
#define CLEANED (g + 1)
#endif

/* --- superseding --- */

/* What is at 'n' of the superseded, as this host sees it. */
inline look (n, x)
{
    if
    :: x = replaced[n]
    :: late > 0 && replaced[n] != 0 -> late--; x = 0
    fi
}

/* One rename of what has the place; a marker where nothing was. */
inline rename_away (n)
{
    atomic { look (n, seen) };
#if FAULT == 35 /* it is not looked whether it was done */
    seen = 0;
    if :: replaced[n] != 0 && replaced[n] != MARK -> replaced[n] = 0 :: else -> skip fi;
#endif
    if
    :: seen != 0 -> skip
    :: else ->
        tries = 0;
        do
        :: tries < 2 ->
            atomic { replaced_there = 1; opened[d] = 1 };
#if FAULT != 50 /* the lease is not looked at before each try */
            CHECK;
#endif
            atomic {
                if
                :: !opened[d] -> tries++ /* deleted meanwhile */
                :: opened[d] && place != 0 && replaced[n] == 0 ->
                    assert (place == n); /* a number is one generation's */
                    replaced[n] = place;
                    set_place (0);
                    break
                :: opened[d] && place != 0 && replaced[n] != 0 ->
                    seen = 0;
                    tries = 3;
                    break
                :: opened[d] && place == 0 ->
                    replaced[n] = (replaced[n] == 0 -> MARK : replaced[n]);
                    break
                fi
            }
        :: else -> break
        od
    fi;
    atomic { seen = 0; opened[d] = 0 }
}

/* --- drivers --- */

proctype driver (byte d) provided (!stalled[d])
{
    byte g, found, s, t, seen, set, whole, tries, n_sources;

idle:
    {
        atomic {
            g = 0; found = 0; s = 0; t = 0; seen = 0; set = 0; whole = 0;
            tries = 0; n_sources = 0; busy[d] = 0; opened[d] = 0;
            if
            :: finished -> goto over
            :: !deleting && !finished && (holder == NOBODY || holder == d || stalled[holder]) && (d == 0 || stalled[0] || folded == d) &&
                (asked != NOTHING || moving || status == WAITING ||
                 (status == PREPARED && ((told[current] & ~ok) || ok == BOTH || (!IS_LIVE (0) && !IS_LIVE (1) && (ag_of[0] == 0 || ag_of[1] == 0))))
                 || status == DONE) ->
                holder = d;
                busy[d] = 1
            fi
        };
        atomic { CHECK; folded = d };
again:
        atomic {
            g = 0; found = 0; s = 0; t = 0; seen = 0; set = 0; whole = 0;
            tries = 0; n_sources = 0;
            CHECK;
            if
            :: moving -> goto supersede
            :: !moving && asked != NOTHING && (status == DONE || (status == PREPARED && !IS_LIVE (0) && !IS_LIVE (1) && ok != BOTH)) -> goto request
            :: !moving && status == WAITING && asked != NOTHING -> goto put_off
            :: !moving && status == WAITING && asked == NOTHING -> goto prepare
            :: status == PREPARED && (told[current] & ~ok) -> goto results
            :: status == PREPARED && !(told[current] & ~ok) && ok == BOTH -> goto fan_in
            :: status == PREPARED && !(told[current] & ~ok) && ok != BOTH && asked == NOTHING && !IS_LIVE (0) && !IS_LIVE (1) -> goto submit
            :: status == DONE && asked == NOTHING -> RECORD (finished = 1); goto rest
            :: else -> goto rest
            fi
        };
rest:
        atomic {
            holder = (holder == d -> NOBODY : holder);
            goto idle
        };

        /* A wish about what is not prepared is done with: it will be anew. */
put_off:
        RECORD (if :: asked == REDO -> number++; assert (number < N - 1); wishes++; since = number; superseded = 0 :: else -> skip fi; asked = NOTHING);
        goto again;

request:
#if FAULT == 51 /* superseded before the request is journaled */
        g = current;
        if :: g -> rename_away (g) :: else -> skip fi;
#endif
        RECORD (on_request ());
        goto again;

supersede:
        g = moving;
        rename_away (g);
        if
        :: tries == 3 -> FAIL
        :: else -> skip
        fi;
        RECORD (moving = 0);
        goto again;

        /* --- prepare --- */
prepare:
        atomic {
            if
            :: found = place
            :: late > 0 && place_before != 0 && place_before != place -> late--; found = place_before
            fi;
            if
            :: found && in_half[found] && found == place -> FAIL /* it tells no number */
            :: else -> skip
            fi;
            g = number + 1;
            assert (g < N) /* the bounds suffice */
        };
        RECORD (on_preparing (g, found));
#if FAULT != 34 /* what is found stays where it is */
        if
        :: found ->
            rename_away (found);
            if
            :: tries == 3 -> FAIL
            :: else -> skip
            fi
        :: else -> skip
        fi;
#endif
        /* what drivers left that were killed */
#if FAULT == 37 || FAULT == 38 /* it is removed bit by bit, where it lies */
        s = 1;
        do
        :: atomic { s < CLEANED -> if :: making[s] -> in_half[s] = 1; r0[s] = (r0[s] -> HALF : NONE) :: else -> skip fi; s++ }
        :: else -> break
        od;
#endif
        atomic {
            s = 1;
            do
            :: s < CLEANED ->
                if
                :: making[s] -> making[s] = 0; wipe (s)
                :: else -> skip
                fi;
                s++
            :: else -> break
            od;
            s = 0
        };
        CHECK;
        atomic { assert (place != g && replaced[g] != g); making[g] = 1; wipe (g) };
        atomic { s = 0; defn[g] = definition; made_after[g] = wishes };
        /* which one goes on as it is? */
        atomic {
            s = N - 1;
            do
            :: s > 0 ->
                n_sources = n_sources + ((superseded & BIT (s)) && replaced[s] == s);
                s--
            :: else -> break
            od;
            s = N - 1;
            do
            :: s > 0 && !whole ->
                if
                :: (superseded & BIT (s)) && replaced[s] == s && has_job[s] && defn[s] == defn[g] &&
#if FAULT == 44 /* ... though another one has what it lacks */
                    true ->
#else
                    (n_sources == 1 || (r0[s] && r1[s])) ->
#endif
                    whole = s
                :: else -> skip
                fi;
                s--
            :: else -> break
            od;
            s = 0; n_sources = 0
        };
#if FAULT == 48 /* ... and is taken before its generation appears */
        if
        :: whole -> atomic {
            if
            :: replaced[whole] == whole && has_job[whole] && making[g] ->
                r0[g] = r0[whole]; r1[g] = r1[whole]; has_job[g] = 1;
                r0[whole] = NONE; r1[whole] = NONE; has_job[whole] = 0
            :: else -> skip
            fi }
        :: else -> skip
        fi;
#endif
        /* else equal tasks are linked */
        t = 0;
        do
        :: t < 2 && !whole ->
            atomic {
                s = N - 1;
                do
                :: s > 0 && ((superseded & BIT (s)) && replaced[s] == s &&
#if FAULT == 46 /* ... whatever they were made from */
                    TASK (s, t) != NONE) -> break
#else
                    IS_VALID (TASK (s, t), t, defn[g])) -> break
#endif
                :: else ->
                    if
                    :: s == 0 -> break
                    :: else -> s--
                    fi
                od;
                if
                :: s > 0 && t == 0 && making[g] -> r0[g] = r0[s]; has_job[g] = 1
                :: s > 0 && t == 1 && making[g] -> r1[g] = r1[s]; has_job[g] = 1
                :: else -> skip
                fi;
#if FAULT == 52 /* ... by a rename, not by a link */
                if
                :: s > 0 && t == 0 -> r0[s] = NONE
                :: s > 0 && t == 1 -> r1[s] = NONE
                :: else -> skip
                fi;
#endif
                set = set | (s > 0 -> BIT (t) : 0);
                s = 0
            };
            t++
        :: else -> break
        od;
        t = 0;
#if FAULT == 47 /* journaled before it has appeared */
        RECORD (status = PREPARED; ok = set);
#endif
        CHECK;
        atomic {
            if
            :: making[g] && place == 0 -> making[g] = 0; set_place (g)
            :: else -> FAIL
            fi
        };
        if
        :: whole ->
            CHECK;
#if FAULT != 49 /* put where it is due, whatever has that place by then */
            if
            :: place == g -> skip /* opened, with this number */
            :: else -> FAIL
            fi;
#endif
            atomic {
#if FAULT == 49
                s = (place -> place : g);
                assert (s == g); /* I2 */
#else
                s = g;
#endif
                if
                :: replaced[whole] == whole && has_job[whole] ->
                    r0[s] = r0[whole]; r1[s] = r1[whole]; has_job[s] = 1;
                    r0[whole] = NONE; r1[whole] = NONE; has_job[whole] = 0
                :: has_job[g] && FAULT == 48 -> skip
                :: else -> FAIL
                fi;
                s = 0
            };
            /* what of it is there */
            atomic {
#if FAULT == 53 /* all of it counts, without a look */
                set = BOTH
#else
                if
                :: place == g -> set = IS_VALID (r0[g], 0, defn[g]) + 2 * IS_VALID (r1[g], 1, defn[g])
                :: else -> FAIL
                fi
#endif
            }
        :: else -> skip
        fi;
        CHECK;
        RECORD (on_prepared (g, set));
        goto again;

        /* --- run, and its end --- */
submit:
        atomic {
            CHECK;
            if
            :: ag_of[0] == 0 -> ag_of[0] = current; ag_lost[0] = 0
            :: ag_of[0] != 0 && ag_of[1] == 0 -> ag_of[1] = current; ag_lost[1] = 0
            :: else -> skip
            fi
        };
        goto rest;

results:
        RECORD (ok = ok | told[current]);
        goto again;

fan_in:
        CHECK;
        RECORD (on_done ());
        goto again;

replaced_:
        goto idle
    } unless { dead[d] };
    atomic {
        dead[d];
        g = 0; found = 0; s = 0; t = 0; seen = 0; set = 0; whole = 0; tries = 0;
        n_sources = 0; opened[d] = 0;
        holder = (holder == d -> NOBODY : holder);
        dead[d] = 0;
        goto idle
    };
over:
    busy[d] = 0
}

/* --- agents --- */

/* By its path, which may lead to another generation. */
#define AT_PATH(t) (place == 0 -> NONE : TASK (place, t))

proctype agent (byte a)
{
    byte dir, t, seen;

end:
    atomic {
        ag_of[a] != 0;
        dir = place;
        if
        :: dir == 0 -> goto over
#if FAULT != 40 /* its number is not looked at */
        :: dir != 0 && dir != ag_of[a] -> goto over
        :: dir == ag_of[a] -> skip
#else
        :: else -> skip
#endif
        fi;
        t = 0
    };
next:
    do
    :: t < 2 ->
        atomic {
            if
            :: place != dir || finished -> goto over
            :: place == dir && failing > 0 -> failing--; goto over
            :: place == dir && failing > 0 -> failing--; t++; goto next
            :: place == dir -> skip
            fi
        };
        atomic { seen = AT_PATH (t) };
        if
        :: atomic { IS_VALID (seen, t, defn[dir]) -> goto say }
        :: atomic { seen == NONE -> skip }
        :: else -> /* in the way: it is set aside */
#if FAULT != 41 /* it is not looked whether the path is still its own */
            if
            :: place != dir -> goto over
            :: else -> skip
            fi;
#endif
            atomic {
                assert (!IS_VALID (TASK (dir, t), t, defn[dir])); /* not what is good */
                if
                :: t == 0 -> r0[dir] = NONE
                :: else -> r1[dir] = NONE
                fi
            }
        fi;
        /* it runs, and is put in its place */
        if
        :: place != dir -> goto over
        :: else -> skip
        fi;
        atomic {
#if FAULT == 39 /* ... by its path */
            dir = (place -> place : dir);
#endif
            assert (dir == ag_of[a]); /* none lands in another */
            has_job[dir] = 1;
            came_late = came_late || dir != place;
            seen = RESULT (t, defn[dir], made_after[dir]);
            if
            :: TASK (dir, t) == NONE ->
                /* what is there already is taken, not made again */
                assert (!CALM || came_late || !(ran & BIT (seen)));
                ran = ran | BIT (seen)
            :: else -> skip
            fi;
            if
            :: t == 0 && r0[dir] == NONE -> r0[dir] = seen
            :: t == 1 && r1[dir] == NONE -> r1[dir] = seen
            :: else -> skip
            fi
        };
say:
        atomic { told[ag_of[a]] = (ag_of[a] == current -> told[ag_of[a]] | BIT (t) : 0); seen = 0; t++ }
    :: else -> break
    od;
over:
    atomic { dir = 0; t = 0; seen = 0; ag_of[a] = 0; ag_lost[a] = 0; goto end }
}

/* --- the world and people --- */

#define MAY_ASK (!finished && asked == NOTHING && (status != WAITING || stalled[0]))
proctype world ()
{
    byte s;

end:
    do
    :: atomic { kills > 0 && !finished && (busy[0] || busy[1]) -> kills--;
        if :: busy[0] -> dead[0] = 1; stalled[0] = 0 :: busy[1] -> dead[1] = 1 fi }
    :: atomic { stalls > 0 && !finished && busy[0] && !stalled[0] -> stalls--; stalled[0] = 1 }
    :: atomic { stalled[0] -> stalled[0] = 0 }
    :: atomic { failing > 0 && !finished && (IS_LIVE (0) || IS_LIVE (1)) -> failing--;
        if :: IS_LIVE (0) -> ag_lost[0] = 1 :: IS_LIVE (1) -> ag_lost[1] = 1 fi }
    :: atomic { edits > 0 && MAY_ASK -> edits--;
        /* or something else, that has the same inputs made again */
        if :: definition = !definition :: skip fi;
        asked = EDIT }
    :: atomic { redos > 0 && MAY_ASK -> redos--; asked = REDO }
    :: atomic { deleted > 0 && !finished && replaced_there -> deleted--;
        s = 1;
        do
        :: s < N ->
            if
            :: replaced[s] == s && r0[s] -> r0[s] = HALF; in_half[s] = 1
            :: else -> skip
            fi;
            s++
        :: else -> break
        od;
        s = 0; deleting = 1 }
    :: atomic { deleting ->
        s = 1;
        do
        :: s < N ->
            if
            :: replaced[s] == s -> forget_dir (s)
            :: else -> skip
            fi;
            replaced[s] = 0;
            s++
        :: else -> break
        od;
        s = 0; replaced_there = 0; opened[0] = 0; opened[1] = 0; deleting = 0 }
    :: atomic { cleared > 0 && !finished && !busy[0] && !busy[1] && ag_of[0] == 0 && ag_of[1] == 0 && number > 0 && number < N - 2 -> cleared--;
        s = 1;
        do
        :: s < N ->
            if
            :: replaced[s] == s || making[s] -> wipe (s)
            :: else -> skip
            fi;
            replaced[s] = 0; making[s] = 0; told[s] = 0;
            s++
        :: else -> break
        od;
        s = 0; replaced_there = 0; superseded = 0; since = 0; moving = 0;
        status = WAITING; ok = 0; current = 0; asked = NOTHING;
        wishes = (place -> made_after[place] : wishes);
        ran = (place && IS_VALID (r0[place], 0, defn[place]) -> BIT (r0[place]) : 0) | (place && IS_VALID (r1[place], 1, defn[place]) -> BIT (r1[place]) : 0);
        number = place; folded = NOBODY; holder = NOBODY }
    od
}

/* At the end the place has what is wanted. */
proctype judge ()
{
    atomic {
        finished && !busy[0] && !busy[1];
        assert (status == DONE && place == current && !making[place]);
        assert (defn[place] == definition || asked != NOTHING);
        assert (IS_VALID (r0[place], 0, defn[place]) && IS_VALID (r1[place], 1, defn[place]))
    }
}

init
{
    atomic {
        run driver (0); run agent (0); run agent (1);
        /* who is killed begins again; one who is suspended needs a successor */
        if :: STALLS -> run driver (1) :: else -> skip fi;
        run world (); run judge ()
    }
}
