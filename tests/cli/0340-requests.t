#!/bin/sh
# 0340-requests - pause, resume, cancel, retry, skip, and two drivers
. "$abs_top_srcdir/tests/cli/tap.sh"

# A campaign of one stage whose task waits for the file `go`.
waiting_campaign() {
    mkdir -p "$1"
    cat >"$1/campaign.yaml" <<'END'
format: 1
campaign: waiting
elements: [Si]
stages:
  wait:
    uses: test.wait
    retry: {failed: 1}
  then:
    uses: test.then
    with: {n: wait.n}
stop: {iterations: 1}
operators:
  test.wait:
    outputs: {n: {type: int}}
    command: [sh, -c, 'until [ -e "$1/go" ]; do sleep 0.02; done; [ ! -e "$1/fail" ] && echo "{{\"n\": 5}}" > "$2"', sh, "{campaign}", "{outputs.params}"]
  test.then:
    inputs: {n: {type: int}}
    outputs: {m: {type: int}}
    command: [sh, -c, 'echo "{{\"m\": $1}}" > "$2"', sh, "{n}", "{outputs.params}"]
END
    cp "$abs_top_srcdir/tests/cli/loop/site.yaml" "$1"
}

status_is() {
    fanfold -C "$1" status --json | jq -e "$2"
}

# Wait until a jq expression over the status holds.
until_status() {
    until_ok status_is "$1" "$2"
}
running='.stages[0].tasks.running == 1'

has "help of a command" "Usage: fanfold redo [--iteration N] [--json] [--yes] [STAGE]" "$(fanfold help redo)"
exits "... that there is not" 2 fanfold help rdeo
c=$tmp/pause
waiting_campaign "$c"
fanfold -C "$c" run >"$tmp/out" 2>&1 &
pid=$!
ok "a task runs" until_status "$c" "$running"
exits "a second driver is told to go" 4 fanfold -C "$c" advance
has "... and by whom" "pid $pid" "$(fanfold -C "$c" advance 2>&1)"
is "... but cron is not" 4: "$(fanfold -C "$c" advance --quiet 2>&1; echo $?:)"
# Where the driver is slow, the answer is that it will do it.
refused() {
    fanfold -C "$c" retry wait >"$tmp/out.2" 2>&1
    [ $? -eq 1 ] && grep -q "'wait' is running" "$tmp/out.2"
}
ok "what a driver refuses is told to who asked" until_ok refused
ok "pause while somebody drives" fanfold -C "$c" pause
ok "... the driver does it" until_status "$c" '.state == "paused"'
touch "$c/go"
wait $pid
is "... follows what runs to its end, and stops" 0 $?
is "nothing new began" waiting "$(fanfold -C "$c" status --json | jq -r '.stages[1].state')"
ok "resume" fanfold -C "$c" resume
ok "run goes on" fanfold -C "$c" run
is "to the end" 5 "$(fanfold -C "$c" result then m)"

c=$tmp/cancel
waiting_campaign "$c"
fanfold -C "$c" advance >/dev/null
ok "advance leaves a task running" until_status "$c" "$running"
has "... which explain tells, too" "task 0: running, 1 try" "$(fanfold -C "$c" explain wait 0)"
ok "cancel when nobody drives" fanfold -C "$c" cancel
ok "... what ends is cancelled, by what the logs tell" until_status "$c" '.stages[0].tasks.cancelled == 1'
has "... also to who looks at the task" "task 0: cancelled, 1 try" "$(fanfold -C "$c" explain wait 0)"
advanced_to_cancel() {
    fanfold -C "$c" advance
    status_is "$c" '.stages[0].tasks.cancelled == 1'
}
ok "... the task ends" until_ok advanced_to_cancel
is "... and the campaign is paused" paused "$(state_of "$c")"
touch "$c/go"
ok "resume runs it again" fanfold -C "$c" resume
ok "... to the end" fanfold -C "$c" run
is "... with its result" 5 "$(fanfold -C "$c" result then m)"

c=$tmp/retry
waiting_campaign "$c"
touch "$c/go" "$c/fail"
exits "a failing task fails the campaign" 1 fanfold -C "$c" run
is "... which says so" failed "$(state_of "$c")"
has "... and what to do" '`fanfold log wait --failed` shows why; fix it, then run `fanfold retry`' \
    "$(fanfold -C "$c" status)"
has "... as run does" 'fix it, then run `fanfold retry`' "$out"
has "... and why" "exited with status 1" "$(fanfold -C "$c" explain wait 0)"
ok "the directory of the task that explain names is there" \
    test -e "$c/$(fanfold -C "$c" explain wait 0 | sed -n 's/^task directory: //p')/task.json"
exits "... for every further step" 1 fanfold -C "$c" advance
exits "resume is not enough" 1 fanfold -C "$c" resume
rm "$c/fail"
fanfold -C "$c" retry wait >"$tmp/out"
is "retry" 0 $?
has "... says what it does" "wait: task 0 gets new tries" "$(cat "$tmp/out")"
has "... and who goes on" '`fanfold run`, or `fanfold advance` from cron, goes on' "$(cat "$tmp/out")"
has "... and so does explain" "retry was asked for: wait: task 0 gets new tries" \
    "$(fanfold -C "$c" explain wait)"
fanfold -C "$c" run >"$tmp/out" 2>&1
is "... mends it" 0 $?
is "... run tells which iteration goes on" "iteration 0" "$(head -n 1 "$tmp/out" | cut -d " " -f 3-)"
is "... with its result" 5 "$(fanfold -C "$c" result then m)"
exits "a finished campaign cannot be retried" 1 fanfold -C "$c" retry wait

c=$tmp/skip
waiting_campaign "$c"
touch "$c/go" "$c/fail"
exits "it fails" 1 fanfold -C "$c" run
exits "skip wants a stage" 2 fanfold -C "$c" skip
ok "skip the failed stage" fanfold -C "$c" skip wait
ok "... and go on" fanfold -C "$c" run
is "what needs it is skipped too" skipped \
    "$(fanfold -C "$c" status --json | jq -r '.stages[1].state')"

done_testing
