#!/bin/sh
# 0856-slurm-pipeline - the script of examples/pipeline on Slurm: jobs hand a campaign on,
# when their time is over and when they are killed, and stop where nothing is to be done
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/slurm.sh"

unset SLURM_JOB_ID
example=$abs_top_srcdir/examples/pipeline

pipeline_site() {
    cp "$example/site.yaml" "$example/pipeline.sbatch" "$1"
    chmod u+w "$1/site.yaml" "$1/pipeline.sbatch"
}
site=pipeline_site

submit() {
    (cd "$1" && sbatch --parsable pipeline.sbatch)
}

no_job() {
    [ -z "$(squeue -h -o %i)" ]
}

# How all jobs ended, in their order.
ends() {
    squeue -h -t all -o '%i %T' | sort -n | cut -d' ' -f2 | xargs
}

slurm_up --nodes 1 --cpus 4

c=$tmp/whole
work_campaign "$c" 4
ok "a job drives a campaign" submit "$c"
until_ok no_job
is "... to its end" "done" "$(state_of "$c")"
is "... each task once" "0 1 2 3 " "$(ran "$c")"
is "... and the job that waited is cancelled" "COMPLETED CANCELLED" "$(ends)"

# Half a minute before the end of a job what runs is told to end.
c=$tmp/handed
work_campaign "$c" 3
sed -i 's/--time=.*/--time=1/' "$c/pipeline.sbatch"
echo "$waiting" >"$c/behaviour"
before=$(squeue -h -t all -o %i | wc -l)
ok "a job of a minute" submit "$c"
until_ok eval '[ "$(cat "$c/ran" 2>/dev/null | wc -l)" -ge 6 ]'
is "... its tasks run again in the next one" "0 0 1 1 2 2 " "$(ran "$c")"
has "... for its time was over" "the job" "$(cat "$c/pipeline.log")"
: >"$c/go"
until_ok no_job
is "... which ends the campaign" "done" "$(state_of "$c")"
ok "... three jobs or more" test "$(squeue -h -t all -o %i | wc -l)" -ge $((before + 3))
is "... the last of which was cancelled" CANCELLED "$(ends | sed 's/.* //')"

# Somebody, or a node, ends a job in the middle.
c=$tmp/killed
work_campaign "$c" 3
echo "$waiting" >"$c/behaviour"
job=$(submit "$c")
until_ok eval '[ "$(cat "$c/ran" 2>/dev/null | wc -l)" -ge 3 ]'
scancel --signal=KILL --full "$job"
: >"$c/go"
until_ok no_job
is "a job is killed: the next one ends the campaign" "done" "$(state_of "$c")"

# A campaign that fails is for a person.
c=$tmp/fails
work_campaign "$c" 2
echo 'exit 1' >"$c/behaviour"
ok "tasks that fail" submit "$c"
until_ok no_job
is "... end the chain of jobs" failed "$(state_of "$c")"
is "... the one that waited is cancelled" CANCELLED "$(ends | sed 's/.* //')"
echo true >"$c/behaviour"
exits "a retry, which a job takes up" 5 fanfold -C "$c" retry
ok "... the same script" submit "$c"
until_ok no_job
is "... goes on" "done" "$(state_of "$c")"

# --- by cron ---

# As cron does it: the environment of the table, its lines by sh, in the home directory.
c=$tmp/cron
work_campaign "$c" 3
slurm_site "$c"
sed "s|^PATH=.*|PATH=$PATH|; s|^CAMPAIGN=.*|CAMPAIGN=$c|" "$example/crontab" >"$tmp/table"
line=$(sed -n 's|^\*/5 \* \* \* \* ||p' "$tmp/table")
ok "the table has one line" test -n "$line"
tick() {
    (cd / && env -i HOME="$HOME" "SLURM_CONF=$SLURM_CONF" $(grep -E '^(PATH|CAMPAIGN)=' "$tmp/table") \
        /bin/sh -c "$line")
}
ticks=0
while [ "$(state_of "$c")" != "done" ] && [ $ticks -lt 300 ]; do
    tick >>"$tmp/said" 2>&1 || break
    ticks=$((ticks + 1))
    sleep 0.2
done
is "... and drives a campaign" "done" "$(state_of "$c")"
is "... which tells its end alone" "work: done (all iterations are done), iteration 0" \
    "$(cat "$tmp/said")"

done_testing
