#!/bin/sh
# 0385-export-campaigns - the labelled data of several campaigns as one set
. "$abs_top_srcdir/tests/cli/tap.sh"

# label.sh K FILE SCALE SHIFT: silicon and oxygen, 1 + K / 10 angstrom apart, both moved
# by SHIFT, with a key and a column of somebody else.
cat >"$tmp/label.sh" <<'END'
awk -v k="$1" -v scale="$3" -v shift="$4" 'BEGIN {
    print 2
    printf "Lattice=\"5 0 0 0 5 0 0 0 5\" "
    printf "Properties=species:S:1:pos:R:3:forces:R:3:charge:R:1 "
    printf "energy=%.6f weight=2.50 task=7\n", -k * scale
    printf "Si 0.5 %.4f 0.5 0 0 0.25 1.5\n", shift
    printf "O %.4f %.4f 0.5 0 0 -0.25 -1.5\n", 1.5 + k / 10, shift + (shift > 0) * 5
}' >"$2"
END
cat >"$tmp/collect.sh" <<'END'
for f in $(jq -r '.stacked.frame[] | select(. != null)' task.json); do
    cat "$f"
done >"$1"
END
# campaign NAME ELEMENTS FIRST SCALE SHIFT: two iterations of three structures, K from
# FIRST on.
campaign() {
    mkdir -p "$tmp/$1"
    cp "$tmp/label.sh" "$tmp/collect.sh" "$tmp/$1"
    cat >"$tmp/$1/campaign.yaml" <<END
format: 1
campaign: $1
elements: [$2]
stages: {label: {uses: t.label, with: {k: [$3, $(($3 + 1)), $(($3 + 2))]}}}
stop: {iterations: 2}
operators:
  t.label:
    fan_out: [k]
    inputs: {k: {type: int}, n: {type: int, from: iteration}}
    outputs: {frame: {type: frames}}
    command:
      [sh, -c, 'sh "\$0/label.sh" \$((\$1 + 3 * \$2)) "\$3" $4 $5', "{campaign}", "{k}", "{n}", "{outputs.frame}"]
    collect:
      outputs: {dataset: {type: frames, publish: true}}
      command: [sh, "{campaign}/collect.sh", "{outputs.dataset}"]
END
}
join() {
    fanfold export --campaigns "$@"
}
tree() { # all that is there, with when it was changed last
    find "$@" -printf '%p %s %m %T@ %C@\n' | sort
}
energies() {
    sed -n 's/.* energy=-*\([0-9]*\)\.0.*/\1/p' "$1" | xargs
}
origins() { # of the frames, without $tmp
    sed -n "s|.* fanfold_origin=\"$tmp/\([^\"]*\)\".*|\1|p" "$1"
}

campaign a "Si, O" 1 1 0         # 1 to 6
campaign b "O, Ge, Si" 5 1 0.0004 # 5 to 10, of which 5 and 6 are those of a
campaign c "Si, O" 6 99 0        # 6 to 11, which it computed otherwise
for one in a b c; do
    ok "$one runs" fanfold -C "$tmp/$one" run
done
before=$(tree "$tmp/a" "$tmp/b" "$tmp/c")

# --- two campaigns ---

is "two campaigns, with what they gave" "$tmp/ab: 10 frames of 4 files, as extxyz
elements: Si, O, Ge
  $tmp/a: 6 frames, 0 duplicates left out
  $tmp/b: 4 frames, 2 duplicates left out; its elements O, Ge, Si were mapped by name" \
    "$(join "$tmp/a" "$tmp/b" "$tmp/ab" --format extxyz 2>"$tmp/err")"
silent "... and no warning" cat "$tmp/err"
is "each structure once, the first stays" "1 2 3 4 5 6 7 8 9 10" "$(energies "$tmp/ab/dataset.extxyz")"
is "each frame has campaign, stage, iteration and task" \
    "a/label/t/iter/000000/job/000000/out/frame.extxyz
a/label/t/iter/000000/job/000001/out/frame.extxyz
a/label/t/iter/000000/job/000002/out/frame.extxyz
a/label/t/iter/000001/job/000000/out/frame.extxyz
a/label/t/iter/000001/job/000001/out/frame.extxyz
a/label/t/iter/000001/job/000002/out/frame.extxyz
b/label/t/iter/000000/job/000002/out/frame.extxyz
b/label/t/iter/000001/job/000000/out/frame.extxyz
b/label/t/iter/000001/job/000001/out/frame.extxyz
b/label/t/iter/000001/job/000002/out/frame.extxyz" "$(origins "$tmp/ab/dataset.extxyz")"
is "... which explain knows" "energy=-7.000000" \
    "$(grep -o 'energy=[^ ]*' "$tmp/$(origins "$tmp/ab/dataset.extxyz" | sed -n 7p)")"
ok "... and from which it goes on" fanfold -C "$tmp/b" explain label/t/iter/000000/job/000002/out/frame.extxyz
is "what else a frame has stays: keys" 10 "$(grep -c ' weight=2.50 task=7 fanfold_origin=' "$tmp/ab/dataset.extxyz")"
is "... and columns" 20 "$(grep -c ' -*1\.5$' "$tmp/ab/dataset.extxyz")"
ok "the other way round" join "$tmp/b" "$tmp/a/" "$tmp/ba/" --format extxyz
is "... those of b stay" "5 6 7 8 9 10 1 2 3 4" "$(energies "$tmp/ba/dataset.extxyz")"

# --- every form ---

ok "as DeePMD's systems" join "$tmp/a" "$tmp/b" "$tmp/deepmd"
is "... types by name, in one order for both" "Si O Ge" "$(xargs <"$tmp/deepmd/Si1O1/type_map.raw")"
is "... of the atoms, too" "0 1" "$(xargs <"$tmp/deepmd/Si1O1/type.raw")"
is "... with a line of origin for each frame" "$(origins "$tmp/ab/dataset.extxyz")" \
    "$(sed "s|^$tmp/||" "$tmp/deepmd/Si1O1/origins.txt")"
ok "as the raw form" join "$tmp/a" "$tmp/b" "$tmp/raw" --format deepmd-raw
is "... energies in that order" "-1.0 -2.0 -3.0 -4.0 -5.0 -6.0 -7.0 -8.0 -9.0 -10.0" "$(xargs <"$tmp/raw/Si1O1/energy.raw")"
is "... with origins" 10 "$(wc -l <"$tmp/raw/Si1O1/origins.txt")"
ok "as the mixed form" join "$tmp/a" "$tmp/b" "$tmp/mixed" --format deepmd-mixed
is "... with origins" 10 "$(wc -l <"$tmp/mixed/2/origins.txt")"
is "read back they are the same frames" \
    "$(fanfold convert "$tmp/deepmd" "$tmp/back1.xyz" >"$tmp/log" && cksum <"$tmp/back1.xyz")" \
    "$(fanfold convert "$tmp/raw" "$tmp/back2.xyz" >"$tmp/log" && cksum <"$tmp/back2.xyz")"
is "a set of several is data of a campaign, and keeps its origins" "$(origins "$tmp/ab/dataset.extxyz" | head -2)" \
    "$(campaign d "Si, O, Ge" 1 1 0 && cp "$tmp/ab/dataset.extxyz" "$tmp/d/start.extxyz" &&
        sed -i 's/^stages/data: {initial: [start.extxyz]}\n&/; s/iterations: 2/iterations: 1/' "$tmp/d/campaign.yaml" &&
        fanfold -C "$tmp/d" run >"$tmp/log" 2>&1 && join "$tmp/d" "$tmp/fromd" --with-initial --format extxyz >"$tmp/log" &&
        origins "$tmp/fromd/dataset.extxyz" | head -2)"

# --- iterations, JSON ---

ok "iterations of each" join "$tmp/a" "$tmp/b" "$tmp/second" --format extxyz --iterations 1 --json
cp "$tmp/second/dataset.extxyz" "$tmp/kept"
is "... are these" "4 5 6 8 9 10" "$(energies "$tmp/kept")"
is "as JSON: what each campaign gave" "$tmp/a 3 0 Si,O 1
$tmp/b 3 0 O,Ge,Si 1" \
    "$(echo "$out" | jq -r '.campaigns[] | "\(.directory) \(.frames) \(.duplicates) \(.elements | join(",")) \(.files | length)"')"
is "... and all of them" "6 0 0 Si,O,Ge $tmp/a/dataset/extxyz/iter/000001/dataset.extxyz" \
    "$(echo "$out" | jq -r '"\(.frames) \(.duplicates) \(.other_energies) \(.elements | join(",")) \(.files[0])"')"

# --- the same structure, another label ---

ok "three campaigns" join "$tmp/a" "$tmp/b" "$tmp/c" "$tmp/abc" --format extxyz
has "a duplicate with another label is told" "warning: 5 of the duplicates have other energies than the frames that stay: frame 2 of $tmp/a/dataset/extxyz/iter/000001/dataset.extxyz has -6 eV, and frame 0 of $tmp/c/dataset/extxyz/iter/000000/dataset.extxyz has -594 eV" "$out"
is "... and left out" "1 2 3 4 5 6 7 8 9 10 1089" "$(energies "$tmp/abc/dataset.extxyz")"
is "nothing was written in any campaign" "$before" "$(tree "$tmp/a" "$tmp/b" "$tmp/c")"

# --- initial data, of another form, that is not imported there ---

campaign e "O, Si" 20 1 0
sed -i 's/^stages/data: {initial: [old]}\n&/' "$tmp/e/campaign.yaml"
cp -r "$tmp/raw" "$tmp/e/old"
ok "a campaign with DeePMD data runs" fanfold -C "$tmp/e" run
rm -r "$tmp/e/.fanfold/imported"
before=$(tree "$tmp/e")
ok "its initial data, too" join "$tmp/a" "$tmp/e" "$tmp/ae" --format extxyz --with-initial
is "... are there once" "1 2 3 4 5 6 7 8 9 10 20 21 22 23 24 25" "$(energies "$tmp/ae/dataset.extxyz")"
is "... from the directory that they are in" 4 "$(origins "$tmp/ae/dataset.extxyz" | grep -cx 'e/old')"
is "... and nothing was written there" "$before" "$(tree "$tmp/e")"
ls "$tmp" >"$tmp/list"
ok "nor is anything left" test "$(grep -c 'tmp' "$tmp/list")" -eq 0

# --- a campaign that runs ---

campaign r "Si, O" 30 1 0
sed -i '1s|^|[ "$1" -lt 33 ] \|\| until [ -e "${0%/*}/go" ]; do sleep 0.1; done\n|' "$tmp/r/label.sh"
fanfold -C "$tmp/r" run >"$tmp/log" 2>&1 &
driver=$!
until_ok ls "$tmp"/r/label/t/iter/000001/stage.json
lock=$(ls "$tmp/r/.fanfold/lock")
ok "what it has so far" join "$tmp/a" "$tmp/r" "$tmp/ar" --format extxyz
is "... is there" "1 2 3 4 5 6 30 31 32" "$(energies "$tmp/ar/dataset.extxyz")"
is "... and its driver goes on driving" "$lock" "$(ls "$tmp/r/.fanfold/lock")"
mv "$tmp/r/dataset/extxyz/iter/000000" "$tmp/away"
(sleep 0.5 && mv "$tmp/away" "$tmp/r/dataset/extxyz/iter/000000") &
away=$!
ok "what is not yet as the journal says, while it runs, is looked at again" \
    join "$tmp/r" "$tmp/r2" --format extxyz
wait $away
touch "$tmp/r/go"
wait $driver
is "it runs to its end" 0 $?

# --- what is refused ---

# refused WHAT STATUS TEXT ARGUMENT...: nothing is written then.
refused() {
    refused_what=$1
    refused_text=$3
    refused_status=$2
    shift 3
    exits "$refused_what" "$refused_status" fanfold export "$@" "$tmp/new"
    refused_out=$out
    has "... is said" "$refused_text" "$out"
    ok "... and nothing is left" test -z "$(find "$tmp" -mindepth 1 -maxdepth 1 '(' -name new -o -name '.tmp-*' ')')"
}
ln -s a "$tmp/link"
mkdir "$tmp/empty"
campaign n "Si, O" 1 1 0
refused "a directory that is not there" 2 "'$tmp/none' is not there; name the directory of a campaign" --campaigns "$tmp/a" "$tmp/none"
refused "a file" 2 "'$tmp/log' is no directory" --campaigns "$tmp/log" "$tmp/a"
refused "no campaign" 2 "'$tmp/empty' is no campaign: it has no campaign.yaml" --campaigns "$tmp/a" "$tmp/empty"
refused "one twice, by another name" 2 "'$tmp/link' is named twice; remove one" --campaigns "$tmp/a" "$tmp/b" "$tmp/link"
refused "one without data" 1 "$tmp/n: there are no labelled data; leave it out" --campaigns "$tmp/a" "$tmp/n"
refused "... in these iterations" 1 "$tmp/b: there are no labelled data in these iterations" --campaigns "$tmp/b" --iterations 7
refused "several without the option" 2 "--campaigns takes campaigns before it" "$tmp/a"
refused "the option without a campaign" 2 "takes the directories of campaigns, and a new one" --campaigns
exits "a set that is there" 2 fanfold export --campaigns "$tmp/a" "$tmp/b"
has "... is said" "'$tmp/b' is there already; name a new directory" "$out"
mkdir "$tmp/broken"
echo 'format: 1
nonsense: 1' >"$tmp/broken/campaign.yaml"
refused "a campaign.yaml with problems" 3 "'$tmp/broken' cannot be read" --campaigns "$tmp/a" "$tmp/broken"

f=$tmp/b/dataset/extxyz/iter/000001/dataset.extxyz
cp -p "$f" "$tmp/good"
chmod u+w "$f" "${f%/*}"
sed -i 's/energy=-8/energy=-7/' "$f"
refused "a label that somebody changed" 1 "$tmp/b: dataset/extxyz/iter/000001: differs from what was published" --campaigns "$tmp/a" "$tmp/b"
ok "... is not asked for" join "$tmp/a" "$tmp/b" "$tmp/a0b0" --iterations 0
mv "$f" "$tmp/forged"
refused "data that are gone" 1 "$tmp/b: dataset/extxyz/iter/000001: differs from what was published" --campaigns "$tmp/b"
rmdir "${f%/*}"
refused "... with their directory" 1 "$tmp/b: dataset/extxyz/iter/000001: is missing" --campaigns "$tmp/b"
mkdir "${f%/*}"
cp "$tmp/good" "$f"
ok "as they were again" join "$tmp/b" "$tmp/b1"
mkdir -p "$tmp/b/dataset/extxyz/iter/000002"
cp "$f" "$tmp/b/dataset/extxyz/iter/000002"
ok "data of an iteration that never was are none" join "$tmp/b" "$tmp/b2" --format extxyz
is "... and not taken" 6 "$(energies "$tmp/b2/dataset.extxyz" | wc -w)"
rm -r "$tmp/b/dataset/extxyz/iter/000002"

# outputs.json that is not what it was tells no task.
o=$tmp/b/label/t/iter/000000/outputs.json
chmod u+w "$o" && sed -i 's/000002/000001/' "$o"
ok "where outputs.json was changed" join "$tmp/b" "$tmp/b3" --format extxyz
is "... frames are from the file of the iteration" "b/dataset/extxyz/iter/000000/dataset.extxyz" \
    "$(origins "$tmp/b3/dataset.extxyz" | head -n 3 | sort -u)"

# Initial data that are not fit to train on, behind what every command looks at.
frame='1
Lattice="9 0 0 0 9 0 0 0 9" Properties=species:S:1:pos:R:3:forces:R:3 energy=-1
C 0 0 0 0 0 0'
start=$tmp/n/start.extxyz
awk 'BEGIN {
    print 10000; print "pbc=\"F F F\" Properties=species:S:1:pos:R:3:forces:R:3 energy=-1"
    for (i = 0; i < 10000; i++) print "O", 3 * i, "0 0 0 0 0"
}' >"$tmp/large"
(cat "$tmp/large" && echo "$frame") >"$start"
sed -i 's/^stages/data: {initial: [start.extxyz]}\n&/' "$tmp/n/campaign.yaml"
for form in extxyz deepmd; do
    refused "an element that the campaign has not, as $form" 1 "'C' is not among the elements" \
        --campaigns "$tmp/a" "$tmp/n" --with-initial --format $form
    has "... with the campaign and the frame" "$tmp/n: $start: frame 1: " "$refused_out"
done
(cat "$tmp/large" && echo "$frame" | sed 's/C 0/O 0/; s/energy=-1/step=1/') >"$start"
refused "a frame without an energy" 1 "$start: frame 1: no energy" \
    --campaigns "$tmp/a" "$tmp/n" --with-initial --format extxyz
(cat "$tmp/large" && echo "$frame" | sed 's/C 0/O nan/') >"$start"
refused "a position that is none" 1 "$start: frame 1: " \
    --campaigns "$tmp/a" "$tmp/n" --with-initial

done_testing
