#!/bin/sh
# 0374-sealed - what somebody changes in results that are there is told, and used by nobody
. "$abs_top_srcdir/tests/cli/tap.sh"

# sealed DIR ITERATIONS STAGES OPERATORS
sealed() {
    mkdir -p "$1"
    printf 'format: 1\ncampaign: sealed\nstop: {iterations: %s}\nstages:\n%s\noperators:\n%s\n' "$2" "$3" "$4" >"$1/campaign.yaml"
    printf 'format: 1\nprofiles: {here: {scheduler: local, node: {cores: 1}}}\n' >"$1/site.yaml"
}
# once_more DIR: the stop lies one iteration further.
once_more() {
    sed -i 's/iterations: 1/iterations: 2/' "$1/campaign.yaml"
}
# overwrite FILE TEXT: by somebody who may.
overwrite() {
    chmod u+w "$1" && printf '%s\n' "$2" >"$1"
}
digest() {
    sha256sum <"$1" | cut -d' ' -f1
}

add='  x.add:
    inputs: {n: {type: int}, after: {type: int, default: 0}}
    outputs: {v: {type: int}}
    script: '\''echo "{\"v\": $((n + after))}" >$outputs_params'\'

# --- outputs.json ---

c=$tmp/outputs
sealed "$c" 1 '  a: {uses: x.add, with: {n: 10}, when: iteration == 0}
  b: {uses: x.add, with: {n: 1, after: latest.a.v}}' "$add"
ok "a campaign runs" fanfold -C "$c" run
file=$c/a/x/iter/000000/outputs.json
is "outputs.json is read-only" 444 "$(stat -c %a "$file")"
was=$(digest "$file")
has "... and the journal has its digest" "\"outputs\":\"$was\"" "$(cat "$c"/.fanfold/journal/* | grep '"ev":"stage"' | grep '"a"')"
cp -p "$file" "$tmp/whole"
overwrite "$file" "$(sed 's/"v": 10/"v": 5000/' "$file")"
has "it was edited" 5000 "$(cat "$file")"
exits "verify finds it" 1 fanfold -C "$c" verify
has "... with both digests" "a/x/iter/000000/outputs.json: differs: its sha256 is $(digest "$file"), and was $was" "$out"
exits "result refuses it" 1 fanfold -C "$c" result a v --iteration 0
has "... and says what to do" "restore the file, or run \`fanfold redo a --iteration 0\`" "$out"
once_more "$c"
exits "a stage that is bound to it fails" 1 fanfold -C "$c" run
has "... with the file and both digests" "$file: differs: its sha256 is $(digest "$file"), and was $was" "$out"
cp -rp "$c" "$tmp/other"
cp -p "$tmp/whole" "$file"
ok "the file is restored" fanfold -C "$c" retry
ok "... and the campaign goes on" fanfold -C "$c" run
is "... with what it held" 11 "$(fanfold -C "$c" result b v)"
c=$tmp/other
ok "redo makes it again" fanfold -C "$c" redo a --iteration 0 --yes
ok "... too" fanfold -C "$c" run
is "... and the campaign has right results" 11 "$(fanfold -C "$c" result b v)"
ok "... all of them" fanfold -C "$c" verify

# Conditions read it, too.
c=$tmp/condition
sealed "$c" 1 '  a: {uses: x.add, with: {n: 10}}
  b: {uses: x.add, with: {n: 1}, when: previous.a.v == 10}' "$add"
ok "a campaign with a condition" fanfold -C "$c" run
once_more "$c"
file=$c/a/x/iter/000000/outputs.json
cp -p "$file" "$tmp/whole"
overwrite "$file" "$(sed 's/"v": 10/"v": 5000/' "$file")"
exits "a condition is not decided by it" 5 fanfold -C "$c" advance
has "... which names it" "$file: differs: " "$out"
cp -p "$tmp/whole" "$file"
ok "once it is restored" fanfold -C "$c" run
is "... the stage runs" 1 "$(fanfold -C "$c" result b v)"

done_testing
