#!/bin/sh
# 0301-clock - hosts whose clock is wrong
. "$abs_top_srcdir/tests/cli/tap.sh"

if ! command -v cc >/dev/null; then
    not_here "a C compiler, for a clock of our own"
    done_testing
fi
cat >"$tmp/clock.c" <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

int clock_gettime (clockid_t clock, struct timespec *t)
{
    int (*real) (clockid_t, struct timespec *) = dlsym (RTLD_NEXT, "clock_gettime");
    int rc = real (clock, t);

    if (rc == 0 && clock == CLOCK_REALTIME)
        t->tv_sec += atol (getenv ("CLOCK_OFF_S"));
    return rc;
}
END
ok "a clock of our own" cc -shared -fPIC -o "$tmp/clock.so" "$tmp/clock.c" -ldl

# at YEAR COMMAND...
at() {
    off=$((($1 - 1970) * 31556952 - $(date +%s)))
    shift
    # A sanitizer must be the first library.
    CLOCK_OFF_S=$off ASAN_OPTIONS="verify_asan_link_order=0:$ASAN_OPTIONS" \
        LD_PRELOAD="$tmp/clock.so" timeout 60 "$@"
}

fanfold new "$tmp/c" >"$tmp/out"
at 1901 fanfold -C "$tmp/c" run >"$tmp/out" 2>&1
is "before 1970 nothing is begun" 1 $?
has "... with what to do" "fanfold: the clock of this host says 1901-01-01T" "$(cat "$tmp/out")"
has "... in words" "before 1970; set it, then run this again" "$(cat "$tmp/out")"
silent "... nothing was made" find "$tmp/c" -name '.fanfold'
at 1901 fanfold -C "$tmp/c" redo train >"$tmp/out" 2>&1
is "... nor a request left, which would not be read" 1 $?

for year in 1971 2120; do
    fanfold new "$tmp/$year" >"$tmp/out"
    ok "in $year it runs" at $year fanfold -C "$tmp/$year" run
    ok "... and a request is read" at $year fanfold -C "$tmp/$year" redo judge --yes
    silent "... at once" ls -A "$tmp/$year/.fanfold/requests"
done

done_testing
