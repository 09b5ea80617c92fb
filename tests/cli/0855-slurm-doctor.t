#!/bin/sh
# 0855-slurm-doctor - what is wrong with a Slurm site, and with its nodes
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/slurm.sh"

c=$tmp/site
mkdir "$c"

# doctor STATUS ARGUMENT ...: its findings are in $tmp/findings, and nothing is
# left of it.
doctor() {
    want=$1
    shift
    fanfold -C "$c" doctor --json "$@" >"$tmp/findings" 2>"$tmp/err"
    is "doctor $* ends with $want" "$want" $?
    is "... leaves no file" "site.yaml" "$(ls -A "$c")"
}

# The grade and text of what is said of subject $1.
says() {
    jq -r ".findings[] | select(.subject == \"$1\") |
        .grade + \": \" + .text + \"; \" + .advice" "$tmp/findings"
}

# Slurm's commands, but no cluster.
slurm_site "$c"
SLURM_CONF=$tmp/nosuch/slurm.conf
export SLURM_CONF
fanfold -C "$c" doctor --json >"$tmp/findings"
ok "a host without a cluster" test $? -eq 1 -o $? -eq 5
has "... is told" "bad: " "$(says 'slurm: controller')"
unset SLURM_CONF

slurm_up --nodes 2 --accounting --set AccountingStorageEnforce=associations,limits,qos \
    --partition 'PartitionName=gone Nodes=n2 State=DOWN'
count_calls

# --- without a job ---

slurm_site "$c" 'account: fanfold'
doctor 0
has "the version" "good: 22." "$(says 'slurm: version')"
has "accounting" "good: sacct answers" "$(says 'slurm: accounting')"
has "arrays" "good: up to 1001 elements" "$(says 'slurm: arrays')"
has "processes that may escape" "warning: " "$(says 'slurm: processes')"
has "the partition" "good: main is up, the site's default" "$(says "profile 'here': partition")"
has "the nodes" "good: 2 of 2 fit" "$(says "profile 'here': nodes")"
has "Slurm's own word" "good: Slurm would take such a job" "$(says "profile 'here': sbatch")"
has "a disk of this host is not taken for shared" "doctor --probe" "$(says 'data space')"
silent "nothing was submitted" squeue -h -t all

slurm_site "$c" 'partition: nosuch'
doctor 1
has "a wrong partition" "there is: main, short, gone; change \`partition\`" "$(says "profile 'here': partition")"
slurm_site "$c" 'partition: gone'
doctor 1
has "a partition that is down" "gone is DOWN: jobs are taken and wait" "$(says "profile 'here': partition")"
slurm_site "$c" 'account: nosuch'
doctor 1
has "a wrong account" "there is: fanfold, root; change \`account\`" "$(says "profile 'here': account")"
slurm_site "$c" 'qos: nosuch'
doctor 1
has "a wrong QOS, in Slurm's words" "Invalid qos specification (look at \`qos\` of the profile)" \
    "$(says "profile 'here': sbatch")"
slurm_site "$c" 'gres: gpu:nosuch'
sed -i 's/memory: 300MiB/memory: 300MiB, gpus: 1/' "$c/site.yaml"
doctor 1
has "an unknown GPU" "1 of 'gpu:nosuch'; it has: gpu:fake:2; change \`gres\`" "$(says "profile 'here': nodes")"
slurm_site "$c" 'partition: short'
sed -i 's/poll:/walltime: 2m, poll:/' "$c/site.yaml"
doctor 0
has "too long a walltime" "warning: partition short gives 1m00s" "$(says "profile 'here': walltime")"
slurm_site "$c" 'directives: [--array=1]'
exits "a directive that is ours" 3 fanfold -C "$c" check
has "... is an error of the site file" "directives: '--array=1' is for fanfold to set" "$out"

# --- with one ---

slurm_site "$c" 'gres: gpu:fake'
sed -i 's/memory: 300MiB/memory: 300MiB, gpus: 1/' "$c/site.yaml"
doctor 0 --probe
has "a job ran on a node" "good: fanfold " "$(says "profile 'here': node")"
has "... with a device" "gave the job device" "$(says "profile 'here': GPUs")"
has "... and tried the directory there" "good: exclusive creation" "$(says "profile 'here': data space on the node")"
silent "no job is left" squeue -h

# A whole node of four processors tells what it is like.
wrap sbatch 'cat "$(printf "%s\n" "$@" | tail -1)" >>"'"$tmp"'/submitted" 2>/dev/null
exec "$real" "$@"'
slurm_site "$c"
sed -i 's/node: .*/node: {cores: 4, gpus: 2}/' "$c/site.yaml"
is "probe has a whole node" "$(fanfold plan --node "$(nproc | sed 's/.*/core:& pu:1/')" --json |
    jq .node.cores)" "$(fanfold -C "$c" probe here --json --output "$tmp/node.xml" | jq .node.cores)"
rm "$tmp/bin/sbatch"
has "... all of it" "ntasks-per-node=4" "$(cat "$tmp/submitted")"
has "... with its GPUs" "gres=gpu:2" "$(cat "$tmp/submitted")"
silent "... and no job is left" squeue -h
is "... nor a file" "site.yaml" "$(ls -A "$c")"

wrap sbatch 'if [ "$1" != --version ] && [ "$1" != --test-only ] &&
    mkdir "'"$tmp"'/lost" 2>/dev/null; then
    "$real" "$@" >/dev/null
    "$real" "$@" >/dev/null
    exit 1
fi
exec "$real" "$@"'
slurm_site "$c"
doctor 0 --probe
rm "$tmp/bin/sbatch"
ok "the reply was lost, and there were two" test -d "$tmp/lost"
has "... one ran" "good: fanfold " "$(says "profile 'here': node")"
silent "... the other was cancelled" squeue -h

slurm_site "$c" 'setup: [[sh, -c, "echo no such module; exit 1"]]'
doctor 1 --probe
has "setup fails: the job's last words" "the job said: no such module" "$(says "profile 'here': probe job")"

# Nobody answers any more when it has been submitted.
wrap sbatch 'case "$1" in --version | --test-only) exec "$real" "$@" ;; esac
"$real" "$@" >/dev/null
mv "'"$tmp"'/bin/squeue" "'"$tmp"'/bin/squeue.well"
printf "#!/bin/sh\nexit 1\n" >"'"$tmp"'/bin/squeue"
chmod +x "'"$tmp"'/bin/squeue"
exit 1'
slurm_site "$c"
doctor 1 --probe
rm "$tmp/bin/sbatch"
mv "$tmp/bin/squeue.well" "$tmp/bin/squeue"
has "a job that may be left is named" "whether job '$(squeue -h -o %j)' was taken is not known" \
    "$(says "profile 'here': probe job")"
scancel "$(squeue -h -o %A)"

# It waits: taken back in time, and when a person loses patience.
slurm_site "$c" 'directives: [--begin=now+1hour]'
doctor 0 --probe --timeout 2s
has "a job that does not start" "warning: no job started within 2 s" "$(says "profile 'here': probe job")"
silent "... is taken back" squeue -h
fanfold -C "$c" doctor --probe >"$tmp/out" 2>&1 &
pid=$!
ok "a job waits" wait_state PENDING
kill -INT $pid
wait $pid
is "interrupted" 130 $?
silent "... it is taken back" squeue -h
is "... and nothing is left" "site.yaml" "$(ls -A "$c")"

# A node that does not see the directory: as root each has mounts of its own.
hide() {
    for n in n1 n2; do
        nsenter -t "$(cat "$FANFOLD_TESTBED/run/slurmd.$n.pid")" -m \
            mount -t tmpfs none "$1" || return 1
    done
}
slurm_site "$c"
if [ "$(id -u)" -eq 0 ]; then
    mkdir "$tmp/unseen"
    mv "$c/site.yaml" "$tmp/unseen"
    c=$tmp/unseen
    ok "nodes do not see the directory" hide "$c"
    doctor 1 --probe
    has "... which is told" "wrote nothing into" "$(says "profile 'here': probe job")"
    has "... and what to do" "where compute nodes see them" "$(says "profile 'here': probe job")"
    silent "... no job is left" squeue -h
else
    not_here "nodes with mounts of their own: only root can make them"
fi

testbed stop slurmdbd
doctor 0
has "accounting is down" "warning: it does not answer now" "$(says 'slurm: accounting')"
testbed stop slurmctld
doctor 5
has "the controller is down" "Unable to contact slurm controller" "$(says 'slurm: controller')"

done_testing
