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

done_testing
