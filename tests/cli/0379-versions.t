#!/bin/sh
# 0379-versions - in which line a code told its version, and which is asked for
. "$abs_top_srcdir/tests/cli/tap.sh"
FANFOLD_STORE=$tmp/store
export FANFOLD_STORE

# versioned DIR OUTPUT [KEY]: three tasks whose program tells its version, the third another.
versioned() {
    mkdir -p "$1"
    cat >"$1/campaign.yaml" <<END
format: 1
campaign: versioned
stages: {run: {uses: x.run, with: {i: [0, 1, 2]}}}
stop: {iterations: 1}
operators:
  x.run:
    files: [fit.sh]
    fan_out: [i]
    inputs: {i: {type: int}}
    command: [sh, "{campaign}/fit.sh", "{i}", "$2"]
    outputs: {v: {type: $3}}
    version_line: "Fit v"
    $4
END
    cat >"$1/fit.sh" <<'END'
echo "it begins"
if [ "$1" = 2 ]; then echo " Fit v2.0 starts on 1Jan2026"; else echo " Fit v1.$minor starts on $1Jan2026"; fi
echo "{\"v\": 7}" >"$2"
END
    printf 'format: 1\nprofiles: {here: {scheduler: local, node: {cores: 1}}}\n' >"$1/site.yaml"
}
witness() {
    jq -c .versions "$1/run/x/iter/000000/witness.json"
}
minor=0
export minor

# --- of tasks with artifacts ---

c=$tmp/artifacts
versioned "$c" "{outputs.v}" file
ok "it runs" fanfold -C "$c" run
is "result.json has the line, without blanks and date" "Fit v1.0" \
    "$(jq -r .run.version_line "$c/run/x/iter/000000/job/000000/out/result.json")"
is "the witness has the lines of all tasks" '{"Fit v1.0":2,"Fit v2.0":1}' "$(witness "$c")"
has "status tells that they differ" \
    "run: its tasks ran by different versions of the code: 'Fit v1.0' (2 tasks), 'Fit v2.0' (1 task)" \
    "$(fanfold -C "$c" status)"
is "... as JSON, too" 2 "$(fanfold -C "$c" status --json | jq '.stages[0].versions["Fit v1.0"]')"
has "explain tells it of a task" "  code: 'Fit v2.0'" "$(fanfold -C "$c" explain run 2)"
has "... and of a file" "'Fit v2.0' (1 task)" \
    "$(cd "$c" && fanfold explain run/x/iter/000000/job/000002/out/v)"

# --- of tasks without ---

c=$tmp/parameters
versioned "$c" "{outputs.params}" int
ok "it runs, with parameters" fanfold -C "$c" run
is "the witness has the lines, too" '{"Fit v1.0":2,"Fit v2.0":1}' "$(witness "$c")"
before=$(jq -r .identity "$c/run/x/iter/000000/stage.json")
sed -i 's/version_line: .*/version_line: "Fat"/' "$c/campaign.yaml"
ok "another line is asked for" fanfold -C "$c" redo run
ok "... and made again" fanfold -C "$c" run
is "it is of the same identity" "$before" "$(jq -r .identity "$c/run/x/iter/000000/stage.json")"

# --- none ---

c=$tmp/same
versioned "$c" "{outputs.v}" file
sed -i 's/= 2 /= 3 /' "$c/fit.sh"
ok "all tasks run one version" fanfold -C "$c" run
is "... which the witness has" '{"Fit v1.0":3}' "$(witness "$c")"
lacks "... and status says nothing of" "different versions" fanfold -C "$c" status
c=$tmp/none
versioned "$c" "{outputs.v}" file
sed -i 's/Fit v/Fat v/g' "$c/fit.sh"
ok "it tells no version" fanfold -C "$c" run
is "... so the witness has none" null "$(witness "$c")"

# --- asked for ---

# asking DIR VERSIONS [FROM]: the campaign of FROM (none: versions differ) with versions:.
asking() {
    versioned "$1" "{outputs.v}" file
    if [ -n "$3" ]; then
        cp "$3/fit.sh" "$1/fit.sh"
        echo "reuse_from: [$3]" >>"$1/campaign.yaml"
    fi
    sed -i "s/version_line: .*/&\n    versions: [$2]/" "$1/campaign.yaml"
}
# What agents logged.
logs() {
    find "$1/.fanfold" -name 'results-*' -exec cat {} +
}
started() {
    logs "$1" | grep -c '"ev":"start"'
}
c=$tmp/asked
asking "$c" "'v1.', 'v0.9'"
exits "a task that ran a version not asked for fails" 1 fanfold -C "$c" run
is "... for good, after one try" fatal \
    "$(logs "$c" | jq -r 'select(.ev? == "end" and .task == 2) | .outcome')"
is "... and the others are ok" 3 "$(started "$c")"
has "... which says what it ran, what is asked for and what to do" \
    "it ran 'Fit v2.0', and versions: asks for 'v1.' or 'v0.9'; let it run such a version, then run \`fanfold retry run\`" \
    "$(fanfold -C "$c" status)"
before=$(jq -r .identity "$tmp/artifacts/run/x/iter/000000/stage.json")
is "it is of the same identity" "$before" "$(jq -r .identity "$c/run/x/iter/000000/stage.json")"
c=$tmp/silent
versioned "$c" "{outputs.params}" int
sed -i 's/Fit v/Fat v/g' "$c/fit.sh"
sed -i "s/version_line: .*/&\n    versions: [v1]/" "$c/campaign.yaml"
exits "a task that tells no version fails, too" 1 fanfold -C "$c" run
has "... which says so" "it printed no line that begins with 'Fit v', and versions: asks for one with 'v1'" \
    "$(fanfold -C "$c" status)"

# --- taken ---

c=$tmp/takes
asking "$c" v1. "$tmp/same"
ok "versions of another campaign that are asked for" fanfold -C "$c" run
is "... are taken" 0 "$(started "$c")"
c=$tmp/others
asking "$c" v1.1 "$tmp/same"
has "plan tells that others are not taken" "the version of the code, or what is known of it" "$(fanfold -C "$c" plan)"
minor=1
ok "... and they run" fanfold -C "$c" run
is "... all of them" "3 {\"Fit v1.1\":3}" "$(started "$c") $(witness "$c")"
c=$tmp/narrower
asking "$c" v1.1 "$tmp/none"
exits "what is not known is not taken" 1 fanfold -C "$c" run
is "... but runs" 3 "$(started "$c")"

# --- mistakes ---

c=$tmp/wrong
versioned "$c" "{outputs.v}" file
# refused NAME TEXT SAID
refused() {
    sed -i "s/version_line: .*/version_line: $2/" "$c/campaign.yaml"
    has "$1 is refused" "$3" "$(fanfold -C "$c" check 2>&1)"
}
refused "an empty version_line" '""' "version_line: got ''; write text"
refused "one of two lines" '"a\\nb"' "version_line: has a line break"
refused "one with blanks before it" '" Fit"' "write the beginning of the line in which the code tells its version"
refused "a long one" "$(printf '%0101d' 0 | sed 's/^/x/')" "at most 100 bytes"
sed -i 's/version_line: .*/versions: [v1]/' "$c/campaign.yaml"
has "versions: needs the line" "it is not said in which line the code tells its version" "$(fanfold -C "$c" check 2>&1)"
sed -i 's/versions: .*/version_line: Fit/; s/command:/worker:/; s/, "{i}", "{outputs.v}"//' "$c/campaign.yaml"
has "a worker has none" "is a worker, which prints it once" "$(fanfold -C "$c" check 2>&1)"

done_testing
