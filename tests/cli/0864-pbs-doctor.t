#!/bin/sh
# 0864-pbs-doctor - what is wrong with a PBS site, and what a node has
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/pbs.sh"

says() {
    jq -r ".findings[] | select(.subject == \"$1\") | .grade + \": \" + .text + \"; \" + .advice" "$tmp/out"
}

fake_up job_history_enable=True nodes=2 ncpus=4 ngpus=1
c=$tmp/site
work_campaign "$c" 1
fanfold -C "$c" doctor --json >"$tmp/out"
is "a site that is well" 0 $?
has "... its release" "good: 23.06.06 (pbs01)" "$(says 'pbs: version')"
has "... its history" "good: jobs that have ended are shown for 14d00h" "$(says 'pbs: history')"
is "... no word on its dialect" "" "$(says 'pbs: dialect')"
has "... its nodes" "good: 2 of 2 fit" "$(says "profile 'here': nodes")"
fanfold -C "$c" doctor --probe --json >"$tmp/out"
is "a probe job runs there" 0 $?
has "... and its report is seen" "ran on $(uname -n)" "$(says "profile 'here': node")"
silent "... and nothing is left" qselect
has "... commands that it lacks" "not on PATH on $(uname -n): qsub, qstat" "$(says "profile 'here': commands")"
has "... and what to do" "with \`setup\` of the profile" "$(says "profile 'here': commands")"
pbs_site "$c" "setup: [[export, 'PATH=$PATH']]"
fanfold -C "$c" doctor --probe --json >"$tmp/out"
is "... which is done" "" "$(says "profile 'here': commands")"

fake set job_history_enable=False
qmgr -c 'create queue night'
qmgr -c 'set queue night resources_max.walltime = 00:10:00'
pbs_site "$c" 'queue: night' 'gres: nosuch'
sed -i 's/cores: 1,/cores: 4, gpus: 1,/; s/poll:/walltime: 1h, poll:/' "$c/site.yaml"
fanfold -C "$c" doctor --json >"$tmp/out"
is "one that is not" 1 $?
has "... its history" "warning: the server forgets jobs" "$(says 'pbs: history')"
has "... its walltime" "lower \`limits: walltime:\`" "$(says "profile 'here': walltime")"
has "... its GPUs" "change \`gres\`" "$(says "profile 'here': nodes")"
sed -i 's/scheduler: pbs/scheduler: torque/; s/queue: night/queue: day/' "$c/site.yaml"
fanfold -C "$c" doctor --json >"$tmp/out"
has "the wrong word for it" "write \`scheduler: pbs\`" "$(says 'torque: dialect')"
has "... and no such queue" "there is: workq, night" "$(says "profile 'here': queue")"

pbs_site "$c"
fake fault any down
exits "no server: status 5" 5 fanfold -C "$c" doctor
fanfold -C "$c" doctor --json >"$tmp/out"
has "... and why" "cannot connect to server pbs01" "$(says 'pbs: server')"
fake mend
PATH=$(dirname "$(command -v fanfold)") fanfold -C "$c" doctor --json >"$tmp/out"
has "no commands" "not on PATH: qsub" "$(says 'pbs: commands')"

done_testing
