#!/bin/sh
# 0369-trust - whose files decide what runs, and links that others planted
. "$abs_top_srcdir/tests/cli/tap.sh"

# --- who can write ---

c=$tmp/c
loop_campaign "$c"
chmod -R go-w "$c"
chmod 755 "$c"
says() {
    fanfold -C "$c" check 2>&1 | grep 'what runs as you'
}
is "a campaign that only its user can write: no warning" "" "$(says)"
is "... nor by doctor" 0 \
    "$(fanfold -C "$c" doctor --json | jq '[.findings[] | select(.text | test("runs as you"))] | length')"

# opened FILE MODE WHO MODE-BEFORE
opened() {
    path=$c${1:+/$1}
    chmod "$2" "$path"
    has "${1:-the directory} of mode $2: a warning" "$path: warning: $3 can write it and so decides what runs as you" \
        "$(says)"
    exits "... with which it is valid" 0 fanfold -C "$c" check
    is "... doctor has one, too" "$path" \
        "$(fanfold -C "$c" doctor --json | jq -r '.findings[] | select(.text | test("runs as you")).subject')"
    chmod "$4" "$path"
}
opened campaign.yaml 646 everybody 644
opened site.yaml 666 everybody 644
opened "" 757 everybody 755
mkdir "$c/.fanfold"
opened .fanfold 777 everybody 755
chmod 1757 "$c"
is "a sticky directory, where others replace nothing: none" "" "$(says)"
chmod 755 "$c"

# A site file elsewhere: the directory it is in, too.
mkdir "$tmp/site"
mv "$c/site.yaml" "$tmp/site"
chmod 757 "$tmp/site"
has "--site FILE: its directory counts" "$tmp/site: warning: everybody" \
    "$(fanfold -C "$c" --site "$tmp/site/site.yaml" check 2>&1)"
chmod 755 "$tmp/site"
ln -s "$tmp/site/site.yaml" "$c/site.yaml"
chmod 666 "$tmp/site/site.yaml"
has "a link: what it leads to counts" "$tmp/site/site.yaml: warning: everybody" "$(says)"
chmod 644 "$tmp/site/site.yaml"
is "... and is closed again" "" "$(says)"

if [ "$(id -u)" -eq 0 ]; then
    chgrp users "$c/campaign.yaml"
    chmod 664 "$c/campaign.yaml"
    has "a group that can write: a warning" "campaign.yaml: warning: all of group users can write it" \
        "$(says)"
    chgrp 0 "$c/campaign.yaml"
    is "... but not of a group that is the user's alone" "" "$(says)"
    chmod 644 "$c/campaign.yaml"
    chown nobody "$c/campaign.yaml"
    has "another user's: a warning" "campaign.yaml: warning: user nobody owns it" "$(says)"
    chown 0 "$c/campaign.yaml"

    become_nobody
    cp -r "$c" "$tmp/nobody/c"
    cp "$tmp/site/site.yaml" "$tmp/nobody/site.yaml"
    is "root's files are no warning" "" "$(as_nobody fanfold -C "$tmp/nobody/c" \
        --site "$tmp/nobody/site.yaml" check 2>&1 | grep 'campaign.yaml.*runs as you')"
else
    not_here "files of other users and groups, which only root can make"
fi

# --- the spool ---

s=$tmp/spooled
loop_campaign "$s"
# refused WHAT: the spool is, and what is there stays as it was.
refused() {
    fanfold -C "$s" run >"$tmp/said" 2>&1 &
    pid=$!
    ok "$1 is refused as a spool" until_ok grep -q 'is not a directory of ours' "$tmp/said"
    kill -KILL $pid
    wait $pid 2>/dev/null
}
before=$FANFOLD_SPOOL
FANFOLD_SPOOL=$tmp/alink
mkdir "$tmp/other"
ln -s "$tmp/other" "$FANFOLD_SPOOL"
refused "a link"
is "... and nothing is where it leads" "" "$(ls "$tmp/other")"
FANFOLD_SPOOL=$tmp/open
s=$tmp/spooled-2
loop_campaign "$s"
mkdir -m 777 "$FANFOLD_SPOOL"
fanfold -C "$s" run >/dev/null 2>&1
is "one that is open to all is closed" 700 "$(stat -c %a "$FANFOLD_SPOOL")"
FANFOLD_SPOOL=$before

# --- links that somebody planted ---

# A stage with all that writes files: tasks, what they print, prepare and collect.
l=$tmp/links
cat >"$tmp/links.yaml" <<'END'
format: 1
campaign: links
elements: [Si]
stop: {iterations: 1}
stages:
  a: {uses: test.a, retry: {failed: 1}}
operators:
  test.a:
    outputs: {f: {type: file}}
    prepare:
      slices: {n: {type: int}}
      command: [sh, -c, "echo prepared; echo '{\"n\": [1]}' > slices.json"]
    command: [sh, -c, "echo said; echo made > \"$1\"", sh, "{outputs.f}"]
    collect:
      outputs: {g: {type: file}}
      command: [sh, -c, "echo collected; echo all > \"$1\"", sh, "{outputs.g}"]
END
mkdir "$l"
cp "$tmp/links.yaml" "$l/campaign.yaml"
cp "$abs_top_srcdir/tests/cli/loop/site.yaml" "$l"
fanfold -C "$l" run 2>&1 | sed 's/^/# /'
(cd "$l" && find . -type f ! -name '*.yaml' | LC_ALL=C sort) >"$tmp/made"
sed "s/^/# /" "$tmp/made"
ok "a campaign has files of its own" grep -q output-0.0 "$tmp/made"

# Each of them is, before it is made, a link to a file elsewhere.
planted() {
    rm -rf "$l" "$tmp/outside"
    mkdir -p "$l/$(dirname "$1")"
    cp "$tmp/links.yaml" "$l/campaign.yaml"
    cp "$abs_top_srcdir/tests/cli/loop/site.yaml" "$l"
    echo mine >"$tmp/outside"
    ln -s "$tmp/outside" "$l/$1"
    timeout 60 fanfold -C "$l" run >"$tmp/said" 2>&1
    test "$(cat "$tmp/outside")" = mine
}
wrote=
while read -r name; do
    case $name in
    */lock/*) ;; # whose names are not known before
    *) planted "$name" || wrote="$wrote $name" ;;
    esac
done <"$tmp/made"
is "what links lead to is as it was, whichever file they stand for" "" "$wrote"

done_testing
