#!/bin/sh
# 0342-group-campaign - stages whose tasks are groups: sliced, retried, committed
. "$abs_top_srcdir/tests/cli/tap.sh"

# campaign DIR STAGES OPERATORS
campaign() {
    mkdir -p "$1"
    {
        printf 'format: 1\ncampaign: groups\nelements: [Si]\nmodels: 3\n'
        printf 'stop: {iterations: %s}\nstages:\n%s\noperators:\n%s\n' "${iterations:-1}" "$2" "$3"
    } >"$1/campaign.yaml"
    printf 'format: 1\nprofiles:\n  here: {scheduler: local, node: {cores: 8}}\n' >"$1/site.yaml"
}
# explained DIR STAGE TASK
explained() {
    fanfold -C "$1" explain "$2" "$3"
}

# --- a fan-out of groups ---

# One program sends its number through a pipe in the workspace, the other adds ten:
# neither ends without the other.
pair='  my.pair:
    fan_out: [m]
    inputs: {m: {type: int, from: models}}
    outputs: {sent: {type: int}, got: {type: int}, log: {type: file}}
    group:
      setup: [mkfifo, "{workspace}/pipe"]
      programs:
        sender:
          command: [sh, -c, "echo $1 >$2; echo \"{{\\\"sent\\\": $1}}\" >$3", sh, "{m}", "{workspace}/pipe", "{outputs.params}"]
        receiver:
          setup: [sh, -c, "echo of $1 >$2", sh, "{instances}", "{workspace}/note"]
          command: [sh, -c, "read -r n <$1; echo \"{{\\\"got\\\": $((n + 10))}}\" >$2", sh, "{workspace}/pipe", "{outputs.params}"]
          exit: [cp, "{workspace}/note", "{outputs.log}"]'
c=$tmp/pair
campaign "$c" '  pair: {uses: my.pair}' "$pair"
ok "three groups run" fanfold -C "$c" run
is "each with its slice, and parameters of both programs" '[0,1,2] [10,11,12]' \
    "$(fanfold -C "$c" result pair sent | jq -c .) $(fanfold -C "$c" result pair got | jq -c .)"
is "what an exit made is an output" "of 1" \
    "$(cat "$c/pair/my/iter/000000/job/000002/out/log")"
is "a result names the programs" "local/receiver local/sender" \
    "$(jq -r '[.run.programs[].name] | sort | join(" ")' "$c/pair/my/iter/000000/job/000001/out/result.json")"
is "... and the nodes" '[["local",true]]' \
    "$(jq -c '[.run.nodes[] | [.name, (.host | length > 0)]]' "$c/pair/my/iter/000000/job/000001/out/result.json")"

# --- failures ---

# bad NAME BODY...: a group of which a program fails, and two instances that wait.
bad() {
    c=$tmp/$1
    campaign "$c" "  bad: {uses: my.bad}" "  my.bad:
    fatal_exits: [7]
    outputs: {n: {type: int, optional: true}}
    group:
      programs:
        waits: {instances: 2, command: [sleep, 1353]}
        fails: {instances: 2, command: [sh, -c, '$2', sh, '{instance}', '{outputs.params}']}"
    exits "$1: the stage fails" 1 fanfold -C "$c" run
}
bad failed 'echo begins; test "$1" = 0 || exit 9; exec sleep 1353'
has "the program is named" "program 'local/fails:1' exited with status 9" "$(explained "$c" bad 0)"
has "it was tried twice, the default" "2 tries" "$(explained "$c" bad 0)"
has "the log names the program of each line" "local/fails:1: begins" "$(fanfold -C "$c" log bad 0)"
bad fatal 'test "$1" = 0 || exit 7; exec sleep 1353'
has "a fatal exit status is not tried again" "task 0: fatal, 1 try" "$(explained "$c" bad 0)"
bad signal 'test "$1" = 0 || kill -ABRT $$; exec sleep 1353'
has "a signal is named" "killed by signal 6" "$(explained "$c" bad 0)"
c=$tmp/twice
campaign "$c" '  bad: {uses: my.bad}' '  my.bad:
    outputs: {n: {type: int}}
    group:
      programs:
        one: {command: [sh, -c, "echo {{\\\"n\\\": 1}} >$1", sh, "{outputs.params}"]}
        two: {command: [sh, -c, "echo {{\\\"n\\\": 2}} >$1", sh, "{outputs.params}"]}'
exits "a parameter written twice" 1 fanfold -C "$c" run
has "... is bad_output" "task 0: bad_output" "$(explained "$c" bad 0)"
has "... naming both" "'n' was written by 'local/one' and by 'local/two'" "$(explained "$c" bad 0)"
is "nothing is left running" "" "$(pgrep -f "^sleep 1353$")"

# --- no program, a global workspace, a report of a command ---

c=$tmp/kept
iterations=3
campaign "$c" '  count: {uses: my.count}
  empty: {uses: my.empty}
  told: {uses: my.told}' '  my.count:
    outputs: {runs: {type: int}}
    group:
      workspace: global
      programs:
        a: {command: [sh, -c, "echo x >>$1/runs; echo \"{{\\\"runs\\\": $(grep -c . $1/runs)}}\" >$2", sh, "{workspace}", "{outputs.params}"]}
  my.empty:
    outputs: {n: {type: int}}
    group:
      setup: [sh, -c, "echo {{\\\"n\\\": 5}} >$1", sh, "{outputs.params}"]
      programs: {}
  my.told:
    outputs: {f: {type: file}}
    report: {every: 0.1, command: [sh, -c, "echo \"{{\\\"lines\\\": $(grep -c . log.lmp)}}\""]}
    command: [[sh, -c, "echo a >log.lmp"], [sh, -c, "echo b >>log.lmp; cp log.lmp $1", sh, "{outputs.f}"]]'
ok "groups of several iterations" fanfold -C "$c" run
iterations=
is "a global workspace is kept for the next iteration" '1 2 3' \
    "$(for i in 0 1 2; do fanfold -C "$c" result count runs --iteration $i; done | paste -sd' ')"
is "a group without programs has its setup" 5 "$(fanfold -C "$c" result empty n)"
is "a command's report is kept: the last, after its end" '{"local":{"lines":2}}' \
    "$(jq -c .run.report "$c/told/my/iter/000002/job/000000/out/result.json")"

done_testing
