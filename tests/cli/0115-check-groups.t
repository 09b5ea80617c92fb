#!/bin/sh
# 0115-check-groups - what check and plan say of groups
. "$abs_top_srcdir/tests/cli/tap.sh"

mkdir "$tmp/c" "$tmp/bin"
for program in driver lmp watch; do
    printf '#!/bin/sh\n' >"$tmp/bin/$program"
    chmod +x "$tmp/bin/$program"
done
PATH=$PATH:$tmp/bin
cat >"$tmp/c/site.yaml" <<'END'
format: 1
default_profile: cluster
profiles:
  cluster: {scheduler: slurm, node: {cores: 16, gpus: 4, memory: 32GiB}, launcher: srun}
  small: {scheduler: slurm, node: {cores: 4}, launcher: srun}
  here: {scheduler: local, node: {cores: 16, gpus: 4, memory: 32GiB}}
END
# campaign STAGE: what the stage says besides
campaign() {
    cat >"$tmp/c/campaign.yaml" <<END
format: 1
campaign: c
stages:
  sample: {uses: pimd.sample, with: {start: 3}$1}
stop: {iterations: 1}
operators:
  pimd.sample:
    inputs: {start: {type: int}}
    outputs: {steps: {type: int}}
    group:
      nodes: {far: {memory: 4GiB}}
      programs:
        driver: {command: [driver, "{start}", "{outputs.params}"]}
        force: {instances: 4, task: {cores: 2, gpus: 0.5, memory: 1GiB}, command: [lmp, "{instance}"]}
        monitor: {node: far, command: [watch, "{hosts.local}"]}
END
}
plan() {
    fanfold -C "$tmp/c" plan "$@"
}

campaign
ok "a group is good" fanfold -C "$tmp/c" check
is "plan shows its programs" "\
  group   local: driver (1 core), 4 x force (2 cores, 0.5 GPUs, 1.0 GiB); in all 9 cores, 2 GPUs, 4.0 GiB
          far: monitor (1 core); in all 1 core, 4.0 GiB" \
    "$(plan | grep -A1 '^  group')"
is "... as JSON" \
    '[["local",9,["driver","force"]],["far",1,["monitor"]]]' \
    "$(plan --json | jq -c '[.stages[0].group.nodes[] | [.name, .needs.cores, [.programs[].name]]]')"
is "a task has as many nodes as there are names, each as the largest" \
    '{"nodes":2,"ranks":2,"cores":18,"gpus":4,"memory_bytes":8589934592}' \
    "$(plan --json | jq -c '.stages[0].needs | {nodes, ranks, cores, gpus, memory_bytes}')"
has "the script asks for two nodes" "--nodes=2" "$(plan --script sample)"

campaign ', node_map: {far: local}, profile: here'
is "mapped onto one node" \
    '[["local",10,["driver","force","monitor"]]]' \
    "$(plan --json | jq -c '[.stages[0].group.nodes[] | [.name, .needs.cores, [.programs[].name]]]')"
campaign ', node_map: {far: loacl}'
has "an unknown node" ":4:65: node_map: no program runs on 'loacl'; did you mean 'local'?" \
    "$(fanfold -C "$tmp/c" check 2>&1)"
campaign ', profile: small'
has "what fits no node" "a task needs 9 cores on each of its nodes and a node has 4 \
(node 'local': driver 1 core, force 4 x 2 cores); lower instances or task.cores" \
    "$(fanfold -C "$tmp/c" check 2>&1)"

# light TASK: three programs, of which each needs that
light() {
    cat >"$tmp/c/campaign.yaml" <<END
format: 1
campaign: c
stages:
  sample: {uses: pimd.sample, profile: here}
stop: {iterations: 1}
operators:
  pimd.sample:
    outputs: {n: {type: int, optional: true}}
    group:
      programs:
        driver: {task: {$1}, command: [driver]}
        lmp: {task: {$1}, command: [lmp]}
        watch: {task: {$1}, command: [watch]}
END
}
for cores in 0.5 1/2; do
    light "cores: $cores"
    is "programs share cores: $cores" "\
  group   local: driver (1/2 core), lmp (1/2 core), watch (1/2 core); in all 2 cores" \
        "$(plan | grep '^  group')"
done
for cores in 0 0.3 1/17 -1 "[1]"; do
    light "cores: $cores"
    has "no part of a core: $cores" "a program has whole cores, or 1/N (N up to 16) such as 0.5 where N instances share a core" \
        "$(fanfold -C "$tmp/c" check 2>&1)"
done
light "cores: 0.5, ranks: 2"
has "ranks share none" "have cores of their own; write cores: 2, or leave ranks out" \
    "$(fanfold -C "$tmp/c" check 2>&1)"
light "cores: 0.5, gpus: 0.5"
has "programs with GPUs share none" "have cores of their own; write cores: 1, or leave gpus out" \
    "$(fanfold -C "$tmp/c" check 2>&1)"
is "... and have one problem each" "3 problems" "$(fanfold -C "$tmp/c" check 2>&1 | tail -n 1)"
campaign ', task: {cores: 1/2}'
has "a task has whole cores" "cores: got '1/2'; a task has one core or more.  Programs of a group: can share one" \
    "$(fanfold -C "$tmp/c" check 2>&1)"
for edit in 's/far: {memory: 4GiB}/far: {profile: small}/' 's/monitor: {/&profile: small, /'; do
    campaign
    sed -i "$edit" "$tmp/c/campaign.yaml"
    has "nodes are of one kind" "profile: the nodes of a group are of one kind" \
        "$(fanfold -C "$tmp/c" check 2>&1)"
done
campaign ', profile: here'
has "this machine is one node" "needs 2 nodes and the jobs of profile 'here' run on this machine" \
    "$(fanfold -C "$tmp/c" check 2>&1)"
campaign ', task: {cores: 4}'
has "less than its programs need" "need 18 cores together and its task has 4 cores" \
    "$(fanfold -C "$tmp/c" check 2>&1)"

done_testing
