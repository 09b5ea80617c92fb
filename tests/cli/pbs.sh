# pbs.sh - a PBS for a test; sourced after tap.sh
#
# pbs_up [KEY=VALUE ...]  the PBS of this machine where qsub answers (it then
#                         has to keep a history), else the emulator
# own_pbs_up [KEY=VALUE ...]  one that the test may stop and reconfigure: that of
#                         this machine only where $TEST_PBS_SERVER is a command
#                         that takes `stop` and `start`, else the emulator
# is_own                  may the test do that with what pbs_up found?
# server ACTION           stop, start
# configure KEY=VALUE ... settings of the server
# fake_up [KEY=VALUE ...] the emulator, whatever there is
# fake ACTION ...         tests/fakes/pbs on it
# shellcheck shell=sh

. "$abs_top_srcdir/tests/cli/work.sh"
site=pbs_site
commands="qsub qstat qdel qrls qselect pbsnodes"

fake() {
    action=$1
    shift
    "$abs_top_srcdir/tests/fakes/pbs" "$action" "$tmp/pbs" "$@"
}

pbs_end() {
    pbs_status=$?
    [ ! -d "$tmp/pbs" ] || fake down
    tap_end $pbs_status
}
trap pbs_end EXIT

fake_up() {
    fake up "$@"
    eval "$(fake env)"
}

pbs_up() {
    if qstat -B >/dev/null 2>&1; then
        echo "# the PBS of this machine"
        ! is_own || configure job_history_enable=True \
            job_history_duration=336:00:00 max_array_size=10000
    else
        echo "# the emulator"
        fake_up job_history_enable=True "$@"
    fi
}

own_pbs_up() {
    if [ -n "${TEST_PBS_SERVER-}" ]; then
        pbs_up "$@"
    else
        fake_up job_history_enable=True "$@"
    fi
}

is_own() {
    [ -d "$tmp/pbs" ] || [ -n "${TEST_PBS_SERVER-}" ]
}

server() {
    case $1-$(ls "$tmp/pbs" 2>/dev/null) in
    *-) $TEST_PBS_SERVER "$1" ;;
    stop-*) fake fault any down ;;
    start-*) fake mend ;;
    esac
}

configure() {
    for setting; do qmgr -c "set server $setting"; done
}

# pbs_site DIR [LINE ...]: the profile of a campaign, with further keys.
pbs_site() {
    dir=$1
    shift
    {
        printf 'format: 1\nprofiles:\n  here:\n    scheduler: pbs\n'
        printf '    node: {cores: 1, memory: 300MiB}\n'
        printf '    limits: {poll: 0.5s, settle: 2s, visibility: 10s}\n'
        for line; do printf '    %s\n' "$line"; done
    } >"$dir/site.yaml"
}

# job_of DIR: the id of the last job recorded in a campaign.
job_of() {
    grep -rho '"id": "[^"]*"' "$1" --include=submission.json | cut -d'"' -f4 |
        sort -n | tail -1
}

# part_of ID INDEX
part_of() {
    echo "${1%%[*}[$2]${1#*]}"
}

# wait_parts DIR LETTER [COUNT]: until so many sub-jobs of the last job of a
# campaign are in that state.
wait_parts() {
    until_ok are_in_letter "$1" "$2" "${3:-1}"
}

are_in_letter() {
    job=$(job_of "$1") &&
        [ "$(qstat -t "$job" | grep -c "\[[0-9].* $2 ")" -ge "$3" ]
}

wait_running() {
    wait_parts "$1" R "${2:-1}"
}

# jobs_left DIR: what is queued or running of a campaign, recorded or not.
jobs_left() {
    for token in $(tokens_of "$1"); do qselect -N "$token"; done
}

# runs_again COMMAND: which, with the id of a sub-job behind it, makes PBS run that
# again; it meets element 1 of campaign $c.
runs_again() {
    work_campaign "$c" 4
    echo 'if [ $2 = 1 ] && mkdir "$1/once" 2>/dev/null; then touch "$1/here"; exec sleep 1000; fi' \
        >"$c/behaviour"
    fanfold -C "$c" run >"$c.out" 2>&1 &
    pid=$!
    until_ok test -e "$c/here"
    $1 "$(part_of "$(job_of "$c")" 1)"
    wait $pid
    is "$1: PBS runs the element again by itself" 0 $?
    is "... every task has one result" "0 1 2 3" \
        "$(fanfold -C "$c" result work n | jq -r 'join(" ")')"
    is "... nothing that was done is done again" "0 1 1 2 3 " "$(ran "$c")"
    is "... in one submission" 1 "$(find "$c/.fanfold/run" -name submission.json | wc -l)"
}
