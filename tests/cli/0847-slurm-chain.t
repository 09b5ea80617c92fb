#!/bin/sh
# 0847-slurm-chain - campaigns that nobody drives but their own jobs
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/slurm.sh"

slurm_up --nodes 4 --cpus 2

# Jobs of ours in the queue.
queued() {
    squeue -h -o %F | sort -u | wc -l
}

# Two stages that run at the same time, and one that needs both and is sliced by
# a program, which runs in the driver: DIR/slices, with DIR and that file's name.
fork_campaign() {
    mkdir -p "$1"
    slurm_site "$1"
    echo true >"$1/behaviour"
    echo true >"$1/slices"
    cat >"$1/work.sh" <<'END'
set -e
echo "$2" >>"$1/ran"
. "$1/behaviour"
echo "{\"n\": 1}" >"$3"
END
    cat >"$1/slices.sh" <<'END'
set -e
dir=$1
. "$1/slices"
echo '{"k": [7, 8]}' >"$2"
END
    cat >"$1/campaign.yaml" <<'END'
format: 1
campaign: fork
elements: [Si]
stop: {iterations: 1}
stages:
  left: {uses: test.work, task: {walltime: 50s}, with: {name: left}}
  right: {uses: test.work, task: {walltime: 50s}, with: {name: right}}
  both:
    uses: test.both
    task: {walltime: 50s}
    with: {first: left.n, second: right.n}
operators:
  test.work:
    inputs: {name: {type: string}}
    outputs: {n: {type: int}}
    command: [sh, "{campaign}/work.sh", "{campaign}", "{name}", "{outputs.params}"]
  test.both:
    inputs: {first: {type: int}, second: {type: int}}
    outputs: {n: {type: int}}
    prepare:
      slices: {k: {type: int}}
      command: [sh, "{campaign}/slices.sh", "{campaign}", "{outputs.slices}"]
    command: [sh, "{campaign}/work.sh", "{campaign}", "both{k}", "{outputs.params}"]
END
}

ran_all='both7 both8 left right '

# Each task of $c ran once, nothing is left.
undisturbed() {
    ok "$1" until_is "done" state_of "$c"
    is "... each task ran once" "$ran_all" "$(sort "$c/ran" | tr '\n' ' ')"
    ok "... and no job is left" until_is 0 queued
    is "... nor any that would wake it" "" "$(dependency_jobs "$c")"
}

# --- from beginning to end, with nothing else running ---

loop_campaign "$tmp/reference"
ok "reference: on this machine" fanfold -C "$tmp/reference" run
c=$tmp/chain
loop_campaign "$c"
count_calls
slurm_site "$c" "setup: [[export, 'PATH=$tmp/bin:/usr/bin:/bin']]"
sed -i 's/node: .*/node: {cores: 2}/; s/poll: 0.5s/poll: 60s/' "$c/site.yaml"
drives_itself
stages=$(run_files "$c" '*' '*' '000000/000000' | wc -l)
is "one sbatch for each stage that ran, and one for its wake-up" \
    $((2 * stages)) "$(calls sbatch)"
ok "at most one question on states in each driver" \
    test "$(calls 'squeue .*--jobs=.*%F')" -le $((stages + 1))
ok "no process stays here" until_is "" pgrep -f "fanfold -C $c"
echo "# scheduler calls of the campaign: $(wc -l <"$tmp/calls") ($(
    cut -d' ' -f1,2 "$tmp/calls" | sed 's/ -.*//; s/ [0-9].*//' | sort | uniq -c |
        tr -s ' \n' ' '))"

# --- two chained jobs end together ---

c=$tmp/together
fork_campaign "$c"
echo "$waiting" >"$c/behaviour"
ok "two stages at the same time" fanfold -C "$c" submit --chain
ok "... run" wait_state RUNNING 2
is "... each with its wake-up" 2 "$(dependency_jobs "$c" | wc -l)"
: >"$c/go"
undisturbed "both end together, and the campaign goes on"

# --- said twice, paused, resumed, cancelled by hand ---

c=$tmp/people
fork_campaign "$c"
echo "$waiting" >"$c/behaviour"
ok "submit --chain" fanfold -C "$c" submit --chain
ok "... and again" fanfold -C "$c" submit --chain
ok "... and again, while its jobs run" wait_state RUNNING 2
ok "... " fanfold -C "$c" submit --chain
is "... there is one wake-up for each stage" 4 "$(queued)"
ok "pause" fanfold -C "$c" pause
is "... and nothing will wake it" 2 "$(queued)"
ok "resume" fanfold -C "$c" resume
is "... and something will again" 4 "$(queued)"
scancel $(dependency_jobs "$c")
is "somebody cancels what is to wake it" 2 "$(queued)"
ok "submit --chain again" fanfold -C "$c" submit --chain
is "... and all is as it was" 4 "$(queued)"
: >"$c/go"
undisturbed "... it goes on by itself"

# --- a wake-up is killed; another driver comes in between ---

c=$tmp/killed
fork_campaign "$c"
echo 'until [ -e "$1/submitted" ]; do sleep 0.1; done' >"$c/behaviour" # else who submits kills itself
echo 'mkdir "$dir/once" 2>/dev/null && kill -9 $PPID' >"$c/slices"
sed -i '$a:' "$c/slices"
ok "a wake-up kills itself" fanfold -C "$c" submit --chain
: >"$c/submitted"
undisturbed "... and the campaign goes on"
is "... by its second element" 1 "$(ls "$c/.fanfold/chain" | grep -c element-1)"

c=$tmp/overlap
fork_campaign "$c"
echo 'until [ -e "$1/submitted" ]; do sleep 0.1; done' >"$c/behaviour" # else who submits drives on
cat >"$c/slices" <<'END'
: >"$dir/there"
until [ -e "$dir/go" ]; do sleep 0.1; done
END
ok "a wake-up that drives for long" fanfold -C "$c" submit --chain
: >"$c/submitted"
ok "... does" until_ok test -e "$c/there"
exits "another driver is told at once" 4 fanfold -C "$c" advance
exits "... also a chaining one" 4 fanfold -C "$c" submit --chain

# --- slurmctld goes and comes, while that one drives ---

testbed stop slurmctld
: >"$c/go"
ok "no controller: the wake-up waits for it" \
    until_ok grep -q '"ev":"attempt".*"stage":"both"' -r "$c/.fanfold/journal"
exits "... a person is told" 5 sh -c \
    "until fanfold -C '$c' advance; rc=\$?; [ \$rc -ne 4 ]; do sleep 0.1; done; exit \$rc"
ok "the controller is back" testbed up
undisturbed "... and the campaign goes on by itself"

# --- what the site does not allow ---

c=$tmp/refused
fork_campaign "$c"
slurm_site "$c" 'wake: {partition: nosuch}'
exits "a partition that is not there" 1 fanfold -C "$c" submit --chain
has "... is told of with the key" "wake:" "$(fanfold -C "$c" status)"
is "... nothing was let go" 0 "$(squeue -h -t R -o %F | wc -l)"
slurm_site "$c" 'wake: {partition: main, walltime: 5m}'
ok "mended" fanfold -C "$c" resume
undisturbed "... it goes on by itself"

done_testing
