# worker.sh - a campaign of a worker that does as it is told; sourced after tap.sh
# shellcheck shell=sh disable=SC2154

# worker_campaign DIR DO... START [FILE]: a task for each of the list DO (worker.py), by
# workers that are started with the argument START and append to FILE when told bye.
# $stage_keys are keys of the stage, $slots tasks run at a time.
worker_campaign() {
    mkdir -p "$1"
    cp "$abs_top_srcdir/tests/cli/worker/worker.py" "$1"
    cat >"$1/campaign.yaml" <<END
format: 1
campaign: workers
elements: [Si]
seed: 5
stop: {iterations: 1}
stages:
  work:
    uses: test.work
    with: {do: [$2]}
    ${stage_keys:-profile: here}
operators:
  test.work:
    fan_out: [do]
    inputs: {do: {type: string}}
    outputs: {text: {type: file}, pid: {type: int}, nth: {type: int}}
    fatal_exits: [7]
    reads: [seed, task]
    env: {GREETING: "hello  you"}
    worker: [python3, "{campaign}/worker.py", $3${4:+, "$4"}]
END
    cat >"$1/site.yaml" <<END
format: 1
profiles:
  here:
    scheduler: local
    node: {cores: ${slots:-2}}
    limits: {elements: 1, poll: 0.05s, settle: 0.1s, visibility: 1s}
END
}

# column DIR OUTPUT: that of each task, a line each.
column() {
    fanfold -C "$1" result work "$2" | jq -r '.[]'
}

# texts DIR: what its tasks wrote.
texts() {
    cat "$1"/work/test/iter/000000/job/*/out/text
}
