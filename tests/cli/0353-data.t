#!/bin/sh
# 0353-data - initial data of several forms, and the training data as one set
. "$abs_top_srcdir/tests/cli/tap.sh"

c=$tmp/c
mkdir -p "$c/data" "$c/dp/raw"
frame() { # ENERGY ELEMENT
    printf '1\nLattice="9 0 0 0 9 0 0 0 9" Properties=species:S:1:pos:R:3:forces:R:3 energy=%s\n%s 0 0 0 0 0 0\n' "$1" "$2"
}
frame 1 Si >"$c/data/a.extxyz"
frame 2 Si >"$c/data/b.extxyz"
printf '1\n' >"$c/dp/raw/type.raw"
printf 'Ge\nSi\n' >"$c/dp/raw/type_map.raw"
printf '0 0 0\n1 0 0\n' >"$c/dp/raw/coord.raw"
printf '9 0 0 0 9 0 0 0 9\n9 0 0 0 9 0 0 0 9\n' >"$c/dp/raw/box.raw"
printf '3\n4\n' >"$c/dp/raw/energy.raw"
printf '0 0 0\n0 0 1\n' >"$c/dp/raw/force.raw"
cat >"$c/campaign.yaml" <<'END'
format: 1
campaign: data
elements: [Si]
data: {initial: ['data/*.extxyz', dp]}
stages:
  label: {uses: t.label}
  train: {uses: t.train, with: {datasets: all.label.dataset}}
stop: {iterations: 2}
operators:
  t.label:
    inputs: {n: {type: int, from: iteration}}
    outputs: {dataset: {type: frames, publish: true}}
    command: [sh, -c, 'sed "s/energy=1/energy=$((5 + $2))/" "$3/data/a.extxyz" >"$1"', sh, "{outputs.dataset}", "{n}", "{campaign}"]
  t.train:
    inputs: {datasets: {type: frames, list: true}}
    outputs: {all: {type: string}}
    command:
      - sh
      - -c
      - |
        all=$(cat "$@" | grep -o 'energy=[0-9]' | cut -d = -f 2 | tr -d '\n')
        printf '{"all": "%s"}' "$all" >params.json
      - sh
      - "{datasets}"
END
ok "check finds no problem" fanfold -C "$c" check
ok "check makes nothing" test ! -e "$c/.fanfold"
ok "it runs" fanfold -C "$c" run
is "patterns in order, then the directory's frames" 12345 "$(fanfold -C "$c" result train all --iteration 0)"
is "... and what was labelled" 123456 "$(fanfold -C "$c" result train all)"
is "the configuration has the files" '["data/a.extxyz","data/b.extxyz","dp"]' \
    "$(jq -c .campaign.data.initial "$c/config/iter/000000/config.json")"
made=$(ls "$c"/.fanfold/imported/*.extxyz)
before=$(stat -c %i "$made")
ok "another run" fanfold -C "$c" run
is "... makes nothing anew" "$before" "$(stat -c %i "$made")"
printf '7\n8\n' >"$c/dp/raw/energy.raw"
sed -i 's/iterations: 2/iterations: 3/' "$c/campaign.yaml"
ok "after the directory changed" fanfold -C "$c" run
is "... its frames are new" 1278567 "$(fanfold -C "$c" result train all)"
mv "$c/dp" "$tmp/dp"
ok "without the directory what is recorded works" fanfold -C "$c" status
mv "$tmp/dp" "$c/dp"

# --- export ---

energies() {
    grep -o 'energy=[0-9]' "$1" | cut -d = -f 2 | tr -d '\n'
}
npy() { # numbers of a file with one per frame
    tail -c +129 "$1" | od -An -v -t f8 | tr -s ' \n' ' '
}
is "export says what it wrote" "$tmp/all: 7 frames of 6 files, as deepmd" \
    "$(fanfold -C "$c" export "$tmp/all" --with-initial)"
is "DeePMD data, the initial ones first" " 1 2 7 8 5 6 7 " "$(npy "$tmp/all/Si1/set.000/energy.npy")"
ok "as extended XYZ" fanfold -C "$c" export "$tmp/x" --format extxyz
is "... without the initial data" 567 "$(energies "$tmp/x/dataset.extxyz")"
ok "as DeePMD's mixed form" fanfold -C "$c" export "$tmp/mixed" --format deepmd-mixed
ok "... with the types of each frame's atoms" \
    sh -c "ls $tmp/mixed/*/set.000/real_atom_types.npy"
ok "some iterations" fanfold -C "$c" export "$tmp/y" --format extxyz --iterations 1-2
is "... are these" 67 "$(energies "$tmp/y/dataset.extxyz")"
ok "one iteration" fanfold -C "$c" export "$tmp/z" --format extxyz --iterations 0
is "... is that" 5 "$(energies "$tmp/z/dataset.extxyz")"
is "what is there is left alone" 2 "$(fanfold -C "$c" export "$tmp/z" 2>"$tmp/err"; echo $?)"
ok "... with a word" grep -q "is there already" "$tmp/err"
is "an unknown format" 2 "$(fanfold -C "$c" export "$tmp/w" --format npz 2>"$tmp/err"; echo $?)"
is "a range that goes backwards" 2 "$(fanfold -C "$c" export "$tmp/w" --iterations 2-1 2>"$tmp/err"; echo $?)"
is "no data" 1 "$(fanfold -C "$c" export "$tmp/w" --iterations 7-9 2>"$tmp/err"; echo $?)"
frame nan Si >>"$c/data/b.extxyz"
is "data that are not fit to train on" 1 "$(fanfold -C "$c" export "$tmp/w" --with-initial 2>"$tmp/err"; echo $?)"
ok "... are named" grep -q "data/b.extxyz.* frame 1" "$tmp/err"
ok "... and nothing is left" test -z "$(find "$tmp" -mindepth 1 -maxdepth 1 '(' -name w -o -name '.tmp-*' ')')"

# Killed anywhere, the directory is whole or not there.
kill_at=$abs_top_builddir/tests/crash/kill_at
"$kill_at" trace fanfold -C "$c" export "$tmp/traced" 2>&1 | grep '^export ' >"$tmp/points"
if [ -s "$tmp/points" ]; then
    bad=
    while read -r role call n path; do
        rm -rf "$tmp/k"
        "$kill_at" kill "$role" "$call" "$n" alone fanfold -C "$c" export "$tmp/k" >/dev/null 2>&1
        [ ! -e "$tmp/k" ] || diff -r "$tmp/traced" "$tmp/k" >/dev/null || bad="$bad $call $n $path;"
    done <"$tmp/points"
    ok "export was killed at many calls" test "$(wc -l <"$tmp/points")" -gt 20
    is "... and left no part" "" "$bad"
    rm -rf "$tmp"/.tmp-*
else
    not_here "no process may be traced here"
fi

# --- what cannot be read ---

sed -i 's/dp\]/empty]/' "$c/campaign.yaml"
mkdir "$c/empty"
fanfold -C "$c" check >"$tmp/out" 2>&1
ok "a directory without data" grep -q "campaign.yaml:4:.* data.initial: 'empty' has no type.raw" "$tmp/out"
sed -i "s/empty\]/'none\/*']/" "$c/campaign.yaml"
fanfold -C "$c" check >"$tmp/out" 2>&1
ok "a pattern that finds nothing" grep -q "campaign.yaml:4:.* data.initial: no file matches 'none/\*'" "$tmp/out"
printf '1 2\n' >"$c/dp/raw/energy.raw"
sed -i "s/'none\/\*'\]/dp]/" "$c/campaign.yaml"
is "data that do not fit each other" 1 "$(fanfold -C "$c" run 2>"$tmp/err"; echo $?)"
ok "... are named" grep -q "dp/raw/energy.raw:1: expected 1 numbers" "$tmp/err"

# --- edited, then done again ---

r=$tmp/redone
mkdir "$r"
cp -r "$abs_top_srcdir/tests/fixtures/deepmd/cu4" "$r/dp"
chmod -R u+w "$r/dp"
cat >"$r/campaign.yaml" <<'END'
format: 1
campaign: redone
elements: [Cu, Al]
data: {initial: [dp]}
stages: {sum: {uses: u.sum}}
stop: {iterations: 1}
operators:
  u.sum:
    inputs: {d: {type: frames, list: true, from: data.initial}}
    outputs: {v: {type: string}}
    script: 'printf "{\"v\": \"%s\"}" "$(cat $d | cksum)" >$outputs_params'
END
ok "DeePMD data are read" fanfold -C "$r" run
before=$(fanfold -C "$r" result sum v)
printf '\201' | dd of="$r/dp/set.000/coord.npy" bs=1 seek=133 conv=notrunc 2>/dev/null
ok "edited, redo takes them as they are now" fanfold -C "$r" redo sum
ok "... and run" fanfold -C "$r" run
ok "... another result" [ "$(fanfold -C "$r" result sum v)" != "$before" ]
ok "... of files that are as they were" fanfold -C "$r" verify --all

# --- a file of each task ---

c=$tmp/many
mkdir -p "$c"
cat >"$c/campaign.yaml" <<'END'
format: 1
campaign: many
elements: [Si]
stages:
  label: {uses: t.label, with: {energy: [5, 6, 7]}}
stop: {iterations: 1}
operators:
  t.label:
    fan_out: [energy]
    inputs: {energy: {type: int}}
    outputs: {dataset: {type: frames, publish: true}}
    command: [sh, -c, 'sed "s/energy=1/energy=$2/" "$3/a.extxyz" >"$1"', sh, "{outputs.dataset}", "{energy}", "{campaign}"]
END
cp "$tmp/c/data/a.extxyz" "$c"
ok "three tasks make a file of frames each" fanfold -C "$c" run
is "... all of which are published" "energy=5 energy=6 energy=7" \
    "$(grep -roh "energy=[0-9]*" "$c/dataset" | xargs)"

# --- labels that are trained on and not published ---

c=$tmp/hidden
# hidden DATASETS [EDIT]: what check warns of where these are trained on.
hidden() {
    rm -rf "$c"
    mkdir "$c"
    cp "$tmp/many/a.extxyz" "$c"
    sed "s|, publish: true||; s|^stop|  train: {uses: t.train, with: {datasets: $1}}\n&|" \
        "$tmp/many/campaign.yaml" >"$c/campaign.yaml"
    cat >>"$c/campaign.yaml" <<'END'
  t.train:
    inputs: {datasets: {type: frames, list: true}}
    outputs: {n: {type: int}}
    command: [sh, -c, 'echo "{\"n\": $#}" >params.json', sh, "{datasets}"]
END
    sed -i "${2:-}" "$c/campaign.yaml"
    fanfold -C "$c" check 2>&1 >"$tmp/said" | sed 's/;.*//; s/^.*campaign.yaml://'
}
said="5:3: warning: label.dataset is trained on and not published, so dataset/, export and report have nothing of it"
is "labels that are trained on and not published are told" "$said" "$(hidden all.label.dataset)"
is "... also beside others" "$said" "$(hidden '[label.dataset, all.label.dataset]')"
is "... and of one iteration" "$said" "$(hidden label.dataset)"
is "... not where the stage says that they are none" "" \
    "$(hidden all.label.dataset 's/label: {/label: {publish: false, /')"
is "... nor where nothing is trained on them" "" "$(hidden label.dataset 's/datasets/data/')"
hidden all.label.dataset >"$tmp/said"
fanfold -C "$c" run >"$tmp/said" 2>&1
is "... export has none" 1 "$(fanfold -C "$c" export "$tmp/hidden.out" 2>"$tmp/err"; echo $?)"
has "... and says why" "no stage publishes what it makes; write publish: true" "$(cat "$tmp/err")"
sed -i 's/dataset: {type: frames}/dataset: {type: frames, publish: true}/; s/iterations: 1/iterations: 2/' \
    "$c/campaign.yaml"
ok "one more iteration, published" fanfold -C "$c" run
said="many: stage 'label' is done in iteration 0 and has published nothing; if its operator says publish: true only since, run \`fanfold redo label --iteration 0\`"
is "... export says what it lacks" "$tmp/hidden.out: 3 frames of 1 files, as deepmd
fanfold: warning: $said" "$(fanfold -C "$c" export "$tmp/hidden.out" 2>"$tmp/err"; cat "$tmp/err")"
is "... also with others" 1 "$(fanfold export --campaigns "$c" "$tmp/joined" 2>&1 | grep -cF "warning: $said")"
ok "... which redo mends" fanfold -C "$c" redo label --iteration 0 --yes
ok "... and run" fanfold -C "$c" run
rm -r "$tmp/hidden.out"
is "... with all frames" "$tmp/hidden.out: 6 frames of 2 files, as deepmd" \
    "$(fanfold -C "$c" export "$tmp/hidden.out" 2>&1)"

done_testing
