#!/bin/sh
# 0874-pbs-pipeline - the script of examples/pipeline on PBS: jobs hand a campaign on, and
# stop where nothing is to be done
TMPDIR=/tmp
export TMPDIR
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/pbs.sh"

unset PBS_JOBID SLURM_JOB_ID
fake_up nodes=1 job_history_enable=True
example=$abs_top_srcdir/examples/pipeline

# What a login on a node would set here.
pipeline_site() {
    printf '    node: {cores: 2}\n    limits: {poll: 0.5s, settle: 1s, visibility: 10s}\n' >"$tmp/more"
    sed "/scheduler: allocation/r $tmp/more" "$example/site.yaml" >"$1/site.yaml"
    cat >"$tmp/login" <<END
PATH=$PATH FANFOLD_SPOOL=$tmp/spool OMPI_MCA_plm_rsh_agent=$(command -v node_ssh)
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export PATH FANFOLD_SPOOL OMPI_MCA_plm_rsh_agent OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
END
    sed "/^#PBS -j oe/r $tmp/login" "$example/pipeline.pbs" >"$1/pipeline.pbs"
}
site=pipeline_site

submit() {
    (cd "$1" && qsub pipeline.pbs)
}

no_job() {
    [ -z "$(qselect)" ]
}

c=$tmp/whole
work_campaign "$c" 3
ok "a job drives a campaign" submit "$c"
until_ok no_job
is "... to its end" "done" "$(state_of "$c")"
is "... each task once" "0 1 2 " "$(ran "$c")"

c=$tmp/killed
work_campaign "$c" 2
echo "$waiting" >"$c/behaviour"
job=$(submit "$c")
until_ok eval '[ "$(cat "$c/ran" 2>/dev/null | wc -l)" -ge 2 ]'
qdel "$job"
: >"$c/go"
until_ok no_job
is "a job is deleted: the next one ends the campaign" "done" "$(state_of "$c")"

c=$tmp/fails
work_campaign "$c" 2
echo 'exit 1' >"$c/behaviour"
ok "tasks that fail" submit "$c"
until_ok no_job
is "... end the chain of jobs" failed "$(state_of "$c")"

done_testing
