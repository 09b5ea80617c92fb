#!/bin/sh
# 0852-slurm-group - a group on two nodes of Slurm: programs on each of them, a node
# that is killed, the same bytes
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/slurm.sh"

# A driver and two clients on another node meet by files, and make what does not
# depend on where they ran.  'node_map: {far: local}' makes it one node.
group_campaign() {
    mkdir -p "$1"
    slurm_site "$1"
    sed -i 's/node: .*/node: {cores: 2}/' "$1/site.yaml"
    cat >"$1/driver" <<'END'
set -e
echo "$2 driver $3 $4" >>"$1/ran"
mkdir "$6"
until [ -s "$5/client.0" ] && [ -s "$5/client.1" ]; do sleep 0.1; done
cat "$5/client.0" "$5/client.1" >"$6/sum"
echo "{\"task\": $2}" >"$7"
END
    cat >"$1/client" <<'END'
echo "$2 client" >>"$1/ran"
[ ! -e "$1/waits" ] || until [ -e "$1/go" ]; do sleep 0.1; done
echo "$2 $3" >"$4/client.$3.new"
mv "$4/client.$3.new" "$4/client.$3"
END
    cat >"$1/campaign.yaml" <<END
format: 1
campaign: group
elements: [Si]
models: 2
stop: {iterations: 1}
stages:
  work: {uses: test.group, $2}
operators:
  test.group:
    fan_out: [m]
    inputs: {m: {type: int, from: models}}
    outputs: {sum: {type: dir}, task: {type: int}}
    task: {walltime: 50s}
    group:
      workspace: global
      setup: [rm, -f, "{workspace}/client.0", "{workspace}/client.1"]
      report: {every: 100s, command: [sh, -c, 'echo "{{\"host\": \"\$(hostname)\"}}"']}
      programs:
        driver:
          command: [sh, "{campaign}/driver", "{campaign}", "{m}", "{hosts.local}", "{hosts.far}",
                    "{workspace}", "{outputs.sum}", "{outputs.params}"]
        client:
          node: far
          instances: 2
          command: [sh, "{campaign}/client", "{campaign}", "{m}", "{instance}", "{workspace}"]
END
}

results() {
    (cd "$1/work" && find . -name sum -type f | sort | xargs sha256sum)
    fanfold -C "$1" result work task
}

slurm_up --nodes 3

c=$tmp/one
group_campaign "$c" 'node_map: {far: local}'
sed -i 's/cores: 2/cores: 4/' "$c/site.yaml"
has "as many cores as all programs need, on one node" "--nodes=1" \
    "$(fanfold -C "$c" plan --script work)"
ok "a group on one node" fanfold -C "$c" run

c=$tmp/two
group_campaign "$c" 'retry: {node_failure: 3}'
has "its nodes are asked for" "--nodes=2" "$(fanfold -C "$c" plan --script work)"
ok "a group on two nodes" fanfold -C "$c" run
is "makes the same bytes" "$(results "$tmp/one")" "$(results "$c")"
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
is "with the same bytes" "$(results "$tmp/one" | grep job/000000/)" "$(results "$c" | grep job/000000/)"
ok "and none of its programs is left" until_is "" pgrep -f "$c/driver"

done_testing
