#!/bin/sh
# 0433-training-codes - the operator that fanfold-train(7) declares for MACE: it
# passes check, and its data have the keys that MACE reads.  mace_run_train is a stand-in.
. "$abs_top_srcdir/tests/cli/tap.sh"

mkdir "$tmp/bin" "$tmp/c"
cat >"$tmp/bin/mace_run_train" <<'END'
#!/bin/sh
echo "$*" >"arguments"
mkdir -p checkpoints
grep -m 1 Lattice train.xyz >mace.model
END
chmod +x "$tmp/bin/mace_run_train"
PATH=$tmp/bin:$PATH

# block N: the N-th example of the section
block() {
    awk -v n="$1" '/^\.Sh / { in_section = /OTHER CODES/ }
        in_section && /^\.Bd/ { k++; shown = k == n; next }
        /^\.Ed/ { shown = 0 }
        shown' "$abs_top_srcdir/doc/fanfold-train.7" | sed 's/\\e/\\/g'
}

c=$tmp/c
cp "$abs_top_srcdir/examples/silicon/data/initial.extxyz" "$c"
: >"$c/mace.yaml"
printf 'format: 1\nprofiles: {here: {scheduler: local, node: {cores: 8, gpus: 1}, limits: {poll: 0.1s}}}\n' >"$c/site.yaml"
{
    printf 'format: 1\ncampaign: mace\nelements: [Si]\nmodels: 2\nstop: {iterations: 1}\n'
    printf 'data: {initial: [initial.extxyz]}\nstages:\n'
    block 2 | sed 's/^/  /; s/config: mace.yaml/&, datasets: {from: data.initial}/; s/gpus: 1, //; s/cores: 8/cores: 1/'
    block 1
} >"$c/campaign.yaml"

ok "the operator of the manual passes check" fanfold -C "$c" check
ok "... and trains" fanfold -C "$c" run
is "... each model on all frames" '[8,8]' "$(fanfold -C "$c" result train frames | jq -c .)"
model=$(find "$c/train" -name mace.model | head -n 1)
has "its data have MACE's keys" "REF_energy=" "$(cat "$model")"
has "... of forces, too" "REF_forces:R:3" "$(cat "$model")"

done_testing
