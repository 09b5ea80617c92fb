#!/bin/sh
# 0368-terminal - nothing that tasks, files or arguments say moves a cursor
. "$abs_top_srcdir/tests/cli/tap.sh"

# Sets a title, clears the screen, CSI of C1, turns a line round; a line of its own.
c=$tmp/c
mkdir "$c"
cp "$abs_top_srcdir/tests/cli/loop/site.yaml" "$c"
printf '{"s": "\\u001b]0;pwn\\u0007\\u001b[2J\\u009b31m\\u202ez\\nforged"}' >"$c/said.json"
printf 'raw \033]0;pwn\007\233 \302\233 \342\200\256\n' >"$c/printed"
cat >"$c/campaign.yaml" <<'END'
format: 1
campaign: terminal
elements: [Si]
stop: {iterations: 1}
history: {s: b.s}
stages:
  b: {uses: test.b}
  bad: {uses: test.bad, success: 0, retry: {failed: 1}}
operators:
  test.b:
    outputs: {s: {type: string}}
    command: [cp, "{campaign}/said.json", "{outputs.params}"]
  test.bad:
    command: [sh, -c, "cat \"{campaign}/printed\"; cat \"{campaign}/printed\" >&2; exit 1"]
END

# orders FILE: bytes and characters that a terminal takes for orders.
orders() {
    LC_ALL=C grep -c -a -P '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xa8-\xae]|\x9b31m|\xff' "$1"
}

fanfold -C "$c" run >"$tmp/run" 2>&1
is "run prints no orders" 0 "$(orders "$tmp/run")"
has "... but what they are" '\u202e' "$(fanfold -C "$c" explain bad 0)"
for command in status 'status --json' 'explain b 0' 'explain bad 0' 'explain --json bad 0' \
    'explain bad' 'log --failed bad' 'plan'; do
    # shellcheck disable=SC2086
    fanfold -C "$c" $command >"$tmp/said" 2>&1
    case $command in
    log*) ;;
    *) is "$command prints none" 0 "$(orders "$tmp/said")" ;;
    esac
done
lacks "a value is one line of the history" '^forged' fanfold -C "$c" status
has "... of which nothing is lost" '\u001b]0;pwn\u0007\u001b[2J\u009b31m\u202ez' \
    "$(fanfold -C "$c" status --json)"
is "JSON has the same value" "$(jq .s "$c/said.json")" \
    "$(fanfold -C "$c" status --json | jq '.history[0].s')"

fanfold -C "$c" explain "$(printf 'b\302\233\342\200\256\233\377\033c')" >"$tmp/said" 2>&1
is "complaints about arguments print none" 0 "$(orders "$tmp/said")"
fanfold "$(printf 'b\302\233\342\200\256\377')" >"$tmp/said" 2>&1
is "... about commands neither" 0 "$(orders "$tmp/said")"

# --- what is a task's own ---

# on_terminal FILE COMMAND...: by a pager, which gets what another would be shown
PAGER='cat -'
export PAGER
on_terminal() {
    file=$1
    shift
    script -qec "$*" "$file" >/dev/null </dev/null
    sed -i '1d;$d;s/\r$//' "$file"
}
fanfold -C "$c" log bad 0 >"$tmp/log"
grep -a '^raw' "$tmp/log" >"$tmp/raw"
cat "$c/printed" "$c/printed" >"$tmp/want"
ok "log to a file has every byte" cmp "$tmp/want" "$tmp/raw"
is "... result too" "$(jq -r .s "$c/said.json")" "$(fanfold -C "$c" result b s)"
if script -qec true /dev/null >/dev/null 2>&1; then
    for command in 'log bad 0' 'result b s' 'log --failed bad'; do
        on_terminal "$tmp/said" fanfold -C "$c" "$command"
        is "$command: on a terminal none" 0 "$(orders "$tmp/said")"
        ok "... but all the rest" grep -q 'pwn\\u0007' "$tmp/said"
    done
else
    not_here "a terminal: script is not installed"
fi

done_testing
