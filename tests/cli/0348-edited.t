#!/bin/sh
# 0348-edited - config.json tells the truth after an edit in mid-iteration
. "$abs_top_srcdir/tests/cli/tap.sh"

mkdir "$tmp/c"
cat >"$tmp/c/campaign.yaml" <<'END'
format: 1
campaign: edited
stages:
  first: {uses: t.wait}
  last: {uses: t.wait, when: first.count == 1, with: {n: 1}}
stop: {iterations: 1}
operators:
  t.wait:
    inputs: {n: {type: int, default: 0}}
    outputs: {n: {type: int}}
    command: [sh, -c, 'until [ -e "$1/go" ]; do sleep 0.1; done; echo "{{\"n\": $2}}" >params.json', sh, "{campaign}", "{n}"]
END
config=$tmp/c/config/iter/000000

# What the last event on the configuration says of NAME.
journaled() {
    cat "$tmp"/c/.fanfold/journal/* | jq -R "fromjson? | select(.ev == \"config\") | .$1" |
        tail -1
}

ok "an iteration begins" fanfold -C "$tmp/c" advance
before=$(cat "$config/config.json")
fanfold -C "$tmp/c" advance
ok "without an edit there is one file" test ! -e "$config/config.1.json"
sed -i 's/with: {n: 1}/with: {n: 2}/' "$tmp/c/campaign.yaml"
touch "$tmp/c/go"
ok "it goes on after an edit" fanfold -C "$tmp/c" run
is "the edit took effect" 2 "$(fanfold -C "$tmp/c" result last n)"
is "the first file is as it was" "$before" "$(cat "$config/config.json")"
ok "the next one holds the edit" grep -q '"n": 2' "$config/config.1.json"
is "the journal numbers it" 1 "$(journaled number)"
is "and has its digest" "\"$(sha256sum <"$config/config.1.json" | cut -d ' ' -f 1)\"" \
    "$(journaled sha256)"

# --- a file with problems does not stand in the way ---

mkdir "$tmp/b"
cp "$tmp/c/campaign.yaml" "$tmp/b"
ok "another one begins" fanfold -C "$tmp/b" advance
fanfold -C "$tmp/b" advance >"$tmp/out"
sed -i 's/stages:/stagse:/' "$tmp/b/campaign.yaml"
for command in status "explain first" "log first" pause resume advance; do
    # shellcheck disable=SC2086 # words
    fanfold -C "$tmp/b" $command >"$tmp/out" 2>"$tmp/err"
    status=$?
    case $command in
    resume) is "resume refuses" 3 $status ;;
    *) is "$command goes by what was valid last" 0 $status ;;
    esac
    ok "... and says what is wrong" grep -q "stages.*fixed\|stagse.*stages" "$tmp/err"
done
sed -i 's/stagse:/stages:/' "$tmp/b/campaign.yaml"
fanfold -C "$tmp/b" resume >"$tmp/out"
sed -i 's/stages:/stagse:/' "$tmp/b/campaign.yaml"
touch "$tmp/b/go"
ok "jobs and cron go on to the end" fanfold -C "$tmp/b" run 2>"$tmp/err"
is "... as it was" 2 "$(fanfold -C "$tmp/b" result last n 2>"$tmp/err")"
rm "$tmp/b/campaign.yaml"
fanfold -C "$tmp/b" status >"$tmp/out" 2>"$tmp/err"
is "even without the file" 0 $?
ok "... which is said" grep -q 'there is no such file.*see `fanfold check' "$tmp/err"
rm -r "$tmp/b/config"
fanfold -C "$tmp/b" status >"$tmp/out" 2>"$tmp/err"
is "where nothing is left there is nothing to go by" 3 $?

done_testing
