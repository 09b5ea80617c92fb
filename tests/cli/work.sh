# work.sh - a campaign of small tasks that do what a test wants; sourced by
# slurm.sh and pbs.sh, which set $site to what writes their site.yaml
# shellcheck shell=sh

# work_campaign DIR TASKS: a stage of that many tasks, one to an element; task
# M notes that it runs in DIR/ran and does what DIR/behaviour says.
work_campaign() {
    mkdir -p "$1"
    $site "$1"
    echo true >"$1/behaviour"
    cat >"$1/work.sh" <<'END'
set -e
echo "$2" >>"$1/ran"
. "$1/behaviour"
echo "{\"n\": $2}" >"$3"
END
    cat >"$1/campaign.yaml" <<END
format: 1
campaign: work
elements: [Si]
models: $2
stop: {iterations: 1}
stages:
  work: {uses: test.work, task: {cores: 1, walltime: 50s}}
operators:
  test.work:
    fan_out: [m]
    inputs: {m: {type: int, from: models}}
    outputs: {n: {type: int}}
    command: [sh, "{campaign}/work.sh", "{campaign}", "{m}", "{outputs.params}"]
END
}

# ran DIR: which tasks ran, each as often as it did.
ran() {
    sort -n "$1/ran" 2>/dev/null | tr '\n' ' '
}

# wait_ran DIR "M ...": until those tasks have begun.
wait_ran() {
    until_is "$2" ran "$1"
}

# tokens_of DIR: of all submissions of a campaign, recorded or not.
tokens_of() {
    cat "$1"/.fanfold/journal/* | grep -o '"token":"[a-z0-9]*"' |
        cut -d'"' -f4 | sort -u
}

# The campaign in $c ended well, and each of four tasks ran once.
undisturbed() {
    is "$1" "done" "$(state_of "$c")"
    is "... each task ran once" "0 1 2 3 " "$(ran "$c")"
    is "... and no job is left" "" "$(jobs_left "$c")"
}

# What status says of campaign $c, once that has $1 in it.
told() {
    until_ok advanced_to_say "$1"
    fanfold -C "$c" status | grep -F "$1"
}

advanced_to_say() {
    fanfold -C "$c" advance
    fanfold -C "$c" status | grep -F "$1"
}
