# life.sh - one campaign taken through a life, with the real engines: begun wrong,
# fixed, extended, its levels changed, a system added, an iteration redone, a stage
# renamed, exported; sourced after tap.sh (and slurm.sh) by a file for each scheduler
#
# life_begins DIR     the campaign before anybody has run it; its site.yaml is there
# life_goes_on DIR    all that follows, checked step by step
# shellcheck shell=sh

# The silicon example, small: 4 held-out frames, short MD, few labels.
life_begins() {
    c=$1
    cp -R "$abs_top_builddir/examples/silicon" "$c"
    chmod -R u+w "$c"
    head -40 "$c/data/held_out.extxyz" >"$c/data/few.extxyz"
    sed -i -e 's/held_out.extxyz/few.extxyz/' -e 's/iterations: 12/iterations: 1/' \
        -e 's/\[300, 700, 1100, 1500\]/[300, 1500]/' -e 's/\[0.985, 1, 1.015\]/[1]/' \
        -e 's/steps: 1000/steps: 200/' -e 's/quota: 20/quota: 4/' "$c/campaign.yaml"
    # Two mistakes: one that can be known at once, and one that only LAMMPS knows.
    sed -i 's,bin/fit_linear,bin/fit_linaer,' "$c/campaign.yaml"
    sed -i 's/all langevin/all langevn/' "$c/md.in"
}

# edit SED-EXPRESSION...: of campaign.yaml in $c.
edit() {
    for expression; do sed -i "$expression" "$c/campaign.yaml"; done
}

# started STAGE ITERATION: how often tasks of it were started, whatever became of them.
started() {
    cat "$c"/.fanfold/run/"$1"/00000"$2"/*/*/results-* 2>/dev/null | grep -c '"start"'
}

# what_ran: the same of all stages together.
what_ran() {
    cat "$c"/.fanfold/run/*/0*/*/*/results-* 2>/dev/null | grep -c '"start"'
}

status_is() {
    is "$1" "$2" "$(fanfold -C "$c" status --json | jq -rc "$3")"
}

life_goes_on() {
    c=$1
    life_fixed
    life_extended
    life_levels
    life_system
    life_redone
    life_renamed
    life_exported
    life_again
}

life_fixed() {
    exits "begun wrong: the first mistake is known at once" 1 fanfold -C "$c" check
    has "... with where it looked" "$c/bin/fit_linaer" "$(fanfold -C "$c" check 2>&1)"
    edit 's,fit_linaer,fit_linear,'
    ok "fixed" fanfold -C "$c" check
    fanfold -C "$c" run >"$tmp/out" 2>&1
    is "the second mistake stops the campaign" 1 $?
    has "... status names the stage" "explore" "$(fanfold -C "$c" status)"
    has "explain has LAMMPS's words" "ERROR: Unrecognized fix style 'langevn'" \
        "$(fanfold -C "$c" explain explore 0)"
    sed -i 's/all langevn/all langevin/' "$c/md.in"
    fanfold -C "$c" retry >"$tmp/out" 2>&1
    is "fixed" 0 $?
    has "... retry says what it does" "explore" "$(cat "$tmp/out")"
    ok "the campaign goes on" fanfold -C "$c" run
    status_is "... to its end" "done 0" '"\(.state) \(.iteration)"'
    is "training was not repeated for it" 4 "$(started train 0)"
    has "the history tells of the failure and of what was done" "inputs bound and cut into tasks again" \
        "$(fanfold -C "$c" explain explore)"
}

life_extended() {
    edit 's/iterations: 1}/iterations: 2}/'
    before=$(started label 0):$(started reference 0)
    fanfold -C "$c" run >"$tmp/out" 2>&1
    is "extended" 0 $?
    has "... and said" "taken on: stop.iterations 1 -> 2" "$(cat "$tmp/out")"
    status_is "it is in its second iteration" "done 1" '"\(.state) \(.iteration)"'
    is "nothing of the first ran again" "$before" "$(started label 0):$(started reference 0)"
}
