#!/bin/sh
# 0377-modules - what programs of a campaign import: `files:` names it, and what it names
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

# --- what no files: names ---

# warned WHAT [WARNING...]: check warns of $c so, and of nothing else.
warned() {
    what=$1
    shift
    text=$(cd "$c" && fanfold check 2>&1)
    is "$what" "$(for line; do echo "$line"; done)" "$(echo "$text" | sed -n 's/: results made before an edit.*; write in the operator/;/p')"
}

c=$tmp/warned
fitting "$c"
ok "a module that no files: names is no error" fanfold -C "$c" check
has "... and a warning with its place, what follows and what to write" \
    "train.py:3:8: warning: 'helper.py' is used here, and operator 'my.fit' does not name it: results made before an edit of it count as those made after it; write in the operator files: [helper.py]" \
    "$(cd "$c" && fanfold check 2>&1)"
has "... also of who drives" "train.py:3:8: warning: 'helper.py'" "$(cd "$c" && fanfold plan 2>&1)"
sed -i '/^  my.fit:/a\    files: [helper.py]' "$c/campaign.yaml"
warned "it is named: none"

# What a module imports itself, and packages; each once.
mkdir -p "$c/net/deep"
touch "$c/net/__init__.py" "$c/net/deep/a.py" "$c/net/deep/b.py" "$c/net/plain.py" "$c/json.txt"
printf 'import train, os\nfrom . import extra\nfrom net.deep import a\nfrom net import plain, size\n' >>"$c/helper.py"
printf 'from . import b\nfrom ..  import plain\nimport missing\n' >"$c/net/deep/a.py"
touch "$c/extra.py"
all='files: [helper.py, extra.py, net/__init__.py, net/deep/a.py, net/plain.py, net/deep/b.py]'
warned "what modules import" \
    "helper.py:4:15: warning: 'extra.py' is used here, and operator 'my.fit' does not name it; $all" \
    "helper.py:5:6: warning: 'net/__init__.py' is used here, and operator 'my.fit' does not name it; $all" \
    "helper.py:5:22: warning: 'net/deep/a.py' is used here, and operator 'my.fit' does not name it; $all" \
    "helper.py:6:17: warning: 'net/plain.py' is used here, and operator 'my.fit' does not name it; $all" \
    "net/deep/a.py:1:15: warning: 'net/deep/b.py' is used here, and operator 'my.fit' does not name it; $all"
sed -i 's/files: .*/files: ["*.py", net]/' "$c/campaign.yaml"
warned "a pattern and a directory name them"

# declared LINES: the operator does that.
declared() {
    rm -rf "$c"
    fitting "$c"
    rm "$c/train.py"
    sed -i '/^    command:/d' "$c/campaign.yaml"
    printf '%s\n' "$1" >>"$c/campaign.yaml"
    touch "$c/lib/a.sh" "$c/lib/b.jl" "$c/lib/c.R" "$c/lib/d"
}
one="is used here, and operator 'my.fit' does not name it; files:"
declared '    script: |
      source "$campaign/lib/a.sh"
      . "$campaign/lib/none.sh"; . "$round"
      "$campaign/bin/run" >"$outputs_params"'
mkdir "$c/bin"
printf '#!/bin/sh\n. "$(dirname "$0")/../lib/d"\n' >"$c/bin/run"
chmod +x "$c/bin/run"
warned "shells; what \$campaign/ begins is named" "bin/run:2:3: warning: 'lib/d' $one [lib/d]"
declared '    script: |
      lib=$campaign/lib
      . "$lib/a.sh"
      echo "{\"error\": 1}" >"$outputs_params"'
warned "... by way of a variable" "campaign.yaml:11:9: warning: 'lib/a.sh' $one [lib/a.sh]"
declared '    script: |
      #!/usr/bin/env python3
      import os, sys
      sys.path.insert(0, os.environ["campaign"])
      import helper'
warned "a script of Python" "campaign.yaml:13:14: warning: 'helper.py' $one [helper.py]"
declared '    command:
      - [julia, "{campaign}/lib/fit.jl", "{round}"]
      - [Rscript, "{campaign}/lib/fit", "{outputs.params}"]
      - [sh, -ec, ". {campaign}/lib/a.sh; echo", sh]
      - [python3, -c, "import helper"]'
printf 'x = 1; include("b.jl")\n' >"$c/lib/fit.jl"
printf 'source("lib/c.R")\n' >"$c/lib/fit"
all='[lib/a.sh, helper.py, lib/b.jl, lib/c.R]'
warned "Julia, R, and texts among arguments" \
    "campaign.yaml:12:21: warning: 'lib/a.sh' $one $all" \
    "campaign.yaml:13:30: warning: 'helper.py' $one $all" \
    "lib/fit:1:8: warning: 'lib/c.R' $one $all" \
    "lib/fit.jl:1:16: warning: 'lib/b.jl' $one $all"
declared '    command: [sh, -c, "echo {round} >{outputs.params}"]
    prepare:
      slices: {k: {type: int}}
      command: [python3, "{campaign}/prep.py"]
    report:
      command: [python3, "{campaign}/tell.py"]'
echo 'import helper' | tee "$c/tell.py" >"$c/prep.py"
warned "prepare, and no report" "prep.py:1:8: warning: 'helper.py' $one [helper.py]"

printf 'import sub.deep.a, plain.b\n' >"$c/prep.py"
mkdir -p "$c/sub/deep" "$c/plain"
touch "$c/sub/deep/a.py" "$c/plain.py" "$c/plain/b.py"
warned "packages without __init__.py, and what a module hides" \
    "prep.py:1:17: warning: 'sub/deep/a.py' $one [sub/deep/a.py, plain.py]" \
    "prep.py:1:20: warning: 'plain.py' $one [sub/deep/a.py, plain.py]"

# Where it is not sure it is silent.
declared '    command: [python3, "{campaign}/train.py", "{outputs.params}"]'
cat >"$c/train.py" <<'END'
import json, numpy, helpers            # no file of the campaign
name = "helper"; __import__(name)      # computed
"""import helper"""
# import helper
import outside
END
touch "$tmp/outside.py"
warned "nothing is sure: nothing is said"
ln -s "$tmp/far.py" "$c/lib/far.py"
echo 'import helper' >"$tmp/far.py"
sed -i 's|train.py|lib/far.py|' "$c/campaign.yaml"
rm "$c/helper.py"
touch "$c/lib/helper.py"
warned "... nor of a link, beside which Python does not look"

# --- a module that is added while a stage runs ---

c=$tmp/added
fitting "$c"
sed -i '/^  my.fit:/a\    files: [helper.py, lib]' "$c/campaign.yaml"
touch "$c/lib/a.py"
printf 'open(sys.path[0] + "/lib/late.py", "w")\n' >>"$c/train.py"
ok "a program makes a file in a directory of files:" fanfold -C "$c" run
is "... which its stage was not begun with: unsteady" "'lib/late.py' was added while it ran" \
    "$(jq -r .unsteady "$c/fit/my/iter/000000/witness.json")"

# --- what comes with Fanfold ---

# silent WHAT DIR: check says nothing of the kind there, whatever else it says.
silent() {
    text=$(fanfold -C "$2" check 2>&1)
    has "$1: check looks at it" ": " "$text"
    is "... and all modules are named" "" "$(echo "$text" | grep 'is used here')"
}
n=0
for example in "$abs_top_srcdir"/examples/*/campaign.yaml; do
    example=${example%/campaign.yaml}
    cp -r "$example" "$tmp/${example##*/}"
    silent "example ${example##*/}" "$tmp/${example##*/}"
    n=$((n + 1))
done
ok "there are examples" test $n -ge 7
chmod -R u+w "$tmp/ase-worker"
sed -i '/files: /d' "$tmp/ase-worker/campaign.yaml"
is "... which are warned of without files:" 2 "$(fanfold -C "$tmp/ase-worker" check 2>&1 | grep -c "'potential.py' is used here")"
fanfold new "$tmp/plain" >/dev/null
silent "new" "$tmp/plain"
templates=$(fanfold new --template none "$tmp/none" 2>&1 | sed -n 's/.*there is //p' | tr -d ,)
has "there are templates" ase-worker "$templates"
for template in $templates; do
    fanfold new --template "$template" "$tmp/new-$template" >/dev/null
    silent "new --template $template" "$tmp/new-$template"
done

# --- an edit of a module ---

# The value of an iteration.
value() {
    fanfold -C "$1" result fit error --iteration "$2"
}
c=$tmp/blind
fitting "$c"
sed -i 's/iterations: 2/iterations: 1/' "$c/campaign.yaml"
cp -r "$c" "$tmp/named"
sed -i '/^  my.fit:/a\    files: [helper.py]' "$tmp/named/campaign.yaml"
for c in "$tmp/blind" "$tmp/named"; do
    ok "${c##*/}: a campaign runs" fanfold -C "$c" run
    is "... with the module as it is" 101 "$(value "$c" 0)"
    sed -i 's/101/201/' "$c/helper.py"
    cp -r "$c" "$c.next"
    rm -r "$c/.fanfold"
    ok "... and again, after an edit, over what lies there" fanfold -C "$c" run
done
is "no files: names it: the result of before counts, as check warned" 101 "$(value "$tmp/blind" 0)"
is "files: names it: its stage runs again" 201 "$(value "$tmp/named" 0)"
c=$tmp/named.next
sed -i 's/iterations: 1/iterations: 2/' "$c/campaign.yaml"
ok "the next iteration, after the edit" fanfold -C "$c" run
is "... has the new one" "101 202" "$(value "$c" 0) $(value "$c" 1)"
fanfold -C "$c" redo fit --iteration 0 --yes >/dev/null
ok "redo, and run" fanfold -C "$c" run
is "... the new one in all" "201 202" "$(value "$c" 0) $(value "$c" 1)"

done_testing
