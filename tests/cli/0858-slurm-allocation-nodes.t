#!/bin/sh
# 0858-slurm-allocation-nodes - groups and MPI tasks of two nodes in a Slurm job,
# whose nodes serve as the scheduler; a node that is lost meanwhile
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/slurm.sh"

unset SLURM_JOB_ID
where=$abs_top_builddir/tests/mpi/where

# All nodes are this machine: each counts its cores for itself.
# shellcheck disable=SC2016 # for another shell
cores_of_its_own='"FANFOLD_SPOOL=$FANFOLD_SPOOL.$SLURMD_NODENAME exec \"$@\""'

# allocation_site DIR
allocation_site() {
    cat >"$1/site.yaml" <<END
format: 1
profiles:
  job:
    scheduler: allocation
    node: {cores: 2}
    launcher: ${launcher-openmpi}
    agents: [srun, "--nodes={nodes}", "--ntasks={nodes}", --ntasks-per-node=1, "{on_nodes}",
             --overlap, --kill-on-bad-exit=0, --no-kill, sh, -c, $cores_of_its_own, agents]
    limits: {poll: 0.5s, settle: 1s, visibility: 10s}
END
}
site=allocation_site

# drive DIR OPTION...: a job that drives a campaign; its number.
drive() {
    printf '#!/bin/sh\nexec fanfold -C "%s" run\n' "$1" >"$1/driver-job"
    drive_dir=$1
    shift
    sbatch --parsable --no-kill --exclusive --ntasks-per-node=1 \
        -o "$drive_dir/driver.out" --open-mode=append "$@" "$drive_dir/driver-job"
}

# The shape of tasks: how many ranks on how many hosts.
shapes() {
    for hosts in $(fanfold -C "$1" result work hosts | jq -c '.[]'); do
        echo "$hosts" | jq -c 'group_by(.) | map(length)'
    done | tr '\n' ' '
}

slurm_up --nodes 3 --cpus 4

# --- a group ---

c=$tmp/one
site=slurm_site
group_campaign "$c" 'node_map: {far: local}'
site=allocation_site
ok "a group on one node, by Slurm itself" fanfold -C "$c" run
reference=$(group_results "$c")

c=$tmp/two
group_campaign "$c" 'retry: {node_failure: 3}'
ok "a group on two nodes, in a job of two" drive "$c" --nodes=2 --wait
is "... ends the campaign" "done" "$(state_of "$c")"
is "... with the same bytes" "$reference" "$(group_results "$c")"
is "... each task on two hosts" "2 2" \
    "$(jq '.run.nodes | map(.host) | unique | length' "$c"/work/*/iter/*/job/*/out/result.json | paste -sd' ')"

# One of its nodes is lost, but not that of the driver; a third one is there.
c=$tmp/lost
group_campaign "$c" 'retry: {node_failure: 3}'
: >"$c/waits"
job=$(drive "$c" --nodes=3)
ok "a group runs on two of three nodes" until_is 2 grep -c client "$c/ran"
testbed crash "$(awk '/driver/ { print $3 == "n1" ? $4 : $3; exit }' "$c/ran")"
: >"$c/go"
ok "... one is lost: the job goes on" until_is "" squeue -h -j "$job" -t R,CG,PD
is "... and ends the campaign" "done" "$(state_of "$c")"
is "... with the same bytes" "$reference" "$(group_results "$c")"
has "... after a node failure" node_failure "$(cat "$c"/.fanfold/journal/*)"

# --- an MPI task, in a job of two nodes of which one is lost for good ---

ok "the node comes back" testbed up
ok "... for jobs" until_is 3 eval 'sinfo -h -N -p main -o %T | grep -c idle'
c=$tmp/mpi
mkdir "$c"
allocation_site "$c"
where_yaml "$c" 2 "['{launcher}', sh, -c, 'hostname >>$c/ran; [ ! -e $c/waits ] || until [ -e $c/go ]; do sleep 0.1; done'],
             ['{launcher}', '$where', '{outputs.params}']"
: >"$c/waits"
job=$(drive "$c" --nodes=2)
ok "ranks run on both nodes" until_is 2 eval 'sort -u "$c/ran" 2>/dev/null | wc -l'
testbed crash "$(grep -v n1 "$c/ran" | head -1)"
: >"$c/go"
ok "one is lost, and two are needed: status says so" until_ok eval \
    'fanfold -C "$c" status 2>&1 | grep -q "needs 2 nodes and 1 of this job can run it"'
ok "... the try is a node failure, whatever mpirun said" until_ok grep -q \
    '"outcomes":{"node_failure":"' -r "$c/.fanfold/journal"
scancel "$job"
ok "... the job ends" until_is "" squeue -h -j "$job"
ok "... the node comes back" testbed up
ok "... for jobs" until_is 3 eval 'sinfo -h -N -p main -o %T | grep -c idle'
ok "the same script again" drive "$c" --nodes=2 --wait
is "... ends the campaign" "done" "$(state_of "$c")"
is "... with two ranks on each of two nodes" "[2,2] [2,2] " "$(shapes "$c")"

# srun keeps to the element's nodes.
c=$tmp/srun
mkdir "$c"
launcher=srun
allocation_site "$c"
where_yaml "$c" 2 "[sh, -c, 'mkdir hosts'], ['{launcher}', sh, -c, 'hostname >hosts/\$SLURM_PROCID'],
              [sh, -c, 'jq -Rc . hosts/* | jq -sc \"{{hosts: .}}\" >\"\$1\"', -, '{outputs.params}']"
ok "srun over two of three nodes" drive "$c" --nodes=3 --wait
is "... has two ranks on each" "[2,2] [2,2] " "$(shapes "$c")"

done_testing
