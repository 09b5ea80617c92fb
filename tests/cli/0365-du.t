#!/bin/sh
# 0365-du - what a campaign takes of the disk
. "$abs_top_srcdir/tests/cli/tap.sh"

c=$tmp/c
mkdir "$c"
cat >"$c/campaign.yaml" <<'END'
format: 1
campaign: use
stages:
  make: {uses: t.make, with: {n: [1, 2]}}
  use: {uses: t.use, with: {big: make.big, gone: make.gone}}
stop: {iterations: 2}
operators:
  t.make:
    fan_out: [n]
    inputs: {n: {type: int}}
    outputs: {big: {type: file}, gone: {type: file, keep: until_used}}
    command: [sh, -c, 'head -c 100000 /dev/zero >out/big; echo $1 >out/gone', sh, "{n}"]
  t.use:
    inputs: {big: {type: file, list: true}, gone: {type: file, list: true}}
    outputs: {sum: {type: file}}
    command: [sh, -c, 'cat "$@" >out/sum', sh, "{gone}"]
END
# rows FILTER: of what --json printed.
rows() {
    jq -c "[.rows[] | select($1)]" "$tmp/json"
}
exits "not in a campaign" 1 fanfold -C "$tmp" du
has "... tells where it looked" "neither campaign.yaml nor .fanfold is there" "$out"
ok "nothing has run" fanfold -C "$c" du
ok "it runs" fanfold -C "$c" run
fanfold -C "$c" du --json >"$tmp/json"
is "all inodes are counted" "$(find "$c" | wc -l)" "$(jq .total.inodes "$tmp/json")"
is "... and all that they take" "$(du -s --block-size=1 "$c" | cut -f 1)" "$(jq .total.bytes "$tmp/json")"
is "by stage and iteration" '["make",0]["use",0]["make",1]["use",1]' \
    "$(rows '.kind == "stage"' | jq -c '.[] | [.stage, .iteration]' | tr -d '\n')"
is "what keep: removed" 4,4 "$(rows '.stage == "make" and .kind == "stage"' | jq -r '[.[].removed_bytes] | join(",")')"
is "what nothing needs any more" 200000,200000,0,0 \
    "$(jq -r '[.rows[] | select(.kind == "stage")] | sort_by(.stage) | map(.unneeded_bytes) | join(",")' "$tmp/json")"
is "... in all" 400000,8 "$(jq -r '.total | "\(.unneeded_bytes),\(.removed_bytes)"' "$tmp/json")"
fanfold -C "$c" du >"$tmp/text"
ok "for people: a line each" grep -q '^stage *make *1 .*195.3 KiB$' "$tmp/text"
has "... and what to do" "outputs of 390.6 KiB are there that nothing needs any more; \`keep: until_used\`" "$(cat "$tmp/text")"

before=$(jq .total.bytes "$tmp/json")
ln "$c/make/t/iter/000000/job/000000/out/big" "$c/again"
fanfold -C "$c" du --json >"$tmp/json"
is "a file with two names counts once" "$before" "$(jq .total.bytes "$tmp/json")"
rm "$c/again"
echo "- : [" >>"$c/campaign.yaml"
fanfold -C "$c" du --json >"$tmp/json" 2>"$tmp/err"
is "a campaign.yaml that is not valid: all the same" "$before" "$(jq .total.bytes "$tmp/json")"
is "... but what is needed is not known" null "$(jq .total.unneeded_bytes "$tmp/json")"
silent "... and nothing is said of it" cat "$tmp/err"

# While files come and go.
mkdir "$c/busy"
: >"$tmp/go-on"
(
    i=0
    while [ -e "$tmp/go-on" ]; do
        i=$((i + 1))
        mkdir -p "$c/busy/$i/a" && touch "$c/busy/$i/a/b" && rm -r "$c/busy/$i"
    done
) 2>/dev/null &
pid=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do
    fanfold -C "$c" du >"$tmp/out" 2>>"$tmp/busy" || echo failed >>"$tmp/busy"
done
rm "$tmp/go-on"
wait $pid 2>/dev/null
silent "while others work" cat "$tmp/busy"

done_testing
