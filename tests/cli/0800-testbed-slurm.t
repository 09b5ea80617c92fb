#!/bin/sh
# 0800-testbed-slurm - the emulated cluster: idempotent, repaired, removed
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/slurm.sh"

exits "there is none yet" 1 testbed status
ok "down without one is no error" testbed down
slurm_up --set MaxArraySize=77 --set MinJobAge=9
pass "up"
ok "status says so" testbed status
is "four nodes" 4 "$(sinfo -h -p main -o %D)"
is "a line of ours replaces the script's" 1 "$(scontrol show config | grep -c '^MaxArraySize *= 77$')"
is "accounting is off" "Slurm accounting storage is disabled" "$(sacct 2>&1)"

FANFOLD_TESTBED=$tmp/other "$abs_top_srcdir/scripts/testbed-slurm" up --nodes 1 >"$tmp/out" 2>&1
is "another cluster beside it" 0 $?
is "... is another one" 1 "$(SLURM_CONF=$tmp/other/etc/slurm.conf sinfo -h -p main -o %D)"
FANFOLD_TESTBED=$tmp/other "$abs_top_srcdir/scripts/testbed-slurm" down
ok "... whose end is no matter to the first" testbed status
is "... and leaves nothing" "" "$(ls -d "$tmp/other" 2>/dev/null)"

# What a job has: GPUs of its own, the host name of its node.
cat >"$tmp/job" <<END
#!/bin/sh
echo "\$SLURMD_NODENAME \$CUDA_VISIBLE_DEVICES"
END
ok "a job runs" sbatch --wait -Q -o "$tmp/job.out" --gres=gpu:2 -w n3 "$tmp/job"
is "... on the node asked for, with two GPUs" "n3 0,1" "$(cat "$tmp/job.out")"

controller=$(cat "$FANFOLD_TESTBED/run/slurmctld.pid")
ok "kill a daemon" testbed kill slurmd.n2
exits "status notices" 1 testbed status
exits "an unknown daemon is refused" 1 testbed kill slurmd.n5
ok "up repairs" testbed up
ok "... all of it" testbed status
is "... and touches nothing that was well" "$controller" "$(cat "$FANFOLD_TESTBED/run/slurmctld.pid")"

sbatch -Q -o /dev/null --array=0-3 --wrap='sleep 1000' >/dev/null
ok "down" testbed down
is "... ends jobs too" "" "$(pgrep -af "$FANFOLD_TESTBED")"
is "... and removes the directory" "" "$(ls -d "$FANFOLD_TESTBED" 2>/dev/null)"

done_testing
