#!/bin/sh
# 0420-lammps-deepmd - lammps.explore with `committee: deepmd`: what LAMMPS is given,
# what becomes of its model_devi.out, and what check says.  DeePMD-kit's LAMMPS is a
# stand-in that moves nothing; its model_devi.out is a recorded one.
. "$abs_top_srcdir/tests/cli/tap.sh"

recorded=$abs_top_srcdir/tests/fixtures/deepmd/lammps.model_devi.out

# lmp -in md.in: every atom of conf.data stays, eleven frames, and what a committee of
# several models writes, whose first models must be there.
mkdir "$tmp/bin"
cat >"$tmp/bin/lmp" <<'END'
#!/bin/sh
echo "LAMMPS (4 Feb 2025)"
line=$(grep '^pair_style' "$2")
set -- $line
shift 2
models=0
while [ -n "$1" ] && [ "$1" != out_freq ]; do
    if [ ! -s "$1" ] && [ ! -d "$1" ]; then
        echo "ERROR on proc 0: DeePMD-kit C API Error: DeePMD-kit Error: Failed to open file: $1"
        exit 1
    fi
    models=$((models + 1))
    shift
done
every=$2 out=$4
[ $models -lt 2 ] || cp "$FAKE_DEVIATIONS" "$out"
awk -v every="$every" '
    $2 == "xhi" || $3 == "xlo" { low[1] = $1; high[1] = $2 }
    $3 == "ylo" { low[2] = $1; high[2] = $2 }
    $3 == "zlo" { low[3] = $1; high[3] = $2 }
    /^Atoms/ { atoms = 1; next }
    atoms && NF >= 5 { row[++n] = $1 " " $2 " " $3 " " $4 " " $5 }
    END {
        for (i = 0; i <= 10; i++) {
            print "ITEM: TIMESTEP\n" i * every "\nITEM: NUMBER OF ATOMS\n" n
            print "ITEM: BOX BOUNDS pp pp pp"
            for (k = 1; k <= 3; k++) print low[k], high[k]
            print "ITEM: ATOMS id type x y z"
            for (k = 1; k <= n; k++) print row[k]
        }
    }' conf.data >md.dump
END
chmod +x "$tmp/bin/lmp"
PATH=$tmp/bin:$PATH
FAKE_DEVIATIONS=$recorded
export FAKE_DEVIATIONS

# campaign DIR: the inputs of `explore` are on standard input, those of `select` $2.
campaign() {
    rm -rf "$tmp/$1"
    mkdir -p "$tmp/$1/jax" "$tmp/$1/none"
    cp "$abs_top_srcdir/tests/cli/loop/site.yaml" "$tmp/$1"
    cat >"$tmp/$1/md.in" <<'END'
velocity all create ${temperature} ${seed}
fix 1 all nvt temp ${temperature} ${temperature} 0.1
run ${steps}
END
    cat >"$tmp/$1/water.data" <<'END'
water

3 atoms
2 atom types

0 9 xlo xhi
0 9 ylo yhi
0 9 zlo zhi

Atoms # atomic

1 1 1 1 1
2 2 1.6 1.8 1
3 2 0.4 1.8 1
END
    for k in 0 1; do echo "model $k" >"$tmp/$1/m$k.pb"; done
    echo model >"$tmp/$1/jax/frozen_model.pth"
    cat >"$tmp/$1/campaign.yaml" <<END
format: 1
campaign: water
elements: [O, H]
stop: {iterations: 1}
stages:
  explore:
    uses: lammps.explore
    with:
      input: md.in
      systems: water.data
      for_each: {temperature: [300, 330]}
      steps: 100
      dump_every: 10
$(sed 's/^/      /')
  select:
    uses: model_devi.select
    with: ${2:-{levels: {force: [0.07, 0.2]\}, pick: {quota: 3\}\}}
END
}

campaign run <<'END'
committee: deepmd
potentials: [m0.pb, m1.pb, jax]
relative: {force: 0.5}
atomic: false
END
ok "check" fanfold -C "$tmp/run" check
ok "run" fanfold -C "$tmp/run" run
explore=$tmp/run/explore/lammps/iter/000000
is "model_devi.out is an output of every task" "$(sha256sum <"$recorded")" \
    "$(sha256sum <"$(ls "$explore"/job/*/out/model_devi.out | head -n 1)")"
is "... and there are no forces" '["blown_up","conditions","count","deviations","frames","frames_expected","proceed","system","trajectory"]' \
    "$(jq -c '.outputs | keys' "$explore/outputs.json")"
is "the start does not count, others do" 20 "$(fanfold -C "$tmp/run" result select total)"
want=$(awk 'NR > 2 && $5 >= 0.07 && $5 < 0.2' "$recorded" | wc -l)
is "candidates are those of the recorded deviations" $((2 * want)) \
    "$(fanfold -C "$tmp/run" result select candidates)"
is "some are selected" 3 "$(fanfold -C "$tmp/run" result select selected)"
has "plan shows the ports of this committee" "deviations" "$(fanfold -C "$tmp/run" plan)"

# --- as steps of an operator ---

campaign steps <<'END'
committee: deepmd
END
cat >"$tmp/steps/campaign.yaml" <<'END'
format: 1
campaign: steps
elements: [O, H]
stop: {iterations: 1}
stages:
  look: {uses: my.look, with: {potentials: [m0.pb, m1.pb]}}
operators:
  my.look:
    inputs:
      potentials: {type: file, list: true}
    steps:
      explore:
        uses: lammps.explore
        with: {committee: deepmd, input: md.in, systems: water.data, for_each: {temperature: [300]}, steps: 100, dump_every: 10, potentials: inputs.potentials}
      select:
        uses: model_devi.select
        with: {trajectories: explore.trajectory, forces: [], deviations: explore.deviations, frames_expected: explore.frames_expected, system: explore.system, levels: {force: [0.07, 0.2]}, pick: {quota: 3}}
    outputs: {frames: select.frames, candidates: select.candidates}
END
ok "a committee of a step" fanfold -C "$tmp/steps" run
is "... has its outputs, too" "$want" "$(fanfold -C "$tmp/steps" result look candidates)"

# --- one model by two names ---

campaign twice <<'END'
committee: deepmd
potentials: [m0.pb, jax, m1.pb]
END
cp "$tmp/twice/m0.pb" "$tmp/twice/m1.pb"
exits "the same file twice is refused" 1 fanfold -C "$tmp/twice" run
has "... and the members are named" "potentials[0] and [2] are the same, byte for byte" "$out"
sed -i 's/committee: deepmd/&\n      identical_members: allow/' "$tmp/twice/campaign.yaml"
ok "... or allowed" sh -c "fanfold -C '$tmp/twice' reset --yes; fanfold -C '$tmp/twice' run"

# --- what looks wrong though all tasks are ok ---

# odd STOP LEVELS: what a campaign says while it runs ($tmp/odd.run) and then.
odd() {
    campaign odd "{levels: {force: $2}, pick: {quota: 3}${3:+, $3}}" <<'END'
committee: deepmd
potentials: [m0.pb, m1.pb]
END
    sed -i "s/^stop:.*/stop: $1/; s/^    uses: lammps.explore/&\n    success: ${success:-1}/" \
        "$tmp/odd/campaign.yaml"
    fanfold -C "$tmp/odd" run >"$tmp/odd.run" 2>&1
    fanfold -C "$tmp/odd" status >"$tmp/odd.status"
    fanfold -C "$tmp/odd" status --json >"$tmp/odd.json"
}

odd '{iterations: 1}' '[0.07, 0.2]'
is "nothing looks wrong" '[]' "$(jq -c .science "$tmp/odd.json")"
is "... and without rules all was done" '"all"' "$(jq .ended "$tmp/odd.json")"
has "... which run says" "water: done: all iterations are done" "$(cat "$tmp/odd.run")"

odd '{iterations: 1}' '[0.07, 0.2]' 'filters: {closest: 100}'
has "filters that refuse all" "candidates of iteration 0 were refused (" "$(cat "$tmp/odd.run")"

odd '{when: select.accurate > 0.5, iterations: 5}' '[5, 6]'
has "no candidates in iteration 0" "none of 20 frames of iteration 0 is a candidate (accurate 100%)" "$(cat "$tmp/odd.run")"
has "... in the status, too" "stage 'select': none of 20 frames" "$(cat "$tmp/odd.status")"
has "... though it is done" "water: done (converged)" "$(cat "$tmp/odd.status")"

odd '{iterations: 2}' '[5, 6]'
is "... said of iteration 0 alone" 1 "$(grep -c 'is a candidate' "$tmp/odd.run")"

odd '{when: select.accurate > 0.5, iterations: 2}' '[0, 0.5]'
has "no frame was accurate" "stage 'select': no frame was accurate in 2 iterations" "$(cat "$tmp/odd.run")"
has "... and it is not called done" "water: ended: the iteration limit was reached before the stop rule held" "$(cat "$tmp/odd.run")"
has "... nor by the status" "water: ended (the iteration limit" "$(cat "$tmp/odd.status")"
is "... which says why" '"limit"' "$(jq .ended "$tmp/odd.json")"
is "... once" 1 "$(grep -c 'no frame was accurate' "$tmp/odd.run")"
has "... and again where nothing is to do" "no frame was accurate in 2 iterations" "$(fanfold -C "$tmp/odd" run 2>&1)"

cp "$tmp/bin/lmp" "$tmp/lmp.good"
sed -i 's/^    }.* conf.data >md.dump$/    }'"'"' conf.data | head -n 12 >md.dump\necho "ERROR: Lost atoms: original 3 current 0"; exit 1/' "$tmp/bin/lmp"
odd '{iterations: 1}' '[0.07, 0.2]'
cp "$tmp/lmp.good" "$tmp/bin/lmp"
has "all trajectories ended early" "stage 'explore': all 2 trajectories of iteration 0 ended early" "$(cat "$tmp/odd.run")"
has "... and all frames are lost" "stage 'select': all 20 frames of iteration 0 failed, 20 of them lost" "$(cat "$tmp/odd.status")"
is "... both for programs" 2 "$(jq '.science | length' "$tmp/odd.json")"

sed -i '2i echo "ERROR: no such pair style"; exit 1' "$tmp/bin/lmp"
success=0 odd '{iterations: 1}' '[0.07, 0.2]'
cp "$tmp/lmp.good" "$tmp/bin/lmp"
is "where no task made a trajectory none ended early" "" "$(grep 'ended early' "$tmp/odd.status")"
has "... all of them failed" "tasks ended: fatal 0-1" "$(fanfold -C "$tmp/odd" explain explore)"

# --- what check says ---

# refused WHAT SAYS [SELECT]: the inputs of explore are on standard input.
refused() {
    campaign bad "$3"
    exits "$1" 3 fanfold -C "$tmp/bad" check
    has "... and says so" "$2" "$out"
}

refused "a committee of one" "stage 'explore' compares the members of a committee, and its list has one; write at least two" <<'END'
committee: deepmd
potentials: [m0.pb]
END
refused "a file that is no model" "potentials: '$tmp/bad/md.in' is no model: DeePMD-kit tells the backend by the ending" <<'END'
committee: deepmd
potentials: [m0.pb, md.in]
END
refused "a directory without a model" "has no model (a file that ends in .pb" <<'END'
committee: deepmd
potentials: [m0.pb, none]
END
refused "a pair_style without the committee" "pair_style: the committee's models are not in it; write {deepmd}" <<'END'
committee: deepmd
potentials: [m0.pb, m1.pb]
pair_style: deepmd m0.pb m1.pb
END
refused "a hybrid style" "pair_style: {deepmd} must stand first; hybrid styles need a pair_coeff for each" <<'END'
committee: deepmd
potentials: [m0.pb, m1.pb]
pair_style: hybrid/overlay {deepmd} zbl 4.0 6.0
END
refused "relative levels with a rerun" "relative" <<'END'
potentials: [jax, jax]
relative: {force: 0.5}
END
refused "a level that is none" "relative: force: 0; write a number above 0" <<'END'
committee: deepmd
potentials: [m0.pb, m1.pb]
relative: {force: 0}
END
refused "relative levels of deviations that are made" \
    "levels: relative: deviations are not made of forces here; write relative: LEVEL in the stage that explores" \
    '{levels: {force: [0.07, 0.2], relative: {force: 1}}, pick: {quota: 3}}' <<'END'
committee: deepmd
potentials: [m0.pb, m1.pb]
END
refused "forces of a committee that has none" "has no output 'forces'" \
    '{forces: explore.forces, levels: {force: [0.07, 0.2]}, pick: {quota: 3}}' <<'END'
committee: deepmd
potentials: [m0.pb, m1.pb]
END
refused "a committee that is not known" "committee: 'deepmdd' is not known; use rerun or deepmd" <<'END'
committee: deepmdd
potentials: [jax, jax]
END

refused "a pair_coeff for all members" "pair_coeff: {potential} is neither in it nor in pair_style, so every member of the committee would be the same" <<'END'
potentials: [m0.pb, m1.pb]
pair_style: deepmd m0.pb
END
refused "a word that is none" "identical_members: 'yes'; write error or allow" <<'END'
committee: deepmd
potentials: [m0.pb, m1.pb]
identical_members: 'yes'
END

# --- lines of the template that Fanfold writes ---

# line WHAT LINE SAYS: a template that begins with that line.
line() {
    campaign line <<'END'
committee: deepmd
potentials: [m0.pb, m1.pb]
END
    printf '# a comment\n%s\n' "$2" | cat - "$tmp/line/md.in" >"$tmp/md.in"
    cp "$tmp/md.in" "$tmp/line"
    exits "$1" 3 fanfold -C "$tmp/line" check
    has "... and says where" "$tmp/line/campaign.yaml:9:14: stage 'explore': input: $tmp/line/md.in:2: $3" "$out"
}

line "a pair_style" "  pair_style deepmd a.pb" \
    "'pair_style' is filled in by Fanfold for every task; write pair_style of the stage instead"
line "a file to read" "read_data conf.lmp" "'read_data' is filled in"
line "the number of steps" "variable	steps equal 7" "'variable steps' is filled in"
line "a variable of for_each" "variable temperature equal V_TEMP" \
    "'variable temperature' is said by for_each of the stage; remove it"

# --- runs that leave no deviations ---

campaign short <<'END'
committee: deepmd
potentials: [m0.pb, m1.pb]
END
head -n 5 "$recorded" >"$tmp/short.out"
exits "too few rows are no result" 1 env FAKE_DEVIATIONS="$tmp/short.out" fanfold -C "$tmp/short" run
has "... and says how many" "model_devi.out has 4 rows, and the MD wrote 11 frames" \
    "$(fanfold -C "$tmp/short" explain explore 0)"

done_testing
