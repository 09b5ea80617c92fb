#!/bin/sh
# 0830-slurm-accounting - with slurmdbd, and with it down; ids that were purged;
# accounts, QOS and the limits of users
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/slurm.sh"

slurm_up --nodes 2 --accounting --set MinJobAge=2 \
    --set AccountingStorageEnforce=associations,limits,qos
count_calls

# The campaign in $c has submitted, and Slurm has forgotten the job.
forgotten() {
    ok "submitted" fanfold -C "$c" advance
    until_is "" jobs_left "$c"
}

c=$tmp/known
work_campaign "$c" 3
echo "$suicide" >"$c/behaviour"
forgotten
mkdir "$tmp/down"
work_campaign "$tmp/down" 3
echo "$suicide" >"$tmp/down/behaviour"
c=$tmp/down
forgotten
until_is "" squeue -h -t all
silent "Slurm has purged all" squeue -h -t all

c=$tmp/known
: >"$tmp/calls"
ok "accounting knows how it ended" fanfold -C "$c" run
ok "... it was asked" test "$(calls sacct)" -gt 0
is "... what left no word runs again" "0 1 1 2 " "$(ran "$c")"
has "... and explain says so" "lost" "$(fanfold -C "$c" explain work 1)"

# Accounting runs late: at first it has no row of a job that squeue has purged.
c=$tmp/late
work_campaign "$c" 2
echo "$suicide" >"$c/behaviour"
forgotten
until_is "" squeue -h -t all
real_sacct=$(command -v sacct)
mv "$real_sacct" "$tmp/bin/sacct.on-time"
cat >"$tmp/bin/sacct" <<END
#!/bin/sh
if mkdir '$tmp/asked-once' 2>/dev/null || mkdir '$tmp/asked-twice' 2>/dev/null; then
    exit 0
fi
exec '$tmp/bin/sacct.on-time' "\$@"
END
chmod +x "$tmp/bin/sacct"
ok "accounting runs late" fanfold -C "$c" run
mv "$tmp/bin/sacct.on-time" "$tmp/bin/sacct"
ok "... it was asked" test -d "$tmp/asked-once"
is "... each task had its effect, nothing ran needlessly" "0 1 1 " "$(ran "$c")"
is "... every result once" 2 "$(fanfold -C "$c" result work count)"

testbed stop slurmdbd
c=$tmp/down
ok "accounting is down: the logs have to do" fanfold -C "$c" run
is "... what left no word runs again" "0 1 1 2 " "$(ran "$c")"
c=$tmp/begun
work_campaign "$c" 2
ok "a campaign begins and ends without it" fanfold -C "$c" run
is "... each task ran once" "0 1 " "$(ran "$c")"
ok "accounting is back" testbed up

# --- accounts, QOS, limits ---

c=$tmp/account
work_campaign "$c" 2
slurm_site "$c" 'account: nosuch'
waits_for_key "a wrong account" account
has "... in Slurm's words" "Invalid account" "$(fanfold -C "$c" status)"
slurm_site "$c" 'account: fanfold' 'qos: nosuch'
ok "resume" fanfold -C "$c" resume
waits_for_key "a wrong QOS" qos
slurm_site "$c" 'account: fanfold' 'qos: normal'
ok "resume" fanfold -C "$c" resume
ok "with the right ones it runs" fanfold -C "$c" run
is "... each task ran once" "0 1 " "$(ran "$c")"

sacctmgr -i modify user "$(id -un)" set maxsubmitjobs=3 >/dev/null
c=$tmp/limit
work_campaign "$c" 8
sed -i 's/poll:/walltime: 50s, poll:/' "$c/site.yaml"
ok "over MaxSubmitJobs: the surplus waits its turn" fanfold -C "$c" run
is "... each task ran once" "0 1 2 3 4 5 6 7 " "$(ran "$c")"
is "... in three arrays" 3 "$(run_files "$c" work '000000' '000000/0*' | wc -l)"

# What a QOS lets a user have is another limit.
sacctmgr -i add qos few set maxsubmitjobsperuser=2 >/dev/null
sacctmgr -i modify user "$(id -un)" set maxsubmitjobs=-1 qos+=few >/dev/null
c=$tmp/qos
work_campaign "$c" 5
slurm_site "$c" 'account: fanfold' 'qos: few'
sed -i 's/poll:/walltime: 50s, poll:/' "$c/site.yaml"
ok "over what the QOS allows: the surplus waits its turn" fanfold -C "$c" run
is "... each task ran once" "0 1 2 3 4 " "$(ran "$c")"
is "... in three arrays" 3 "$(run_files "$c" work '000000' '000000/0*' | wc -l)"
# A job that has just ended may still count.
is "... the first was not refused: the limit was known before" recorded \
    "$(cat "$c"/.fanfold/journal/* | grep -o '"ev":"\(recorded\|refused\|empty\)"' |
        head -1 | cut -d'"' -f4)"

done_testing
