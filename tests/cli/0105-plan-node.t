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
    '{"cores":"24-31,56-63","reserved":"","gpus":[],"why":["no GPUs are left"]}' \
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

rules() {
    fanfold plan --node 'package:2 l3:2 core:4 pu:2' --task "$1" --rules "$2" --json |
        jq -r '[.slots[].cores] | join(" ")'
}
is "one core of each cache is left" "2-7 10-15 18-23 26-31" \
    "$(rules cores=3 reserved_cores=one_per_l3)"
is "... or a number" "8-15 16-23 24-31" "$(rules cores=4 'reserved_cores=2')"
has "... which is said" "reserved: cores 0-3" "$(fanfold plan \
    --node 'package:2 l3:2 core:4 pu:2' --rules reserved_cores=2)"
is "one thread of each core" "0,2,4,6 8,10,12,14" \
    "$(rules 'cores=4 tasks=2' smt=false)"
is "spread" "0-3 16-19" "$(fanfold plan --node 'package:2 numa:1 l3:2 core:4 pu:2' \
    --task 'cores=2 tasks=2' --rules 'bind=spread memory_binding=strict' --json |
    jq -r '[.slots[].cores] | join(" ")')"
for rules in bind bind=tight smt=1 reserved_cores=-1 memory_binding=no cores=1; do
    exits "--rules $rules" 2 fanfold plan --node 'core:2 pu:1' --rules "$rules"
done

# --- the nodes of a site ---

ok "new" fanfold -C "$tmp/c" new
cp "$nodes/8-gpus.xml" "$tmp/c/node.xml"
# site NODE
site() {
    printf 'format: 1\nprofiles:\n  far: {scheduler: pbs, node: {%s}%s}\n' \
        "$1" "$2" >"$tmp/c/site.yaml"
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
# array: slots and cores of the first stage
array() {
    fanfold -C "$tmp/c" plan --json |
        jq -r '.stages[0].array | "\(.slots) \(.cores)"'
}
site "topology: node.xml" ", reserved_cores: 2"
is "tasks that leave room ask for their cores" "4 4" "$(array)"
is "... and nothing of them is reserved" "0-1 2-3 4-5 6-7 " \
    "$(fanfold -C "$tmp/c" plan --json | jq -r '.stages[0].node |
        ([.slots[].cores] | join(" ")) + " " + .unused.reserved')"
site "cores: 6" ", reserved_cores: 2"
is "tasks that fill a node ask for all of it" "4 6" "$(array)"
cp "$nodes/2-packages-6-cores-2-pus.xml" "$tmp/c/small.xml"
site "topology: small.xml" ", reserved_cores: 8"
is "... also by a topology" "4 12" "$(array)"
is "... and what is reserved is shown" \
    "5,17 7,19 9,21 11,23 0-4,6,8,10,12-16,18,20,22" \
    "$(fanfold -C "$tmp/c" plan --json | jq -r '.stages[0].node |
        ([.slots[].cores] | join(" ")) + " " + .unused.reserved' | head -1)"
site "cores: 6" ", reserved_cores: 6"
exits "nothing is left" 3 fanfold -C "$tmp/c" check
has "... is said" "6 of the 6 cores of a node are reserved" \
    "$(fanfold -C "$tmp/c" check 2>&1)"
site "cores: 6" ", reserved_cores: one_per_l3"
exits "numbers know of no caches" 3 fanfold -C "$tmp/c" check
has "... is said" "counts the caches of a node" \
    "$(fanfold -C "$tmp/c" check 2>&1)"
site "topology: node.xml" ", bind: tight, smt: 2"
exits "no such rules" 3 fanfold -C "$tmp/c" check
has "... are named" "bind: 'tight'; write close, spread or none" \
    "$(fanfold -C "$tmp/c" check 2>&1)"
has "... all of them" "smt: '2'; write true or false" \
    "$(fanfold -C "$tmp/c" check 2>&1)"
# Two NUMA nodes of 476.8 GiB: three tasks of 300 GiB would have room in all.
site "topology: node.xml" ", memory_binding: strict"
sed -i '0,/task: {cores: 1,/s//& memory: 300GiB,/' "$tmp/c/campaign.yaml"
is "memory of NUMA nodes is counted" "2 32" "$(array)"
is "... and each slot has one" "0 1" "$(fanfold -C "$tmp/c" plan --json |
    jq -r '[.stages[0].node.slots[].numa[]] | join(" ")')"
sed -i 's/300GiB/500GiB/' "$tmp/c/campaign.yaml"
exits "none has so much" 3 fanfold -C "$tmp/c" check
has "... is said" "the NUMA nodes of its cores have 476.8 GiB" \
    "$(fanfold -C "$tmp/c" check 2>&1)"
site "cores: 32, memory: 900GiB" ", memory_binding: strict"
has "numbers tell nothing of them" "how much memory each NUMA node has is not known" \
    "$(fanfold -C "$tmp/c" check 2>&1)"
sed -i 's/ memory: 500GiB,//' "$tmp/c/campaign.yaml"
site "topology: nod.xml"
exits "no such file" 3 fanfold -C "$tmp/c" check
has "... is named" "nod.xml: not a topology" "$(fanfold -C "$tmp/c" check 2>&1)"

done_testing
