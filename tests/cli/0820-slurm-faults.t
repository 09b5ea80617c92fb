#!/bin/sh
# 0820-slurm-faults - whatever Slurm does: every task ends exactly once, nothing
# is lost, nothing runs twice, and explain says what happened
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/slurm.sh"

slurm_up --nodes 3 --cpus 2 --set PreemptType=preempt/partition_prio \
    --set PreemptMode=CANCEL \
    --partition 'PartitionName=urgent Nodes=n[1-3] PriorityTier=9'

# --- the controller loses its state and gives ids out again ---

c=$tmp/again
work_campaign "$c" 1
slurm_site "$c" 'directives: [--begin=now+3600]'
ok "a campaign has a job that waits" fanfold -C "$c" advance
job=$(job_of "$c")
testbed stop slurmctld
rm -rf "$FANFOLD_TESTBED"/state/*
ok "the controller begins anew" testbed up
other=$(sbatch --parsable --hold --array=0 --job-name=other --output=/dev/null --wrap 'sleep 1000')
is "... and another job gets the id" "$job" "$other"
sleep 0.5 # the least time between two polls
ok "advance" fanfold -C "$c" advance
lacks "... does not read its state as ours" "holds it" fanfold -C "$c" status
ok "cancel" fanfold -C "$c" cancel
fanfold -C "$c" advance >/dev/null
is "... leaves it alone" "PENDING other" "$(squeue -h -j "$other" -o '%T %j')"
scancel "$other"

# --- sbatch: its reply lost, itself killed, banners ---

wrapped_oddly sbatch

# --- slurmctld stopped: during submit, poll, cancel ---

goes_and_comes "testbed stop slurmctld" "testbed up"

# --- nodes ---

c=$tmp/node
work_campaign "$c" 4
echo 'if [ $2 = 1 ] && mkdir "$1/once" 2>/dev/null; then
    echo $SLURMD_NODENAME >"$1/node"
    exec sleep 1000
fi' >"$c/behaviour"
fanfold -C "$c" run >"$tmp/out" 2>&1 &
pid=$!
until_ok test -s "$c/node"
node=$(cat "$c/node")
testbed crash "$node"
scontrol update nodename="$node" state=down reason=crashed
wait $pid
is "a node dies: the campaign ends well" 0 $?
is "... what ran there runs again, nothing else" "0 1 1 2 3 " "$(ran "$c")"
has "... and explain says why" "node_failure" "$(fanfold -C "$c" explain work 1)"
ok "the node is back" testbed up
scontrol update nodename="$node" state=resume 2>/dev/null

c=$tmp/slurmd
work_campaign "$c" 2
echo "$waiting" >"$c/behaviour"
fanfold -C "$c" run >"$tmp/out" 2>&1 &
pid=$!
ok "tasks run" wait_ran "$c" "0 1 "
testbed kill slurmd.n1
: >"$c/go"
wait $pid
is "slurmd alone dies, the job runs on and ends well" 0 $?
is "... each task ran once" "0 1 " "$(ran "$c")"
ok "slurmd is back" testbed up

c=$tmp/requeue
work_campaign "$c" 2
slurm_site "$c" 'directives: [--requeue]'
echo "$waiting" >"$c/behaviour"
fanfold -C "$c" run >"$tmp/out" 2>&1 &
pid=$!
ok "elements run" wait_state RUNNING 2
ok "an element is requeued" scontrol requeue "$(job_of "$c")_0"
: >"$c/go"
wait $pid
is "... and the campaign ends well" 0 $?
is "... with every result once" 2 "$(fanfold -C "$c" result work count)"

# A node that lost only its slurmd is taken for dead: its element is requeued and
# starts elsewhere while the first copy runs on.
c=$tmp/copies
work_campaign "$c" 1
slurm_site "$c" 'directives: [--requeue, --nodelist=n1]'
cat >"$c/behaviour" <<'END'
echo "$SLURMD_NODENAME" >>"$1/nodes"
echo "on $SLURMD_NODENAME" >&2
until [ -e "$1/go" ]; do sleep 0.1; done
END
fanfold -C "$c" run >"$tmp/out" 2>&1 &
pid=$!
ok "an element runs" wait_state RUNNING
until_ok test -s "$c/nodes"
testbed kill slurmd.n1
scontrol update nodename=n1 state=down reason=silent
scontrol update job="$(job_of "$c")" nodelist=n2 2>/dev/null ||
    scontrol update job="$(job_of "$c")_0" nodelist=n2
two_copies() {
    [ "$(sort -u "$c/nodes" | wc -l)" -eq 2 ]
}
until_ok two_copies
is "two copies run, on two nodes" "n1 n2 " "$(sort "$c/nodes" | tr '\n' ' ')"
: >"$c/go"
wait $pid
is "... the campaign ends well" 0 $?
is "... with one result" 1 "$(fanfold -C "$c" result work count)"
is "... each with a claim of its own, and its own output" "2 2" \
    "$(find "$c/.fanfold/run" -name 'results-0.*' | wc -l) $(find "$c/.fanfold/run" -name 'output-0.*' | wc -l)"
ok "slurmd is back" testbed up
scontrol update nodename=n1 state=resume 2>/dev/null

# The controller goes away while a driver in the foreground asks it.
c=$tmp/poll
work_campaign "$c" 2
echo "$waiting" >"$c/behaviour"
fanfold -C "$c" run >"$tmp/out" 2>&1 &
pid=$!
ok "tasks run" wait_ran "$c" "0 1 "
testbed stop slurmctld
: >"$c/go"
two_results() {
    [ "$(run_cat "$c" work '*' '*/*/results-*' | grep -c '"outcome":"ok"')" -eq 2 ]
}
until_ok two_results
ok "the controller is back" testbed up
wait $pid
is "a driver outlives the controller's absence" 0 $?
is "... each task ran once" "0 1 " "$(ran "$c")"
none_left

# --- ends that are not the task's own ---

c=$tmp/preempted
work_campaign "$c" 2
echo 'mkdir "$1/once-$2" 2>/dev/null && sleep 1000' >"$c/behaviour"
sed -i '$a:' "$c/behaviour"
fanfold -C "$c" run >"$tmp/out" 2>&1 &
pid=$!
both_began() {
    [ -d "$c/once-0" ] && [ -d "$c/once-1" ]
}
until_ok both_began
sbatch -Q -p urgent -N3 -n6 -o /dev/null --wrap true >/dev/null
wait $pid
is "preempted: the campaign ends well" 0 $?
is "... every result once" 2 "$(fanfold -C "$c" result work count)"
has "... and explain says so" "preempted" "$(fanfold -C "$c" explain work)"

c=$tmp/memory
work_campaign "$c" 2
echo 'if [ $2 = 0 ] && mkdir "$1/once" 2>/dev/null; then
    exec awk "BEGIN { s = \"x\"; while (length (s) < 1000000000) s = s s; while (1) n++ }"
fi' >"$c/behaviour"
sed -i 's/walltime: 50s/walltime: 50s, memory: 100MiB/' "$c/campaign.yaml"
fanfold -C "$c" run >"$tmp/out" 2>&1
is "over its memory: the campaign ends well" 0 $?
is "... every result once" 2 "$(fanfold -C "$c" result work count)"
is "... the one that was killed ran again" "0 0 1 " "$(ran "$c")"

c=$tmp/walltime
work_campaign "$c" 2
echo 'mkdir "$1/once-$2" 2>/dev/null && exec sleep 1000' >"$c/behaviour"
sed -i '$a:' "$c/behaviour"
fanfold -C "$c" run >"$tmp/walltime.out" 2>&1 &
walltime=$! # looked at below

# --- a person ---

c=$tmp/scancel
work_campaign "$c" 3
sed -i 's/poll:/running: 2, poll:/' "$c/site.yaml"
echo "$waiting" >"$c/behaviour"
ok "submitted" fanfold -C "$c" advance
scancel "$(job_of "$c")"
fanfold -C "$c" run >"$tmp/out" 2>&1
is "cancelled by hand: the campaign pauses" paused "$(state_of "$c")"
has "... and says so" "cancelled" "$(fanfold -C "$c" status)"
: >"$c/go"
ok "resume" fanfold -C "$c" resume
ok "... and run" fanfold -C "$c" run
is "... all is there" 3 "$(fanfold -C "$c" result work count)"

# --- what took its time ---

c=$tmp/walltime
wait $walltime
is "out of time: the campaign ends well" 0 $?
is "... with another try for each" "0 0 1 1 " "$(ran "$c")"
has "... and explain says why" "timeout" "$(fanfold -C "$c" explain work 0)"
late_submission_ends

done_testing
