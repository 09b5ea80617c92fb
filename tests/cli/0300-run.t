#!/bin/sh
# 0300-run - a whole campaign on the local scheduler, looked at with every
# command
. "$abs_top_srcdir/tests/cli/tap.sh"

loop_campaign "$tmp/c"
exits "result before the campaign has begun" 1 fanfold -C "$tmp/c" result train
is "a new campaign is not begun" "not begun" "$(state_of "$tmp/c")"
ok "run drives it to the end" fanfold -C "$tmp/c" run
is "it is done" done "$(state_of "$tmp/c")"
ok "run again has nothing to do" fanfold -C "$tmp/c" run

status=$(fanfold -C "$tmp/c" status --json)
is "it converged" true "$(printf %s "$status" | jq .converged)"
is "three iterations" 3 "$(printf %s "$status" | jq '.history | length')"
is "labels accumulate" "1,9,17" \
    "$(printf %s "$status" | jq -r '[.history[].labelled] | join(",")')"
is "nothing is left" 0 "$(printf %s "$status" | jq '.history[2].left')"
is "all four explorations are ok" 4 \
    "$(printf %s "$status" | jq '.stages[] | select(.name == "explore") | .tasks.ok')"
has "status for people" "converged" "$(fanfold -C "$tmp/c" status)"

is "label of iteration 0 is skipped" skipped \
    "$(fanfold -C "$tmp/c" explain label --iteration 0 | sed -n 's/^label, iteration 0: //p')"
has "explain says why" "has no previous iteration" \
    "$(fanfold -C "$tmp/c" explain label --iteration 0)"
has "... and what its inputs are bound to" "frames               previous.select.frames" \
    "$(fanfold -C "$tmp/c" explain label --iteration 0)"
has "... which is not what it had" "inputs, as bound now:" \
    "$(fanfold -C "$tmp/c" explain label --iteration 0)"
has "explain a task" "task 2: ok, 1 try" "$(fanfold -C "$tmp/c" explain train 2)"
is "result of a fan-out is stacked" 3 \
    "$(fanfold -C "$tmp/c" result train potential | jq length)"
outputs=$tmp/c/train/toy/iter/000000/outputs.json
potential=$(jq -r '.outputs.potential[2]' "$outputs")
if [ -d "$tmp/c/$potential" ]; then
    bytes=$(find "$tmp/c/$potential" -type f -printf '%s\n' | awk '{ s += $1 } END { print s }')
    sha256=$(cd "$tmp/c/$potential" && find . -type f | sort | cut -c 3- | xargs sha256sum | sha256sum)
else
    bytes=$(stat -c %s "$tmp/c/$potential")
    sha256=$(sha256sum <"$tmp/c/$potential")
fi
is "outputs.json has the size and the digest of every artifact" "$bytes ${sha256%% *}" \
    "$(jq -r '.artifacts.potential[2] | "\(.bytes) \(.sha256)"' "$outputs")"
is "... of each task" 3 "$(jq '.artifacts.potential | length' "$outputs")"
is "count and proceed are there" "8 true" \
    "$(fanfold -C "$tmp/c" result label --iteration 1 | jq -r '"\(.count) \(.proceed)"')"
has "log prints a task's output" " command 1: " "$(fanfold -C "$tmp/c" log train 1)"
is "... and no other task's" 1 \
    "$(fanfold -C "$tmp/c" log train 1 | grep -c '^=== .* command 1: ')"
ok "... which is in a file" test -s "$(fanfold -C "$tmp/c" log train 1 --path)"
exits "an unknown stage" 2 fanfold -C "$tmp/c" log trian
has "... with a suggestion" "did you mean 'train'" "$(fanfold -C "$tmp/c" log trian 2>&1)"

ok "the data space is as documented" test -f "$tmp/c/train/toy/iter/000000/job/000002/out/result.json"
is "of a task its artifacts are kept" out "$(ls "$tmp/c/label/toy/iter/000001/job/000003")"
ok "dataset as extxyz" test -s "$tmp/c/dataset/extxyz/iter/000001/dataset.extxyz"
is "dataset as deepmd npy" "box.npy coord.npy energy.npy force.npy" \
    "$(ls "$tmp/c"/dataset/deepmd/iter/000001/*/set.000 | xargs)"
ok "no dataset where nothing was labelled" test ! -e "$tmp/c/dataset/deepmd/iter/000000"
ok "config of every iteration" test -s "$tmp/c/config/iter/000002/config.json"
ok "the checkpoint may be deleted" rm "$tmp/c/state.json"
is "... and the journal folds to the same" "$status" \
    "$(fanfold -C "$tmp/c" status --json)"
is "nothing is left in the spool" "" "$(ls "$tmp/spool" 2>/dev/null | grep -v '^cores$')"

loop_campaign "$tmp/again"
ok "the same campaign again" fanfold -C "$tmp/again" run
is "gives the same bytes" "$(results_digest "$tmp/c")" "$(results_digest "$tmp/again")"

# --- started without descriptors, or with a full disk behind them ---

# closed WHAT REDIRECTION: the campaign runs, and can be looked at.
closed() {
    rm -rf "$tmp/closed"
    loop_campaign "$tmp/closed"
    ok "run with $1" sh -c "exec fanfold -C $tmp/closed run $2"
    is "... ends" done "$(state_of "$tmp/closed")"
    is "... as ever" "$(results_digest "$tmp/c")" "$(results_digest "$tmp/closed")"
}
closed "closed standard output" ">&-"
closed "closed standard error" "2>&-"
closed "both closed" ">&- 2>&-"
closed "all closed" "<&- >&- 2>&-"
rm -rf "$tmp/closed"
loop_campaign "$tmp/closed"
exits "what could not be printed fails the command" 1 \
    sh -c "fanfold -C $tmp/closed run >/dev/full"
has "... which says so" "could not be written to standard output" "$out"
is "... when its work is done" done "$(state_of "$tmp/closed")"

done_testing
