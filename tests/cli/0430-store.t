#!/bin/sh
# 0430-store - what is kept for quick: who has it, whether it is whole, what can go
. "$abs_top_srcdir/tests/cli/tap.sh"
unset FANFOLD_STORE

use() {
    "$abs_top_builddir/tests/store/use_store" "$FANFOLD_STORE" "$@"
}
list() {
    fanfold store list --json | jq -r "$1"
}
# The one content in the store with this digest.
entry() {
    echo "$FANFOLD_STORE"/contents/*-"$1"-*/content
}

# --- where it is ---

mkdir "$tmp/c"
cd "$tmp/c" || exit 1
is "without a store there is nothing to do" "{}" "$(fanfold store list --json 2>/dev/null)"
has "... which is said, with the place" "no store in '$tmp/.local/share/fanfold' yet" \
    "$(fanfold store gc 2>&1)"
is "... and none is made" "" "$(ls -A "$tmp/.local" 2>/dev/null)"
printf 'format: 1\nstore: ../shared\nprofiles: {here: {scheduler: local}}\n' >site.yaml
has "site.yaml names it" "no store in '$tmp/shared' yet" "$(fanfold store gc 2>&1)"
has "... before the variable" "no store in '$tmp/shared' yet" \
    "$(FANFOLD_STORE=$tmp/other fanfold store gc 2>&1)"
rm site.yaml
has "the variable names it" "no store in '$tmp/other' yet" \
    "$(FANFOLD_STORE=$tmp/other fanfold store gc 2>&1)"
mkdir "$tmp/full" && echo precious >"$tmp/full/thesis"
FANFOLD_STORE=$tmp/full
export FANFOLD_STORE
exits "a directory with other things is no store" 3 use put "$tmp/full/thesis"
is "... and stays as it is" thesis "$(ls -A "$tmp/full")"
FANFOLD_STORE=$tmp/store
exits "words that are none" 2 fanfold store clean
exits "gc's option is gc's" 2 fanfold store list --dry-run

# --- what is there ---

mkdir -p data/empty
echo one >data/one
echo two >data/two
echo alone >alone
tree=$(use put data)
alone=$(use put alone)
is "a file's digest is sha256sum's" "$(sha256sum alone | cut -d ' ' -f 1)" "$alone"
is "files and trees are counted" "3 1 14" "$(list '"\(.files) \(.trees) \(.bytes)"')"
is "each with its kind" "file 1 6;tree 2 8" \
    "$(list '[.contents[] | "\(.kind) \(.files) \(.bytes)"] | join(";")')"
ok "a document refers to a tree" use record algorithms tool "{\"tree\": \"$tree\"}"
ok "... and one to a file" use record datasets water "{\"of\": {\"sha256\": \"$alone\"}}"
is "who refers is named" "datasets/water;algorithms/tool" "$(list '[.contents[].by[]] | join(";")')"
has "... in the table, too" "datasets/water" "$(fanfold store list)"
ok "all is whole" fanfold store verify

# --- gc ---

exits "an age that is none" 2 fanfold store gc --age old

lone=$(echo lone >lone && use put lone)
fanfold store gc >"$tmp/out"
is "what was put a moment ago is kept" "removed 0 files" "$(cut -c 1-15 "$tmp/out")"
ok "... so it is there" use has "$lone"
fanfold store gc --age 0s --dry-run --json >"$tmp/out"
is "gc --dry-run says what would go" "1 0 5" "$(jq -r '"\(.files) \(.trees) \(.bytes)"' "$tmp/out")"
ok "... and removes nothing" use has "$lone"
fanfold store gc --age 0s --json >"$tmp/out"
is "gc does it" "1 0 5" "$(jq -r '"\(.files) \(.trees) \(.bytes)"' "$tmp/out")"
exits "... what nobody refers to is gone" 1 use has "$lone"
ok "... what documents refer to is there" use has "$tree"
ok "... by any key" use has "$alone"

rm "$FANFOLD_STORE/records/algorithms/tool.json"
is "gc frees no bytes that have another name" "0" \
    "$(use place "$tree" placed && fanfold store gc --age 0s --dry-run --json | jq .bytes)"
rm -rf placed
fanfold store gc --age 0s --json >"$tmp/out"
is "what a document referred to that is gone goes" "0 1 8" \
    "$(jq -r '"\(.files) \(.trees) \(.bytes)"' "$tmp/out")"
exits "... the tree is gone" 1 use has "$tree"
ok "... and what another one refers to is not" use has "$alone"

# What was asked for is kept as what was put.
lone=$(use put lone)
touch -d '2 hours ago' "$(dirname "$(entry "$lone")")"
ok "what was put long ago is there" use has "$lone"
fanfold store gc
ok "... and kept when it was asked for a moment ago" use has "$lone"
touch -d '2 hours ago' "$(dirname "$(entry "$lone")")"
is "... and when it was put again" "$lone" "$(use put lone)"
fanfold store gc
ok "..." use has "$lone"
touch -d '2 hours ago' "$(dirname "$(entry "$lone")")"
fanfold store gc
exits "... else gc removes it" 1 use has "$lone"

# --- damage ---

more=$(mkdir more && echo three >more/three && use put more)
ok "who refers to a tree" use record models more "{\"tree\": \"$more\"}"
chmod u+w "$(entry "$more")/three" && echo mess >"$(entry "$more")/three"
exits "what was written to is not placed" 1 use place "$more" "$tmp/back"
has "... and named" "is damaged" "$(use place "$more" "$tmp/back" 2>&1)"
silent "... and nothing of it is left" find "$tmp" -maxdepth 1 -name back -o -maxdepth 1 -name '.tmp-*'
# Damage that changes neither size nor time.
entry=$(entry "$alone")
touch -r "$entry" "$tmp/then" && chmod u+w "$entry" && printf 'ALONE\n' >"$entry"
touch -r "$tmp/then" "$entry"
ok "what looks as it did is believed" use has "$alone"
fanfold store verify >"$tmp/out"
is "verify reads it" 1 $?
has "... and names it" "$alone" "$(cat "$tmp/out")"
has "... and what else is damaged" "tree-$more" "$(cat "$tmp/out")"
has "... and counts" ": 2 damaged" "$(cat "$tmp/out")"
exits "... it is used no more" 1 use has "$alone"
is "... and lies aside" 2 "$(ls "$FANFOLD_STORE/damaged" | wc -l)"
ok "then all is whole" fanfold store verify
echo alone >"$tmp/alone"
is "put again it is there" "$alone" "$(use put "$tmp/alone")"
ok "... for those who refer to it" use has "$alone"

# gc does not guess.
echo '{"half' >"$FANFOLD_STORE/records/datasets/broken.json"
fanfold store gc --age 0s >"$tmp/out" 2>&1
is "a document that cannot be read stops gc" 1 $?
has "... which names it" "records/datasets/broken.json" "$(cat "$tmp/out")"
is "... and verify names it" "$FANFOLD_STORE/records/datasets/broken.json" \
    "$(fanfold store verify --json | jq -r '.damaged[].subject')"
rm "$FANFOLD_STORE/records/datasets/broken.json"

# --- what was left half written ---

echo half >"$FANFOLD_STORE/tmp/half"
echo half >"$FANFOLD_STORE/records/datasets/.tmp-half"
fanfold store gc >"$tmp/out"
is "what may still be written stays" 1 "$(ls "$FANFOLD_STORE/tmp" | wc -l)"
fanfold store gc --age 0s >"$tmp/out"
is "what was left goes" "" "$(ls "$FANFOLD_STORE/tmp")$(find "$FANFOLD_STORE" -name '.tmp-*')"
ok "all is whole" fanfold store verify

# --- another file system ---

other=$(mktemp -d /var/tmp/fanfold-test.XXXXXX)
mkdir "$other/data"
echo far >"$other/data/far"
echo '#!/bin/sh' >"$other/data/run"
chmod 0444 "$other/data/far"
chmod 0555 "$other/data/run"
far=$(use put "$other/data")
ok "a read-only tree of another file system is copied" use place "$far" "$tmp/far"
ok "... and back" use place "$far" "$other/back"
is "... the same" "" "$(diff -r "$other/data" "$other/back" 2>&1)"
is "... with its rights" "444 555" "$(stat -c %a "$other/back/far" "$other/back/run" | xargs)"
rm -rf "$other"

# --- a group ---

become_nobody
cp "$abs_top_builddir/tests/store/use_store" "$tmp/bin"
FANFOLD_STORE=$tmp/group
nobody_uses() {
    as_nobody "$tmp/bin/use_store" "$FANFOLD_STORE" "$@"
}
mkdir "$tmp/shared" && echo ours >"$tmp/shared/ours"
ours=$(use put "$tmp/shared")
ok "what another user put is there" nobody_uses has "$ours"
ok "... and is placed" nobody_uses place "$ours" "$tmp/nobody/ours"
is "... whole" ours "$(cat "$tmp/nobody/ours/ours")"
is "... and is not put twice" "$ours" "$(nobody_uses put "$tmp/shared")"
if [ -n "$user" ]; then
    echo mine >"$tmp/nobody/mine"
    has "who may not write is told where" "$tmp/group/tmp" "$(nobody_uses put "$tmp/nobody/mine" 2>&1)"
    has "... and why" "Permission denied" "$(nobody_uses put "$tmp/nobody/mine" 2>&1)"
    chmod 0400 "$(entry "$ours")/ours"
    exits "what may not be read is not there" 1 nobody_uses has "$ours"
    rm -rf "$FANFOLD_STORE"
    mkdir "$FANFOLD_STORE"
    chgrp 65534 "$FANFOLD_STORE" && chmod 2775 "$FANFOLD_STORE"
    ours=$(use put "$tmp/shared")
    touch -d '2 hours ago' "$(dirname "$(entry "$ours")")"
    ok "... and either asks for what another one put" nobody_uses has "$ours"
    fanfold store gc
    ok "... which is kept then" use has "$ours"
    mine=$(nobody_uses put "$tmp/nobody/mine")
    ok "where the group may write both put" use has "$mine"
    ok "... and refer" nobody_uses record models ours "{\"tree\": \"$ours\"}"
    ok "... and gc is for either" as_nobody env FANFOLD_STORE="$FANFOLD_STORE" fanfold store gc --age 0s
    exits "... which removes what nobody refers to" 1 use has "$mine"
    ok "... and nothing else" use has "$ours"
fi

done_testing
