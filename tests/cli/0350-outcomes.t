#!/bin/sh
# 0350-outcomes - retries, quorum and holes, empty stages, bad input, bad output
. "$abs_top_srcdir/tests/cli/tap.sh"

# campaign DIR STAGES OPERATORS
campaign() {
    mkdir -p "$1"
    {
        printf 'format: 1\ncampaign: outcomes\nelements: [Si]\nmodels: 4\n'
        printf 'stop: {iterations: 1}\nstages:\n%s\noperators:\n%s\n' "$2" "$3"
    } >"$1/campaign.yaml"
    cp "$abs_top_srcdir/tests/cli/loop/site.yaml" "$1"
}

# Task M writes its number, but the tasks listed in $FAIL exit with 9.
work='  test.work:
    fan_out: [m]
    inputs: {m: {type: int, from: models}}
    outputs: {n: {type: int}, f: {type: file}}
    command:
      - [sh, -c, "echo begin; case $2 in $1) exit 9;; esac", sh, "{pattern}", "{m}"]
      - [sh, -c, "echo hello > \"$1\"", sh, "{outputs.f}"]
      - [sh, -c, "echo \"{{\\\"n\\\": $1}}\" > \"$2\"", sh, "{m}", "{outputs.params}"]'
sum='  test.sum:
    inputs: {n: {type: int, list: true, holes: HOLES}}
    outputs: {items: {type: int}}
    command: [sh, -c, "shift; echo \"{{\\\"items\\\": $#}}\" > params.json", sh, x, "{n}"]'
pattern() {
    printf '%s' "$work" | sed "s/{pattern}/$1/"
}

c=$tmp/quorum
campaign "$c" '  work: {uses: test.work, success: 0.75}
  sum: {uses: test.sum, with: {n: work.n}}' "$(pattern 2)
$(printf '%s' "$sum" | sed 's/HOLES/false/')"
ok "three of four are enough" fanfold -C "$c" run
is "a hole is an explicit null at its index" '[0,1,null,3]' "$(fanfold -C "$c" result work n | jq -c .)"
is "the same holes in every output" true "$(fanfold -C "$c" result work f | jq '.[2] == null and .[3] != null')"
is "count counts what is ok" 3 "$(fanfold -C "$c" result work count)"
is "a consumer gets them compacted" 3 "$(fanfold -C "$c" result sum items)"
has "the failing command is named" "'sh' exited with status 9" "$(fanfold -C "$c" explain work 2)"
has "it was tried twice, the default" "2 tries" "$(fanfold -C "$c" explain work 2)"
has "its output is kept" begin "$(fanfold -C "$c" log work 2)"

c=$tmp/noquorum
campaign "$c" '  work: {uses: test.work}' "$(pattern 2)"
exits "one failure is too many for success: 1" 1 fanfold -C "$c" run
has "status says how many" "3 of 4 tasks are ok" "$(fanfold -C "$c" status)"

c=$tmp/fatal
campaign "$c" '  work: {uses: test.work, success: 0.5}' "$(pattern 2)
    fatal_exits: [9]"
ok "run" fanfold -C "$c" run
has "a fatal exit is not tried again" "task 2: fatal, 1 try" "$(fanfold -C "$c" explain work 2)"

c=$tmp/badoutput
campaign "$c" '  work: {uses: test.bad, retry: {bad_output: 1}}' '  test.bad:
    outputs: {n: {type: int}}
    command: [sh, -c, "echo \"{{\\\"n\\\": \\\"text\\\"}}\" > params.json"]'
exits "an output of another type" 1 fanfold -C "$c" run
has "... is bad_output" "bad_output" "$(fanfold -C "$c" explain work 0)"
has "... and says which" "'n'" "$(fanfold -C "$c" explain work 0)"

c=$tmp/missing
campaign "$c" '  work: {uses: test.missing, retry: {bad_output: 1}}' '  test.missing:
    outputs: {f: {type: file}}
    command: ["true"]'
exits "an output that is not there" 1 fanfold -C "$c" run
has "... is bad_output" "bad_output" "$(fanfold -C "$c" explain work 0)"

# What prepare makes below its out/ is kept, and its slices are paths in it.
# prepared DIR: prepare writes three files and slices to those in $SLICES.
prepared() {
    campaign "$1" '  starts: {uses: test.starts, retry: {bad_input: 1}}' "  test.starts:
    prepare:
      slices: {start: {type: dir}}
      command: [sh, -c, 'mkdir -p out/a/b out/c; echo 1 >out/a/b/n; echo 2 >out/c/n;
        $2 echo \"{{\\\"start\\\": [$3]}}\" >slices.json']
    outputs: {n: {type: int}}
    command: [sh, -c, 'echo \"{{\\\"n\\\": \$(cat \"\$1/n\")}}\" >params.json', sh, \"{start}\"]"
}
c=$tmp/prepared
prepared "$c" '' '\"a/b\", \"c\", \"a/b\"'
ok "prepare makes files" fanfold -C "$c" run
is "... which the tasks read" '[1,2,1]' "$(fanfold -C "$c" result starts n | jq -c .)"
is "... and which stay" "a/b/n c/n" \
    "$(cd "$c/starts/test/iter/000000/prepared" && find . -type f | sed 's|./||' | sort | xargs)"
is "... at a path of the campaign" "starts/test/iter/000000/prepared/c" \
    "$(sed -n 's/.*"start":"\([^"]*\)".*/\1/p' "$c"/starts/*/iter/000000/slices.jsonl | sed -n 2p)"
c=$tmp/prepared-gone
prepared "$c" '' '\"a/b\", \"d\"'
exits "a slice that prepare did not make" 1 fanfold -C "$c" run
has "... is bad_input, with its name" "bad_input: 'start', which prepare made: [1]: no such directory 'd'" \
    "$(fanfold -C "$c" explain starts)"
c=$tmp/prepared-kind
prepared "$c" '' '\"a/b/n\"'
exits "a file for a directory" 1 fanfold -C "$c" run
has "... is bad_input" "'a/b/n' is not a directory" "$(fanfold -C "$c" explain starts)"
c=$tmp/prepared-outside
prepared "$c" '' '\"../out/c\"'
exits "a path that leaves out/" 1 fanfold -C "$c" run
has "... is bad_input" "'../out/c' is not below out/" "$(fanfold -C "$c" explain starts)"
c=$tmp/prepared-link
prepared "$c" 'ln -s /etc out/l;' '\"c\"'
exits "a link that leaves out/" 1 fanfold -C "$c" run
has "... is bad_input" "is a link to '/etc'" "$(fanfold -C "$c" explain starts)"

c=$tmp/lockstep
campaign "$c" '  a: {uses: test.work, success: 0.1}
  b: {uses: test.pairs, with: {x: a.n, y: [1, 2]}}' "$(pattern 9)
  test.pairs:
    fan_out: [x, y]
    inputs: {x: {type: int}, y: {type: int}}
    command: [\"true\"]"
exits "lists sliced together must be equally long" 1 fanfold -C "$c" run
has "... both are named" "'x' has 4 items but 'y' has 2" "$(fanfold -C "$c" explain b)"
has "... and that is bad_input" bad_input "$(fanfold -C "$c" explain b)"

c=$tmp/empty
campaign "$c" '  none: {uses: test.none, with: {x: []}}
  after: {uses: test.sum, with: {n: none.n}}' "  test.none:
    fan_out: [x]
    inputs: {x: {type: int}}
    outputs: {n: {type: int}}
    command: [\"false\"]
$(printf '%s' "$sum" | sed 's/HOLES/false/')"
ok "an empty stage succeeds" fanfold -C "$c" run
is "... submits nothing" "" "$(run_files "$c" none 000000 '0*')"
is "... has an empty list" '[]' "$(fanfold -C "$c" result none n | jq -c .)"
is "... and what needs it is skipped" skipped \
    "$(fanfold -C "$c" status --json | jq -r '.stages[] | select(.name == "after") | .state')"

c=$tmp/timeout
campaign "$c" '  slow: {uses: test.slow, task: {walltime: 0.3s}, retry: {timeout: {tries: 2, walltime: x20}}}' '  test.slow:
    command: [sleep, "1"]'
ok "a timeout is tried again with more" fanfold -C "$c" run
has "... once" "ended timeout" "$(fanfold -C "$c" explain slow 0)"

c=$tmp/seed
campaign "$c" '  seeds: {uses: test.seeds}' '  test.seeds:
    fan_out: [m]
    inputs: {m: {type: int, from: models}}
    outputs: {s: {type: int}}
    command: [sh, -c, "echo \"{{\\\"s\\\": $1}}\" > params.json", sh, "{seed}"]'
ok "seeds" fanfold -C "$c" run
is "every task has its own" 4 "$(fanfold -C "$c" result seeds s | jq 'unique | length')"

c=$tmp/setup
campaign "$c" '  greet: {uses: test.greet}' '  test.greet:
    outputs: {said: {type: string}}
    command: [sh, -c, "echo \"{{\\\"said\\\": \\\"$GREETING\\\"}}\" > params.json"]'
sed -i 's/scheduler: local/&\n    setup: [[export, "GREETING=good day"], ["true"]]/' "$c/site.yaml"
ok "setup runs before the tasks" fanfold -C "$c" run
is "... and reaches them" "good day" "$(fanfold -C "$c" result greet said)"

c=$tmp/badsetup
campaign "$c" '  greet: {uses: test.greet}' '  test.greet:
    command: ["true"]'
sed -i 's/scheduler: local/&\n    setup: [["false"]]/; s/visibility: 2s/visibility: 0.2s/' "$c/site.yaml"
exits "a setup that fails fails the stage" 1 fanfold -C "$c" run
has "... after three vain submissions" "three submissions in a row" "$(fanfold -C "$c" status)"
is "... and explain tells of each that no task began" 3 \
    "$(fanfold -C "$c" explain greet | grep -c 'ended: tasks not begun: failed 0$')"
has "... of a task, too" "ended: task not begun: failed" "$(fanfold -C "$c" explain greet 0)"
is "... as JSON, of a task that no try is charged to" "pending 0 failed" "$(fanfold -C "$c" \
    explain greet 0 --json | jq -r '"\(.outcome) \(.tries) " + .events[-2].detail[16:]')"

# --- `success:` lowered to what is reached ---

c=$tmp/lowered
mkdir "$c"
cat >"$c/campaign.yaml" <<END
format: 1
campaign: lowered
stages: {train: {uses: a.b}}
stop: {iterations: 1}
operators:
  a.b:
    fan_out: [n]
    inputs: {n: {type: int, default: 3}}
    outputs: {m: {type: int}}
    script: |
      echo \$n >>$tmp/ran
      [ \$n != 1 ]
      echo "{\"m\": \$n}" >\$outputs_params
END
exits "two of three are not all" 1 fanfold -C "$c" run
sed -i 's/uses: a.b/uses: a.b, success: 0.6/' "$c/campaign.yaml"
has "retry knows how many it needs now" "train: as many tasks are ok as .success:. needs now; it goes on with these" \
    "$(fanfold -C "$c" retry | tr '\`' .)"
ok "... and the campaign goes on" fanfold -C "$c" run
is "... without the task that failed" "0 1 1 2" "$(sort "$tmp/ran" | xargs)"
is "... which is not there" "[0,null,2]" "$(fanfold -C "$c" result train m | jq -c .)"

done_testing
