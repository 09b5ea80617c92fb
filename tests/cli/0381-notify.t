#!/bin/sh
# 0381-notify - people are told of events: once, whatever becomes of who tells
. "$abs_top_srcdir/tests/cli/tap.sh"

# Stage `wait` ends when there is a file `go`; `label` fails while there is `bad`.
make_campaign() {
    mkdir "$1"
    cat >"$1/campaign.yaml" <<'END'
format: 1
campaign: told
stages:
  wait: {uses: t.wait}
  label: {uses: t.label, with: {n: [1, 2, 3]}, success: 1}
stop: {iterations: 2}
history: {labels: label.count}
operators:
  t.wait:
    outputs: {n: {type: int}}
    command: [sh, -c, 'until [ -e "$1/go" ]; do sleep 0.1; done; echo "{{\"n\": 1}}" >params.json', sh, "{campaign}"]
  t.label:
    fan_out: [n]
    inputs: {n: {type: int}}
    outputs: {m: {type: int}}
    command: [sh, -c, 'if [ -e "$1/bad" ] && [ $2 -gt 1 ]; then echo "no SCF for $2" >&2; exit 1; fi; echo "{{\"m\": 1}}" >params.json', sh, "{campaign}", "{n}"]
END
    cat >"$1/tell" <<'END'
#!/bin/sh
# What stands on standard input is one line of `told`.
[ ! -e slow ] || { sleep 1000 & echo $! >slow.pid; wait; }
[ ! -e deaf ] || { echo "cannot reach the host"; exit 3; }
tr -d '\n' >>told
echo >>told
END
    chmod +x "$1/tell"
    cd "$1" || exit 1
}
tells='[stage_failed, iteration_done, paused, done, stuck]'
# asks EVENTS: they are told by the program.
asks() {
    echo "notify: {$(echo "$1" | tr -d '[]' | sed 's/\([a-z_]*\)\(,\|$\)/\1: ["{campaign}\/tell"]\2/g')}" >>campaign.yaml
}
told() {
    jq -r "$1" told 2>/dev/null | tr '\n' ' ' | sed 's/ $//'
}
journal() {
    cat .fanfold/journal/* | jq -Rc "fromjson? | select(.ev == \"$1\")"
}

# --- what is refused ---

make_campaign "$tmp/a"
touch go
cp campaign.yaml plain.yaml
# refuses WHAT LINE: check says WHAT when campaign.yaml has the line.
refuses() {
    cp plain.yaml campaign.yaml
    echo "$2" >>campaign.yaml
    exits "check refuses $2" 3 fanfold check
    has "... saying so" "$1" "$out"
}
refuses "unknown key 'finished' in notify" "notify: {finished: [sh]}"
refuses "done: got a list; write a list, [program, argument, ...]" "notify: {done: []}"
refuses "an empty program" "notify: {done: ['']}"
refuses "'no-such-program' is in no directory of PATH" "notify: {done: [no-such-program, x]}"
refuses "there is no program '/no/such/program'" "notify: {done: [/no/such/program, x]}"
refuses "is one word, and no shell splits it" "notify: {done: [cat a b]}"
cp plain.yaml campaign.yaml
echo "{format: 1, profiles: {local: {scheduler: local}}, notify: {stuck: [no-such-program]}}" >site.yaml
exits "check refuses it of the site, too" 3 fanfold check
has "... and names that file" "site.yaml:1" "$out"
rm site.yaml

# --- one after the other ---

asks "$tells"
ok "check takes programs that are there" fanfold check
ok "a campaign runs" fanfold run
is "what happened is told, in order" "iteration_done iteration_done done" "$(told .event)"
is "... of which iterations" "0 1 1" "$(told .iteration)"
is "... with counts of tasks" "4 4 4" "$(told .tasks.ok)"
is "... with what the history says" "3 3 3" "$(told .history.labels)"
is "... which campaign" "told $PWD" "$(jq -r '"\(.campaign) \(.directory)"' told | tail -1)"
is "... when, in UTC" 3 "$(jq -r .time told | grep -c '^20[0-9-]*T[0-9:]*Z$')"
is "... each by a name of its own" 3 "$(jq -r .id told | sort -u | wc -l)"
is "... all for the first time" "false false false" "$(told .again)"
ok "another driver" fanfold run
is "... tells nothing again" 3 "$(wc -l <told)"
is "nothing is left of them" "" "$(ls .fanfold/notices)"

# It is no part of what the campaign goes by.
before=$(journal config)
sed -i 's/^notify: .*/notify: {done: [sh, -c, "cat >again"]}/' campaign.yaml
ok "what is told is edited" fanfold run
is "... which is no other definition" "$before" "$(journal config)"
is "... in any recorded one" "" "$(grep -rl notify config)"
is "... and nothing happened by it" done "$(state_of .)"
ok "... nor is told" test ! -e again

# --- a stage fails ---

make_campaign "$tmp/b"
touch go bad
asks "$tells"
exits "a stage fails" 1 fanfold run
is "that is told" "stage_failed" "$(told .event)"
is "... of which stage" "label 0" "$(told '"\(.stage) \(.iteration)"')"
is "... why" "1 of 3 tasks are ok (2 failed)" "$(told .why)"
is "... how its tasks stand" '{"ok":1,"failed":2}' "$(jq -c .tasks told)"
is "... and the first error" "1 failed command 'sh' exited with status 1; its last line: 'no SCF for 2'" \
    "$(told '.first_error | "\(.task) \(.outcome) \(.message)"')"
rm bad
ok "it is tried again" fanfold retry
ok "and paused by a person" fanfold pause
is "... which is told" "stage_failed paused" "$(told .event)"
ok "it is resumed" fanfold resume
ok "... and runs" fanfold run
is "the rest is told" "stage_failed paused iteration_done iteration_done done" "$(told .event)"

# --- the site tells, too ---

make_campaign "$tmp/c"
touch go
cat >site.yaml <<'END'
format: 1
profiles: {local: {scheduler: local}}
notify: {iteration_done: ["{campaign}/tell"], done: [sh, -c, "echo >site"], deadline: 50s}
END
asks '[done]'
ok "a campaign where both files ask" fanfold run
is "what only the site says holds" "iteration_done iteration_done done" "$(told .event)"
ok "what both say is the campaign's" test ! -e site

# --- a program that fails ---

make_campaign "$tmp/d"
touch go deaf
asks '[done]'
ok "a program that fails does not disturb the campaign" fanfold run
has "... is told" "notice of 'done' failed: $PWD/tell exited with status 3: cannot reach the host" "$out"
has "... by status" "notice of 'done' failed: $PWD/tell exited with status 3: cannot reach the host" \
    "$(fanfold status)"
is "... also as JSON" done "$(fanfold status --json | jq -r .notices.failed.event)"
rm deaf
ok "it is not run again" fanfold run
ok "... indeed" test ! -e told
sed -i 's/iterations: 2/iterations: 3/' campaign.yaml
ok "when the campaign goes on" fanfold run
is "... the next one is told" done "$(told .event)"
is "... and status has nothing to say" null "$(fanfold status --json | jq -r .notices.failed)"

make_campaign "$tmp/e"
touch go slow
asks '[done]'
sed -i 's/^notify: {/&deadline: 1s, /' campaign.yaml
ok "a program that hangs" fanfold run
has "... is ended after its deadline" "tell ran out of time after 1" "$out"
ok "... with all that it started" until_ok sh -c "! kill -0 $(cat slow.pid)"

make_campaign "$tmp/f"
touch go slow
asks '[done]'
fanfold run >out 2>&1 &
driver=$!
ok "while a program runs" until_ok test -s slow.pid
kill -TERM $driver
wait $driver
is "a driver that is told to end does" 130 $?
ok "... and so does the program" until_ok sh -c "! kill -0 $(cat slow.pid)"
has "status says that it is left" "1 notice not given yet: the next driver does it" "$(fanfold status)"
rm slow
ok "the next driver" fanfold run
is "... tells it" "done true" "$(told '"\(.event) \(.again)"')"

# --- while a file has problems ---

make_campaign "$tmp/g"
asks '[paused]'
ok "an iteration begins" fanfold advance
cp campaign.yaml good.yaml
echo "stages: [" >>campaign.yaml
fanfold pause >"$tmp/out" 2>&1
ok "what happens while the file has problems is not told" test ! -e told
has "... but waits" "1 notice not given yet" "$(fanfold status 2>/dev/null)"
cp good.yaml campaign.yaml
touch go
ok "it is told" fanfold advance
is "... when the file is good again" paused "$(told .event)"

# --- drivers are killed ---

with_hooks
# killed POINT: the driver is killed there.
killed() {
    FANFOLD_STOP_AT=$1 fanfold run >out 2>&1 &
    driver=$!
    until_ok sh -c "grep -q 'State:.T' /proc/$driver/status || ! kill -0 $driver"
    kill -KILL $driver
    wait $driver 2>/dev/null
    is "a driver is killed at $1" 137 $?
}
make_campaign "$tmp/h"
touch go
asks '[done]'
killed notice.begun
ok "nothing was told" test ! -e told
ok "the next driver" fanfold run
is "... tells it" "done true" "$(told '"\(.event) \(.again)"')"
ok "one more" fanfold run
is "... does not" 1 "$(wc -l <told)"

make_campaign "$tmp/i"
touch go
asks '[done]'
killed notice.ended
is "that was told" "done false" "$(told '"\(.event) \(.again)"')"
ok "the next driver cannot know it" fanfold run
is "... and says that it may be the second time" "false true" "$(told .again)"
is "... by the same name" 1 "$(jq -r .id told | sort -u | wc -l)"
ok "one more" fanfold run
is "... tells nothing" 2 "$(wc -l <told)"

make_campaign "$tmp/j"
touch go
asks '[done]'
killed notice.begun
killed notice.begun
ok "the third driver" fanfold run
ok "... does not try it" test ! -e told
has "... and says so" "notice of 'done' failed: each driver that ran its program ended before" \
    "$(fanfold status)"

# --- nothing moves ---

make_campaign "$tmp/k"
asks '[stuck]'
export FANFOLD_QUIET_S=0.05
looks_stuck() {
    fanfold advance >"$tmp/out" && test -s told
}
ok "a task takes longer than it should, and drivers look" until_ok looks_stuck
is "that is told" "stuck wait 0" "$(told '"\(.event) \(.stage) \(.iteration)"')"
is "... what the longest would be" 1.2 "$(told ".usual_s * 10 | round / 10")"
is "... since when" 1 "$(jq -r .since told | grep -c '^20[0-9-]*T[0-9:]*Z$')"
has "status says it, too" "nothing has moved since" "$(fanfold status)"
has "... and that nobody drives" "no driver runs" "$(fanfold status)"
is "... also as JSON" true "$(fanfold status --json | jq .quiet.long)"
fanfold advance >"$tmp/out"
is "it is told once" 1 "$(wc -l <told)"
touch go
unset FANFOLD_QUIET_S
ok "then it moves" fanfold run
is "... to its end" "stuck" "$(told .event)"
lacks "... of which status knows" "nothing has moved" fanfold status

done_testing
