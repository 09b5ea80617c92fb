#!/bin/sh
# 0849-slurm-inside - drivers that are part of a job: they end in good order
# before the job does, and nothing of it leaks into what they submit
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/slurm.sh"

slurm_up --nodes 2 --cpus 4


# driver DIR: a script that drives, with much of Slurm's in its environment.
driver() {
    cat >"$1/driver" <<END
#!/bin/sh
export LEAK=1 SBATCH_PARTITION=nosuch SBATCH_ARRAY_INX=0-3 SQUEUE_FORMAT=%i
exec fanfold -C "$1" run
END
}

# --- the job's time limit ---

# Slurm counts in minutes: this one is looked at below.  Its tasks wait longer
# than the driver's job may take.
c=$tmp/limit
work_campaign "$c" 2
sed -i 's/walltime: 50s/walltime: 10m/' "$c/campaign.yaml"
echo "$waiting" >"$c/behaviour"
driver "$c"
limit=$(sbatch --parsable -t 1 -o "$tmp/limit.out" "$c/driver")

# --- warned by the scheduler ---

c=$tmp/warned
work_campaign "$c" 2
echo "$waiting
echo \"\$SLURM_JOB_NAME \$LEAK\" >>\"\$1/env\"" >"$c/behaviour"
driver "$c"
warned=$(sbatch --parsable -n 2 -J outer -o "$tmp/warned.out" "$c/driver")
running() {
    jobs_left "$1" | grep -c ' R '
}
ok "a driver in a job submits" until_is 2 running "$c"
ok "... and is warned" scancel --batch --signal=TERM "$warned"
until_is "" squeue -h -j "$warned"
has "... it says how to go on" "\`fanfold run\` goes on from here" \
    "$(cat "$tmp/warned.out")"
is "... what it submitted runs on" 2 "$(running "$c")"
is "... nobody drives" waiting "$(state_of "$c")"
: >"$c/go"
ok "the same job again" sbatch -Q --wait -J outer -o "$tmp/out" "$c/driver"
is "... ends the campaign" "done" "$(state_of "$c")"
is "... each task ran once" "0 1 " "$(ran "$c")"
is "... and saw nothing of the driver's job" 2 \
    "$(grep -c '^[a-z][a-z0-9]\{14\} $' "$c/env")"

# --- the time limit, now ---

c=$tmp/limit
until_is "" squeue -h -j "$limit"
has "the job's time is nearly over: the driver stops" \
    "the time of the job that this driver is part of is nearly over" \
    "$(cat "$tmp/limit.out")"
is "... by itself, with its own status" "FAILED 130:0" \
    "$(scontrol show job "$limit" | tr ' ' '\n' |
        sed -n 's/^JobState=//p; s/^ExitCode=//p' | tr '\n' ' ' | sed 's/ $//')"
is "... nobody drives" waiting "$(state_of "$c")"
: >"$c/go"
ok "the same job again" sbatch -Q --wait -t 1 -o "$tmp/out" "$c/driver"
is "... ends the campaign" "done" "$(state_of "$c")"
is "... each task ran once" "0 1 " "$(ran "$c")"

done_testing
