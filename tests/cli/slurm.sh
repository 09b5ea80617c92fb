# slurm.sh - a Slurm cluster of a test's own; sourced after tap.sh
#
# slurm_up ARGUMENT...   scripts/testbed-slurm up, and enter the environment;
#                        a cluster that does not come up fails the test
# testbed ACTION ...     scripts/testbed-slurm on this cluster
# shellcheck shell=sh

. "$abs_top_srcdir/tests/cli/work.sh"
site=slurm_site
commands="sbatch squeue sinfo sacct scancel scontrol sacctmgr"

FANFOLD_TESTBED=$tmp/slurm
export FANFOLD_TESTBED

testbed() {
    "$abs_top_srcdir/scripts/testbed-slurm" "$@"
}

slurm_end() {
    slurm_status=$?
    testbed down >/dev/null 2>&1
    tap_end $slurm_status
}
trap slurm_end EXIT

slurm_up() {
    if out=$(testbed up "$@" 2>&1); then
        eval "$(testbed env)"
    else
        fail "a Slurm cluster comes up" "$out"
        exit 1
    fi
}

# slurm_site DIR [LINE ...]: the profile of a campaign, with further keys.
slurm_site() {
    dir=$1
    shift
    {
        printf 'format: 1\nprofiles:\n  here:\n    scheduler: slurm\n'
        printf '    node: {cores: 1, memory: 300MiB}\n'
        printf '    limits: {poll: 0.5s, settle: 2s, visibility: 10s}\n'
        for line; do printf '    %s\n' "$line"; done
    } >"$dir/site.yaml"
}

# Wait until a job of ours is in state $1: state STATE [COUNT].
wait_state() {
    until_ok are_in_state "$1" "${2:-1}"
}

are_in_state() {
    [ "$(squeue -h -r -t all -o %T | grep -c "$1")" -ge "$2" ]
}

wait_running() {
    wait_state RUNNING "${2:-1}"
}

# job_of DIR: the number of the last job recorded in a campaign.
job_of() {
    grep -rho '"id": "[0-9]*"' "$1" --include=submission.json | tr -dc '0-9\n' |
        sort -n | tail -1
}

# jobs_left DIR: what is queued or running of a campaign, recorded or not.
jobs_left() {
    squeue -h --name="$(tokens_of "$1" | tr '\n' ',')"
}
