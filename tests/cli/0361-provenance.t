#!/bin/sh
# 0361-provenance - what a file was made from, and whether that is what it was
. "$abs_top_srcdir/tests/cli/tap.sh"

c=$tmp/c
mkdir "$c"
printf '2\nLattice="5 0 0 0 5 0 0 0 5" Properties=species:S:1:pos:R:3:forces:R:3 energy=-1.0 pbc="T T T"\nSi 0 0 0 0 0 0\nSi 1 1 1 0 0 0\n' >"$c/first.xyz"
echo 7 >"$c/start.txt"
# choose: a parameter; make: 70 tasks; label: training data; join: what all made so far.
cat >"$c/campaign.yaml" <<'END'
format: 1
campaign: chain
elements: [Si]
stages:
  choose: {uses: t.choose, with: {start: start.txt}}
  make:
    uses: t.make
    with: {n: {literal: [NUMBERS]}, rate: choose.rate, before: {from: previous.join.sum, default: start.txt}}
  label: {uses: t.label, with: {made: make.made}}
  join: {uses: t.join, with: {made: make.made, data: all.label.data}}
stop: {iterations: 2}
operators:
  t.choose:
    inputs: {start: {type: file}}
    outputs: {rate: {type: float}}
    command: [sh, -c, 'echo "{\"rate\": 0.5}" >"$1"', sh, "{outputs.params}"]
  t.make:
    fan_out: [n]
    inputs: {n: {type: int}, rate: {type: float}, before: {type: file}}
    outputs: {made: {type: file}, scratch: {type: file, keep: 1}}
    command: [sh, "{campaign}/make.sh", "{n}", "{seed}"]
  t.label:
    inputs: {made: {type: file, list: true}}
    outputs: {data: {type: frames, publish: true}}
    command: [cp, "{campaign}/first.xyz", out/data.extxyz]
  t.join:
    inputs: {made: {type: file, list: true}, data: {type: frames, list: true}}
    outputs: {sum: {type: file}}
    command: [sh, -c, 'cat "$@" >out/sum', sh, "{made}"]
END
numbers=$(seq -s ', ' 70)
sed -i "s/{literal: \[NUMBERS\]}/[$numbers]/" "$c/campaign.yaml"
# shellcheck disable=SC2016 # for the task
echo 'echo "$1" >out/made; echo "$1" >out/scratch' >"$c/make.sh"
ok "a campaign runs" fanfold -C "$c" run

# --- explain FILE ---

sum=join/t/iter/000001/job/000000/out/sum
fanfold -C "$c" explain "$sum" >"$tmp/text"
text=$(cat "$tmp/text")
is "the first line is the file" "$sum" "$(head -n 1 "$tmp/text")"
is "each stage of an iteration once" "choose 0 choose 1 join 0 join 1 label 0 label 1 make 0 make 1" \
    "$(sed -n 's/^\([a-z]*\), iteration \([0-9]\):.*/\1 \2/p' "$tmp/text" | sort | paste -sd ' ')"
is "... before what it used" "join 1 make 1 choose 1 join 0 make 0 choose 0" \
    "$(sed -n 's/^\([a-z]*\), iteration \([0-9]\):.*/\1 \2/p' "$tmp/text" | grep -v label | paste -sd ' ')"
has "many tasks are counted" "make, iteration 1: 70 tasks" "$text"
has "... and what they made" "made: 70 artifacts" "$text"
has "... of which some are gone" "scratch: 70 artifacts, 201 B, removed in iteration 1 (keep: 1)" "$text"
has "what it had of all iterations" "label, iterations 0-1 (2 tasks)" "$text"
has "a parameter comes from a stage" "from rate of choose, iteration 1" "$text"
has "the node" "on $(jq -r .run.host "$c/join/t/iter/000001/job/000000/out/result.json")" "$text"
has "the digest" "sum: 201 B, sha256 $(sha256sum "$c/$sum" | cut -d ' ' -f 1)" "$text"
has "the campaign's programs" "make.sh (sha256 $(sha256sum "$c/make.sh" | cut -c -16))" "$text"
kept=.fanfold/inputs/$(sha256sum "$c/make.sh" | cut -c -16)/make.sh
has "... and where their text is kept" "$kept" "$text"
ok "... as it ran" cmp "$c/make.sh" "$c/$kept"
has "the user's files, and their copies" "start.txt, sha256 $(sha256sum "$c/start.txt" | cut -d ' ' -f 1), copied to .fanfold/inputs/" "$text"
one=$(fanfold -C "$c" explain make/t/iter/000000/job/000004/out/made)
has "one task: what it had" "n                 5" "$one"
has "... its seed" "seed              $(jq .seed "$c/make/t/iter/000000/job/000004/out/result.json")" "$one"
ok "... and nothing of the others" sh -c "! fanfold -C '$c' explain make/t/iter/000000/job/000004/out/made | grep -q 'join\|label'"
ok "seen from the directory" sh -c "cd '$c' && fanfold explain ./$sum | grep -q 'make, iteration 1'"
ok "... from below" sh -c "cd '$c/join' && fanfold -C .. explain ./t/iter/000001 | grep -q 'make, iteration 1'"
has "training data" "label, iteration 1: task 0" "$(fanfold -C "$c" explain dataset/extxyz/iter/000001/dataset.extxyz)"
has "what keep: removed has its history, too" "make, iteration 0: task 3" "$(fanfold -C "$c" explain make/t/iter/000000/job/000003/out/scratch)"
has "a user's file" "made by no stage" "$(fanfold -C "$c" explain ./start.txt)"
mkdir "$tmp/new" && cp "$c/campaign.yaml" "$c/site.yaml" "$c/make.sh" "$c/start.txt" "$c/first.xyz" "$tmp/new" 2>/dev/null
exits "no file of a stage, either" 2 fanfold -C "$tmp/new" explain "$sum"
exits "no file" 2 fanfold -C "$c" explain ./none
exits "a file elsewhere" 2 fanfold -C "$c" explain /etc/passwd
exits "not made by a stage" 1 fanfold -C "$c" explain .fanfold/run/000001/000000/closed

fanfold -C "$c" explain --json "$sum" >"$tmp/json"
is "for programs: each task once" "146 146" \
    "$(jq -r '[.stages[] | .of as $s | .tasks[] | "\($s.stage) \($s.iteration) \(.task)"] | "\(length) \(unique | length)"' "$tmp/json")"
is "... who made its inputs" '[{"stage":"make","iteration":1,"tasks":"0-69"}]' \
    "$(jq -c '.stages[0].of.from | map(select(.stage == "make"))' "$tmp/json")"
is "... all of whom are there" true \
    "$(jq '[.stages[].of | "\(.stage) \(.iteration)"] as $there
        | [.stages[] | .of.from[], (.tasks[].from // [])[] | "\(.stage) \(.iteration)"] - $there == []' "$tmp/json")"
is "... with digests" "$(sha256sum "$c/$sum" | cut -d ' ' -f 1)" "$(jq -r '.stages[0].tasks[0].artifacts.sum.sha256' "$tmp/json")"
is "... parameters" 0.5 "$(jq '[.stages[].of | select(.stage == "make")][0].values.rate' "$tmp/json")"
is "... where those came from" choose "$(jq -r '[.stages[].of | select(.stage == "make")][0].sources.rate[0].stage' "$tmp/json")"
is "... and the user's files" start.txt "$(jq -r '.files[] | select(.from == "start.txt").from' "$tmp/json" | head -n 1)"

# --- results of another campaign ---

# origin NUMBER: a campaign with a stage of so many tasks.
origin() {
    mkdir -p "$tmp/origin"
    cat >"$tmp/origin/campaign.yaml" <<END
format: 1
campaign: origin
models: $1
stages: {make: {uses: t.make, with: {word: ${2-one}}}}
stop: {iterations: 1}
operators:
  t.make:
    fan_out: [n]
    inputs: {n: {type: int, from: models}, word: {type: string}}
    outputs: {made: {type: file}}
    script: 'echo "\$word \$n" >\$outputs_made'
END
}
origin 3 && fanfold -C "$tmp/origin" run >/dev/null
mkdir "$tmp/taker" && cp "$tmp/origin/campaign.yaml" "$tmp/taker"
fanfold -C "$tmp/taker" run --reuse-from "$tmp/origin" >/dev/null
made=make/t/iter/000000/job/000002/out/made
has "a reused task leads to the one that ran" "make, iteration 0: task 2, in $tmp/origin" "$(fanfold -C "$tmp/taker" explain "$made")"
origin 3 two && fanfold -C "$tmp/origin" reset --yes >/dev/null && fanfold -C "$tmp/origin" run >/dev/null
lacks "... and not to one that took its place" ", in $tmp/origin" fanfold -C "$tmp/taker" explain "$made"
has "... but says where it was" "task 2 of make, iteration 0 in $tmp/origin" "$(fanfold -C "$tmp/taker" explain "$made")"
origin 1 && fanfold -C "$tmp/origin" reset --yes >/dev/null && fanfold -C "$tmp/origin" run >/dev/null
ok "verify needs no task that is gone there" fanfold -C "$tmp/taker" verify --all

# --- verify ---

ok "all is as it was" fanfold -C "$c" verify
has "... and told" "all as they were" "$out"
has "... also what is gone" "(70 more were removed: keep)" "$(fanfold -C "$c" verify)"
ok "behind one file" fanfold -C "$c" verify "$sum"
# damaged WHAT PATH TEXT: verify names it when it is another.
damaged() {
    cp -a "$c/$2" "$tmp/kept"
    chmod u+w "$c/$2"
    echo >>"$c/$2"
    exits "$1: it is named" 1 fanfold -C "$c" verify
    has "... with why" "$2: $3" "$out"
    rm -f "$c/$2"
    mv "$tmp/kept" "$c/$2"
}
damaged "a result was changed" make/t/iter/000001/job/000010/out/made "differs: its sha256 is"
damaged "a copy of an input" ".fanfold/inputs/$(sha256sum "$c/start.txt" | cut -c -16)/start.txt" "differs"
damaged "a program of the campaign" make.sh "differs"
for form in extxyz/iter/000001/dataset.extxyz "deepmd/iter/000000/$(cd "$c/dataset/deepmd/iter/000000" && find . -name 'coord.npy' | sed 's|^./||')"; do
    cp -a "$c/dataset/$form" "$tmp/kept"
    chmod u+w "$c/dataset/$form" && echo >>"$c/dataset/$form"
    exits "training data were edited: $form" 1 fanfold -C "$c" verify
    has "... they are named" "dataset/${form%%/00*}/00" "$out"
    exits "... also when that file is to be looked at" 1 fanfold -C "$c" verify "dataset/$form"
    has "... with what it was" "(training data as they were published)" "$out"
    exits "... and export takes none of it" "$(case $form in extxyz*) echo 1 ;; *) echo 0 ;; esac)" \
        fanfold -C "$c" export "$tmp/exported"
    rm -rf "$tmp/exported" "${c:?}/dataset/$form"
    mv "$tmp/kept" "$c/dataset/$form"
done
cp -a "$c" "$tmp/less"
rm -r "$tmp/less/dataset/extxyz/iter/000000"
exits "training data that are gone" 1 fanfold -C "$tmp/less" verify
has "... are missing" "dataset/extxyz/iter/000000: is missing" "$out"
exits "... and are not left out of an export" 1 fanfold -C "$tmp/less" export "$tmp/exported"
has "... which names them" "dataset/extxyz/iter/000000: is missing" "$out"
ok "... unless they were not asked for" fanfold -C "$tmp/less" export --iterations 1 "$tmp/exported"
mkdir -p "$tmp/less/dataset/extxyz/iter/000000" && sed 's/-1.0/-2.0/' "$c/first.xyz" >"$tmp/less/dataset/extxyz/iter/000000/dataset.extxyz"
exits "nor is what somebody put there taken" 1 fanfold -C "$tmp/less" export "$tmp/exported2"
rm -r "$tmp/less/make/t/iter/000000"
exits "results that are gone" 1 fanfold -C "$tmp/less" verify --all
has "... are missing" "make/t/iter/000000/outputs.json: is missing (what make made in iteration 0)" "$out"
exits "... also behind what was made from them" 1 fanfold -C "$tmp/less" verify join/t/iter/000000
exits "... and by their name" 1 fanfold -C "$tmp/less" verify make/t/iter/000000
rm -r "$tmp/less/join/t/iter/000001/job" "$tmp/less/.fanfold/run"
has "... whatever is left of the campaign" "join/t/iter/000001/job/000000/out/sum: " "$(fanfold -C "$tmp/less" verify --all)"
rm -r "$tmp/less"
for file in nothing ./campaign.yaml make/t/iter/000001/job/000010/out/other; do
    exits "a file that nobody knows: $file" 1 fanfold -C "$c" verify "$file"
    has "... which is said" "nothing tells what it was" "$out"
done
ok "a file that a stage read" fanfold -C "$c" verify start.txt
echo 8 >"$c/start.txt"
exits "... and that was edited since" 1 fanfold -C "$c" verify start.txt
has "... is named" "start.txt: differs" "$out"
echo 7 >"$c/start.txt"
log=$(run_files "$c" choose 000001 '*/*/results-*' | sed "s|^$c/||")
cp "$c/$log" "$tmp/kept"
sed 's/0.5/0.7/' "$tmp/kept" >"$c/$log"
exits "a log that has a parameter: it is named" 1 fanfold -C "$c" verify
has "... with why" "$log: differs" "$out"
cp "$tmp/kept" "$c/$log"
chmod u+w "$c/make/t/iter/000001/job/000010/out/made"
echo >>"$c/make/t/iter/000001/job/000010/out/made"
exits "... behind the file that was made from it" 1 fanfold -C "$c" verify "$sum"
ok "... but not behind another" fanfold -C "$c" verify join/t/iter/000000
chmod u+w "$c/make/t/iter/000001/job/000010/out/made"
rm "$c/make/t/iter/000000/job/000011/out/made"
exits "the first that differs" 1 fanfold -C "$c" verify
is "... is one" 1 "$(echo "$out" | wc -l)"
exits "all that differ" 1 fanfold -C "$c" verify --all
is "... are two" 2 "$(echo "$out" | wc -l)"
has "... one of which is missing" "000011/out/made: is missing (output 'made' of make, iteration 0)" "$out"
result=$c/make/t/iter/000001/job/000010/out/result.json
jq --arg sha "$(sha256sum "$c/make/t/iter/000001/job/000010/out/made" | cut -d ' ' -f 1)" \
    '.artifacts.made.sha256 = $sha' "$result" >"$tmp/result"
chmod u+w "$result"
cp "$tmp/result" "$result"
has "a result.json that was changed with it" "outputs.json and result.json tell different digests" "$(fanfold -C "$c" verify --all)"
echo "- : [" >>"$c/campaign.yaml"
exits "a campaign.yaml that is not valid: all the same" 1 fanfold -C "$c" verify
exits "a file elsewhere" 2 fanfold -C "$c" verify /etc/passwd

done_testing
