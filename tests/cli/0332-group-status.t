#!/bin/sh
# 0332-group-status.t - a campaign with groups: what status tells while they run,
# what stays, a try that fails, the log
. "$(dirname "$0")/tap.sh"

c=$tmp/campaign
mkdir "$c"
printf 'format: 1\nprofiles:\n  here: {scheduler: local, limits: {poll: 0.1s}}\n' >"$c/site.yaml"
cat >"$c/campaign.yaml" <<'END'
format: 1
campaign: group
elements: [Si]
models: 2
stop: {iterations: 1}
stages:
  work: {uses: test.group, retry: {failed: 2}}
  plain: {uses: test.plain}
operators:
  test.group:
    fan_out: [m]
    inputs: {m: {type: int, from: models}}
    outputs: {found: {type: dir}, steps: {type: int}}
    group:
      report: {every: 0.1s, command: [cat, "{workspace}/progress"]}
      programs:
        driver:
          command: [sh, "{campaign}/driver", "{campaign}", "{m}", "{workspace}", "{outputs.params}"]
          exit: [mv, "{workspace}/found", "{outputs.found}"]
        client: {command: [sh, "{campaign}/client", "{campaign}", "{m}", "{workspace}"]}
  test.plain:
    outputs: {x: {type: int}}
    command: [sh, -c, 'echo "{{\"x\": 1}}" >{outputs.params}']
    report: {every: 100s, command: [echo, '{{"seen": {task}}}']}
END
cat >"$c/driver" <<'END'
echo "{\"task\": $2, \"at\": 1}" >"$3/progress.new" && mv "$3/progress.new" "$3/progress"
mkdir "$3/found"
until [ -e "$1/go" ]; do sleep 0.05; done
until [ -e "$3/sent" ]; do sleep 0.05; done
mv "$3/sent" "$3/found/sent"
echo "{\"steps\": $2}" >"$4"
END
cat >"$c/client" <<'END'
until [ -e "$1/go" ]; do sleep 0.05; done
[ "$2" != 1 ] || ! mkdir "$1/once" 2>/dev/null || { echo "no socket"; exit 9; }
echo "$2" >"$3/sent"
END

ok "the campaign is right" fanfold -C "$c" check
fanfold -C "$c" run >"$tmp/out" 2>&1 &
pid=$!
reported() {
    fanfold -C "$c" status --json | jq -ce '.stages[0].reports | map([.task, .name, .report.at]) | select(length > 0) | .[0]'
}
ok "status tells what tasks report" until_is '[0,"local",1]' reported
has "... to people, too" 'work: task 0, local: {"task":0,"at":1}' "$(fanfold -C "$c" status)"
: >"$c/go"
wait $pid
is "the campaign ends well" 0 $?
has "a try that failed is told with its program" \
    "program 'local/client' exited with status 9; its last line: 'no socket'" "$(cat "$tmp/out")"
is "its results are there" '[0,1]' "$(fanfold -C "$c" result work steps | jq -c .)"
is "... with the last report" '{"local":{"task":1,"at":1}}' \
    "$(jq -c '.run.report' "$c"/work/*/iter/*/job/000001/out/result.json)"
is "... and what each program had" "local/client local/driver" \
    "$(jq -r '.run.programs[].name' "$c"/work/*/iter/*/job/000001/out/result.json | sort | paste -sd' ')"
is "nothing reports any more" '[]' "$(fanfold -C "$c" status --json | jq -c '.stages[0].reports')"
has "the log has a line for what began" "=== " "$(fanfold -C "$c" log work 1 | grep ' local/driver: sh ')"
is "a command that has a report, too" '{"local":{"seen":0}}' \
    "$(run_cat "$c" plain '*' '*/*/results-*' | sed -n 's/.*"report":\(.*}}\).*/\1/p')"

# ... but for that it is as without.
mkdir -p "$tmp/plain/once"
cp "$c/site.yaml" "$c/driver" "$c/client" "$c/go" "$tmp/plain"
sed "/echo .{{/s/command: .*/command: [[echo, first], [sh, -c, 'echo said; echo why; exit 2']]/" \
    "$c/campaign.yaml" >"$tmp/plain/campaign.yaml"
fanfold -C "$tmp/plain" run >"$tmp/out" 2>&1
has "one that fails is told of as ever" \
    "command 2 of 2, 'sh' exited with status 2; its last line: 'why'" "$(cat "$tmp/out")"
is "... and logged" "first said why" "$(fanfold -C "$tmp/plain" log plain 0 | grep -v === | paste -sd' ')"
has "... with what began" " command 2: sh -c " "$(fanfold -C "$tmp/plain" log plain 0)"

done_testing
