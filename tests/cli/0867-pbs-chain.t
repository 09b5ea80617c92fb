#!/bin/sh
# 0867-pbs-chain - campaigns on PBS that nobody drives but their own jobs
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/pbs.sh"

pbs_up ncpus=4

loop_campaign "$tmp/reference"
ok "reference: on this machine" fanfold -C "$tmp/reference" run
c=$tmp/chain
loop_campaign "$c"
pbs_site "$c" "setup: [[export, 'PATH=$PATH']]"
sed -i 's/node: .*/node: {cores: 2}/; s/poll: 0.5s/poll: 60s/' "$c/site.yaml"
drives_itself
ok "... and no job is left" until_is "" jobs_left "$c"

c=$tmp/people
work_campaign "$c" 2
pbs_site "$c" "setup: [[export, 'PATH=$PATH']]"
echo "$waiting" >"$c/behaviour"
ok "submit --chain" fanfold -C "$c" submit --chain
ok "elements run" wait_ran "$c" "0 1 "
is "... and one job waits for their end" 1 "$(dependency_jobs "$c" | wc -l)"
qdel "$(dependency_jobs "$c")"
is "somebody deletes it" "" "$(qstat "$(dependency_jobs "$c")" 2>/dev/null)"
ok "submit --chain again" fanfold -C "$c" submit --chain
is "... and all is as it was" 1 "$(dependency_jobs "$c" | wc -l)"
: >"$c/go"
ok "the campaign ends by itself" until_is "done" state_of "$c"
is "... each task ran once" "0 1 " "$(ran "$c")"
ok "... and no job is left" until_is "" jobs_left "$c"

# A node whose PATH has no qsub: the job says so, and ends.
c=$tmp/lost
work_campaign "$c" 1
pbs_site "$c" 'setup: [[export, PATH=/usr/bin:/bin]]'
ok "a node without qsub: submit --chain" fanfold -C "$c" submit --chain
says_missing() {
    grep -qs "not on PATH on $(uname -n): qsub" "$c"/.fanfold/chain/*.log
}
ok "... the job that is to drive says so in its log" until_ok says_missing
ok "... a driver goes on" fanfold -C "$c" run
is "... each task ran once" "0 " "$(ran "$c")"
for job in $(dependency_jobs "$c"); do qdel "$job"; done

# The element has ended, and is forgotten, before its wake-up is submitted.
if is_own; then
    configure job_history_enable=False
    c=$tmp/forgotten
    work_campaign "$c" 2
    pbs_site "$c" "setup: [[export, 'PATH=$PATH']]"
    ok "no history: submit --chain" fanfold -C "$c" submit --chain
    ok "... the campaign ends by itself" until_is "done" state_of "$c"
    is "... each task ran once" "0 1 " "$(ran "$c")"
fi

done_testing
