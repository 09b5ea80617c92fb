#!/bin/sh
# 0848-slurm-outage - a partition that is switched off or down, a limit on jobs, a
# controller that is gone: `run` says so in Slurm's words, `status` and `explain` know
# since when, and when it is over that is said
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/slurm.sh"

slurm_up --nodes 1 --set MaxJobCount=20 --set MinJobAge=10

said() {
    grep -qF -- "$1" "$tmp/out"
}

status_has() {
    fanfold -C "$c" status | grep -qF -- "$1"
}

status_is_silent() {
    [ "$(fanfold -C "$c" status --json | jq '.schedulers | length')" = 0 ]
}

runs() {
    fanfold -C "$c" run >"$tmp/out" 2>&1 &
    pid=$!
}

ends_well() {
    status=0
    wait $pid || status=$?
    is "... the campaign ends well" 0 $status
    is "... each task ran once" "0 1 " "$(ran "$c")"
}

# Jobs of others fill the controller's list; sbatch itself tries again and again.
c=$tmp/full
work_campaign "$c" 2
ok "jobs of others" sbatch --hold --array=0-18 --output=/dev/null --job-name=others --wrap true
runs
ok "Slurm has room for no more jobs: run says at once that it waits" until_ok said \
    "waiting for the scheduler of profile 'here' (slurm): no answer for 1"
ok "... and when sbatch has ended, why" until_ok said "has taken no jobs since 20"
ok "... in Slurm's words" said "unable to accept job"
scancel --name=others
ok "there is room, which is said" until_ok said "takes jobs again, after"
ends_well

c=$tmp/inactive
work_campaign "$c" 2
slurm_site "$c" 'partition: main'
scontrol update partition=main state=INACTIVE
runs
ok "a partition that is switched off: run says so" until_ok said \
    "the scheduler of profile 'here' (slurm) has taken no jobs since 20"
ok "... in Slurm's words, with the key to look at" said \
    'Required partition not available (inactive or drain) (look at `partition`'
ok "... status tells it" status_has "has taken no jobs since"
has "... explain, too" "has taken no jobs since" "$(fanfold -C "$c" explain work)"
scontrol update partition=main state=UP
ok "it is switched on, which is said" until_ok said "takes jobs again, after"
ok "... status knows of nothing" status_is_silent
ends_well

c=$tmp/down
work_campaign "$c" 2
slurm_site "$c" 'partition: main'
scontrol update partition=main state=DOWN
runs
ok "a partition that takes jobs and starts none: run says so" until_ok said "PartitionDown"
ok "... status tells since when" until_ok status_has "; since 20"
scontrol update partition=main state=UP
ends_well

c=$tmp/gone
work_campaign "$c" 2
echo "$waiting" >"$c/behaviour"
runs
wait_ran "$c" "0 1 "
testbed stop slurmctld
ok "the controller is gone: run says so" until_ok said "(slurm) has not answered since 20"
ok "... in the words of Slurm's commands" said "Unable to contact slurm controller"
ok "... status tells it" status_has "has not answered since"
ok "the controller is back" testbed up
ok "... which is said" until_ok said "answers again, after"
: >"$c/go"
ends_well

done_testing
