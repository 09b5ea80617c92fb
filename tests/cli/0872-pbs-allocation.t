#!/bin/sh
# 0872-pbs-allocation - the nodes of a PBS job as the scheduler: a group on two of
# them; near the job's end nothing is begun that would not end, and the same script
# goes on; nothing is begun when it is deleted.  The nodes are reached by ssh, which
# hands no environment on.
# Of two daemons of Open MPI on one machine one crashes when they meet in /dev/shm.
TMPDIR=/tmp
export TMPDIR
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/pbs.sh"

unset PBS_JOBID SLURM_JOB_ID
fake_up nodes=2 job_history_enable=True

# Both nodes are this machine: each counts its cores for itself.
cat >"$tmp/on-node" <<END
#!/bin/sh
FANFOLD_SPOOL=$tmp/spool.\$(hostname)
export FANFOLD_SPOOL
exec "\$@"
END
chmod +x "$tmp/on-node"

# allocation_site DIR
allocation_site() {
    cat >"$1/site.yaml" <<END
format: 1
profiles:
  job:
    scheduler: allocation
    node: {cores: 2}
    agents: [mpirun, -n, "{nodes}", --map-by, "ppr:1:node", --bind-to, none, "{on_nodes}", $tmp/on-node]
    limits: {poll: 0.5s, settle: 1s, visibility: 10s}
END
}
site=allocation_site

# drive DIR OPTION...: a job of two nodes that drives a campaign; its id.
drive() {
    cat >"$1/driver-job" <<END
#!/bin/sh
PATH=$PATH FANFOLD_SPOOL=$tmp/spool OMPI_MCA_plm_rsh_agent=$(command -v node_ssh)
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export PATH FANFOLD_SPOOL OMPI_MCA_plm_rsh_agent OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
date +%s >$1/began
fanfold -C $1 run >>$1/driver.out 2>&1
echo "\$?" >>$1/ended
END
    drive_dir=$1
    shift
    qsub -l select=2:ncpus=2 -l place=scatter -N driver -o /dev/null -e /dev/null \
        "$@" "$drive_dir/driver-job"
}

# --- a group ---

c=$tmp/one
site=pbs_site
group_campaign "$c" 'node_map: {far: local}'
site=allocation_site
ok "a group on one node, by PBS itself" fanfold -C "$c" run

c=$tmp/two
group_campaign "$c" 'retry: {node_failure: 3}'
ok "a group on two nodes, in a job of two" drive "$c" -l walltime=1:00:00
until_ok test -s "$c/ended"
is "... ends the campaign" "0 done" "$(cat "$c/ended") $(state_of "$c")"
is "... with the same bytes" "$(group_results "$tmp/one")" "$(group_results "$c")"
is "... each task on two hosts" "2 2" \
    "$(jq '.run.nodes | map(.host) | unique | length' "$c"/work/*/iter/*/job/*/out/result.json | paste -sd' ')"

# --- the job's end is near ---

# Of 125 s elements have 95.  The first stage ends when 35 of these have passed: then
# an element of 65 s (5, and what an agent needs) could not end any more, and it is no
# longer than a job has.
c=$tmp/drain
mkdir "$c"
allocation_site "$c"
cat >"$c/first.sh" <<'END'
until [ "$(date +%s)" -ge $(($(cat "$1/began") + 35)) ]; do sleep 0.5; done
echo "{\"n\": $2}" >"$3"
END
cat >"$c/later.sh" <<'END'
echo "$2" >>"$1/ran"
echo "{\"square\": $(($2 * $2))}" >"$3"
END
cat >"$c/campaign.yaml" <<'END'
format: 1
campaign: drain
elements: [Si]
models: 4
stop: {iterations: 1}
stages:
  first: {uses: test.first, task: {cores: 1, walltime: 10m}}
  later: {uses: test.later, task: {cores: 1, walltime: 5s}}
operators:
  test.first:
    fan_out: [m]
    inputs: {m: {type: int, from: models}}
    outputs: {n: {type: int}}
    command: [sh, "{campaign}/first.sh", "{campaign}", "{m}", "{outputs.params}"]
  test.later:
    fan_out: [n]
    inputs: {n: {type: int, from: first.n}}
    outputs: {square: {type: int}}
    command: [sh, "{campaign}/later.sh", "{campaign}", "{n}", "{outputs.params}"]
END
job=$(drive "$c" -l walltime=125)
until_ok test -s "$c/ended"
is "near the end of its job a driver is stopped" 130 "$(cat "$c/ended")"
has "... it says why" "the job" "$(tail -2 "$c/driver.out")"
is "... the first stage is done" "[0,1,2,3]" "$(fanfold -C "$c" result first n | jq -c .)"
is "... of the other one nothing was begun" "" "$(ran "$c")"
has "... though it was submitted" '"ev":"recorded"' \
    "$(grep -h '"recorded"' "$c"/.fanfold/journal/* | tail -1)"
ok "the same script again" drive "$c" -l walltime=1:00:00
until_is 2 eval 'wc -l <"$c/ended"'
is "... ends the campaign" "done" "$(state_of "$c")"
is "... each task ran once" "0 1 2 3 " "$(ran "$c")"
is "... with its result" "[0,1,4,9]" "$(fanfold -C "$c" result later square | jq -c .)"

# --- the job is deleted ---

c=$tmp/gone
mkdir "$c"
allocation_site "$c"
cat >"$c/wait.sh" <<'END'
echo "$2" >>"$1/ran"
until [ -e "$1/go" ]; do sleep 0.1; done
echo "{\"m\": $2}" >"$3"
END
cat >"$c/campaign.yaml" <<'END'
format: 1
campaign: gone
elements: [Si]
models: 12
stop: {iterations: 1}
stages:
  first: {uses: test.first, task: {cores: 1, walltime: 1m}}
operators:
  test.first:
    fan_out: [model]
    inputs: {model: {type: int, from: models}}
    outputs: {m: {type: int}}
    command: [sh, "{campaign}/wait.sh", "{campaign}", "{model}", "{outputs.params}"]
END
# processes of this campaign that could begin something
runners_left() {
    pgrep -f "$c/.fanfold/allocation/nodes/" | wc -l
}
hosts_of() {
    run_files "$c" first '*' '*/*/results-*' | xargs -r grep -ho '"node":"[^"]*"' |
        sort -u | wc -l
}
job=$(drive "$c" -l walltime=1:00:00)
until_is 2 hosts_of
ok "a job that works on two nodes is deleted" qdel "$job"
until_is 0 runners_left
is "... what runs elements on its nodes ends with it" 0 "$(runners_left)"
begun=$(wc -l <"$c/ran")
: >"$c/go"
ok "... though there was more to do" [ "$begun" -lt 12 ]
is "... and nothing more is begun" "$begun" "$(wc -l <"$c/ran")"
ok "the same script again" drive "$c" -l walltime=1:00:00
until_ok grep -qx 0 "$c/ended" # the one that was deleted writes there, too
is "... ends the campaign" "done" "$(state_of "$c")"

done_testing
