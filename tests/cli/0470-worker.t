#!/bin/sh
# 0470-worker - workers: one process for many tasks, of which each end costs one task
# at most
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/worker.sh"

# --- as it should be ---

c=$tmp/good
worker_campaign "$c" 'ok, ok, reports, ok, orphan, ok, ok, ok, ok, ok' start "$tmp/byes"
ok "ten tasks" fanfold -C "$c" run
ok "... by two processes at most" test "$(column "$c" pid | sort -u | wc -l)" -le 2
ok "... of which one had several" test "$(column "$c" nth | sort -n | tail -n 1)" -ge 5
is "... each told that no more come" "$(column "$c" pid | sort -u | wc -l)" \
    "$(grep -c bye "$tmp/byes")"
is "a task's log is what was printed during it" "this is task 3" \
    "$(fanfold -C "$c" log work 3 | grep this)"
has "... and names the worker" "task 3 command 1: python3" "$(fanfold -C "$c" log work 3)"
r=$c/work/test/iter/000000/job/000002/out/result.json
is "its last report is in the result" 1999 "$(jq .run.report.worker.step "$r")"
is "... with the worker" "worker.py 1" "$(jq -r .run.worker.program "$r")"
ok "... and how many tasks it had before" jq -e .run.worker.tasks_before "$r"
ok "nothing is left of the workers' directories" \
    [ -z "$(run_files "$c" work 000000 '000000/000000/work/0.0')" ]
ok "nothing is left running" until_is "" pgrep -f "$c"

d=$tmp/again
slots=1 worker_campaign "$d" 'ok, ok, reports, ok, orphan, ok, ok, ok, ok, ok' start
ok "on one slot" fanfold -C "$d" run
is "... one process" 1 "$(column "$d" pid | sort -u | wc -l)"
is "... and the same files" "$(texts "$c")" "$(texts "$d")"
has "seeds are the tasks' own" "task 9 seed $(jq .seed "$c/work/test/iter/000000/job/000009/out/result.json") " "$(texts "$d")"

d=$tmp/reused
worker_campaign "$d" 'ok, ok' start
fanfold -C "$d" run >/dev/null 2>&1
cp -r "$d" "$tmp/copy" && rm -rf "$tmp/copy/.fanfold" "$tmp/copy/work"
has "what a worker made is reused" "2 reused" "$(fanfold -C "$tmp/copy" run --reuse-from "$d")"

# --- each misbehaviour costs the task in hand ---

slots=1
once="success: 0.6
    retry: {failed: 1, bad_output: 1, timeout: 1, out_of_memory: 1}"

# costs WHAT DO OUTCOME MESSAGE [YAML]: the second of three tasks ends so, the others
# are ok, on one slot.
costs() {
    c=$tmp/costs-$2
    stage_keys="${5:+$5
    }$once"
    worker_campaign "$c" "ok, $2, ok" start
    ok "$1" fanfold -C "$c" run
    has "... is $3" "task 1: $3" "$(fanfold -C "$c" explain work 1)"
    has "... told" "$4" "$(fanfold -C "$c" explain work 1)"
    is "... and costs no other task" "ok null ok" "$(column "$c" pid | sed 's/^[0-9].*/ok/' | tr '\n' ' ' | sed 's/ $//')"
    ok "... nothing is left running" until_is "" pgrep -f "$c"
}
protocol="the worker 'python3' broke the protocol of fanfold-worker(7): it"
costs "a worker that is killed" die failed "the worker 'python3' was killed by signal 9 (Killed); its last line: 'this is task 1'"
costs "one that exits with 0" exit failed "the worker 'python3' exited with status 0 before it ended its task"
costs "one that exits with a fatal status" exit-7 fatal "exited with status 7 before"
costs "one that prints what is no message" garbage failed "$protocol printed 'loading?[2J the model', which is no message: line:1:8: a control"
costs "a line that is too long" huge failed "$protocol wrote a line of more than 65536 bytes"
costs "a line without end" endless failed "$protocol wrote a line of more than 65536 bytes"
costs "the result of another task" wrong-task failed "$protocol wrote result of task 2 while it had task 1"
costs "a second hello" hello-again failed "$protocol said hello twice"
costs "half a message" half failed "exited with status 1 before"
costs "one that closes its output" mute failed "$protocol closed its standard output and did not exit"
costs "one that stalls" stall timeout "was ended: it took longer than its walltime of 4.0s" "task: {walltime: 4s}"
costs "one that takes too much memory" memory out_of_memory "of its memory of 60.0 MiB" "task: {memory: 60MiB}"
costs "parameters that are not there" no-params bad_output "output 'pid'"

# A worker that tells of its task's end goes on.
for kind in failed fatal bad_input bad_output out_of_memory; do
    c=$tmp/kind-$kind
    stage_keys=$once worker_campaign "$c" "ok, $kind, ok" start
    ok "an error of the kind $kind" fanfold -C "$c" run
    has "... is that of its task" "task 1: $kind" "$(fanfold -C "$c" explain work 1)"
    has "... with what the worker says" "the worker 'python3' says: so it is: $kind; its last line: 'this is task 1'" "$(fanfold -C "$c" explain work 1)"
    has "... and the task's log" "this is task 1" "$(fanfold -C "$c" log work 1)"
    is "... and the worker goes on" "1 null 3" "$(column "$c" nth | tr '\n' ' ' | sed 's/ $//')"
done

# What comes with or behind a result costs nothing.
for what in result-and-exit bye closes-input result-twice; do
    c=$tmp/fresh-$what
    tries=1
    case $what in result-* | closes-input) tries=2 ;; esac # it may have the next task by then
    stage_keys="task: {walltime: 60s}
    retry: {failed: $tries}" worker_campaign "$c" "ok, $what, ok" start
    ok "$what: all tasks are ok" fanfold -C "$c" run
    is "... the next by a fresh process" "1 2 1" "$(column "$c" nth | tr '\n' ' ' | sed 's/ $//')"
done

# --- its start ---

stage_keys="retry: {failed: 2, timeout: 1}"

# starts WHAT ARGUMENT OUTCOME MESSAGE
starts() {
    c=$tmp/starts-$2
    worker_campaign "$c" 'ok' "$2"
    exits "$1" 1 fanfold -C "$c" run
    has "... is $3" "task 0: $3" "$(fanfold -C "$c" explain work 0)"
    has "... told" "$4" "$(fanfold -C "$c" explain work 0)"
}
starts "a worker of another protocol" newer 'fatal, 1 try' "$protocol speaks protocol 2, and this program protocol 1; take a worker that does"
starts "one that does not start" no-hello 'failed, 2 tries' "exited with status 1 before it ended its task and printed nothing"
starts "one that exits after hello" hello-and-exit 'failed, 2 tries' "before it ended its task"
starts "a result before hello" early 'failed, 2 tries' "$protocol wrote result before it said hello"
stage_keys="$stage_keys
    task: {walltime: 1s}"
starts "a start that takes too long" slow 'timeout, 1 try' "it took longer than its walltime of 1.0s"

# --- killed from outside ---

slots=2
stage_keys=

c=$tmp/killed
worker_campaign "$c" 'ok, stall-once, ok, ok' start
fanfold -C "$c" run >"$tmp/out" 2>&1 &
pid=$!
until_ok [ -e "$c/work/test/iter/000000/job/000003" ]
until_ok [ -e "$c/stalled" ] # else it would stall when it runs again
pkill -KILL -f "$c"
wait $pid
ok "killed with the agent, no worker is left" until_is "" pgrep -f "$c"
ok "... and what it had not done is done" fanfold -C "$c" run
is "... all of it" 4 "$(fanfold -C "$c" result work count)"

# One dies while the other has no task: that one stays, and is told bye.
c=$tmp/beside
stage_keys='success: 0.6'
worker_campaign "$c" 'ok, ok, die-last' start "$tmp/beside.byes"
ok "a worker dies beside one that has nothing to do" fanfold -C "$c" run
is "... which is told bye" bye "$(sort -u "$tmp/beside.byes")"
stage_keys=

c=$tmp/cancelled
worker_campaign "$c" 'ok, deaf, ok, ok' start
fanfold -C "$c" run >"$tmp/out" 2>&1 &
pid=$!
until_ok [ -e "$c/work/test/iter/000000/job/000003" ]
ok "cancelled, with one that does not listen to SIGTERM" fanfold -C "$c" cancel
wait $pid
ok "... nothing is left running" until_is "" pgrep -f "$c/worker.py"

done_testing
