#!/bin/sh
# check-layers.t - scripts/check-layers finds each kind of breach and no other

root=$(cd "${abs_top_srcdir:-$(dirname "$0")/../..}" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/fanfold-test-XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
n=0
n_failed=0

# result NAME GOOD: one line of TAP.
result () {
    n=$((n + 1))
    if [ "$2" = yes ]; then
        echo "ok $n - $1"
    else
        n_failed=$((n_failed + 1))
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
#include "base/base.h"
#include "engine/decide/decide.h"
END
refuse 'base/base.h comes first' '^src/arrays/a.c:1: base/base.h comes first' \
    src/arrays/a.c <<'END'
#include "base/json.h"
#include "base/base.h"
END
for header in '<stdlib.h>' '"base/strbuf.h"' '"config.h"'
do
    refuse "base/base.h has $header" '^src/arrays/a.h:1: base/base.h has' \
        src/arrays/a.h <<END
#include $header
END
done
refuse 'no header includes base/base.h' "^src/arrays/a.h:1: a header's user" \
    src/arrays/a.h <<'END'
#include "base/base.h"
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
refuse 'others see adapter.h, not an adapter' \
    '^src/engine/act/a.c:1: "slurm/slurm.h" does not begin' \
    src/engine/act/a.c <<'END'
#include "slurm/slurm.h"
END
refuse 'arrays do not see adapters' 'may not include scheduler-adapters' \
    src/arrays/a.c <<'END'
#include "adapter.h"
END
refuse 'decide sees nothing that acts' 'engine/decide may not include engine/act' \
    src/engine/decide/a.c <<'END'
#include "engine/act/act.h"
END
for header in '"base/file.h"' '"base/clock.h"' '<time.h>' '<unistd.h>' \
    '"engine/history/outputs_store.h"'
do
    refuse "decide is pure: no $header" '^src/engine/decide/a.c:2: .* is pure' \
        src/engine/decide/a.c <<END
#include "engine/history/state.h"
#include $header
END
done
refuse 'a file beside the floors of the engine' 'no rule for src/engine' \
    src/engine/a.c <<'END'
int x;
END
refuse 'include paths are spelled from src' '^src/base/a.c:1: "error.h"' \
    src/base/a.c <<'END'
#include "error.h"
END
refuse 'only main.c sees commands' 'may not include commands' \
    src/engine/act/a.h <<'END'
  #  include "commands/command.h"
END
refuse 'only the reducer sees MPI' '^src/engine/act/a.c:1: <mpi.h>' \
    src/engine/act/a.c <<'END'
#include <mpi.h>
END
refuse 'only json_parse.c sees cJSON' '<cjson/cJSON.h> belongs to src/base/json_parse.c' \
    src/base/json_record.c <<'END'
#include <cjson/cJSON.h>
END
for declaration in 'char *path;' 'char *one = NULL, *other;' \
    'char *one = f (a, b), *other = NULL;'
do
    refuse "released at its end: $declaration" '^src/base/a.c:3: .* at the end' \
        src/base/a.c <<END
void f (void)
{
    _cleanup_free_ $declaration
}
END
done
accept 'what is released at its end has a value' src/base/a.c <<'END'
void f (void)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_ (json_end) struct reader reader = { .a = { 1, 2 }, .b = "a, b" };
    _cleanup_free_ char *path =
        join (dir, name, ',');
    int a, b;
}
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

refuse 'a word of a scheduler' "^src/engine/a.c:1: a scheduler's word" \
    src/engine/a.c <<'END'
/* as squeue says */
END

refuse 'an edge that nobody decided' \
    '^src/operators/a.c:1: operators may not include campaign' \
    src/operators/a.c <<'END'
#include "campaign/plan.h"
END

accept 'programs may print and exit' src/commands/a.c <<'END'
#include "base/base.h"
#include "adapter.h"
#include "engine/drive/driver.h"
void f (void) { printf ("x"); fputs ("y", stderr); exit (1); }
END
accept 'words in comments and text do not count' src/base/a.c <<'END'
#include "base/base.h"
/* strcpy (a, b); system (x)
 * exit (1) stderr */ int a;
const char *s = "printf (\"x\") /* "; // popen (x)
char c = '"'; const char *t = "system (1)";
END
accept 'longer names and members are others' src/base/a.c <<'END'
int a = snprintf (b) + gmtime_r (c) + operator->system (d) + e.exit (f);
int strtok_ = my_system (x) + _exit (1) + stderr_fd;
END
accept 'the reducer has MPI, json_parse.c has cJSON' src/reduce/a.c <<'END'
#include "base/base.h"
#include <mpi.h>
#include "selection/bands.h"
END
accept 'adapters include each other' scheduler-adapters/pbs/a.c <<'END'
#include "base/base.h"
#include "adapter.h"
#include "pbs/pbs.h"
#include "arrays/task_range.h"
END

# --- objects: what a text can hide ---

# compile FILE: an object of a tree whose text holds nothing to complain of.
compile () {
    rm -rf "$work/src" "$work/scheduler-adapters" "$work/build"
    mkdir -p "$work/src/base" "$work/scheduler-adapters" \
        "$work/build/$(dirname "$1")" "$work/build/scheduler-adapters"
    ${CC:-cc} -x c -O0 -c -o "$work/build/${1%.c}.o" - 2>"$work/said" &&
        "$root/scripts/check-layers" "$work" "$work/build" >"$work/said" 2>&1
}

# refuse_object NAME PATTERN FILE: its object is refused, and PATTERN says why.
refuse_object () {
    good=no
    compile "$3"
    [ $? -eq 1 ] && grep -q -e "$2" "$work/said" && good=yes
    result "object: $1" $good
}

refuse_object 'a declaration of its own' 'src/base/a.o: refers to puts' \
    src/base/a.c <<'END'
extern int puts (const char *);
int f (void) { return puts ("x"); }
END
refuse_object 'a call in brackets' 'refers to system' src/base/a.c <<'END'
#include <stdlib.h>
int f (void) { return (system) ("x"); }
END
refuse_object 'a pointer to a function' 'refers to exit' src/space/a.c <<'END'
#include <stdlib.h>
void (*const leave) (int) = exit;
END
refuse_object 'a macro' 'refers to strcpy' src/engine/act/a.c <<'END'
#include <string.h>
#define PUT(a, b) str##cpy (a, b)
char *f (char *a, const char *b) { return PUT (a, b); }
END
refuse_object 'a shell by exec' 'refers to execl' src/operators/a.c <<'END'
#include <unistd.h>
int f (void) { return execl ("/bin/sh", "sh", "-c", "x", (char *)0); }
END
refuse_object 'another way to print' 'refers to dprintf' src/formats/a.c <<'END'
#include <stdio.h>
int f (void) { return dprintf (2, "x"); }
END
refuse_object 'a stream' 'refers to stderr' src/selection/a.c <<'END'
#include <stdio.h>
FILE *f (void) { return stderr; }
END
refuse_object 'MPI by another name of its header' 'refers to MPI_Init' \
    src/selection/a.c <<'END'
int MPI_Init (int *, char ***);
int f (void) { return MPI_Init (0, 0); }
END
refuse_object 'a library that has a home' 'refers to hwloc_topology_load' \
    src/agent/a.c <<'END'
int hwloc_topology_load (void *);
int f (void) { return hwloc_topology_load (0); }
END
refuse_object 'data that can be written' 'a.o: seen[.0-9]* is data that can be' \
    src/campaign/a.c <<'END'
int f (void) { static int seen; return ++seen; }
END
refuse_object 'a clock in decide' 'is pure and refers to time' \
    src/engine/decide/a.c <<'END'
#include <time.h>
long f (void) { return (long)time (0); }
END
refuse_object 'a file in decide' 'is pure and refers to json_read_file' \
    src/engine/decide/a.c <<'END'
void *json_read_file (const char *, void *);
void *f (void) { return json_read_file ("x", 0); }
END
refuse_object 'the environment in packing' 'is pure and refers to getenv' \
    src/arrays/a.c <<'END'
#include <stdlib.h>
char *f (void) { return getenv ("x"); }
END
good=no
compile src/commands/a.c <<'END' && [ ! -s "$work/said" ] && good=yes
#include <stdio.h>
static const char *const names[] = { "x" };
int f (int i) { return puts (names[i]) + fprintf (stderr, "x"); }
END
result 'object: a program may print; what is const is no data' $good

# The real ones, but not of a sanitizer's build, which refers to much else.
if [ -n "${abs_top_builddir-}" ] &&
    ! nm "$abs_top_builddir/src/base/error.o" | grep -q '__asan'; then
    good=no
    "$root/scripts/check-layers" "$root" "$abs_top_builddir" \
        >"$work/said" 2>&1 && good=yes
    result 'objects of the program keep the rules' $good
fi

echo "1..$n"
exit $((n_failed > 0))
