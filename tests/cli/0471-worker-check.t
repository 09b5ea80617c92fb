#!/bin/sh
# 0471-worker-check - what is wrong with the declaration of a worker is told by `check`
. "$abs_top_srcdir/tests/cli/tap.sh"

mkdir "$tmp/c"
cd "$tmp/c" || exit 1
echo 'format: 1
profiles:
  here: {scheduler: local, node: {cores: 4}, launcher: [mpirun, -n, "{ranks}"]}' >site.yaml
touch work.py

# declared BODY [TASK]: a campaign whose operator has the lines BODY from
# line 11 on.
declared() {
    cat >campaign.yaml <<END
format: 1
campaign: check
stop: {iterations: 1}
stages: {work: {uses: test.work, task: {${2:-cores: 1}}, with: {n: [1, 2], words: [a]}}}
operators:
  test.work:
    fan_out: [n]
    inputs: {n: {type: int}, words: {type: string, list: true}, scale: {type: float, default: 1}}
    outputs: {out: {type: file}, sum: {type: int}}
    prepare: {slices: {cut: {type: file}}, command: [sh, -c, "{outputs.slices}"]}
$1
END
}

# wrong WHAT BODY MESSAGE [TASK]
wrong() {
    declared "$2" "$4"
    fanfold check >said 2>&1
    is "$1" 3 $? "$(cat said)"
    has "... told" "$3" "$(cat said)"
}

declared '    worker: [python3, "{campaign}/work.py", "{words}", "{scale}", "{cores}", "{memory_bytes}", "{iteration}", "{fanfold}"]
    reads: [seed, task, iteration]
    checkpoint: [state]
    fatal_exits: [3]'
ok "a worker that is right" fanfold check
declared '    worker: ["{launcher}", python3, "{campaign}/work.py"]' 'ranks: 2'
ok "... with a launcher" fanfold check

once='differs from task to task, and a worker is started once for many; '
while IFS='|' read -r word why; do
    wrong "{$word} in its command" "    worker: [python3, \"{$word}\"]" \
        ":11:23: placeholder '{$word}' $once$why"
done <<'END'
seed|write reads: [seed] or [task] and find it in task.json
task|write reads: [seed] or [task] and find it in task.json
restart|find it in task.json
n|find it in task.json
cut|find it in task.json
outputs.out|find it in task.json
outputs.sum|find it in task.json
outputs.params|find it in task.json
END
wrong "a list as a file" '    worker: [python3, "{@words}"]' \
    ":11:23: placeholder '{@words}' is a file of one task, and a worker is started once for many; find the list in task.json"
wrong "no placeholder" '    worker: [python3, "{scael}"]' \
    ":11:23: unknown placeholder '{scael}'; did you mean 'scale'?"
wrong "that of a group" '    worker: [python3, "{workspace}"]' \
    ":11:23: placeholder '{workspace}' is known where programs run together; write a group"
wrong "several commands" '    worker: [[python3, a], [python3, b]]' \
    ":11:13: worker: it is one command that is given many tasks; write [program, argument, ...]"
wrong "no argv" '    worker: python3 work.py' ":11:13: worker: got 'python3 work.py'; write a list"
wrong "a program that is not there" '    worker: [no-such-program]' ":11:14: 'no-such-program' is in no directory of PATH"
wrong "two bodies" '    worker: [python3]
    command: [python3]' "has two bodies, command and worker"
wrong "a report" '    worker: [python3]
    report: {command: [date]}' ":12:13: report: operator 'test.work' is a worker, which reports by messages (fanfold-worker(7)); remove it"
wrong "what task.json does not tell" '    worker: [python3]
    reads: [sead]' ":12:13: reads: 'sead' is not told by task.json; did you mean 'seed'?"
wrong "several ranks without a launcher" '    worker: [python3]' \
    "a task of stage 'work' has 2 ranks, and the worker of operator 'test.work' is one process; begin its command with \"{launcher}\", or write ranks: 1" 'ranks: 2'

done_testing
