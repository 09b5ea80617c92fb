#!/bin/sh
# 0371-beside - log and in lie beside a task's results, where the operator asks for it; and
# raw files beside labels, by `raw:`
# shellcheck disable=SC2016 # $chrg and $grad are of xtb
. "$abs_top_srcdir/tests/cli/tap.sh"

# campaign DIR: its stage makes a file of each of three numbers, and prints.
campaign() {
    mkdir -p "$1"
    cat >"$1/campaign.yaml" <<'EOF'
format: 1
campaign: beside
stop: {iterations: 1}
stages:
  make:
    uses: x.make
    with: {n: [1, 2, 3]}
operators:
  x.make:
    fan_out: [n]
    inputs: {n: {type: int}}
    outputs: {f: {type: file}}
    logs: keep
    fatal_exits: [9]
    input_files: ["*.inp", sub/deck, large, link]
    script: |
      echo "n is $n"
      echo "n = $n" >run.inp
      mkdir sub
      echo "deck $n" >sub/deck
      ln -s run.inp link
      test $n -ne 2 || truncate -s 17M large
      test $n -ne 3 || test -e "$GO" || exit 9
      echo $n >$outputs_f
EOF
    sed -i "s,\$GO,$tmp/go," "$1/campaign.yaml" # not the campaign's: it is no part of it
    printf 'format: 1\nprofiles: {here: {scheduler: local, node: {cores: 1}}}\n' >"$1/site.yaml"
}
# beside JOB: names below it.
beside() {
    (cd "$1" && find . -mindepth 1 | sort | tr '\n' ' ')
}

c=$tmp/c
campaign "$c"
exits "two of three tasks end well" 1 fanfold -C "$c" run
jobs=$c/make/x/iter/000000/job
is "a place has what was asked for" \
    "./in ./in/run.inp ./in/sub ./in/sub/deck ./log ./out ./out/f ./out/result.json " \
    "$(beside "$jobs/000000")"
is "... as the task left it" "n = 1,deck 1" \
    "$(cat "$jobs/000000/in/run.inp"),$(cat "$jobs/000000/in/sub/deck")"
has "... and what it printed" "n is 1" "$(cat "$jobs/000000/log")"
is "... read-only" "444 444" "$(stat -c %a "$jobs/000000/log" "$jobs/000000/in/run.inp" | xargs)"
is "what is too large is left out" "./in ./in/run.inp ./in/sub ./in/sub/deck ./log" \
    "$(beside "$jobs/000001" | sed 's, ./out.*,,')"
has "... and said so" "large was left out of in/: it has 17.0 MiB, more than 16.0 MiB" \
    "$(cat "$c"/.fanfold/run/*/*/*/results-*)"
has "... as is a link" "link was left out of in/: it is a link" \
    "$(cat "$c"/.fanfold/run/*/*/*/results-*)"
ok "a task that failed has no place" test ! -e "$jobs/000002"
is "the log is in one place" "" \
    "$(grep -l 'n is 1' "$c"/.fanfold/run/*/*/*/output-* 2>/dev/null)"

has "log shows that of one that ended well" "n is 1" "$(fanfold -C "$c" log make 0)"
is "... and where it is" "$jobs/000000/log" "$(fanfold -C "$c" log make 0 --path)"
has "... of one that failed" "n is 3" "$(fanfold -C "$c" log make 2)"
ok "verify finds nothing" fanfold -C "$c" verify

# --- what is taken ---

was=$(stat -c %i "$jobs/000001/log" "$jobs/000001/in/run.inp" | xargs)
cp -r "$c" "$tmp/e"
sed -i 's/n: \[1, 2, 3\]/n: [2, 3]/' "$c/campaign.yaml"
touch "$tmp/go"
ok "a retry with other tasks" fanfold -C "$c" retry
ok "... runs" fanfold -C "$c" run
is "the equal task has its log and input" "$was" \
    "$(stat -c %i "$jobs/000000/log" "$jobs/000000/in/run.inp" 2>&1 | xargs)"
out=$(fanfold -C "$c" log make 0 2>"$tmp/notes")
has "log shows it" "n is 2" "$out"
has "... and says where it comes from" "was taken from an earlier preparation" "$(cat "$tmp/notes")"

d=$tmp/d
campaign "$d"
ok "another campaign takes it" fanfold -C "$d" run --reuse-from "$c"
jobs=$d/make/x/iter/000000/job
is "... with log and input" "./in ./in/run.inp ./in/sub ./in/sub/deck ./log" \
    "$(beside "$jobs/000001" | sed 's, ./out.*,,')"
rm -rf "$c"
out=$(fanfold -C "$d" log make 1 2>"$tmp/notes")
has "log shows it when the other one is gone" "n is 2" "$out"
has "... and says where it ran" "was taken from task 0 of" "$(cat "$tmp/notes")"

rm -rf "$d/.fanfold" "$d/state.json"
ok "the journal is lost, and all is used again" fanfold -C "$d" run
has "log shows what lies there" "n is 2" "$(fanfold -C "$d" log make 1 2>/dev/null)"

# --- a second try ---

e=$tmp/e
jobs=$e/make/x/iter/000000/job
ok "the failed one is tried again" fanfold -C "$e" retry
ok "... and ends well" fanfold -C "$e" run
has "log of its second try" "n is 3" "$(fanfold -C "$e" log make 2)"
is "... is beside its results" "$jobs/000002/log" "$(fanfold -C "$e" log make 2 --path)"
ok "... that of the first is not" test -e "$(fanfold -C "$e" log make 2 --try 1 --path)"
has "... which had ended otherwise" /work/ "$(fanfold -C "$e" log make 2 --try 1 --path)"

# --- raw files of labels, of a stand-in for xtb that knows no helium ---

mkdir "$tmp/bin"
cat >"$tmp/bin/xtb" <<'EOF'
#!/bin/sh
echo '          x T B  stand-in'
! grep -q He "$1" || { echo '-1- no helium here'; exit 1; }
awk 'NR > 2 { n++; s[n] = $1; x[n] = $2 / b; y[n] = $3 / b; z[n] = $4 / b }
    END {
        print "$grad\n  cycle =      1    SCF energy =    -1.5   |dE/dxyz| =  0.1"
        for (i = 1; i <= n; i++) printf "%.12f %.12f %.12f %s\n", x[i], y[i], z[i], s[i]
        for (i = 1; i <= n; i++) print "0.1 0.0 0.0"
        print "$end"
    }' b=0.529177210903 "$1" >gradient
EOF
chmod +x "$tmp/bin/xtb"

# labels DIR [LINE]: two frames that are labelled and one that is not; the line is in the
# stage.  A stage behind it looks at what lies beside the labels.
labels() {
    mkdir -p "$1"
    n=0
    for symbol in H He H; do
        n=$((n + 1))
        printf '2\nProperties=species:S:1:pos:R:3 pbc="F F F"\nH 0 0 0\n%s 0 0 0.7%d\n' $symbol $n
    done >"$1/frames.extxyz"
    echo '$chrg 0' >"$1/xtb.inp"
    cat >"$1/campaign.yaml" <<EOF
format: 1
campaign: raw
elements: [H, He]
stop: {iterations: 1}
stages:
  begin:
    uses: x.begin
  label:
    uses: xtb.label
    when: begin.n == 1
    success: 0.5
    ${2-}
    with: {frames: frames.extxyz, input: xtb.inp, xtb: [$tmp/bin/xtb]}
  look:
    uses: x.look
    with: {labelled: label.labelled}
operators:
  x.begin:
    outputs: {n: {type: int}}
    script: |
      echo '{"n": 1}' >params.json
  x.look:
    inputs: {labelled: {type: int}}
    script: |
      cd "\$campaign"
      find label -path '*/raw*' | sort >seen
EOF
    printf 'format: 1\nprofiles: {here: {scheduler: local, node: {cores: 1}}}\n' >"$1/site.yaml"
}
iter=label/xtb/iter/000000

r=$tmp/until_done
labels "$r"
ok "labels" fanfold -C "$r" run
is "raw files lie beside labels while the campaign runs" \
    "000000/raw 000000/raw/gradient.gz 000000/raw/xtb.out.gz \
000002/raw 000002/raw/gradient.gz 000002/raw/xtb.out.gz" \
    "$(sed "s,$iter/job/,," "$r/seen" | xargs)"
is "... and not when it is done" "./in ./in/frame.xyz ./in/xtb.inp ./log" \
    "$(beside "$r/$iter/job/000000" | sed 's, ./out.*,,')"
has "... which is said there" '"keep": "until_done"' "$(cat "$r/$iter/removed.json")"
has "... and by explain" "raw files: removed in iteration 0 (raw: until_done)" \
    "$(fanfold -C "$r" explain label)"
ok "verify finds nothing" fanfold -C "$r" verify
is "no result is missing" 2 "$(fanfold -C "$r" result label labelled)"
is "... which result would say" "" "$(fanfold -C "$r" result label 2>&1 >/dev/null)"
was=$(stat -c %i "$r/$iter/job/000000/out")
ok "a redo of a stage before" fanfold -C "$r" redo begin
ok "... runs" fanfold -C "$r" run
is "... and goes on with the directories that are there" "$was" \
    "$(stat -c %i "$r/$iter/job/000000/out")"

r=$tmp/always
labels "$r" 'raw: always'
ok "raw: always" fanfold -C "$r" run
raw=$r/$iter/job/000000/raw
has "... keeps what the code printed, which gzip reads" "x T B  stand-in" \
    "$(gzip -dc "$raw/xtb.out.gz")"
has "... and left" "SCF energy" "$(gzip -dc "$raw/gradient.gz")"
is "... read-only" "444 444" "$(stat -c %a "$raw"/*.gz | xargs)"
ok "... and verify finds nothing" fanfold -C "$r" verify
has "what a task left that failed is where it ran" "no helium here" \
    "$(find "$r/.fanfold/run" -path '*/work/*/xtb.out' -exec cat {} +)"

labels "$tmp/taken" 'raw: always'
ok "labels are taken" fanfold -C "$tmp/taken" run --reuse-from "$r"
is "... with raw files" "gradient.gz xtb.out.gz" \
    "$(ls "$tmp/taken/$iter/job/000000/raw" | xargs)"
ok "... which are their own" test "$(stat -c %i "$raw/xtb.out.gz")" -ne \
    "$(stat -c %i "$tmp/taken/$iter/job/000000/raw/xtb.out.gz")"

labels "$tmp/none" 'raw: never'
ok "raw: never takes labels" fanfold -C "$tmp/none" run --reuse-from "$r"
has "... of others" "2 reused" "$(fanfold -C "$tmp/none" status)"
is "... without" "" "$(cat "$tmp/none/seen")"
for word in failed never; do
    labels "$tmp/$word" "raw: $word"
    ok "raw: $word" fanfold -C "$tmp/$word" run
    is "... makes none" "" "$(cat "$tmp/$word/seen")"
    ok "... and removes none" test ! -e "$tmp/$word/$iter/removed.json"
done

labels "$r" 'raw: until_done'
ok "an edit of a campaign that is done" fanfold -C "$r" run
ok "... removes them" test ! -e "$raw"

# --- what is wrong ---

labels "$tmp/sometimes" 'raw: sometimes'
exits "what may be said of raw" 3 fanfold -C "$tmp/sometimes" check
has "... is one of four words" "raw: unknown word 'sometimes'" "$out"
labels "$tmp/look" 'raw: never'
sed -i 's/uses: x.look/&\n    raw: never/' "$tmp/look/campaign.yaml"
exits "a stage that makes no labels" 3 fanfold -C "$tmp/look" check
has "... leaves no raw files" "raw: x.look leaves no raw files" "$out"

c=$tmp/wrong
campaign "$c"
sed -i 's/logs: keep/logs: all/; s/sub\/deck/..\/deck/' "$c/campaign.yaml"
exits "what may be said of logs" 3 fanfold -C "$c" check
has "... is keep" "logs: expected keep, which puts what a task printed beside its results; got 'all'" "$out"
has "inputs are in the working directory" "input_files: '../deck' is no pattern of files" "$out"
campaign "$c"
sed -i 's/{f: {type: file}}/{v: {type: int}}/' "$c/campaign.yaml"
exits "tasks that leave no directory" 3 fanfold -C "$c" check
has "... have nothing beside it" "logs: tasks without output artifacts leave no directory" "$out"

done_testing
