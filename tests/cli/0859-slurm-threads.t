#!/bin/sh
# 0859-slurm-threads - a site where Slurm counts hardware threads as processors
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/slurm.sh"

slurm_up --nodes 2 --cpus 2 --threads 2 --set SelectTypeParameters=CR_Core_Memory

# site DIR [LINE ...]: nodes of two cores, as doctor's advice has it.
site() {
    slurm_site "$@"
    sed -i 's/cores: 1,/cores: 2,/' "$1/site.yaml"
}

# processors DIR: what Slurm gave the campaign's jobs of two cores, each once
processors() {
    for job in $(find "$1" -name submission.json -exec jq -r .id {} +); do
        scontrol -o show job "$job" | grep -o 'NumCPUs=[0-9]*'
    done | sort -u | xargs
}

# campaign DIR [LINE ...]: one task of two cores
campaign() {
    mkdir "$1"
    site "$@"
    cat >"$1/campaign.yaml" <<-'END'
	format: 1
	campaign: threads
	elements: [Si]
	stages: {work: {uses: toy.work}}
	stop: {iterations: 1}
	operators:
	  toy.work:
	    outputs: {n: {type: int}}
	    task: {cores: 2}
	    command: [sh, -c, "echo '{\"n\": 1}' >$1", "-", "{outputs.params}"]
	END
}

campaign "$tmp/threads"
ok "a task of two cores" fanfold -C "$tmp/threads" run
is "... gets one of two threads" NumCPUs=2 "$(processors "$tmp/threads")"
campaign "$tmp/cores" "directives: [--hint=nomultithread]"
ok "with the directive of doctor's advice" fanfold -C "$tmp/cores" run
is "... it gets two cores" NumCPUs=4 "$(processors "$tmp/cores")"

# What starts processes on each node heeds the directive, too.
group_campaign "$tmp/group" "retry: {failed: 1}"
site "$tmp/group" "directives: [--hint=nomultithread]"
ok "a group on two nodes" fanfold -C "$tmp/group" run

done_testing
