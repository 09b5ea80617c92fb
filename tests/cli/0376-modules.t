#!/bin/sh
# 0376-modules - what programs of a campaign import: `files:` names it, and what it names
# is part of what the operator does
. "$abs_top_srcdir/tests/cli/tap.sh"

# fitting DIR: a stage whose program imports a module beside it.
fitting() {
    mkdir -p "$1/lib/deep"
    cat >"$1/campaign.yaml" <<'END'
format: 1
campaign: fitting
stages: {fit: {uses: my.fit, with: {round: {from: iteration}}}}
stop: {iterations: 2}
operators:
  my.fit:
    inputs: {round: {type: int}}
    outputs: {error: {type: int}}
    command: [python3, "{campaign}/train.py", "{round}", "{outputs.params}"]
END
    cat >"$1/train.py" <<'END'
"""Not this one: import nothing"""
import json, sys
import helper

round_number, params = sys.argv[1:]
json.dump({"error": helper.value() + int(round_number)}, open(params, "w"))
END
    printf 'def value():\n    return 101\n' >"$1/helper.py"
    printf 'format: 1\nprofiles: {here: {scheduler: local, node: {cores: 1}}}\n' >"$1/site.yaml"
}

# seen DIR: the files that are part of what its stage does.
seen() {
    jq -r '.files | keys_unsorted | join(" ")' "$1/fit/my/iter/000000/witness.json"
}

# starts DIR: how many tasks were started.
starts() {
    run_cat "$1" '*' '*' '*/*/results-*' | grep -c '"start"'
}

# --- what files: takes ---

c=$tmp/lists
fitting "$c"
touch "$c/lib/b.py" "$c/lib/a.py" "$c/lib/deep/c.py" "$c/lib/.hidden" "$c/x1.tab" "$c/x2.tab"
sed -i '/^  my.fit:/a\    files: [helper.py, lib/, "x?.tab"]' "$c/campaign.yaml"
ok "files: takes files, directories and patterns" fanfold -C "$c" check
ok "... the campaign runs" fanfold -C "$c" run
is "each file is seen by its path, those of a directory sorted" \
    "train.py helper.py lib/a.py lib/b.py lib/deep/c.py x1.tab x2.tab" "$(seen "$c")"
mkdir -p "$c/lib/__pycache__"
touch "$c/lib/__pycache__/a.pyc" "$c/lib/.a.py.swp"
rm -r "$c/.fanfold"
ok "what Python and editors write beside them is none of them" fanfold -C "$c" run
is "... no task runs again" 0 "$(starts "$c")"
touch "$c/x3.tab"
rm -r "$c/.fanfold"
ok "one more file matches" fanfold -C "$c" run
is "... tasks run again" 2 "$(starts "$c")"
is "... and it is seen" "train.py helper.py lib/a.py lib/b.py lib/deep/c.py x1.tab x2.tab x3.tab" "$(seen "$c")"

# refused WHAT WORDS ITEM: check refuses it.
refused() {
    rm -rf "$tmp/no"
    fitting "$tmp/no"
    mkdir "$tmp/no/empty"
    ln -s ../empty "$tmp/no/lib/link"
    sed -i "/^  my.fit:/a\    files: [helper.py, $3]" "$tmp/no/campaign.yaml"
    exits "$1" 3 fanfold -C "$tmp/no" check
    has "... told" "campaign.yaml:7:24: $2" "$out"
}
refused "a pattern that matches nothing" "files: no file matches 'lib/*.jl'" 'lib/*.jl'
refused "a directory without files" "files: there is no file below 'empty'" empty
refused "a path that is not there" "files: 'helpers.py' is not there" helpers.py
refused "the campaign itself" "files: '.' holds the campaign with its results" .
refused "... by way of what is above it" "files: '..' holds the campaign" ..
refused "a link to a directory below one" "files: 'lib/link' is a link to a directory" lib

done_testing
