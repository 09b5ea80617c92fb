#!/bin/sh
# 0810-slurm-loop - whole campaigns on Slurm: the same results as here, one
# array for a stage, few questions, any directory, any driver
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/slurm.sh"

slurm_up --nodes 4
loop_campaign "$tmp/reference"
ok "reference: on this machine" fanfold -C "$tmp/reference" run
reference=$(results_digest "$tmp/reference")

# The profile is the only change.
c=$tmp/loop
loop_campaign "$c"
slurm_site "$c"
sed -i 's/node: .*/node: {cores: 4}/' "$c/site.yaml"
count_calls
ok "the same campaign on Slurm" fanfold -C "$c" run
is "... has the same results" "$reference" "$(results_digest "$c")"
stages=$(run_files "$c" '*' '*' '000000/000000' | wc -l)
is "one sbatch for each stage that ran" "$stages" "$(calls sbatch)"
is "... each let go once" "$stages" "$(calls 'scontrol release')"
ok "what the site allows is asked once" test "$(calls 'scontrol show config')" -eq 1
is "nothing is cancelled" 0 "$(calls scancel)"
is "without accounting sacct is not asked" 0 "$(calls sacct)"
echo "# scheduler calls of the campaign: $(wc -l <"$tmp/calls") ($(
    cut -d' ' -f1,2 "$tmp/calls" | sed 's/ -.*//' | sort | uniq -c | tr -s ' \n' ' '))"
silent "no element said anything outside its tasks" find "$c" -name 'element-*.log' -size +0

# At most one question on states in a call.
c=$tmp/advance
loop_campaign "$c"
slurm_site "$c"
driven_by_steps 'squeue .*--jobs='

# Names that a shell, Slurm or a person could stumble over.
c="$tmp/it's \"50%a\" \$HOME \\ ü
newline"
work_campaign "$c" 2
ok "a directory with all that in its name" fanfold -C "$c" run
is "... each task ran once" "0 1 " "$(ran "$c")"
is "... and elements log there" xx "$(find "$c" -name 'element-*.log' -printf x)"

env_reaches_tasks

c=$tmp/two
cron_meets_a_person

# From inside a job, whose environment must not leak into what it submits.
c=$tmp/inside
work_campaign "$c" 3
echo 'echo "$SLURM_NTASKS $SLURM_JOB_NAME $LEAK" >>$1/env' >"$c/behaviour"
cat >"$tmp/driver" <<END
#!/bin/sh
export LEAK=1 SBATCH_PARTITION=nosuch SQUEUE_FORMAT=%i SLURM_CLUSTERS=nosuch
exec fanfold -C "$c" run
END
ok "a driver inside a job of two tasks" \
    sbatch -Q --wait -n 2 -J driver -o "$tmp/out" "$tmp/driver"
is "... is done" "done" "$(state_of "$c")"
is "... each task ran once" "0 1 2 " "$(ran "$c")"
is "... none saw the driver's environment" 3 \
    "$(grep -c '^1 [a-z][a-z0-9]\{14\} $' "$c/env")"

done_testing
