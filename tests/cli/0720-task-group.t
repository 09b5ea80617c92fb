#!/bin/sh
# 0720-task-group - a driver and LAMMPS clients, undisturbed and with a client killed:
# the motion is LAMMPS's own, and the bytes are the same
. "$abs_top_srcdir/tests/cli/tap.sh"

if ! lmp -h 2>/dev/null | grep -qw ipi; then
    not_here "LAMMPS with fix ipi"
    done_testing
fi

# example NAME: long enough to be found in the middle.
example() {
    cp -R "$abs_top_builddir/examples/task-group" "$tmp/$1"
    chmod -R u+w "$tmp/$1"
    sed -i 's/{steps: 400,/{steps: 1000,/' "$tmp/$1/campaign.yaml"
}

example run
ok "the example checks" fanfold -C "$tmp/run" check
has "plan shows its programs" \
    "group   local: driver (1 core), 2 x force (1 core); in all 3 cores" \
    "$(fanfold -C "$tmp/run" plan)"
ok "it runs" fanfold -C "$tmp/run" run
history=$(fanfold -C "$tmp/run" status --json | jq -c '.history[0]')
is "beads in one place move as LAMMPS moves the atoms" true \
    "$(echo "$history" | jq '.difference < 1e-9')"
is "the energy is conserved" true \
    "$(echo "$history" | jq '.drift > 1e-6 and .drift < 2e-3')"
is "quantum atoms have more kinetic energy" true \
    "$(echo "$history" | jq '.kinetic_ratio > 1.2 and .kinetic_ratio < 1.4')"
out=$tmp/run/quantum/pimd/iter/000000/job/000000/out
is "what a program packed is an output" 8 "$(cat "$out"/beads/*.extxyz | grep -c Lattice)"
is "the last report is kept" 1000 "$(jq '.run.report.local.step' "$out/result.json")"
has "the log tells who said what" "local/force:1: LAMMPS" \
    "$(fanfold -C "$tmp/run" log quantum 0)"
has "explain shows the programs" "2 x force (1 core)" \
    "$(fanfold -C "$tmp/run" explain quantum 0)"

# driver: the arguments of the one with 8 beads, as lines
driver() {
    pid=$(pgrep -f "$tmp/killed/bin/pimd run .*beads=8") &&
        tr '\0' '\n' <"/proc/$pid/cmdline"
}
# in_the_middle: some steps are done
in_the_middle() {
    workspace=$(driver | sed -n 's/^workspace=//p')
    [ -n "$workspace" ] && jq -e '.step >= 20' "$workspace/progress.json"
}

example killed
fanfold -C "$tmp/killed" run >"$tmp/output" 2>&1 &
pid=$!
until_ok in_the_middle
pkill -KILL -o -f "lmp .*$workspace/settings.in"
ok "a client is killed" test $? -eq 0
wait $pid
is "... the task is tried again" 0 $?
# The client, or the driver, which sees its end at the same moment.
has "... and a program is named" "program 'local/" "$(cat "$tmp/output")"
is "the same bytes" "$(results_digest "$tmp/run" 2>/dev/null)" \
    "$(results_digest "$tmp/killed" 2>/dev/null)"
is "nothing runs any more" "" "$(pgrep -f "$workspace")"
ok "no workspace is left" test ! -e "$workspace"
is "no link is left" "" "$(find /tmp -maxdepth 1 -lname "$workspace/*" 2>/dev/null)"

done_testing
