#!/bin/sh
# 0441-water-cp2k.t - the example of CP2K, cut down: real labels, fits and MD
. "$abs_top_srcdir/tests/cli/tap.sh"
PATH=$PATH:/usr/bin
example=$abs_top_srcdir/examples/water-cp2k

cp -r "$example" "$tmp/run"
chmod -R u+w "$tmp/run"
cd "$tmp/run" || exit 1
for needed in cp2k lmp mpirun fanfold-reduce; do
    command -v $needed >/dev/null && continue
    not_here "the example water-cp2k: there is no $needed"
    done_testing
done
if ! /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
    not_here "the example water-cp2k: /usr/bin/python3 has no numpy"
    done_testing
fi

ok "the example checks" fanfold check
cp campaign.yaml whole.yaml
sed -i 's/input: water.inp/input: water-slow.inp/' campaign.yaml
ok "... with water-slow.inp" fanfold check
# As its README says it.
sed 's/input: water.inp/input: pbe.inp/; /^ *fallback:/d; /^data:/d
    s|frames: previous.select.frames|frames: {from: previous.select.frames, default: data/initial.extxyz}|' \
    whole.yaml >campaign.yaml
ok "... with DFT" fanfold check
has "... which labels before it trains" "default: data/initial.extxyz" "$(cat campaign.yaml)"
mv whole.yaml campaign.yaml
ok "data/make-data makes what is there" ./data/make-data "$tmp"
ok "... the held-out frames" cmp "$tmp/held_out.extxyz" data/held_out.extxyz
ok "... the box" cmp "$tmp/water.data" data/water.data

# Two iterations, three held-out frames, six MDs of 200 steps, four labels.
head -n 78 data/held_out.extxyz >few
mv few data/held_out.extxyz
sed -i -e 's/steps: 1000/steps: 200/; s/replicas: 2/replicas: 1/' \
    -e 's/quota: 20/quota: 4/; s/iterations: 10/iterations: 2/' campaign.yaml
ok "a real campaign" fanfold run
status=$(fanfold status --json)
is "it ends at its limit" done "$(echo "$status" | jq -r .state)"
is "labels of CP2K are trained on" "12 16" \
    "$(echo "$status" | jq -r '[.history[].labelled] | map(tostring) | join(" ")')"
is "forces are learned: an error below a third of their size" true \
    "$(fanfold result train force_rmse | jq 'if type == "array" then .[0] else . end | . < 0.45')"
ok "labels have energy, forces and virial" \
    grep -q 'forces:R:3.* energy=.* virial=' dataset/extxyz/iter/000001/dataset.extxyz

done_testing
