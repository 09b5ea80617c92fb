#!/bin/sh
# 0852-slurm-group - a group on two nodes of Slurm: programs on each of them, a node
# that is killed, the same bytes
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/slurm.sh"

slurm_up --nodes 3

c=$tmp/one
group_campaign "$c" 'node_map: {far: local}'
has "as many cores as all programs need, on one node" "--nodes=1" \
    "$(fanfold -C "$c" plan --script work)"
ok "a group on one node" fanfold -C "$c" run

c=$tmp/two
group_campaign "$c" 'retry: {node_failure: 3}'
has "its nodes are asked for" "--nodes=2" "$(fanfold -C "$c" plan --script work)"
ok "a group on two nodes" fanfold -C "$c" run
is "makes the same bytes" "$(group_results "$tmp/one")" "$(group_results "$c")"
is "on two hosts in each task" "2 2" \
    "$(jq '.run.nodes | map(.host) | unique | length' "$c"/work/*/iter/*/job/*/out/result.json | paste -sd' ')"
is "with a report of each" "2 2" \
    "$(jq '.run.report | map(.host) | unique | length' "$c"/work/*/iter/*/job/*/out/result.json | paste -sd' ')"
is "and an agent on the first only" 2 "$(find "$c" -name 'results-*' | wc -l)"

# The second node dies: node_failure, nothing is left on the first, and it is run
# again.
c=$tmp/killed
group_campaign "$c" 'retry: {node_failure: 3}'
sed -i 's/models: 2/models: 1/' "$c/campaign.yaml" "$tmp/one/campaign.yaml"
: >"$c/waits"
fanfold -C "$c" run >"$tmp/out" 2>&1 &
pid=$!
until_is 2 grep -c client "$c/ran"
far=$(awk '/driver/ { print $4 }' "$c/ran")
testbed crash "$far"
scontrol update nodename="$far" state=down reason=crashed
: >"$c/go"
wait $pid
is "a node of a group dies: the campaign ends well" 0 $?
is "the task ran twice" 2 "$(grep -c driver "$c/ran")"
is "with the same bytes" "$(group_results "$tmp/one" | grep job/000000/)" "$(group_results "$c" | grep job/000000/)"
has "and not on that node again" "\"avoid\":[\"$far\"]" "$(cat "$c"/.fanfold/journal/*)"
ok "and none of its programs is left" until_is "" pgrep -f "$c/driver"

done_testing
