#!/bin/sh
# 0857-slurm-allocation - a campaign on the nodes of one Slurm job, one of which is
# lost
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/slurm.sh"

unset SLURM_JOB_ID

# allocation_site DIR
allocation_site() {
    cat >"$1/site.yaml" <<END
format: 1
profiles:
  job:
    scheduler: allocation
    limits: {poll: 0.5s, settle: 1s, visibility: 10s}
END
}
site=allocation_site

# driver DIR: the script of the job.
driver() {
    printf '#!/bin/sh\nexec fanfold -C "%s" run\n' "$1" >"$1/driver"
}

# A job of two nodes that drives campaign $1; what follows are options.
submit_driver() {
    driver_dir=$1
    shift
    sbatch --parsable --no-kill --nodes=2 --exclusive --ntasks-per-node=1 \
        -o "$driver_dir/driver.out" "$@" "$driver_dir/driver"
}

nodes_of() {
    run_cat "$1" work '*' '*/*/results-*' |
        grep -o '"node":"[^"]*"' | cut -d'"' -f4 | sort -u | xargs
}

outputs() {
    (cd "$1" && find ./*/*/iter -name outputs.json | sort | xargs cat)
}

slurm_up --nodes 2 --cpus 4

c=$tmp/reference
work_campaign "$c" 8
driver "$c"
echo 'sleep 0.5' >"$c/behaviour"
ok "a job of two nodes drives a campaign" submit_driver "$c" --wait
is "... to its end" "done" "$(state_of "$c")"
is "... each task ran once" "0 1 2 3 4 5 6 7 " "$(ran "$c")"
is "... on both nodes" "n1 n2" "$(jq -r .node \
    "$c"/.fanfold/allocation/nodes/*/n?-?????? | sort | xargs)"
is "... by no other job" 1 "$(squeue -h -t all -o %i | wc -l)"
reference=$(outputs "$c")

# Both nodes are this machine, with few cores: each counts them for itself.
# shellcheck disable=SC2016 # for another shell
cores_of_its_own='"FANFOLD_SPOOL=$FANFOLD_SPOOL.$SLURMD_NODENAME exec \"$@\""'
own_cores() {
    printf '    agents: [srun, "--nodes={nodes}", "--ntasks={nodes}", %s, %s, sh, -c, %s, agents]\n' \
        --ntasks-per-node=1 "--overlap, --kill-on-bad-exit=0, --no-kill" \
        "$cores_of_its_own" >>"$1/site.yaml"
}

# The batch script is on the first node: the second one is lost.
c=$tmp/lost
work_campaign "$c" 8
own_cores "$c"
driver "$c"
echo "$waiting" >"$c/behaviour"
job=$(submit_driver "$c")
ok "tasks run on both nodes" until_is "n1 n2" nodes_of "$c"
testbed crash n2
: >"$c/go"
ok "one of which is lost: the job goes on" until_is "" squeue -h -j "$job" -t R,CG,PD
is "... and ends the campaign" "done" "$(state_of "$c")"
is "... with the same results" "$reference" "$(outputs "$c")"
has "... of which a try was a node failure" "node_failure" \
    "$(cat "$c"/.fanfold/journal/*)"

# The job is ended by somebody; the same script goes on.
testbed up >/dev/null 2>&1
ok "... the node comes back" until_is 2 eval 'sinfo -h -N -p main -o %T | grep -c idle'
c=$tmp/again
work_campaign "$c" 8
own_cores "$c"
driver "$c"
echo "$waiting" >"$c/behaviour"
job=$(submit_driver "$c")
ok "tasks run on both nodes" until_is "n1 n2" nodes_of "$c"
scancel "$job"
until_is "" squeue -h -j "$job"
: >"$c/go"
ok "the same script again" submit_driver "$c" --wait
is "... ends the campaign" "done" "$(state_of "$c")"
is "... with the same results" "$reference" "$(outputs "$c")"

# A node that cannot be reached when the processes are started: the step ends on
# the other one, too, which is tried again alone.
c=$tmp/unreachable
work_campaign "$c" 8
printf '    agents: [srun, "--nodes={nodes}", "--ntasks={nodes}", %s, "{on_nodes}", %s, sh, -c, %s, agents]\n' \
    --ntasks-per-node=1 "--overlap, --kill-on-bad-exit=0, --no-kill" \
    "$cores_of_its_own" >>"$c/site.yaml"
driver "$c"
sed -i "2i until [ -e $c/drive ]; do sleep 0.1; done" "$c/driver"
echo "$waiting" >"$c/behaviour"
job=$(submit_driver "$c")
until_is R squeue -h -j "$job" -o %t
testbed crash n2
: >"$c/drive"
ok "a node cannot be reached: the other one works" until_is n1 nodes_of "$c"
ok "... and status says so" until_ok eval \
    'fanfold -C "$c" status 2>&1 | grep -q "node n2 of this job could not be reached"'
: >"$c/go"
ok "... the job ends" until_is "" squeue -h -j "$job" -t R,CG,PD
is "... with the campaign" "done" "$(state_of "$c")"
is "... and the same results" "$reference" "$(outputs "$c")"

done_testing
