#!/bin/sh
# 0861-pbs-loop - whole campaigns on PBS: the same results as here, one array
# for a stage, few questions, any directory, any driver
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/pbs.sh"

pbs_up
loop_campaign "$tmp/reference"
ok "reference: on this machine" fanfold -C "$tmp/reference" run
reference=$(results_digest "$tmp/reference")

# The profile is the only change.
c=$tmp/loop
loop_campaign "$c"
pbs_site "$c"
sed -i 's/node: .*/node: {cores: 4}/' "$c/site.yaml"
count_calls
ok "the same campaign on PBS" fanfold -C "$c" run
is "... has the same results" "$reference" "$(results_digest "$c")"
stages=$(run_files "$c" '*' '*' '000000/000000' | wc -l)
is "one qsub for each stage that ran" "$stages" "$(calls qsub)"
is "... each let go once" "$stages" "$(calls qrls)"
ok "what the site allows is asked once" test "$(calls 'qstat -B')" -eq 1
is "nothing is cancelled" 0 "$(calls qdel)"
silent "no element said anything outside its tasks" find "$c" -name 'element-*.log' -size +0

# At most one question on states in a call.
c=$tmp/advance
loop_campaign "$c"
pbs_site "$c"
driven_by_steps 'qstat -f -t'

# Names that a shell, PBS or a person could stumble over.
c="$tmp/it's \"50%a\" \$HOME \\ ^array_index^, ü
newline
Job Id: 1[].x
    job_state = F"
work_campaign "$c" 2
ok "a directory with all that in its name" fanfold -C "$c" run
is "... each task ran once" "0 1 " "$(ran "$c")"
is "... and elements log there" xx "$(find "$c" -name 'element-*.log' -printf x)"

c=$tmp/single
work_campaign "$c" 1
ok "an array of one" fanfold -C "$c" run
is "... runs once" "0 " "$(ran "$c")"

env_reaches_tasks

c=$tmp/two
cron_meets_a_person

# From inside a job, whose environment must not leak into what it submits.
c=$tmp/inside
work_campaign "$c" 3
echo 'echo "$PBS_ARRAY_INDEX $PBS_JOBNAME $LEAK" >>$1/env' >"$c/behaviour"
cat >"$tmp/driver" <<END
#!/bin/sh
export LEAK=1 PBS_DPREFIX='#NO'
PATH='$PATH'
export PATH
fanfold -C "$c" run >"$c/out" 2>&1
touch "$c/ended"
END
ok "a driver inside a job" qsub -N driver -j oe -o /dev/null "$tmp/driver"
until_ok test -e "$c/ended"
is "... is done" "done" "$(state_of "$c")"
is "... each task ran once" "0 1 2 " "$(ran "$c")"
is "... none saw the driver's environment" 3 \
    "$(grep -c '^[0-2] [a-z][a-z0-9]\{14\} $' "$c/env")"

done_testing
