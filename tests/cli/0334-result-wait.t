#!/bin/sh
# 0334-result-wait - wait for what a stage makes, whoever drives
. "$abs_top_srcdir/tests/cli/tap.sh"

# campaign DIR: stage `slow` waits for the file `go`, `fails` fails in iteration 1.
campaign() {
    mkdir -p "$1"
    cp "$abs_top_srcdir/tests/cli/loop/site.yaml" "$1"
    cat >"$1/campaign.yaml" <<'END'
format: 1
campaign: waiting
elements: [Si]
stop: {iterations: 2}
stages:
  slow: {uses: test.slow}
  skipped: {uses: test.slow, when: iteration > 5}
  fails: {uses: test.fails, with: {after: slow.n}, when: iteration > 0, retry: {failed: 1}}
operators:
  test.slow:
    outputs: {n: {type: int}}
    command: [sh, -c, 'until [ -e "$1/go" ]; do sleep 0.02; done; echo "{\"n\": $2}" >params.json',
      sh, "{campaign}", "{iteration}"]
  test.fails:
    inputs: {after: {type: int}}
    command: [sh, -c, "exit 7"]
END
}

c=$tmp/c
campaign "$c"
exits "there is nothing yet" 1 fanfold -C "$c" result slow
exits "an output that there never will be" 2 fanfold -C "$c" result slow energy --wait --timeout 1h
has "... is not waited for" "there is no output 'energy'; there is n, count, proceed" "$out"
exits "a time that is over" 5 fanfold -C "$c" result slow --wait --timeout 0.1s
has "... when nobody drives, which is said" "no driver runs" "$out"
fanfold -C "$c" result slow n --wait >"$tmp/first" 2>"$tmp/first.err" &
first=$!
fanfold -C "$c" result slow n --wait --iteration 1 --timeout 1h >"$tmp/second" 2>"$tmp/second.err" &
second=$!
fanfold -C "$c" result fails --wait --iteration 1 >"$tmp/fails" 2>&1 &
fails=$!
fanfold -C "$c" result skipped --wait >"$tmp/skipped" 2>&1 &
skipped=$!
fanfold -C "$c" run >"$tmp/run" 2>&1 &
run=$!
wait $skipped
is "a stage that is skipped ends the waiting" 1 $?
has "... with the reason" "is skipped in iteration 0: its condition" "$(cat "$tmp/skipped")"
fanfold -C "$c" result slow --wait >"$tmp/interrupted" 2>&1 &
interrupted=$!
until_ok catches_term $interrupted
kill -TERM $interrupted
wait $interrupted
is "who waits is interrupted" 130 $?
: >"$c/go"
wait $first
is "the result ends the waiting" "0 0" "$? $(cat "$tmp/first")"
wait $second
is "... that of an iteration which had not begun, too" "0 1" "$? $(cat "$tmp/second")"
wait $fails
is "a stage that failed does" 1 $?
has "... with the reason" "stage 'fails' is failed in iteration 1" "$(cat "$tmp/fails")"
wait $run
is "the campaign failed for that" 1 $?
ok "what is there is not waited for" fanfold -C "$c" result slow --wait --iteration 0
exits "an iteration that will not come" 1 fanfold -C "$c" result slow --wait --iteration 9
exits "a time without waiting" 2 fanfold -C "$c" result slow --timeout 1s
exits "a time that is none" 2 fanfold -C "$c" result slow --wait --timeout soon

c=$tmp/paused
campaign "$c"
fanfold -C "$c" pause >/dev/null
exits "a campaign that is paused ends the waiting" 1 fanfold -C "$c" result slow --wait
has "... and says so" "and the campaign paused" "$(fanfold -C "$c" result slow --wait 2>&1)"

done_testing
