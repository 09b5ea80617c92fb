#!/bin/sh
# 0840-slurm-limits - what Slurm refuses, what it takes and never runs, and how
# large an array may be
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/slurm.sh"

slurm_up --nodes 2 --set MaxArraySize=3 --set MinJobAge=20
count_calls

c=$tmp/chunks
work_campaign "$c" 8
sed -i 's/poll:/walltime: 50s, poll:/' "$c/site.yaml"
: >"$tmp/calls"
ok "more elements than MaxArraySize" fanfold -C "$c" run
is "... each task ran once" "0 1 2 3 4 5 6 7 " "$(ran "$c")"
is "... in as few arrays as can be" 3 "$(calls sbatch)"
is "... whose indices begin at 0" 3 "$(run_cat "$c" work '*' '*/*/script' | grep -c 'array=0-[12]$')"

# $1 elements run, and Slurm says of all that wait that a limit keeps them.
limited_to() {
    [ "$(squeue -h -r -t R -o %i | wc -l)" = "$1" ] &&
        [ "$(squeue -h -r -t PD -o %r | grep -cvE '^(JobArrayTaskLimit|JobHeldUser)$')" = 0 ]
}

# runs_limited WORDS ELEMENTS: the campaign $c, whose tasks go on when Slurm lets no
# further one start.
runs_limited() {
    fanfold -C "$c" run >"$tmp/out" 2>&1 &
    ok "$1: no more run" until_ok limited_to "$2"
    touch "$c/go"
    status=0
    wait $! || status=$?
    is "$1" 0 $status
}

c=$tmp/throttle
work_campaign "$c" 3
sed -i 's/poll:/walltime: 50s, running: 1, poll:/' "$c/site.yaml"
{
    echo 'mkdir "$1/busy" || echo overlap >>"$1/overlap"'
    echo "$waiting"
    echo 'rmdir "$1/busy"'
} >"$c/behaviour"
runs_limited "running: 1" 1
is "... throttles the array" 1 "$(run_cat "$c" work '*' '*/*/script' | grep -c 'array=0-2%1$')"
is "... so that no two overlap" "" "$(cat "$c/overlap" 2>/dev/null)"

# What plan shows is what would be submitted.
c=$tmp/shown
work_campaign "$c" 8
slurm_site "$c" 'qos: normal' 'gres: "gpu:fake"' 'partition: main'
sed -i 's/cores: 1,/cores: 1, gpus: 1,/' "$c/campaign.yaml"
sed -i 's/poll:/elements: 3, walltime: 50s, running: 2, poll:/; s/memory: 300MiB/&, gpus: 1/' "$c/site.yaml"
script=$(fanfold -C "$c" plan --script work)
has "plan: the array of a chunk, with its part of what may run" "--array=0-2%1
" "$script"
has "... its partition and QOS" "--partition=main
#SBATCH --qos=normal" "$script"
has "... and its GPUs" "--gres=gpu:fake:1" "$script"

# Several arrays share what may run.
c=$tmp/shared
work_campaign "$c" 8
sed -i 's/poll:/walltime: 50s, running: 2, poll:/' "$c/site.yaml"
cat >"$c/behaviour" <<'END'
slot=
for s in 1 2; do
    if [ -z "$slot" ] && mkdir "$1/slot$s" 2>/dev/null; then slot=$s; fi
done
[ -n "$slot" ] || { echo overlap >>"$1/overlap"; return; }
until [ -e "$1/go" ]; do sleep 0.1; done
rmdir "$1/slot$slot"
END
runs_limited "running: 2 over three arrays" 2
is "... two arrays of one at a time" 3 "$(run_cat "$c" work '*' '*/*/script' | grep -c 'array=0-[12]%1$')"
is "... so that no three overlap" "" "$(cat "$c/overlap" 2>/dev/null)"

# Refused: one clear message, the campaign waits, nothing is lost.
c=$tmp/refused
work_campaign "$c" 2
slurm_site "$c" 'partition: nosuch'
waits_for_key "a wrong partition" partition
has "... in Slurm's words" "invalid partition specified: nosuch" "$(fanfold -C "$c" status)"
slurm_site "$c" 'directives: [--gres=nosuch:1]'
ok "resume" fanfold -C "$c" resume
waits_for_key "an unknown resource" gres
slurm_site "$c" 'directives: [--nosuch]'
ok "resume" fanfold -C "$c" resume
waits_for_key "an option that is none" directives
slurm_site "$c" 'partition: "a b"'
: >"$tmp/calls"
fanfold -C "$c" resume >"$tmp/out" 2>&1
is "a name that is none never gets to Slurm" 0 "$(calls sbatch)"
has "... and the key is named" "partition: 'a b'" "$(cat "$tmp/out")"
slurm_site "$c"
fanfold -C "$c" resume >/dev/null
ok "mended, it runs" fanfold -C "$c" run
is "... each task ran once" "0 1 " "$(ran "$c")"

c=$tmp/walltime
work_campaign "$c" 2
slurm_site "$c" 'partition: short'
sed -i 's/walltime: 50s/walltime: 10m/' "$c/campaign.yaml"
fanfold -C "$c" run >"$tmp/out" 2>&1
has "more time than the partition gives is said at once" "10m00s" "$(cat "$tmp/out")"
is "... before anything is submitted" "" "$(run_files "$c" work '000000' '000000')"
slurm_site "$c"
ok "with another partition" fanfold -C "$c" retry work
ok "... it runs" fanfold -C "$c" run

# Taken, but it will never run.
c=$tmp/gpu
work_campaign "$c" 2
slurm_site "$c" 'gres: gpu:nosuch'
sed -i 's/memory: 300MiB/memory: 300MiB, gpus: 1/' "$c/site.yaml"
sed -i 's/cores: 1,/cores: 1, gpus: 1,/' "$c/campaign.yaml"
ok "an unknown GPU: submitted" fanfold -C "$c" advance
has "... status says why it waits for ever, naming the key" '`gres`' "$(told BadConstraints)"
ok "cancel" fanfold -C "$c" cancel
fanfold -C "$c" run >/dev/null 2>&1
sed -i 's/gpu:nosuch/gpu:fake/' "$c/site.yaml"
fanfold -C "$c" resume >/dev/null
ok "mended, it runs" fanfold -C "$c" run
is "... each task ran once" "0 1 " "$(ran "$c")"

c=$tmp/stuck
work_campaign "$c" 2
slurm_site "$c" 'directives: [--time=10, --partition=short]'
ok "submitted" fanfold -C "$c" advance
has "... status says why it waits for ever, and what to do" "lower the task's walltime" \
    "$(told PartitionTimeLimit)"
has "... explain too" "PartitionTimeLimit" "$(fanfold -C "$c" explain work)"
scontrol update job="$(job_of "$c")" partition=main
ok "moved by hand it runs" fanfold -C "$c" run
is "... each task ran once" "0 1 " "$(ran "$c")"

c=$tmp/held
work_campaign "$c" 2
echo "$waiting" >"$c/behaviour"
sed -i 's/poll:/walltime: 50s, running: 1, poll:/' "$c/site.yaml"
ok "submitted" fanfold -C "$c" advance
job=$(job_of "$c")
ok "one runs" wait_state RUNNING
scontrol hold "$job"
has "a hold set by a person stays, and is told" "scontrol release" "$(told JobHeld)"
: >"$c/go"
scontrol release "$job"
ok "let go, it runs" fanfold -C "$c" run
is "... each task ran once" "0 1 " "$(ran "$c")"

# A node where tasks failed is left out at their next try, and the others with
# it in time; but never all there are.
c=$tmp/exclude
work_campaign "$c" 1
sed -i 's/walltime: 50s}/&, retry: {failed: {tries: 4, exclude_node: true}}/' "$c/campaign.yaml"
echo 'echo $FANFOLD_NODE >>"$1/nodes"; [ "$(wc -l <"$1/nodes")" -ge 4 ]' >"$c/behaviour"
ok "a task that fails three times on two nodes" fanfold -C "$c" run
is "... each try is on the other node" "4 n1 n2" \
    "$(uniq "$c/nodes" | wc -l | tr -d ' ') $(sort -u "$c/nodes" | tr '\n' ' ' | sed 's/ $//')"
is "... and each try ran once" 4 "$(wc -l <"$c/nodes")"
has "... the journal tells where it failed" '"nodes":{"'"$(head -1 "$c/nodes")"'":"0"}' "$(cat "$c"/.fanfold/journal/*)"

# A pending element that is cancelled by itself leaves no record anywhere: what
# was pending when we last looked is ours to remember.  (Of an array younger
# than half of MinJobAge nothing else can be missing.)
c=$tmp/single
work_campaign "$c" 3
sed -i 's/poll:/walltime: 50s, running: 1, poll:/' "$c/site.yaml"
echo "$waiting" >"$c/behaviour"
ok "submitted" fanfold -C "$c" advance
ok "... one runs" wait_state RUNNING
job=$(job_of "$c")
has_run_half() {
    [ "$(squeue -h -j "$job" -t R -o %M | tr -dc 0-9)" -ge 11 ]
}
until_ok has_run_half
fanfold -C "$c" advance >/dev/null
has "what is pending is remembered" '"pending": "1-2"' "$(cat "$c"/.fanfold/site/slurm-elements.json)"
ok "a pending element is cancelled" scancel "${job}_2"
is "... and leaves no record" "" "$(squeue -h -t all -r -j "$job" -o %K | grep -x 2)"
sleep 0.5 # the least time between two polls
fanfold -C "$c" advance >/dev/null
has "... but in our memory" '"cancelled": "2"' "$(cat "$c"/.fanfold/site/slurm-elements.json)"
: >"$c/go"
fanfold -C "$c" run >"$tmp/out" 2>&1
is "... the campaign pauses" paused "$(state_of "$c")"
has "... and says what became of it" "cancelled" "$(fanfold -C "$c" explain work 2)"
is "... the others ran once" "0 1 " "$(ran "$c")"
ok "resume" fanfold -C "$c" resume
ok "... and run" fanfold -C "$c" run
is "... each task ran once" "0 1 2 " "$(ran "$c")"

done_testing
