#!/bin/sh
# check-layers.t - scripts/check-layers finds each kind of breach and no other

root=$(cd "${abs_top_srcdir:-$(dirname "$0")/../..}" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/fanfold-test-XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
n=0

# result NAME GOOD: one line of TAP.
result () {
    n=$((n + 1))
    if [ "$2" = yes ]; then
        echo "ok $n - $1"
    else
        echo "not ok $n - $1"
        sed 's/^/# /' "$work/said"
    fi
}

# judge FILE: run check-layers on a tree of FILE alone, filled from stdin.
judge () {
    rm -rf "$work/src" "$work/scheduler-adapters"
    mkdir -p "$work/src" "$work/scheduler-adapters" "$work/$(dirname "$1")"
    cat >"$work/$1"
    "$root/scripts/check-layers" "$work" >"$work/said" 2>&1
}

# refuse NAME PATTERN FILE: something is wrong with it, and PATTERN says what.
refuse () {
    good=no
    judge "$3"
    [ $? -eq 1 ] && grep -q -e "$2" "$work/said" && good=yes
    result "$1" $good
}

# accept NAME FILE: nothing is wrong with it.
accept () {
    good=no
    judge "$2" && [ ! -s "$work/said" ] && good=yes
    result "$1" $good
}

refuse 'a lower floor may not look up' \
    '^src/base/a.c:2: base may not include engine' src/base/a.c <<'END'
#include "config.h"
#include "engine/decide.h"
END
refuse 'neighbours on one floor do not look at each other' \
    '^src/arrays/a.c:1: arrays may not include placement' src/arrays/a.c <<'END'
#include "placement/slots.h"
END
refuse 'adapters see arrays and base only' \
    '^scheduler-adapters/slurm/a.c:1: .* may not include space' \
    scheduler-adapters/slurm/a.c <<'END'
#include "space/layout.h"
END
refuse 'arrays do not see adapters' 'may not include scheduler-adapters' \
    src/arrays/a.c <<'END'
#include "adapter.h"
END
refuse 'include paths are spelled from src' '^src/base/a.c:1: "error.h"' \
    src/base/a.c <<'END'
#include "error.h"
END
refuse 'only main.c sees commands' 'may not include commands' \
    src/engine/a.h <<'END'
  #  include "commands/command.h"
END
refuse 'only the reducer sees MPI' '^src/engine/a.c:1: <mpi.h>' \
    src/engine/a.c <<'END'
#include <mpi.h>
END
refuse 'only json.c sees jansson' '<jansson.h> belongs to src/base/json.c' \
    src/base/json_record.c <<'END'
#include <jansson.h>
END
for name in strcpy strcat sprintf strtok system popen gmtime localtime mktemp
do
    refuse "$name is banned" "^src/main.c:3: $name is banned; use " \
        src/main.c <<END
int f (void)
{
    return g(x) + $name (y);
}
END
done
refuse 'libraries do not print' '^src/base/a.c:1: printf' src/base/a.c <<'END'
void f (void) { printf ("x"); }
END
refuse 'nor to stderr' '^src/base/a.c:1: stdout and stderr' src/base/a.c <<'END'
void f (void) { fprintf (stderr, "x"); }
END
refuse 'libraries do not exit' '^src/base/a.c:2: exit' src/base/a.c <<'END'
/* a comment
 */ void f (void) { exit (1); }
END
refuse 'names that say nothing' '^src/base/string_utils.h:1: the name' \
    src/base/string_utils.h <<'END'
int x;
END
refuse 'a folder without a floor' 'no rule for src/attic' src/attic/a.c <<'END'
int x;
END

accept 'programs may print and exit' src/commands/a.c <<'END'
#include <stdio.h>
#include "adapter.h"
#include "engine/decide.h"
void f (void) { printf ("x"); fputs ("y", stderr); exit (1); }
END
accept 'words in comments and text do not count' src/base/a.c <<'END'
#include "base/error.h"
/* strcpy (a, b); system (x)
 * exit (1) stderr */ int a;
const char *s = "printf (\"x\") /* "; // popen (x)
char c = '"'; const char *t = "system (1)";
END
accept 'longer names and members are others' src/base/a.c <<'END'
int a = snprintf (b) + gmtime_r (c) + operator->system (d) + e.exit (f);
int strtok_ = my_system (x) + _exit (1) + stderr_fd;
END
accept 'the reducer has MPI, json.c has jansson' src/reduce/a.c <<'END'
#include <mpi.h>
#include "selection/bands.h"
END
accept 'adapters include each other' scheduler-adapters/pbs/a.c <<'END'
#include "adapter.h"
#include "pbs/pbs.h"
#include "arrays/task_range.h"
END

echo "1..$n"
