#!/bin/sh
# 0341-learned - `auto`: tasks are given what those of earlier iterations needed
. "$abs_top_srcdir/tests/cli/tap.sh"

c=$tmp/c
mkdir "$c"
cp "$abs_top_srcdir/tests/cli/loop/site.yaml" "$c"
cat >"$c/campaign.yaml" <<'EOF2'
format: 1
campaign: learned
elements: [Si]
models: 3
stop: {iterations: 2}
stages:
  work: {uses: toy.work, task: {memory: {auto: 1GiB}, walltime: auto}}
operators:
  toy.work:
    fan_out: [m]
    inputs: {m: {type: int, from: models}}
    outputs: {n: {type: int}}
    task: {walltime: 30m}
    # 100 MiB: tail keeps what has no end of line
    command: [sh, -c, "head -c 100M /dev/zero | tail -n 1 >/dev/null; echo '{{\"n\": 1}}' >params.json"]
EOF2

# attempts: what tasks were given, by attempt, in MiB and seconds
attempts() {
    cat "$c"/.fanfold/journal/* | grep -o '{.*}' |
        jq -r 'select(.ev == "attempt") | "\(.task.memory_bytes / 1048576) \(.task.walltime_s)"' |
        xargs
}

has "at first as stated, says plan" \
    "task    memory 1.0 GiB (nothing is learned yet), walltime 30m00s (nothing is learned yet)" \
    "$(fanfold -C "$c" plan)"
ok "two iterations" fanfold -C "$c" run
set -- $(attempts)
is "the first had what was stated" "1024 1800" "$1 $2"
ok "the second what the first needed and a quarter ($3 MiB)" \
    test "$3" -ge 125 -a "$3" -le 180
is "... and the least walltime" 60 "$4"
is "plan tells from how many tasks" '{"memory":6,"walltime":6}' \
    "$(fanfold -C "$c" plan --json | jq -c '.stages[0].learned')"
has "... in words" "(learned from 6 tasks), walltime 1m00s (learned" "$(fanfold -C "$c" plan)"
has "explain tells what an attempt gave" "memory $3.0 MiB, walltime 1m00s each" \
    "$(fanfold -C "$c" explain work --iteration 1)"

cp -r "$c" "$tmp/replayed"
rm "$tmp/replayed/state.json"
is "the journal alone tells the same" "$(fanfold -C "$c" plan)" \
    "$(fanfold -C "$tmp/replayed" plan)"

done_testing
