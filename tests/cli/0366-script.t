#!/bin/sh
# 0366-script - bodies that are text: what they find, that no value is code, and how
# they fail
. "$abs_top_srcdir/tests/cli/tap.sh"

# make_campaign DIR <CAMPAIGN: with a site.yaml and init.txt.
make_campaign() {
    mkdir -p "$1"
    cp "$abs_top_srcdir/tests/cli/loop/site.yaml" "$1"
    cat >"$1/campaign.yaml"
    echo "init text" >"$1/init.txt"
}

head='format: 1
campaign: scripts
elements: [Si]
models: 2
seed: 7
stop: {iterations: 1}'

# --- values ---

c=$tmp/values
make_campaign "$c" <<END
$head
stages:
  fit:
    uses: test.fit
    with:
      init: ./init.txt
      words: [plain, "two words", "\$(touch $c/hacked)", "; touch $c/hacked", '"\`touch $c/hacked\`', "'", "*"]
      word: "a \\\\ b  \$HOME \\"\$(touch $c/hacked)\\""
      options: {a: [1, {b: "it's"}], "x y": null}
      pick: {quota: 5}
operators:
  test.fit:
    fan_out: [m]
    inputs:
      m: {type: int, from: models}
      init: {type: file}
      words: {type: string, list: true}
      word: {type: string}
      options: {type: map}
      pick: {inputs: {quota: {type: int}, how: {type: string, default: best}}}
      rate: {type: float, default: 0.1}
      on: {type: bool, default: true}
      absent: {type: int, optional: true}
    outputs: {out: {type: file}, all: {type: dir}, n: {type: int}}
    env: {GREETING: "hello  \$5", SHELL_LIKE: "\`id\`"}
    script: |
      # it's a script
      mkdir "\$outputs_all"
      cd / # outputs are found from anywhere
      n=0
      while read -r line; do
        n=\$((n + 1))
        printf '%s\n' "<\$line>" >>"\$outputs_all/lines"
      done <"\$words_list"
      printf '%s|' "\$m" "\$(cat "\$init")" "\$words" "\$word" "\$options" \\
        "\$pick_quota" "\$pick_how" "\$rate" "\$on" "\${absent-none}" \\
        "\$GREETING" "\$SHELL_LIKE" "\$cores" "\$ranks" "\$restart" \\
        "\$(basename "\$fanfold")" "\$campaign" >"\$outputs_out"
      echo "{\"n\": \$n}" >"\$outputs_params"
END
absent=leaked
export absent
ok "a script" fanfold -C "$c" run
out=$c/fit/test/iter/000000/job/000001/out
is "... finds every value as it is" \
    "1|init text|plain
two words
\$(touch $c/hacked)
; touch $c/hacked
\"\`touch $c/hacked\`
'
*|a \\ b  \$HOME \"\$(touch $c/hacked)\"|{\"a\":[1,{\"b\":\"it's\"}],\"x y\":null}|5|best|0.1|true|none|hello  \$5|\`id\`|1|1|false|fanfold|$c|" \
    "$(cat "$out/out")"
is "... a list as a file, one item a line" "<two words>" "$(sed -n 2p "$out/all/lines")"
is "... and its parameters are taken" "[7,7]" "$(fanfold -C "$c" result fit n | tr -d ' \n')"
ok "no value was run" [ ! -e "$c/hacked" ]
has "the log shows how it was run" "command 1: bash -euo pipefail ./script" \
    "$(fanfold -C "$c" log fit 1)"
unset absent

# --- seed, task and iteration are there for those that name them ---

c=$tmp/seed
make_campaign "$c" <<END
$head
stages:
  with: {uses: test.with}
  without: {uses: test.without}
operators:
  test.with:
    outputs: {s: {type: string}}
    script: echo "{\"s\":\"\$seed/\$task/\$iteration\"}" >\$outputs_params
  test.without:
    outputs: {s: {type: string}}
    script: echo "{\"s\":\"\$(env | grep -cE '^(see''d|ta''sk|iter''ation)=')\"}" >\$outputs_params
END
seed=leaked task=leaked ok "scripts with and without a seed" fanfold -C "$c" run
ok "one that names them finds numbers" sh -c 'echo "$1" | grep -qE "^[1-9][0-9]*/0/0$"' \
    sh "$(fanfold -C "$c" result with s)"
is "one that does not finds none, whoever set them" 0 "$(fanfold -C "$c" result without s)"

# --- prepare and collect, and another language ---

c=$tmp/front
make_campaign "$c" <<END
$head
stages:
  fit: {uses: test.fit, with: {sizes: [1, 2, 3]}}
operators:
  test.fit:
    inputs: {sizes: {type: int, list: true}}
    prepare:
      slices: {size: {type: int}}
      script: |
        { echo '{"size": ['; paste -sd, "\$sizes_list"; echo ']}'; } >"\$outputs_slices"
    outputs: {double: {type: int}}
    script: |
      #!/usr/bin/env python3
      import json, os
      with open(os.environ["outputs_params"], "w") as f:
          json.dump({"double": 2 * int(os.environ["size"])}, f)
    collect:
      outputs: {sum: {type: file}}
      script: |
        jq '.stacked.double | add' task.json >"\$outputs_sum"
END
ok "scripts in prepare and collect" fanfold -C "$c" run
is "... and one that python3 runs" 12 "$(cat "$c/fit/test/iter/000000/out/sum")"

# --- a group ---

c=$tmp/group
make_campaign "$c" <<END
$head
stages:
  fit: {uses: test.fit, with: {word: "it's"}, node_map: {far: local}}
operators:
  test.fit:
    inputs: {word: {type: string}}
    outputs: {out: {type: file}}
    env: {WHO: all}
    group:
      setup: [sh, -c, 'echo "\$WHO" >"\$0/who"', "{workspace}"]
      programs:
        first:
          node: far
          script: |
            [ "\$hosts_far" = "\$(uname -n)" ] && [ "\$hosts" = "\$hosts_far" ]
            while [ ! -e "\$workspace/0" ]; do sleep 0.01; done
            cat "\$workspace"/0 "\$workspace"/who >"\$outputs_out"
        second:
          script: |
            echo "\$word \$instance of \$instances" >"\$workspace/part.\$instance"
            mv "\$workspace/part.\$instance" "\$workspace/\$instance"
END
ok "scripts in a group" fanfold -C "$c" run
is "... find the group's placeholders, too" "it's 0 of 1 all" \
    "$(paste -sd' ' "$c/fit/test/iter/000000/job/000000/out/out")"

# --- how they fail ---

# fails DIR FIELD LINES: what explain says of a task whose script ends so.
fails() {
    make_campaign "$1" <<END
$head
stages: {fit: {uses: test.fit, retry: {failed: 1}}}
operators:
  test.fit:
    outputs: {n: {type: int}}
    $2
    script: |
      # the first line
      true
$3
END
    fanfold -C "$1" run >/dev/null 2>&1
    fanfold -C "$1" explain fit 0
}

has "a command that fails is named with its line" \
    "command 'script' exited with status 3 at line 4: python3 -c 'import sys; sys.exit(3)'; its last line: 'said before'" \
    "$(fails "$tmp/f1" "" "      echo said before
      python3 -c 'import sys; sys.exit(3)'")"
has "... also one that says nothing" \
    "exited with status 1 at line 3: false and printed nothing" \
    "$(fails "$tmp/f2" "" "      false")"
has "... in a function" "at line 3: cat /nowhere; its last line: 'cat: /nowhere: No such file" \
    "$(fails "$tmp/f3" "" "      f() { cat /nowhere; }
      f")"
has "... in a pipe" "exited with status 1 at line 3: cat" \
    "$(fails "$tmp/f4" "" "      false | cat")"
has "... with a report" "command 'script' exited with status 1 at line 3: false and printed nothing" \
    "$(fails "$tmp/f5" 'report: {command: [echo, "{}"]}' "      false")"
has "a variable that is not set" "script: line 3: nmae: unbound variable" \
    "$(fails "$tmp/f6" "" "      echo \$nmae")"
has "a slip of syntax" "script: line 3: syntax error" \
    "$(fails "$tmp/f7" "" "      echo (")"
has "an exit is an exit" "command 'script' exited with status 4 and printed nothing" \
    "$(fails "$tmp/f8" "fatal_exits: [9]" "      exit 4")"
has "... whose status counts" "task 0: fatal" \
    "$(fails "$tmp/f9" "fatal_exits: [9]" "      exit 9")"
has "after set +e failures are no end" "exited with status 7 and printed nothing" \
    "$(fails "$tmp/f10" "" "      set +e
      false
      exit 7")"

# --- large values ---

c=$tmp/large
make_campaign "$c" <<END
$head
stages:
  file: {uses: test.file, with: {words: [$(seq -s, -f 'w%07.0f' 20000)]}}
  value: {uses: test.value, with: {words: [$(seq -s, -f 'w%07.0f' 20000)]}, retry: {bad_input: 3}}
operators:
  test.file:
    inputs: {words: {type: string, list: true}}
    outputs: {n: {type: int}}
    script: echo "{\"n\":\$(wc -l <\$words_list)}" >\$outputs_params
  test.value:
    inputs: {words: {type: string, list: true}}
    outputs: {n: {type: int}}
    script: echo "\$words" | wc -l
END
exits "a list of 180,000 bytes" 1 fanfold -C "$c" run
is "... is there as a file" 20000 "$(fanfold -C "$c" result file n)"
has "... and not as a variable, which is told" \
    "script: \$words has 179999 bytes, which is more than fits into a variable; read task.json, or of a list the file \$words_list" \
    "$(fanfold -C "$c" explain value 0)"

# --- what check says ---

c=$tmp/check
make_campaign "$c" <<END
$head
stages: {fit: {uses: test.fit, with: {name: x}}}
operators:
  test.fit:
    inputs: {name: {type: string}}
    outputs: {n: {type: int}}
    script: |
      echo "\$name"

      train --name \$nmae >"\$outputs_params"
END
fanfold -C "$c" check >"$tmp/out" 2>&1
is "check names a variable that nobody sets, where it stands" \
    "$c/campaign.yaml:15:21: warning: script of operator 'test.fit': \$nmae is neither an input nor set here; did you mean \$name?" \
    "$(grep warning: "$tmp/out" | sed "s,^campaign.yaml,$c/campaign.yaml,")"
sed -i 's/script: |/script: |\n      #!\/nowhere\/python3/' "$c/campaign.yaml"
exits "a script whose #! names nothing" 3 fanfold -C "$c" check
has "... is refused" "there is no program '/nowhere/python3'" "$(fanfold -C "$c" check 2>&1)"

# --- a change of the text, or of a file that it names, is a change of the result ---

c=$tmp/identity
make_campaign "$c" <<END
$head
stages: {fit: {uses: test.fit}}
operators:
  test.fit:
    outputs: {n: {type: file}}
    env: {A: b}
    script: |
      bash "\$campaign"/work.sh >"\$outputs_n"
END
echo 'echo 1' >"$c/work.sh"
fanfold -C "$c" run >/dev/null 2>&1
differs() { # WHAT ONE OTHER
    if [ "$2" != "$3" ]; then pass "$1"; else fail "$1" "both are $2"; fi
}
identity() { jq -r .identity "$c"/fit/*/iter/000000/stage.json; }
first=$(identity)
again() {
    fanfold -C "$c" redo fit >/dev/null 2>&1
    fanfold -C "$c" run >/dev/null 2>&1
}
again
is "nothing changed: the same identity" "$first" "$(identity)"
echo 'echo 2' >"$c/work.sh"
again
differs "another text of a file that the script names" "$first" "$(identity)"
is "... and another result" 2 "$(cat "$c/fit/test/iter/000000/job/000000/out/n")"
second=$(identity)
sed -i 's/A: b/A: c/' "$c/campaign.yaml"
again
differs "another variable of env" "$second" "$(identity)"

done_testing
