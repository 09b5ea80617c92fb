#!/bin/sh
# 0379-versions - in which line a code told its version
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
sed -i 's/version_line: .*/version_line: Fit/; s/command:/worker:/; s/, "{i}", "{outputs.v}"//' "$c/campaign.yaml"
has "a worker has none" "is a worker, which prints it once" "$(fanfold -C "$c" check 2>&1)"

done_testing
