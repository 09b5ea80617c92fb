#!/bin/sh
# 0863-pbs-people - what people do to jobs, and what PBS refuses, or takes and
# never runs: it is said with the key to mend, and nothing is lost
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/pbs.sh"

pbs_up ncpus=4

# --- qdel, qhold, kill by hand ---

c=$tmp/qdel
work_campaign "$c" 3
sed -i 's/poll:/walltime: 50s, running: 2, poll:/' "$c/site.yaml"
# A task that hears it before its agent does may have an exit status of its own.
ends_with() {
    echo "trap 'exit $1' TERM; until [ -e \"\$1/go\" ]; do sleep 0.1 & wait \$! || :; done"
}
ends_with 9 >"$c/behaviour"
ok "submitted" fanfold -C "$c" advance
ok "two run" wait_ran "$c" "0 1 "
qdel "$(job_of "$c")"
fanfold -C "$c" run >"$tmp/out" 2>&1
is "deleted by hand: the campaign pauses" paused "$(state_of "$c")"
has "... and says so" "cancelled" "$(fanfold -C "$c" status)"
is "... no task failed" 0 "$(run_files "$c" work '*' '*/*/results-*' | xargs -r grep -ho '"outcome":"failed"' | wc -l)"
: >"$c/go"
ok "resume" fanfold -C "$c" resume
ok "... and run" fanfold -C "$c" run
is "... all is there" 3 "$(fanfold -C "$c" result work count)"

c=$tmp/part
work_campaign "$c" 3
# ... or end well, without its outputs.
ends_with 0 >"$c/behaviour"
ok "submitted" fanfold -C "$c" advance
ok "three run" wait_ran "$c" "0 1 2 "
qdel "$(part_of "$(job_of "$c")" 1)"
ok "... one of them ends" wait_parts "$c" '[XF]'
: >"$c/go"
fanfold -C "$c" run >"$tmp/out" 2>&1
is "one element deleted by hand: the campaign pauses" paused "$(state_of "$c")"
ok "resume" fanfold -C "$c" resume
ok "... and run" fanfold -C "$c" run
is "... the deleted one runs again" "0 1 1 2 " "$(ran "$c")"

c=$tmp/held
work_campaign "$c" 2
sed -i 's/poll:/walltime: 50s, running: 1, poll:/' "$c/site.yaml"
echo "$waiting" >"$c/behaviour"
ok "submitted" fanfold -C "$c" advance
ok "one runs" wait_parts "$c" R
qhold "$(job_of "$c")"
has "a hold set by a person stays, and is told" "qrls" "$(told held)"
: >"$c/go"
qrls "$(job_of "$c")"
ok "let go, it runs" fanfold -C "$c" run
is "... each task ran once" "0 1 " "$(ran "$c")"

c=$tmp/killed
work_campaign "$c" 3
echo "$suicide" >"$c/behaviour"
ok "an agent is killed" fanfold -C "$c" run
is "... what it ran runs again, nothing else" "0 1 1 2 " "$(ran "$c")"

# PBS takes no list of indices: what failed is numbered anew.
c=$tmp/sparse
work_campaign "$c" 3
echo 'if [ $2 != 1 ] && mkdir "$1/once-$2" 2>/dev/null; then exit 7; fi' >"$c/behaviour"
ok "the first and the last of three fail" fanfold -C "$c" run
is "... and run again, nothing else" "0 0 1 2 2 " "$(ran "$c")"
has "... as an array from 0 on" "-J 0-1" \
    "$(run_cat "$c" work '000000' '000001/000000/script')"

# --- what is refused, or never runs ---

count_calls
c=$tmp/refused
work_campaign "$c" 2
pbs_site "$c" 'queue: nosuch'
waits_for_key "a wrong queue" queue
has "... in PBS's words" "Unknown queue" "$(fanfold -C "$c" status)"
pbs_site "$c" 'directives: ["-l nosuch=1"]'
ok "resume" fanfold -C "$c" resume
waits_for_key "a resource that is none" directives
: >"$tmp/calls"
for words in 'queue: "a b"' 'qos: long' 'directives: ["-J 0-9"]' 'directives: [-V]' \
    'directives: ["-l select=2"]'; do
    pbs_site "$c" "$words"
    fanfold -C "$c" resume >"$tmp/out" 2>&1
    has "$words is refused here" "${words%%:*}:" "$(cat "$tmp/out")"
done
is "... and never gets to PBS" 0 "$(calls qsub)"
pbs_site "$c"
fanfold -C "$c" resume >/dev/null
ok "mended, it runs" fanfold -C "$c" run
is "... each task ran once" "0 1 " "$(ran "$c")"

c=$tmp/never
work_campaign "$c" 2
sed -i 's/cores: 1, memory/cores: 900, memory/' "$c/site.yaml"
sed -i 's/cores: 1,/cores: 900,/' "$c/campaign.yaml"
ok "more cores than there are: submitted" fanfold -C "$c" advance
has "... status says why it waits for ever, naming the key" '`node`' "$(told 'Can Never Run')"
has "... explain too" "Can Never Run" "$(fanfold -C "$c" explain work)"
ok "cancel" fanfold -C "$c" cancel
fanfold -C "$c" run >/dev/null 2>&1
is "... nothing is left" "" "$(jobs_left "$c")"

# --- limits ---

c=$tmp/throttle
work_campaign "$c" 3
sed -i 's/poll:/walltime: 50s, running: 1, poll:/' "$c/site.yaml"
echo 'mkdir "$1/busy" || echo overlap >>"$1/overlap"; sleep 0.3; rmdir "$1/busy"' >"$c/behaviour"
ok "running: 1" fanfold -C "$c" run
is "... throttles the array" 1 "$(run_cat "$c" work '*' '*/*/script' | grep -c -- '-J 0-2%1$')"
is "... so that no two overlap" "" "$(cat "$c/overlap" 2>/dev/null)"

if is_own; then
    configure max_array_size=3
    c=$tmp/chunks
    work_campaign "$c" 8
    sed -i 's/poll:/walltime: 50s, poll:/' "$c/site.yaml"
    : >"$tmp/calls"
    ok "more elements than max_array_size" fanfold -C "$c" run
    is "... each task ran once" "0 1 2 3 4 5 6 7 " "$(ran "$c")"
    is "... in as few arrays as can be" 3 "$(calls qsub)"

    qmgr -c 'create queue limq queue_type = Execution, enabled = True, started = True'
    qmgr -c 'set queue limq max_queued = [u:PBS_GENERIC=2]'
    qmgr -c 'set queue limq resources_max.walltime = 00:01:00'
    c=$tmp/submit
    work_campaign "$c" 5
    pbs_site "$c" 'queue: limq'
    ok "over max_queued: the surplus waits its turn" fanfold -C "$c" run
    is "... each task ran once" "0 1 2 3 4 " "$(ran "$c")"

    # With another job of the user's there, two never fit.
    other=$(echo 'sleep 100' | qsub -h -q limq -N other)
    c=$tmp/beside
    work_campaign "$c" 3
    pbs_site "$c" 'queue: limq'
    ok "beside another job of the user's: arrays shrink" timeout 120 fanfold -C "$c" run
    is "... each task ran once" "0 1 2 " "$(ran "$c")"
    qdel "$other"

    a=$tmp/one b=$tmp/two
    work_campaign "$a" 4
    work_campaign "$b" 4
    pbs_site "$a" 'queue: limq'
    pbs_site "$b" 'queue: limq'
    timeout 120 fanfold -C "$a" run >"$tmp/out.a" 2>&1 &
    pid=$!
    ok "two campaigns share max_queued" timeout 120 fanfold -C "$b" run
    wait $pid
    is "... and both end" 0 $?
    is "... each task ran once" "0 1 2 3  0 1 2 3 " "$(ran "$a") $(ran "$b")"

    c=$tmp/long
    work_campaign "$c" 2
    pbs_site "$c" 'queue: limq'
    sed -i 's/walltime: 50s/walltime: 10m/' "$c/campaign.yaml"
    fanfold -C "$c" run >"$tmp/out" 2>&1
    has "more time than the queue gives is said at once" "10m00s" "$(cat "$tmp/out")"
    is "... before anything is submitted" "" "$(run_files "$c" work '000000' '000000')"
    qmgr -c 'delete queue limq'
fi

done_testing
