#!/bin/sh
# 0105-plan-node - tasks are placed on a node without a site or a campaign
. "$abs_top_srcdir/tests/cli/tap.sh"

nodes=$abs_top_srcdir/tests/fixtures/hwloc
# slots NODE NEEDS... : "CORES NUMA GPUS" of each slot
slots() {
    node=$1
    shift
    for needs; do
        set -- "$@" --task "$needs"
        shift
    done
    fanfold plan --node "$node" "$@" --json |
        jq -r '.slots[] | "\(.cores) \(.numa | join(",")) \(.gpus | join(" "))"'
}

is "each GPU with cores beside it" "\
0-7 0 0000:11:00.0
8-15 0 0000:21:00.0
16-23 0 0000:31:00.0
24-31 0 0000:41:00.0
32-39 1 0000:51:00.0
40-47 1 0000:61:00.0
48-55 1 0000:71:00.0
56-63 1 0000:81:00.0" "$(slots "$nodes/8-gpus.xml" 'cores=4 gpus=1')"
is "what is left over, and why" \
    '{"cores":"24-31,56-63","gpus":[],"why":["no GPUs are left"]}' \
    "$(fanfold plan --node "$nodes/8-gpus.xml" --task 'cores=3 gpus=1' --json |
        jq -c .unused)"
is "tasks of several shapes" "\
4-5 1 0000:81:00.0/0 0000:81:00.0/1
0-1 0 " "$(slots "$nodes/mixed-devices.xml" 'gpus=2 tasks=1' 'cores=1 tasks=1')"
ok "a third of a GPU" fanfold plan --node "$nodes/8-gpus.xml" --task gpus=0.33
is "half a GPU each" 2 \
    "$(slots "$nodes/8-gpus.xml" 'gpus=0.5 tasks=2' | grep -c 0000:11)"
is "hwloc's text does as well" "\
0-3 0 
4-7 1 " "$(slots 'package:2 numa:1 core:2 pu:2' cores=2)"
is "the node is described" '{"numa":1,"address":"0000:81:00.0/2"}' \
    "$(fanfold plan --node "$nodes/mixed-devices.xml" --json |
        jq -c '.node.gpus[3] | {numa: .numa[0], address}')"
has "for people" "0000:81:00.0/2" \
    "$(fanfold plan --node "$nodes/mixed-devices.xml" --task 'cores=1 gpus=1')"
has "... with what crosses" "crosses NUMA nodes" \
    "$(fanfold plan --node 'package:2 numa:1 core:3 pu:1' --task cores=2)"
exits "no topology" 2 fanfold plan --node nonsense
has "... is said" "'nonsense' is not a topology" "$(fanfold plan --node nonsense 2>&1)"
for needs in cores cores=0 cores=x gpus=0.3 gpus=-1 memory=lots tasks=0 ranks=2; do
    exits "--task $needs" 2 fanfold plan --node 'core:2 pu:1' --task "$needs"
done

# --- the nodes of a site ---

ok "new" fanfold -C "$tmp/c" new
cp "$nodes/8-gpus.xml" "$tmp/c/node.xml"
# site NODE
site() {
    printf 'format: 1\nprofiles:\n  far: {scheduler: pbs, node: {%s}}\n' "$1" \
        >"$tmp/c/site.yaml"
}
site "topology: node.xml"
ok "a topology in place of numbers" fanfold -C "$tmp/c" check
is "... packs as the numbers do" "4 4" \
    "$(fanfold -C "$tmp/c" plan --json | jq -r '.stages[0].array | "\(.slots) \(.cores)"')"
is "... and shows the slots" "0-1 2-3 4-5 6-7" \
    "$(fanfold -C "$tmp/c" plan --json | jq -r '[.stages[0].node.slots[].cores] | join(" ")')"
has "... to people" "    3     6-7" "$(fanfold -C "$tmp/c" plan)"
site "topology: node.xml, cores: 32, gpus: 8"
ok "numbers that agree" fanfold -C "$tmp/c" check
site "topology: node.xml, cores: 64, memory: 3GiB"
exits "numbers that do not" 3 fanfold -C "$tmp/c" check
has "... both are told" "cores: 64 are said, the topology has 32" \
    "$(fanfold -C "$tmp/c" check 2>&1)"
has "... of memory, too" "memory: 3GiB are said, the topology has 953.7 GiB" \
    "$(fanfold -C "$tmp/c" check 2>&1)"
site "topology: nod.xml"
exits "no such file" 3 fanfold -C "$tmp/c" check
has "... is named" "nod.xml: not a topology" "$(fanfold -C "$tmp/c" check 2>&1)"

done_testing
