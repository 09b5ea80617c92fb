#!/bin/sh
# 0871-pbs-outage - a scheduler that takes no jobs, or does not answer: `run` says so
# in its words, `status` and `explain` know since when, cron hears of it once
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/pbs.sh"

fake_up ncpus=4 job_history_enable=True
qmgr -c 'create queue shut'
qmgr -c 'set queue shut enabled = False'
count_calls

# said TEXT: does what the driver printed have it?
said() {
    grep -qF -- "$1" "$tmp/out"
}

told_times() {
    grep -cF -- "$1" "$tmp/out"
}

submitted_again() {
    [ "$(calls qsub)" -ge "$1" ]
}

# --- a queue that is closed ---

c=$tmp/closed
work_campaign "$c" 2
pbs_site "$c" 'queue: shut'
: >"$tmp/calls"
fanfold -C "$c" run >"$tmp/out" 2>&1 &
pid=$!
ok "a closed queue: run says so" until_ok said \
    "the scheduler of profile 'here' (pbs) has taken no jobs since 20"
ok "... in PBS's words, with the key to look at" said \
    'qsub: Queue is not enabled (look at `queue` of the profile); trying again'
is "... after the first qsub" "intent outage" \
    "$(cat "$c"/.fanfold/journal/* | grep -oE '"ev":"(intent|outage)"' | head -2 |
        cut -d'"' -f4 | tr '\n' ' ' | sed 's/ $//')"
has "status tells it" "(pbs) has taken no jobs since 20" "$(fanfold -C "$c" status)"
is "... and --json" "here pbs true qsub: Queue is not enabled (look at \`queue\` of the profile)" \
    "$(fanfold -C "$c" status --json |
        jq -r '.schedulers[] | "\(.profile) \(.scheduler) \(.full) \(.why)"')"
is "... since when" true \
    "$(fanfold -C "$c" status --json | jq --argjson now "$(date +%s)" \
        '.schedulers[0].since_s | . > $now - 3600 and . <= $now + 1')"
has "... explain too" "has taken no jobs" "$(fanfold -C "$c" explain work)"
ok "it is tried again" until_ok submitted_again 3
is "... and not said again" 1 "$(told_times 'has taken no jobs')"
qmgr -c 'set queue shut enabled = True'
wait $pid
is "the queue opens: the campaign ends well" 0 $?
is "... run says how long it was closed" 1 "$(told_times "takes jobs again, after ")"
is "... status knows of nothing" "[]" "$(fanfold -C "$c" status --json | jq -c .schedulers)"
has "... explain tells that it was" "takes jobs again, after " "$(fanfold -C "$c" explain work)"
is "... each task ran once" "0 1 " "$(ran "$c")"

# --- a queue that is full; cron ---

qmgr -c 'set queue shut max_queued = [u:PBS_GENERIC=1]'
other=$(echo 'sleep 1000' | qsub -h -q shut -N other)
c=$tmp/full
work_campaign "$c" 1
pbs_site "$c" 'queue: shut'
status=0
fanfold -C "$c" advance --quiet >"$tmp/out" 2>"$tmp/err" || status=$?
is "a full queue: cron's advance ends with 5" 5 $status
is "... and says it" "1 the scheduler of profile 'here' (pbs) has taken no jobs" \
    "$(wc -l <"$tmp/out") $(sed 's/ since .*//' "$tmp/out")"
has "... in PBS's words" "would exceed queue generic's per-user limit" "$(cat "$tmp/out")"
silent "... once" cat "$tmp/err"
# Looked for twice, it is submitted again, and refused again.
: >"$tmp/calls"
refused_again() {
    status=0
    fanfold -C "$c" advance --quiet >>"$tmp/quiet" 2>&1 || status=$?
    [ "$(calls qsub)" -ge 1 ]
}
ok "cron calls on, and qsub is asked again" until_ok refused_again
is "... with the same exit status" 5 $status
silent "... but nothing is said any more" cat "$tmp/quiet"
has "without --quiet it is" "has taken no jobs since" "$(fanfold -C "$c" advance 2>&1;
    fanfold -C "$c" status)"
is "advance --json has it, too" true \
    "$(fanfold -C "$c" status --json | jq '.schedulers[0].why | contains("per-user limit")')"
qdel "$other"
taken() {
    fanfold -C "$c" advance --quiet >>"$tmp/quiet" 2>&1
    grep -q 'takes jobs again' "$tmp/quiet"
}
ok "there is room: cron says that" until_ok taken
ok "... and run goes on" fanfold -C "$c" run
is "... each task ran once" "0 " "$(ran "$c")"

# --- a server that is down, and one that is slow ---

c=$tmp/down
work_campaign "$c" 2
echo "$waiting" >"$c/behaviour"
fanfold -C "$c" run >"$tmp/out" 2>&1 &
pid=$!
wait_ran "$c" "0 1 "
server stop
ok "the server is stopped: run says so" until_ok said "(pbs) has not answered since 20"
ok "... in the words of its commands" said "cannot connect to server"
has "... status tells it" "has not answered since" "$(fanfold -C "$c" status)"
: >"$tmp/calls"
asked_again() {
    [ "$(calls qstat)" -ge 2 ]
}
ok "... it is asked on" until_ok asked_again
is "... and that is said once" 1 "$(told_times 'has not answered since')"
server start
ok "it answers again, which is said" until_ok said "answers again, after "
: >"$c/go"
wait $pid
is "... the campaign ends well" 0 $?
is "... each task ran once" "0 1 " "$(ran "$c")"

c=$tmp/slow
work_campaign "$c" 1
fake fault qsub slow=2.5 1
fanfold -C "$c" run >"$tmp/out" 2>&1
ok "a qsub that takes long is told while it lasts" said \
    "waiting for the scheduler of profile 'here' (pbs): no answer for 1"
is "... and is no outage" 0 "$(told_times 'answers again')"

# --- one that takes longer than `limits: call` ---

c=$tmp/call
work_campaign "$c" 1
sed -i 's/poll:/call: 1s, poll:/' "$c/site.yaml"
fake fault qstat slow=4
fanfold -C "$c" run >"$tmp/out" 2>&1 &
pid=$!
ok "a qstat that takes 4 s where call: 1s" until_ok said "(pbs) has not answered since 20"
ok "... is given up" said "qstat ran out of time after"
sed -i 's/call: 1s, //' "$c/site.yaml"
wait $pid
is "without that it is waited for, for a minute" 0 $?
is "... and the task ran" "0 " "$(ran "$c")"
c=$tmp/planned # nothing is remembered of what the scheduler told
work_campaign "$c" 1
is "plan waits as long" 0 "$(fanfold -C "$c" plan | grep -c 'does not tell its limits')"
sed -i 's/poll:/call: 1s, poll:/' "$c/site.yaml"
has "... and no longer than that says" \
    "does not tell its limits, arrays are made by the profile's alone: qstat ran out of time after" \
    "$(fanfold -C "$c" plan)"
fake mend

# What logs and results prove needs no scheduler.
c=$tmp/proved
work_campaign "$c" 3
sed -i 's/poll:/call: 5s, poll:/' "$c/site.yaml"
echo "$waiting" >"$c/behaviour"
ok "three tasks are submitted" fanfold -C "$c" advance
ok "... and run" wait_ran "$c" "0 1 2 "
fake fault qstat silent
: >"$c/go"
ok "then qstat is silent: the campaign ends" fanfold -C "$c" run
is "... with all results" "[0,1,2]" "$(fanfold -C "$c" result work n | jq -c .)"
fake mend

# --- this machine: its spool cannot be made ---

c=$tmp/local
work_campaign "$c" 1
sed -i 's/scheduler: pbs/scheduler: local/' "$c/site.yaml"
: >"$tmp/file"
status=0
FANFOLD_SPOOL=$tmp/file/spool fanfold -C "$c" advance --quiet >"$tmp/out" 2>&1 || status=$?
is "the local scheduler cannot work: exit status" 1 $status
has "... why" "paused (the scheduler of profile 'here' cannot be used" "$(cat "$tmp/out")"
has "... with the path" "$tmp/file/spool" "$(cat "$tmp/out")"
has "... status knows it" "cannot be used: $tmp/file/spool" "$(fanfold -C "$c" status)"
ok "it can: resume" fanfold -C "$c" resume
ok "... and the campaign ends well" fanfold -C "$c" run
is "... the task ran once" "0 " "$(ran "$c")"

# --- resume: schedulers are asked anew ---

qmgr -c 'set queue shut enabled = False'
c=$tmp/paused
work_campaign "$c" 1
pbs_site "$c" 'queue: shut'
fanfold -C "$c" advance >"$tmp/out" 2>&1
has "advance: it takes no jobs" "has taken no jobs since" "$(cat "$tmp/out")"
fanfold -C "$c" pause >"$tmp/out" 2>&1
has "paused: status still tells it" "has taken no jobs since" "$(fanfold -C "$c" status)"
qmgr -c 'set queue shut enabled = True'
fanfold -C "$c" resume >"$tmp/out" 2>&1
is "resume: what was said before is forgotten" "[]" \
    "$(fanfold -C "$c" status --json | jq -c .schedulers)"
ok "... and it runs" fanfold -C "$c" run

done_testing
