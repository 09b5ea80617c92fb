#!/bin/sh
# 0705-prep-run-train - the example of an operator with steps, and the same campaign
# written as plain stages
. "$abs_top_srcdir/tests/cli/tap.sh"

example() {
    cp -R "$abs_top_builddir/examples/prep-run-train" "$1"
    chmod -R u+w "$1"
}

# made DIR PREFIX: digest of what the stages made, whatever is before their names.
made() {
    (cd "$1" && for stage in prep run judge; do
        find "$2$stage" -path '*/out/*' -type f ! -name result.json |
            sort | xargs sha256sum | sed "s| $2| |"
    done && sha256sum report/*/iter/000000/job/000000/out/report.txt) | sha256sum
}

c=$tmp/c
example "$c"
ok "the example checks" fanfold -C "$c" check
example "$tmp/bare"
rm -r "$tmp/bare/bin"
has "without its trainer that is told at its place" \
    "campaign.yaml:63:35: warning: there is no '$tmp/bare/bin/fit_linear'; put it there" \
    "$(fanfold -C "$tmp/bare" check 2>&1)"
ok "it runs" fanfold -C "$c" run
is "each member is trained" "4 4" \
    "$(fanfold -C "$c" result train | jq -r '"\(.models | length) \(.force_rmse | length)"')"
is "... in its own directory, so that less ridge is a better fit" true \
    "$(fanfold -C "$c" result train force_rmse | jq '. == sort')"
is "... and the best is named" "m00-ridge-1e-07" "$(fanfold -C "$c" result train best)"
is "... to other stages, too" "m00-ridge-1e-07 is the best of 4" \
    "$(head -1 "$c/report/linear/iter/000000/job/000000/out/report.txt")"

p=$tmp/plain
example "$p"
cp "$p/campaign.yaml" "$tmp/steps.yaml"
{
    sed -n '/^format/,/^data/p' "$tmp/steps.yaml"
    cat <<'EOF'
stages:
  prep:
    uses: linear.prep
    renamed_from: train.prep
    task: {cores: 1, walltime: 5m}
    with: {config: {radial2: 8, radial3: 4, rank: 4}, ridges: [1.0e-7, 1.0e-6, 1.0e-5, 1.0e-4]}
  run:
    uses: linear.run
    renamed_from: train.run
    task: {cores: 1, walltime: 5m}
    with: {name: prep.names, dir: prep.dirs, frames: {from: data.initial}}
  judge:
    uses: linear.judge
    renamed_from: train.judge
    with: {names: prep.names, force_rmse: run.force_rmse}
  report:
    uses: linear.report
    with: {models: run.model, best: judge.best}
EOF
    sed -n '/^stop:/,$p' "$tmp/steps.yaml" | sed 's/train\.best/judge.best/; s/train\.force_rmse/run.force_rmse/g'
} >"$p/campaign.yaml"
ok "the same as plain stages checks" fanfold -C "$p" check
ok "... and runs" fanfold -C "$p" run
is "... to the same bytes" "$(made "$c" train.)" "$(made "$p" "")"

done_testing
