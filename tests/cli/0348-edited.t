#!/bin/sh
# 0348-edited - config.json tells the truth after an edit in mid-iteration
. "$abs_top_srcdir/tests/cli/tap.sh"

mkdir "$tmp/c"
cat >"$tmp/c/campaign.yaml" <<'END'
format: 1
campaign: edited
stages:
  first: {uses: t.wait}
  last: {uses: t.wait, when: first.count == 1, with: {n: 1}}
stop: {iterations: 1}
operators:
  t.wait:
    inputs: {n: {type: int, default: 0}}
    outputs: {n: {type: int}}
    command: [sh, -c, 'until [ -e "$1/go" ]; do sleep 0.1; done; echo "{{\"n\": $2}}" >params.json', sh, "{campaign}", "{n}"]
END
config=$tmp/c/config/iter/000000

# What the last event on the configuration says of NAME.
journaled() {
    cat "$tmp"/c/.fanfold/journal/* | jq -R "fromjson? | select(.ev == \"config\") | .$1" |
        tail -1
}

ok "an iteration begins" fanfold -C "$tmp/c" advance
before=$(cat "$config/config.json")
fanfold -C "$tmp/c" advance
ok "without an edit there is one file" test ! -e "$config/config.1.json"
sed -i 's/with: {n: 1}/with: {n: 2}/' "$tmp/c/campaign.yaml"
touch "$tmp/c/go"
ok "it goes on after an edit" fanfold -C "$tmp/c" run
is "the edit took effect" 2 "$(fanfold -C "$tmp/c" result last n)"
is "the first file is as it was" "$before" "$(cat "$config/config.json")"
ok "the next one holds the edit" grep -q '"n": 2' "$config/config.1.json"
has "explain names the definition of a stage" "definition: config/iter/000000/config.1.json" \
    "$(fanfold -C "$tmp/c" explain last)"
has "... of each its own" "definition: config/iter/000000/config.json" "$(fanfold -C "$tmp/c" explain first)"
is "the journal numbers it" 1 "$(journaled number)"
is "and has its digest" "\"$(sha256sum <"$config/config.1.json" | cut -d ' ' -f 1)\"" \
    "$(journaled sha256)"

# --- a stage keeps what it was prepared with, the driver reads on ---

e=$tmp/e
mkdir "$e"
sed '/when:/s/, with: {n: 2}/, with: {n: 3}/' "$tmp/c/campaign.yaml" >"$e/campaign.yaml"
fanfold -C "$e" run >"$tmp/out" 2>"$tmp/err" &
pid=$!
status_is() {
    fanfold -C "$e" status --json | jq -e "$1"
}
ok "the first stage runs" until_ok status_is '.stages[0].tasks.running == 1'
sed -i 's/first: {uses: t.wait}/first: {uses: t.wait, with: {n: 8}}/; s/with: {n: 3}/with: {n: 4}/
    s/echo "{{/echo >>"$1\/new"; echo "{{/' "$e/campaign.yaml"
ok "an edit is taken on while it runs" until_ok test -e "$e/config/iter/000000/config.1.json"
echo 'stages: [' >>"$e/campaign.yaml"
ok "... one that is no YAML is not" until_ok grep -q "the definition that was taken on last holds" "$tmp/err"
touch "$e/go"
wait $pid
is "it runs to its end, and says that the file is wrong" 3 $?
is "what was prepared stayed as it was" 0 "$(fanfold -C "$e" result first n 2>"$tmp/err")"
is "what came later goes by the edit" 4 "$(fanfold -C "$e" result last n 2>"$tmp/err")"
is "... by the new command, too" 1 "$(wc -l <"$e/new")"
ok "run says what was taken on" grep -q "taken on: stages.first.with .*, stages.last.with.n 3 -> 4, .*, from stage 'last' of iteration 0 on" "$tmp/out"
is "the journal, too" stages.first.with \
    "$(cat "$e"/.fanfold/journal/* | jq -rR 'fromjson? | select(.changes) | .changes[0].key')"

# --- files are those that were there when it was prepared ---

f=$tmp/f
mkdir "$f"
cat >"$f/campaign.yaml" <<'END'
format: 1
campaign: files
stages:
  first: {uses: t.read, with: {file: in.txt, frames: [start.extxyz]}}
  last: {uses: t.read, when: first.words == 6, with: {file: in.txt, frames: [start.extxyz]}}
stop: {iterations: 1}
operators:
  t.read:
    inputs: {file: {type: file}, frames: {type: frames, list: true}}
    outputs: {words: {type: int}, copy: {type: file}}
    command: [sh, -c, 'until [ -e "$1/go" ]; do sleep 0.1; done; cp "$2" "$3"; echo "{\"words\": $(cat "$2" "$4" | wc -w)}" >params.json', sh, "{campaign}", "{file}", "{outputs.copy}", "{frames}"]
END
echo one >"$f/in.txt"
printf '1\n\nSi 0 0 0\n' >"$f/start.extxyz"
fanfold -C "$f" advance >"$tmp/out"
fanfold -C "$f" advance >"$tmp/out"
echo two words >"$f/in.txt"
printf '2\n\nSi 0 0 0\nSi 0 0 1\n' >"$f/start.extxyz"
touch "$f/go"
ok "files are edited while a stage runs" fanfold -C "$f" run
is "it read what was there before" one "$(cat "$f/first/t/iter/000000/job/000000/out/copy")"
is "... of every kind of file" 6 "$(fanfold -C "$f" result first words)"
is "the next stage reads the edit" "two words" "$(cat "$f/last/t/iter/000000/job/000000/out/copy")"
is "there is a copy for each content" 4 "$(find "$f/.fanfold/inputs" -type f | wc -l)"

# --- a file with problems does not stand in the way ---

mkdir "$tmp/b"
cp "$tmp/c/campaign.yaml" "$tmp/b"
ok "another one begins" fanfold -C "$tmp/b" advance
fanfold -C "$tmp/b" advance >"$tmp/out"
until_ok sh -c "fanfold -C '$tmp/b' status --json | jq -e '.stages[0].tasks.running == 1'" >"$tmp/out"
sed -i 's/stages:/stagse:/' "$tmp/b/campaign.yaml"
for command in status "explain first" "log first" pause resume advance; do
    # shellcheck disable=SC2086 # words
    fanfold -C "$tmp/b" $command >"$tmp/out" 2>"$tmp/err"
    status=$?
    case $command in
    resume) is "resume refuses" 3 $status ;;
    *) is "$command goes by what was valid last" 0 $status ;;
    esac
    ok "... and says what is wrong" grep -q "stages.*fixed\|stagse.*stages" "$tmp/err"
done
sed -i 's/stagse:/stages:/' "$tmp/b/campaign.yaml"
fanfold -C "$tmp/b" resume >"$tmp/out"
sed -i 's/stages:/stagse:/' "$tmp/b/campaign.yaml"
touch "$tmp/b/go"
fanfold -C "$tmp/b" advance --quiet >"$tmp/out" 2>"$tmp/err"
ok "cron says once that the file is wrong" grep -q "definition that was taken on last" "$tmp/err"
fanfold -C "$tmp/b" advance --quiet >"$tmp/out" 2>"$tmp/err"
silent "... and not again" cat "$tmp/err"
exits "run goes on to the end, by what was taken on last" 3 fanfold -C "$tmp/b" run
has "... and names what to do" 'fix what `fanfold check` tells, then run `fanfold run`' "$out"
is "... as it was" 2 "$(fanfold -C "$tmp/b" result last n 2>"$tmp/err")"
rm "$tmp/b/campaign.yaml"
fanfold -C "$tmp/b" status >"$tmp/out" 2>"$tmp/err"
is "even without the file" 0 $?
ok "... which is said" grep -q 'there is no such file.*see `fanfold check' "$tmp/err"
rm -r "$tmp/b/config"
fanfold -C "$tmp/b" status >"$tmp/out" 2>"$tmp/err"
is "where nothing is left there is nothing to go by" 3 $?

done_testing
