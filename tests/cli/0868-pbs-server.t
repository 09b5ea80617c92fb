#!/bin/sh
# 0868-pbs-server - whatever a site does to its server and to qsub: stopped and
# started, forgetful, without a history: every task ends exactly once
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/pbs.sh"

own_pbs_up ncpus=4

# finished DIR: how many tasks have ended, by what they left.
finished() {
    run_cat "$1" work '*' '*/*/results-*' | grep -c '"end"'
}

# wait_copy PART: until the record of an ended sub-job is one of its array.
wait_copy() {
    until_ok sh -c "qstat -f -x -t '$1' | grep 'comment = Subjob finished'"
}

# --- qsub: what a site wraps around it ---

wrapped_oddly qsub

# --- stopped, and started: during submit, poll, cancel; while elements end ---

goes_and_comes "server stop" "server start"

c=$tmp/outage
work_campaign "$c" 4
echo "$waiting" >"$c/behaviour"
fanfold -C "$c" run >"$c.out" 2>&1 &
pid=$!
ok "elements run" wait_ran "$c" "0 1 2 3 "
server stop
: >"$c/go"
ok "... and end while the server is stopped" until_is 4 finished "$c"
server start
wait $pid
is "... the campaign ends well" 0 $?
undisturbed "... as it says"

# --- an element is run again; is out of time ---

c=$tmp/rerun
runs_again qrerun

c=$tmp/walltime
work_campaign "$c" 2
sed -i 's/walltime: 50s/walltime: 3s/' "$c/campaign.yaml"
echo 'mkdir "$1/once-$2" 2>/dev/null && exec sleep 1000' >"$c/behaviour"
sed -i '$a:' "$c/behaviour"
fanfold -C "$c" run >"$c.out" 2>&1
is "out of time: the campaign ends well" 0 $?
is "... with another try for each" "0 0 1 1 " "$(ran "$c")"
has "... and explain says why" "timeout" "$(fanfold -C "$c" explain work 0)"

# --- ids that are purged ---

c=$tmp/purged
work_campaign "$c" 4
echo "$waiting" >"$c/behaviour"
ok "submitted" fanfold -C "$c" advance
: >"$c/go"
until_is "0 1 2 3 " ran "$c"
until_is "" jobs_left "$c"
qdel -x "$(job_of "$c")"
is "the server has forgotten the job" "" "$(qstat -x "$(job_of "$c")" 2>/dev/null)"
ok "... the logs have to do" fanfold -C "$c" run
undisturbed "... the campaign ends well"

# The array lives for longer than the server remembers its elements.
configure job_history_duration=00:00:01
c=$tmp/short
work_campaign "$c" 3
sed -i 's/walltime: 50s/walltime: 20m/' "$c/campaign.yaml"
echo "$suicide" >"$c/behaviour"
echo '[ $2 != 2 ] || until [ -e "$1/go" ]; do sleep 0.1; done' >>"$c/behaviour"
fanfold -C "$c" run >"$c.out" 2>&1 &
pid=$!
until_ok test -e "$c/once"
ok "an agent is killed, and its element forgotten" wait_copy "$(part_of "$(job_of "$c")" 1)"
: >"$c/go"
wait $pid
is "... nobody takes that for a qdel: the campaign ends well" 0 $?
is "... what left no word runs again" "0 1 1 2 " "$(ran "$c")"
has "... and explain says so" "lost" "$(fanfold -C "$c" explain work 1)"
configure job_history_duration=336:00:00

# --- no history; it is switched off, and on, while elements run ---

looked_again() {
    [ "$(calls 'qstat -f -t')" -ge "$1" ]
}

# history_is VALUE: from when the elements of a campaign have been looked at.
history_is() {
    c=$tmp/history-$1
    work_campaign "$c" 4
    sed -i 's/settle: .*}/settle: 0.5s, visibility: 1s, walltime: 50s, running: 2}/' \
        "$c/site.yaml"
    printf '%s\n' "$waiting" "$suicide" >"$c/behaviour"
    : >"$tmp/calls"
    fanfold -C "$c" run >"$c.out" 2>&1 &
    pid=$!
    wait_ran "$c" "0 1 "
    until_ok looked_again 1
    configure job_history_enable="$1"
    : >"$tmp/calls"
    ok "two elements run, two wait, and the history is: $1" until_ok looked_again 8
    : >"$c/go"
    wait $pid
    is "... the campaign ends well" 0 $?
    is "... the task whose agent is killed runs again, nothing else" "0 1 1 2 3 " \
        "$(ran "$c")"
    none_left
}

count_calls
history_is False

c=$tmp/blank
work_campaign "$c" 4
echo 'if [ $2 = 2 ] && mkdir "$1/once" 2>/dev/null; then exit 7; fi' >"$c/behaviour"
ok "no history, and a task that fails once" fanfold -C "$c" run
is "... it runs again, nothing else" "0 1 2 2 3 " "$(ran "$c")"

c=$tmp/blank-killed
work_campaign "$c" 3
echo "$suicide" >"$c/behaviour"
ok "no history, and an agent that is killed" fanfold -C "$c" run
is "... what left no word runs again" "0 1 1 2 " "$(ran "$c")"
has "... and explain says so" "lost" "$(fanfold -C "$c" explain work 1)"

history_is True

# --- what took its time ---

late_submission_ends

done_testing
