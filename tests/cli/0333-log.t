#!/bin/sh
# 0333-log - what tasks print: the first that failed, all that failed, one that
# runs, an earlier try
. "$abs_top_srcdir/tests/cli/tap.sh"

# campaign DIR: task 1 fails in both tries, task 3 in its first; 2 waits for `go`.
campaign() {
    mkdir -p "$1"
    cp "$abs_top_srcdir/tests/cli/loop/site.yaml" "$1"
    cat >"$1/campaign.yaml" <<'END'
format: 1
campaign: logs
elements: [Si]
models: 4
stop: {iterations: 1}
stages:
  work: {uses: test.work, success: 0.5}
  skipped: {uses: test.work, when: iteration > 5}
operators:
  test.work:
    fan_out: [m]
    inputs: {m: {type: int, from: models}}
    outputs: {n: {type: int}}
    command: [sh, "{campaign}/task.sh", "{campaign}", "{m}"]
END
    cat >"$1/task.sh" <<'END'
echo "task $2 begins"
try=1
mkdir "$1/first-$2" 2>/dev/null || try=2
echo "this is try $try"
case $2-$try in
1-*) seq 30; echo "no convergence"; exit 3 ;;
3-1) echo "a bad start"; exit 4 ;;
2-*) until [ -e "$1/go" ]; do sleep 0.02; done; seq 2000 ;;
esac
echo "task $2 ends"
echo '{"n": 1}' >params.json
END
}

c=$tmp/c
campaign "$c"
exits "a task of a campaign that has not begun" 1 fanfold -C "$c" log work
fanfold -C "$c" run >"$tmp/run" 2>&1 &
run=$!
until_ok fanfold -C "$c" log work 2
fanfold -C "$c" log work 2 --follow >"$tmp/follow" 2>"$tmp/follow.err" &
follow=$!
fanfold -C "$c" log work 1 --follow >"$tmp/one" 2>"$tmp/one.err" &
one=$!
ok "what a running task prints is shown while it runs" until_ok grep -q "this is try 1" "$tmp/follow"
ok "... and by log" sh -c "fanfold -C '$c' log work 2 | grep -q 'task 2 begins'"
fanfold -C "$c" log work 2 --follow >"$tmp/interrupted" 2>&1 &
interrupted=$!
until_ok grep -q "this is try 1" "$tmp/interrupted"
kill -TERM $interrupted
wait $interrupted
is "following is interrupted: exit status" 130 $?
has "... and the task is not" "the task goes on" "$(cat "$tmp/interrupted")"
: >"$c/go"
wait $follow
is "following ends with the task" 0 $?
has "... and says how" "task 2, try 1: ok" "$(cat "$tmp/follow.err")"
wait $run
is "the campaign ends" 0 $?
wait $one
is "a task that failed is followed to its last try: exit status" 1 $?
is "all it printed was shown, once" "$(fanfold -C "$c" log work 2 | sha256sum)" "$(sha256sum <"$tmp/follow")"
is "the first 's is whole, too" "1 1" \
    "$(grep -c 'this is try 1' "$tmp/one") $(grep -c 'this is try 2' "$tmp/one")"
has "... with the end of each try" "task 1, try 1: failed: command 'sh' exited with status 3" "$(cat "$tmp/one.err")"
has "... and of the task" "task 1 of stage 'work' ended failed after 2 tries" "$(cat "$tmp/one.err")"

has "without a task the first that failed is shown" "no convergence" "$(fanfold -C "$c" log work 2>"$tmp/err")"
is "... which is said beside its output" \
    "task 1, try 2: failed: command 'sh' exited with status 3; its last line: 'no convergence'" "$(cat "$tmp/err")"
has "an earlier try" "this is try 1" "$(fanfold -C "$c" log work 1 --try 1)"
has "... of one that ended well at last" "a bad start" "$(fanfold -C "$c" log work 3 --try 1)"
has "... whose newest did" "task 3 ends" "$(fanfold -C "$c" log work 3)"
exits "a try that was not" 1 fanfold -C "$c" log work 3 --try 3
has "... and how many there were" "task 3 of stage 'work' in iteration 0 has 2 tries" \
    "$(fanfold -C "$c" log work 3 --try 3 2>&1)"
failed=$(fanfold -C "$c" log work --failed)
is "--failed shows those that failed at last" \
    "==> task 1, try 2: failed: command 'sh' exited with status 3; its last line: 'no convergence'" \
    "$(printf '%s\n' "$failed" | grep '==>')"
is "... the last lines of each" "12 no convergence" \
    "$(printf '%s\n' "$failed" | sed -n '3p;$p' | paste -sd' ')"
ok "... or where they are" test -s "$(fanfold -C "$c" log work --failed --path)"
is "following what has ended shows it" "$(fanfold -C "$c" log work 0)" \
    "$(fanfold -C "$c" log work 0 --follow 2>/dev/null)"
exits "a stage that was skipped has no log" 1 fanfold -C "$c" log skipped
exits "... and none to follow" 1 fanfold -C "$c" log skipped --follow
exits "a task that is not there" 1 fanfold -C "$c" log work 4
exits "--failed names no task" 2 fanfold -C "$c" log work 1 --failed
exits "--follow has no tries" 2 fanfold -C "$c" log work 1 --follow --try 1
exits "tries are counted from 1" 2 fanfold -C "$c" log work 1 --try 0

# Nobody drives while the task ends.
c=$tmp/alone
campaign "$c"
begin() {
    fanfold -C "$c" advance
    fanfold -C "$c" log work 2
}
until_ok begin
fanfold -C "$c" log work 2 --follow >"$tmp/alone.out" 2>&1 &
follow=$!
until_ok grep -q "this is try 1" "$tmp/alone.out"
: >"$c/go"
wait $follow
is "following needs no driver" 0 $?
has "... to the end of the task" "task 2 ends" "$(cat "$tmp/alone.out")"

# The slot has another task before who follows looks again.
c=$tmp/slot
campaign "$c"
sed -i 's/cores: 2/cores: 1/' "$c/site.yaml"
sed -i 's/models: 4/models: 2/; s/success: 0.5/task: {cores: 1}/' "$c/campaign.yaml"
cat >"$c/task.sh" <<'END'
echo "task $2 begins"
until [ -e "$1/go-$2" ]; do sleep 0.02; done
seq 20000
echo '{"n": 1}' >params.json
END
fanfold -C "$c" run >"$tmp/run" 2>&1 &
run=$!
until_ok fanfold -C "$c" log work 0
fanfold -C "$c" log work 0 --follow >"$tmp/follow" 2>"$tmp/follow.err" &
follow=$!
until_ok grep -q "task 0 begins" "$tmp/follow"
kill -STOP $follow
: >"$c/go-0"
begun() {
    fanfold -C "$c" log work 1 | grep -q "task 1 begins"
}
until_ok begun
kill -CONT $follow
wait $follow
is "a task is followed whose slot another one has by now" 0 $?
is "... to its end, and no further" "$(fanfold -C "$c" log work 0 | sha256sum)" \
    "$(sha256sum <"$tmp/follow")"
: >"$c/go-1"
wait $run
is "... which harms neither" 0 $?

# A stage that fails in prepare or collect shows what that said.
for step in prepare collect; do
    c=$tmp/$step
    campaign "$c"
    declared='outputs: {x: {type: int}}'
    [ $step = collect ] || declared='slices: {x: {type: int}}'
    sed -i "s/, success: 0.5//; /outputs: {n/a\    $step: {$declared, command: [sh, -c, 'echo not $step; exit 3']}" \
        "$c/campaign.yaml"
    echo 'echo "{\"n\": 1}" >params.json' >"$c/task.sh"
    exits "$step fails" 1 fanfold -C "$c" run
    is "... and log shows what it said" "not $step" "$(fanfold -C "$c" log work 2>"$tmp/err")"
    has "... and why" "stage 'work' failed in iteration 0: " "$(cat "$tmp/err")"
    is "... as --failed does" "not $step" "$(fanfold -C "$c" log work --failed 2>/dev/null)"
    is "... with its file" "not $step" "$(cat "$(fanfold -C "$c" log work --path)")"
done

# More failures than are shown; one of a campaign that nobody drives.
c=$tmp/many
campaign "$c"
sed -i 's/models: 4/models: 23/; s/, success: 0.5/, retry: {failed: 1}/' "$c/campaign.yaml"
echo 'echo "why $2"; exit 1' >"$c/task.sh"
exits "all tasks fail" 1 fanfold -C "$c" run
is "twenty are shown" 20 "$(fanfold -C "$c" log work --failed 2>/dev/null | grep -c '^why')"
has "... and the rest counted" "and 3 more" "$(fanfold -C "$c" log work --failed 2>&1 >/dev/null)"
c=$tmp/paused
campaign "$c"
ok "a campaign that is paused" fanfold -C "$c" pause
exits "... has nothing to follow" 1 fanfold -C "$c" log work --follow

done_testing
