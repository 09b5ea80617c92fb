#!/bin/sh
# 0339-array-limits - a stage with more tasks than the scheduler takes: `plan` says so with
# the numbers and what becomes of the rest, and that is what is submitted then
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/pbs.sh"

fake_up ncpus=4 job_history_enable=True max_array_size=3
qmgr -c 'create queue limq'
qmgr -c 'set queue limq max_queued = [u:PBS_GENERIC=5]'
qmgr -c 'set queue limq resources_max.walltime = 00:01:00'
count_calls

c=$tmp/arrays
work_campaign "$c" 8
sed -i 's/poll:/walltime: 50s, poll:/' "$c/site.yaml"
text=$(fanfold -C "$c" plan)
has "plan: more elements than an array may have" \
    "  limits  3 arrays, since one has at most 3 elements" "$text"
has "... the numbers of the arrays" "8 tasks in 8 elements of 1 slot, 3 submissions" "$text"
is "... in JSON, too" '3 {"elements":3,"submit":0}' \
    "$(fanfold -C "$c" plan --json | jq -r '.stages[0] | "\(.array.chunks) \(.site | tojson)"')"
is "... and nothing is made" "" "$(ls -d "$c/.fanfold" 2>/dev/null)"
: >"$tmp/calls"
ok "run" fanfold -C "$c" run
is "... submits as many" 3 "$(calls qsub)"

c=$tmp/submit
work_campaign "$c" 8
pbs_site "$c" 'queue: limq'
sed -i 's/poll:/walltime: 50s, poll:/' "$c/site.yaml"
has "plan: more elements than may be queued" \
    "  limits  3 arrays, since one has at most 3 elements; at most 5 elements are queued or running at a time, the rest waits its turn" \
    "$(fanfold -C "$c" plan)"
text=$(fanfold -C "$c" doctor)
has "doctor has the size of an array" \
    "up to 3 elements (max_array_size); a stage with more becomes several arrays" "$text"
has "... and what may be queued" \
    "5 elements queued or running at a time; of a stage with more the rest waits its turn" "$text"
ok "run: the rest waits its turn" fanfold -C "$c" run
is "... each task ran once" "0 1 2 3 4 5 6 7 " "$(ran "$c")"

c=$tmp/fits
work_campaign "$c" 2
is "a stage that fits: nothing is said" 0 "$(fanfold -C "$c" plan | grep -c '^  limits')"

c=$tmp/long
work_campaign "$c" 2
pbs_site "$c" 'queue: limq'
sed -i 's/walltime: 50s/walltime: 10m/' "$c/campaign.yaml"
has "plan: more time than the queue gives" "a task needs a walltime of 10m00s" \
    "$(fanfold -C "$c" plan)"

c=$tmp/silent
work_campaign "$c" 8
server stop
text=$(fanfold -C "$c" plan)
has "a server that is down: plan goes by the profile" \
    "8 tasks in 8 elements of 1 slot, 1 submission" "$text"
has "... and says so, in PBS's words" \
    "the scheduler of profile 'here' (pbs) does not tell its limits, arrays are made by the profile's alone: " "$text"
has "... in JSON, too" "cannot connect" \
    "$(fanfold -C "$c" plan --json | jq -r '.stages[0].site')"

done_testing
