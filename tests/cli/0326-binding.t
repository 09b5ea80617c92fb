#!/bin/sh
# 0326-binding - tasks run where the rules of their profile say
. "$abs_top_srcdir/tests/cli/tap.sh"

# campaign RULES: two tasks of one core each, which tell where they run and what
# their memory is bound to.  The node is as large as this machine.
campaign() {
    rm -rf "$tmp/c"
    mkdir "$tmp/c"
    cat >"$tmp/c/tell" <<-'EOF'
	#!/bin/sh
	cpus=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)
	policy=$(sed -n '1s/^[^ ]* \([^ ]*\).*/\1/p' /proc/self/numa_maps)
	printf '{"cpus": "%s", "policy": "%s"}' "$cpus" "$policy" >"$1"
	EOF
    chmod +x "$tmp/c/tell"
    cat >"$tmp/c/campaign.yaml" <<-EOF
	format: 1
	campaign: binding
	elements: [Si]
	stages:
	  look: {uses: toy.look, with: {n: [1, 2]}}
	stop: {iterations: 1}
	operators:
	  toy.look:
	    fan_out: [n]
	    inputs: {n: {type: int}}
	    outputs: {cpus: {type: string}, policy: {type: string}}
	    command: [$tmp/c/tell, "{outputs.params}"]
	EOF
    cat >"$tmp/c/site.yaml" <<-EOF
	format: 1
	profiles:
	  here:
	    scheduler: local
	    spool: $tmp/spool
	    limits: {elements: 1}
	    $1
	EOF
}

# seen OUTPUT: what the tasks saw, each once
seen() {
    fanfold -C "$tmp/c" result look "$1" | jq -r '.[]' | sort -u | xargs
}

cores=$(lscpu -p=CORE,SOCKET | grep -v '^#' | sort -u | wc -l)
first=$(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//')

campaign "memory_binding: strict"
fanfold -C "$tmp/c" run >"$tmp/ran" 2>&1
if grep -q 'cannot bind its memory' "$tmp/ran"; then
    not_here "memory of NUMA nodes: the system lets nobody choose them"
else
    is "strict memory is bound" bind "$(seen policy | sed 's/:.*//')"
    explained=$(fanfold -C "$tmp/c" explain look 0)
    has "... explain tells of it" "CPUs $(fanfold -C "$tmp/c" result look cpus |
        jq -r '.[0]'), memory of NUMA nodes 0 alone" "$explained"
    has "... and of what was used" "s of CPU time in" "$explained"
    lacks "... and of no difference" wanted echo "$explained"
fi
campaign "memory_binding: preferred"
ok "preferred memory" fanfold -C "$tmp/c" run
lacks "... is not" bind seen policy

# A core of more threads than this machine has: its tasks are not bound to it.
HWLOC_SYNTHETIC="core:1 pu:$(($(nproc --all) + 3))"
export HWLOC_SYNTHETIC
campaign "node: {cores: 1}"
ok "CPUs that are not there" fanfold -C "$tmp/c" run
unset HWLOC_SYNTHETIC
has "... are named" "asked for were CPUs 0-$(($(nproc --all) + 2)):" \
    "$(fanfold -C "$tmp/c" explain look 0)"

# Nor is the memory of a NUMA node that it lacks.
HWLOC_SYNTHETIC="numa:2 core:1 pu:1"
export HWLOC_SYNTHETIC
campaign "node: {cores: 2}"
ok "NUMA nodes that are not there" fanfold -C "$tmp/c" run
unset HWLOC_SYNTHETIC
has "... are named" "asked for was memory of NUMA nodes 0 first: the system forbids" \
    "$(fanfold -C "$tmp/c" explain look 0)"
is "... and in the log" '{"mode":"preferred","nodes":"0"}' "$(
    run_cat "$tmp/c" look '*' '*/*/results-*' |
        sed -n 's/.*"memory_wanted":\({[^}]*}\).*/\1/p' | sort -u | head -n 1
)"

# The node is not the recorded one, and counts.
campaign "node: {topology: $abs_top_srcdir/tests/fixtures/hwloc/8-gpus.xml}"
ok "another node than the recorded one" fanfold -C "$tmp/c" run
has "... is told" "NUMA nodes: 4 in place of 2" "$(
    HWLOC_SYNTHETIC='numa:4 core:8 pu:2'
    export HWLOC_SYNTHETIC
    campaign "node: {topology: $abs_top_srcdir/tests/fixtures/hwloc/8-gpus.xml}"
    fanfold -C "$tmp/c" run >&2
    fanfold -C "$tmp/c" explain look 1
)"
lacks "... but not what is alike" cores: fanfold -C "$tmp/c" explain look 1
HWLOC_COMPONENTS=-pci,-opencl,-cuda,-nvml,-rsmi,-levelzero,-gl # which may leak
export HWLOC_COMPONENTS
ok "its own record" fanfold -C "$tmp/c" probe here --output "$tmp/here.xml"
campaign "node: {topology: $tmp/here.xml}"
ok "... runs" fanfold -C "$tmp/c" run
lacks "... with nothing to tell" 'is not as' fanfold -C "$tmp/c" explain look 1

if [ "$cores" -gt 1 ] && [ "$(nproc)" -eq "$(nproc --all)" ]; then
    campaign "reserved_cores: $((cores - 1))"
    ok "one core is left for tasks" fanfold -C "$tmp/c" run
    is "... which both use" 1 "$(seen cpus | wc -w)"
    lacks "... and it is not the first" "^$first\$" seen cpus
    campaign "reserved_cores: $cores"
    exits "none is left" 1 fanfold -C "$tmp/c" run
else
    not_here "cores left to the system: one core, or not all of them are ours"
fi

done_testing
