#!/bin/sh
# 0373-names - long names do not break the columns of what people read; plan counts the tasks
# of an input with a default
. "$abs_top_srcdir/tests/cli/tap.sh"

# aligned FILE HEAD: in every line below, a column begins where HEAD begins, or a number
# ends where it ends.
aligned() {
    awk -v head="$2" '
        found && NF == 0 { exit }
        !found && index(" " $0 " ", " " head " ") { at = index($0, head); end = at + length(head); found = 1; next }
        found && substr($0, end, 1) !~ /^ ?$/ { exit 1 }
        found && substr($0, at - 1, 1) != " " && substr($0, end - 1, 1) == " " { exit 1 }
        END { exit !found }' "$1"
}

c=$tmp/c
mkdir "$c"
for i in 1 2 3; do
    printf '1\nLattice="9 0 0 0 9 0 0 0 9" Properties=species:S:1:pos:R:3:forces:R:3 energy=0\nSi 0 0 0.%s 0 0 0\n' $i
done >"$c/initial.extxyz"
cat >"$c/campaign.yaml" <<'END'
format: 1
campaign: names
elements: [Si]
data: {initial: [initial.extxyz]}
stages:
  a_stage_whose_name_is_long: {uses: t.pick, with: {dataset: {from: data.initial}}}
  b: {uses: t.pick, with: {dataset: {from: data.initial}}}
  label: {uses: t.label, with: {frames: {from: previous.b.frames, default: initial.extxyz}}}
stop: {iterations: 2}
operators:
  t.pick:
    inputs: {dataset: {type: frames, list: true}}
    outputs: {frames: {type: frames}}
    command: [sh, -c, "cp \"$1\" \"$2\"", sh, "{dataset}", "{outputs.frames}"]
  t.label:
    fan_out: [frames]
    inputs: {frames: {type: frames}}
    outputs: {n: {type: int}}
    command: [sh, -c, "echo '{\"n\": 1}' >params.json"]
END
ok "check" fanfold -C "$c" check
tasks() { fanfold -C "$c" plan --json | jq -r '.stages[] | select(.name == "label") | "\(.tasks) \(.only_iteration)"'; }
is "the default of an input counts in iteration 0" "3 0" "$(tasks)"
has "... for people" "array   iteration 0: 3 tasks in" "$(fanfold -C "$c" plan)"
fanfold -C "$c" run >"$tmp/run"
is "run" 0 $?
is "... as many as were counted" 3 "$(grep -m 1 '^[^ ]*    label ' "$tmp/run" | awk '{ print $3 }')"
is "run: one column of names" 1 \
    "$(grep -o '    [a-z_]* *[0-9]* ok' "$tmp/run" | sed 's/[0-9]* ok//' | awk '{ print length($0) }' | sort -u | wc -l)"
fanfold -C "$c" redo --iteration 0 >"$tmp/redo"
ok "redo: numbers stand below their heads" aligned "$tmp/redo" tasks

# A formula and a system with long names.
awk 'BEGIN {
    n = split("H He Li Be B C N O F Ne Na Mg", e, " ")
    print n
    print "Lattice=\"20 0 0 0 20 0 0 0 20\" Properties=species:S:1:pos:R:3:forces:R:3 energy=0"
    for (i = 1; i <= n; i++) print e[i], i, 0, 0, 0, 0, 0
}' >>"$c/initial.extxyz"
fanfold data "$c/initial.extxyz" >"$tmp/data"
ok "data: numbers stand below their heads" aligned "$tmp/data" frames

task=$tmp/s/task.a_system_with_a_long_name.000000
mkdir -p "$task/traj"
cp "$abs_top_srcdir/tests/fixtures/deepmd/lammps.model_devi.out" "$task/model_devi.out"
fanfold select --set 'levels.force=[0.06, 0.2]' --set pick.quota=3 "$tmp/s" >"$tmp/select"
is "select" 0 $?
ok "... numbers stand below their heads" aligned "$tmp/select" frames
ok "... and levels" aligned "$tmp/select" high

done_testing
