#!/bin/sh
# 0347-unreadable-results - what cannot be read now is not taken for false
#
# A driver reads results of a stage to decide whether another one runs and
# whether the campaign stops.  One failing read must change neither.
. "$abs_top_srcdir/tests/cli/tap.sh"

fail_at=$abs_top_builddir/tests/crash/fail_at
mkdir "$tmp/c" "$tmp/spool"
cat >"$tmp/c/campaign.yaml" <<'END'
format: 1
campaign: blink
stages:
  first: {uses: t.five}
  last:
    uses: t.five
    when: first.n > 0
stop: {when: first.n > 0 and last.n > 0, iterations: 3}
history: {n: first.n}
operators:
  t.five:
    outputs:
      n: {type: int}
    command: [sh, -c, 'echo "{{\"n\": 5}}" >params.json']
END

# advance FAULT...: until it is done; one open of first's results fails.
advance() {
    rm -rf "$tmp/c/.fanfold" "$tmp"/c/first "$tmp"/c/last "$tmp"/c/state.json
    "$fail_at" fail "$tmp/c:$tmp/spool" advance "$@" sh -c '
        for i in $(seq 300); do
            fanfold -C "$0" advance
            status=$?
            echo "exit $status"
            case $(fanfold -C "$0" status --json | jq -r .state) in
            done | failed | paused) exit 0 ;;
            esac
            sleep 0.05
        done' "$tmp/c" >"$tmp/failed" 2>"$tmp/said"
}

advance openat A/first/t/iter/0/outputs.json 1 ESTALE once
if [ $? -eq 77 ]; then
    not_here "no process may be traced here"
    done_testing
fi
ok "a read failed" grep -q '^failed .*first/t/iter/000000/outputs.json' "$tmp/failed"
has "the file is named" "first/t/iter/000000/outputs.json" "$(grep -v '^exit' "$tmp/said")"
has "and why" "Stale file handle" "$(cat "$tmp/said")"
ok "that round failed with 5" grep -qx 'exit 5' "$tmp/said"
lacks "no stage was skipped for it" '"ev":"skip"' cat "$tmp"/c/.fanfold/journal/*
is "the stop rule held" "done true 0" "$(fanfold -C "$tmp/c" status --json |
    jq -r '"\(.state) \(.converged) \(.iteration)"')"
is "history has the value" 5 "$(cat "$tmp"/c/.fanfold/journal/* |
    jq -R 'fromjson? | select(.ev == "closing") | .history.n')"

done_testing
