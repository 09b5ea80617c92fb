#!/bin/sh
# 0386-schemas - the schemas of campaign.yaml and site.yaml follow from the tables, take
# all that check takes, and notice most slips
. "$abs_top_srcdir/tests/cli/tap.sh"

schemas=$abs_top_srcdir/doc/schemas
schema="/usr/bin/python3 -B $abs_top_srcdir/tests/cli/schema.py"

# --- what they follow from ---

mkdir "$tmp/made"
ok "both are made of the tables and the manual" "$abs_top_srcdir/scripts/schemas" "$tmp/made"
for file in campaign site; do
    ok "... $file.schema.json is what the tables say now; run scripts/schemas" \
        cmp "$schemas/$file.schema.json" "$tmp/made/$file.schema.json"
done
# shellcheck disable=SC2086 # words of a command
silent "each schema is sound, strict and explained" $schema strict "$schemas"/*.json
cat >"$tmp/lax.json" <<'END'
{"type": "object", "properties": {"a": {"type": "string"}}}
END
# shellcheck disable=SC2086
is "... one that is not is noticed" 2 "$($schema strict "$tmp/lax.json" | wc -l)"

# --- what they take ---

# Campaigns that other tests check and run, and files as people write them.
find "$abs_top_srcdir/examples" "$abs_top_srcdir/tests" -name campaign.yaml \
    ! -path '*/fixtures/*' >"$tmp/campaigns"
find "$abs_top_srcdir/examples" "$abs_top_srcdir/tests" -name site.yaml >"$tmp/sites"
ok "there are files to judge" test "$(cat "$tmp/campaigns" "$tmp/sites" | wc -l)" -ge 15
# shellcheck disable=SC2046,SC2086
silent "all campaigns of examples and tests fit" $schema yaml \
    "$schemas/campaign.schema.json" $(cat "$tmp/campaigns")
# shellcheck disable=SC2046,SC2086
silent "all site.yaml of examples and tests fit" $schema yaml "$schemas/site.schema.json" \
    $(cat "$tmp/sites")

# taken EDIT: what check takes after the edit, a sed script, fits, too.
base=$abs_top_srcdir/tests/cli/mutants
cp -r "$base" "$tmp/c"
chmod -R u+w "$tmp/c"
mkdir "$tmp/taken"
n=0
taken() {
    n=$((n + 1))
    sed "$2" "$base/$1" >"$tmp/c/$1"
    cmp -s "$base/$1" "$tmp/c/$1" && echo "$1: $2 changes nothing" >>"$tmp/refused"
    fanfold -C "$tmp/c" check >"$tmp/said" 2>&1 ||
        { echo "$1: $2"; cat "$tmp/said"; } >>"$tmp/refused"
    cp "$tmp/c/$1" "$tmp/taken/$n.$1"
    cp "$base/$1" "$tmp/c/$1"
}
: >"$tmp/refused"
taken campaign.yaml '/^seed:/s/:.*/:/'
taken campaign.yaml '/^seed:/s/:.*/: ~/'
taken campaign.yaml '/^campaign:/s/:.*/: 7/'
taken campaign.yaml '/^campaign:/s/:.*/: "1.5"/'
taken campaign.yaml '/^campaign:/s/:.*/: true/'
taken campaign.yaml '$a\
reuse_from: []'
taken site.yaml '/^profiles:/s/$/ # said/'
taken site.yaml '$a\
reuse_from: []'
silent "check takes these edits" cat "$tmp/refused"
# shellcheck disable=SC2086
silent "... and so does the schema of campaigns" $schema yaml \
    "$schemas/campaign.schema.json" "$tmp"/taken/*.campaign.yaml
# shellcheck disable=SC2086
silent "... and that of sites" $schema yaml "$schemas/site.schema.json" \
    "$tmp"/taken/*.site.yaml

# --- what they notice ---

# notices WHAT EDIT: of the inputs of a built-in operator.
notices() {
    sed "$2" "$abs_top_srcdir/examples/silicon/campaign.yaml" >"$tmp/edited.yaml"
    # shellcheck disable=SC2086
    is "$1 is noticed" 1 "$($schema yaml "$schemas/campaign.schema.json" "$tmp/edited.yaml" | wc -l)"
}
notices "an input that an operator does not have" 's/levels:/level:/'
notices "... one of a section" 's/quota:/quotas:/'
notices "a key that a stage does not have" 's/uses: model_devi.select/&\n    use: x/'

# noticed WHAT LEAST: of the slips of 0118-mutants, each of which check refuses, so many
# percent at least.
noticed() {
    rm -rf "$tmp/slips" && mkdir "$tmp/slips"
    all=$("$abs_top_builddir/tests/mutate/mutate" "$base/$1.yaml" "$tmp/slips" | wc -l)
    # shellcheck disable=SC2086
    seen=$($schema yaml "$schemas/$1.schema.json" "$tmp"/slips/* | wc -l)
    echo "# $1: $seen of $all slips are noticed"
    ok "of slips in $1.yaml $2 % are noticed" test $((100 * seen)) -ge $(($2 * all))
    ok "... of many" test "$all" -ge 50
}
noticed campaign 65
noticed site 75

# --- where editors find them ---

mkdir -p "$tmp/prefix/bin" "$tmp/prefix/share/fanfold/schemas"
cp "$(command -v fanfold)" "$tmp/prefix/bin"
cp "$schemas"/*.json "$tmp/prefix/share/fanfold/schemas"
ok "a fanfold that is installed makes a campaign" "$tmp/prefix/bin/fanfold" new "$tmp/new"
for file in campaign site; do
    is "... whose $file.yaml names the schema" \
        "# yaml-language-server: \$schema=$tmp/prefix/share/fanfold/schemas/$file.schema.json" \
        "$(head -1 "$tmp/new/$file.yaml")"
    ok "... which is there" test -f "$(sed -n '1s/.*schema=//p' "$tmp/new/$file.yaml")"
done
ok "... and runs" fanfold -C "$tmp/new" check
ok "one of a template" "$tmp/prefix/bin/fanfold" new --template water-cp2k "$tmp/water"
has "... names it, too" "\$schema=" "$(head -1 "$tmp/water/campaign.yaml")"
cp -r "$tmp/prefix" "$tmp/a prefix"
"$tmp/a prefix/bin/fanfold" new "$tmp/blank" >/dev/null
has "no line where a blank would end the path" "# A Fanfold" "$(head -1 "$tmp/blank/campaign.yaml")"
done_testing
