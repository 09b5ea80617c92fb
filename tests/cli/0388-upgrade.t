#!/bin/sh
# 0388-upgrade - a campaign goes on under another version of the program, whichever
# drove it before, and what a version wrote to save itself time is its own
. "$abs_top_srcdir/tests/cli/tap.sh"
with_hooks # FANFOLD_VERSION

loop_campaign "$tmp/one"
ok "a campaign that one version drives" fanfold -C "$tmp/one" run

# --- each step by another version ---

c=$tmp/many
loop_campaign "$c"
versions=0
step() {
    versions=$((versions + 1))
    FANFOLD_VERSION=0.2.$versions fanfold -C "$c" advance >"$tmp/step" 2>&1 || return 1
    [ "$(state_of "$c")" = "done" ]
}
ok "... and one that every step has another version of" until_ok step
is "... have the same results" "$(results_digest "$tmp/one")" "$(results_digest "$c")"
heads=$(cat "$c"/.fanfold/journal/* | grep '"ev":"segment"')
is "... each head names its version" \
    "$(echo "$heads" | wc -l)" \
    "$(echo "$heads" | grep -o '"program":"0\.2\.[0-9]*"' | sort -u | wc -l)"
ok "... and they are several" test "$(echo "$heads" | wc -l)" -gt 2
has "... as has the state that was kept" '"program":"0.2.' "$(jq -c . "$c/state.json")"

# --- what another version kept ---

truth=$(fanfold -C "$c" status --json)
jq '.program = "9.9.9" | .state.converged = (.state.converged | not)' "$c/state.json" >"$tmp/state.json"
cp "$tmp/state.json" "$c/state.json"
is "the state that another version kept is not believed" "$truth" \
    "$(FANFOLD_VERSION=1.0.0 fanfold -C "$c" status --json)"
ok "... one of its own is" test "$truth" != \
    "$(FANFOLD_VERSION=9.9.9 fanfold -C "$c" status --json)"

# --- two versions beside one another ---

c=$tmp/beside
loop_campaign "$c"
FANFOLD_VERSION=0.0.9 fanfold -C "$c" run >"$tmp/out" 2>&1 &
pid=$!
until_ok test -d "$c/.fanfold/journal"
ok "another version pauses a campaign that an older one drives" fanfold -C "$c" pause
wait $pid
is "... which it obeys" paused "$(state_of "$c")"
ok "... resumes" fanfold -C "$c" resume
ok "... and goes on itself" fanfold -C "$c" run
is "... to the same results" "$(results_digest "$tmp/one")" "$(results_digest "$c")"
is "fanfold --version says which one runs" "fanfold 0.0.9" \
    "$(FANFOLD_VERSION=0.0.9 fanfold --version)"

done_testing
