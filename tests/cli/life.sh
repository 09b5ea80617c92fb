# life.sh - one campaign taken through a life, with the real engines: begun wrong,
# fixed, extended, its levels changed, an iteration redone, a system added, a stage
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
        -e 's/steps: 1000/steps: 200/' -e 's/quota: 20/quota: 4, per: iteration/' "$c/campaign.yaml"
    # Two mistakes: one that can be known at once, and one that only LAMMPS knows.
    sed -i 's,bin/fit_linear,bin/fit_linaer,' "$c/campaign.yaml"
    sed -i 's/ every 1 delay 0 / every 10 delay 5 /' "$c/md.in"
}

# edit SED-EXPRESSION...: of campaign.yaml in $c.
edit() {
    for expression; do sed -i "$expression" "$c/campaign.yaml"; done
}

# started STAGE ITERATION: how often tasks of it were started, whatever became of them.
started() {
    run_cat "$c" "$1" 00000"$2" '*/*/results-*' | grep -c '"start"'
}

# what_ran: the same of all stages together.
what_ran() {
    run_cat "$c" '*' '0*' '*/*/results-*' | grep -c '"start"'
}

status_is() {
    is "$1" "$2" "$(fanfold -C "$c" status --json | jq -rc "$3")"
}

life_goes_on() {
    c=$1
    life_fixed
    life_extended
    life_levels
    life_redone
    life_system
    life_renamed
    life_exported
    life_again
}

life_fixed() {
    has "begun wrong: the first mistake is known at once" "there is no program '$c/bin/fit_linaer'" \
        "$(fanfold -C "$c" check 2>&1)"
    has "... with what may be meant" "did you mean '$c/bin/fit_linear'" "$(fanfold -C "$c" check 2>&1)"
    edit 's,fit_linaer,fit_linear,'
    ok "fixed" fanfold -C "$c" check
    fanfold -C "$c" run >"$tmp/out" 2>&1
    is "the second mistake stops the campaign" 1 $?
    status_is "... status names the stage" "failed explore failed" \
        '"\(.state) " + (.stages[] | select(.state == "failed") | "\(.name) \(.state)")'
    has "explain has LAMMPS's words" "ERROR: Neighbor delay must be 0 or multiple of every setting" \
        "$(fanfold -C "$c" explain explore 0)"
    sed -i 's/ every 10 delay 5 / every 1 delay 0 /' "$c/md.in"
    has "fixed: retry says what it does" \
        "explore: prepared again, since its definition or its inputs changed" "$(fanfold -C "$c" retry)"
    ok "the campaign goes on" fanfold -C "$c" run
    status_is "... to its end" "done 0" '"\(.state) \(.iteration)"'
    is "training was not repeated" 4 "$(started train 0)"
    told explore 0 "failed: 0 of 2 tasks are ok"
    told explore 0 "retry was asked for: explore: prepared again"
}

# told STAGE ITERATION WORDS: explain has them.
told() {
    has "explain $1 of iteration $2: $3" "$3" "$(fanfold -C "$c" explain "$1" --iteration "$2")"
}

# taken_on WHAT EDIT...: an edit of a campaign that is done; `run` goes on by it.
taken_on() {
    words=$1
    shift
    edit "$@"
    fanfold -C "$c" run >"$tmp/out" 2>&1
    is "run goes on: $words" 0 $?
    has "... and says by what" "taken on: $words" "$(cat "$tmp/out")"
}

life_extended() {
    before=$(what_ran)
    taken_on "stop.iterations 1 -> 2" 's/iterations: 1}/iterations: 2}/'
    status_is "it has had a second iteration" "done 1" '"\(.state) \(.iteration)"'
    is "only the tasks of that were run" $((before + 4 + 4 + 2 + 1)) "$(what_ran)"
    is "the frames that were selected are labelled" 4 "$(fanfold -C "$c" result label labelled)"
}

life_levels() {
    taken_on "stages.select.with.levels.force " 's/\[0.2, 0.8\]/[0.1, 0.5]/' \
        's/iterations: 2}/iterations: 3}/'
    told select 2 "levels.force [0.2,0.8] -> [0.1,0.5]"
    is "what an iteration was selected by stays written down" "0.2 0.1" \
        "$(jq -rs 'map(.campaign.stages.select.with.levels.force[0]) | join(" ")' \
            "$c/config/iter/000001/config.json" "$c/config/iter/000002/config.json")"
    told select 1 "definition: config/iter/000001/config.json"
}

life_redone() {
    digest=$(results_digest "$c")
    before=$(what_ran)
    has "plan tells what a redo would do" "all run again" \
        "$(fanfold -C "$c" plan --redo label --iteration 2)"
    ok "one stage of an iteration is redone" fanfold -C "$c" redo label --iteration 2 --yes
    ok "... and the campaign goes on to its end" fanfold -C "$c" run
    is "the results are the same" "$digest" "$(results_digest "$c")"
    is "... only the labels were computed again" "$(fanfold -C "$c" result label labelled --iteration 2)" \
        "$(started label 2)"
    has "status lists what was replaced" "redo label, back to iteration 2" \
        "$(fanfold -C "$c" status --replaced)"
    told label 2 "redo was asked for: label: all its tasks run again"
    told train 2 "redo was asked for: train: prepared again; tasks whose identity is unchanged stay"
}

life_system() {
    sed 's/5\.431/5.2/; s/2\.7155/2.6/g; s/1\.35775/1.3/g; s/4\.07325/3.9/g' \
        "$c/data/diamond.data" >"$c/data/dense.data"
    taken_on "stages.explore.with.systems.dense (not set) -> \"data/dense.data\"" \
        's,{diamond: data/diamond.data},{diamond: data/diamond.data\, dense: data/dense.data},' \
        's/iterations: 3}/iterations: 4}/'
    status_is "both systems are explored" 4 '.stages[] | select(.name == "explore").tasks.ok'
    told explore 3 "stages.explore.with.systems.dense (not set) -> \"data/dense.data\""
}

# A stage gets another name: nothing is lost, nothing computed again.
life_renamed() {
    before=$(what_ran)
    edit 's/^  label: .*/  dft:\n    renamed_from: label/; s/all\.label\./all.dft./g; s/label\.labelled/dft.labelled/g'
    ok "a stage is renamed" fanfold -C "$c" check
    ok "... and the campaign, which was done, goes on to its end" fanfold -C "$c" run
    is "nothing was computed again" "$before" "$(what_ran)"
    told dft 2 "done"
}

life_exported() {
    ok "exported" fanfold -C "$c" export --format extxyz --with-initial "$c/all"
    is "... all that training sees: 8 frames to begin with, and the labelled ones" \
        "$(fanfold -C "$c" result train frames | jq 'max')" "$(grep -c Lattice "$c/all/dataset.extxyz")"
}

# What is there at the end is what one has who knew all that from the beginning.
life_again() {
    fresh=$tmp/fresh
    cp -R "$abs_top_builddir/examples/silicon" "$fresh"
    chmod -R u+w "$fresh"
    cp "$c/campaign.yaml" "$c/md.in" "$fresh"
    cp "$c/data/few.extxyz" "$c/data/dense.data" "$fresh/data"
    ok "one who knew all that from the beginning" fanfold -C "$fresh" run
    ok "from the beginning, by the definition as it is" fanfold -C "$c" redo --iteration 0 --yes
    ok "... and the campaign goes on to its end" fanfold -C "$c" run
    is "... with the same results" "$(results_digest "$fresh")" "$(results_digest "$c")"
    is "what is the same was not computed again" "0 0" "$(started reference 0) $(started train 0)"
}
