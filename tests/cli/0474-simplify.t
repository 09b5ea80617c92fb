#!/bin/sh
# 0474-simplify - the example of that name: the part of a labelled set that carries it
. "$abs_top_srcdir/tests/cli/tap.sh"

if ! /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
    not_here "NumPy for /usr/bin/python3 (scripts/packages codes)"
    done_testing
fi
if [ ! -x "$abs_top_builddir/fanfold-reduce" ]; then
    not_here "MPI, for the selection of the example"
    done_testing
fi

c=$tmp/subset
ok "new --template simplify" fanfold new --template simplify "$c"
silent "... is a campaign without a warning" sh -c "fanfold -C '$c' check | grep -v 'no problems\$'; :"
for dir in "$c" "$abs_top_srcdir/examples/simplify"; do
    (cd "$dir" && find . -type f | grep -v -e local.mk -e '/\.fanfold/' | sort)
done | sort | uniq -u >"$tmp/not-both"
silent "all files of the example are copied" cat "$tmp/not-both"
ok "it runs" fanfold -C "$c" run
status=$(fanfold -C "$c" status --json)
is "... until nothing is left to pick" true "$(echo "$status" | jq .converged)"
history=$(echo "$status" | jq -c .history)
last=$(echo "$history" | jq '.[-1]')
is "it began with few" 8 "$(echo "$history" | jq '.[0].picked')"
is "it picked a part of the set: less than a quarter" true \
    "$(echo "$last" | jq ".picked > 20 and .picked < $(grep -c Lattice "$c/data/whole.extxyz") / 4")"
is "... which does what the whole set does" true "$(echo "$last" | jq '.force_rmse < 1.15 * .whole_rmse')"
is "... as the first few do not" true "$(echo "$history" | jq '.[0].force_rmse > 1.5 * .[0].whole_rmse')"

# What was picked is in the set, with the labels it has there, and once.
ok "what was picked is the set to export" fanfold -C "$c" export --format extxyz "$tmp/picked"
is "... all of it" "$(echo "$last" | jq .picked)" "$(grep -c Lattice "$tmp/picked/dataset.extxyz")"
/usr/bin/python3 - "$c/data/whole.extxyz" "$tmp/picked/dataset.extxyz" >"$tmp/out" <<'END'
import sys
whole, picked = (open(path).read().splitlines() for path in sys.argv[1:])
frames = ["\n".join(whole[i:i + 6]) for i in range(0, len(whole), 6)]
taken = ["\n".join(picked[i:i + 6]) for i in range(0, len(picked), 6)]
print(len(taken) - len(set(taken)), sum(one not in frames for one in taken))
END
is "... as it stands in the set, each frame once" "0 0" "$(cat "$tmp/out")"
is "no frame was labelled by a code" "" "$(find "$c" -path '*label*')"
ok "nothing was changed" fanfold -C "$c" verify --all

# Of two files, frames are picked from the one that they are in.
d=$tmp/two
fanfold new --template simplify "$d" >/dev/null
sed -i 's/^models: 4/models: 2/; s/stop: .*/stop: {iterations: 2}/; s|whole: \[data/whole.extxyz\]|whole: [data/held_out.extxyz, data/whole.extxyz]|' "$d/campaign.yaml"
ok "two files, two iterations" fanfold -C "$d" run
/usr/bin/python3 - "$d" >"$tmp/out" <<'END'
import glob, json, sys
sys.path.insert(0, sys.argv[1])
from potential import read_frames
files = [read_frames(f"{sys.argv[1]}/data/{name}.extxyz") for name in ("held_out", "whole")]
picked = read_frames(sys.argv[1] + "/dataset/extxyz/iter/000001/dataset.extxyz")
selected = [f for p in glob.glob(sys.argv[1] + "/select/*/iter/000000/job/*/out/**/*.extxyz", recursive=True)
            for f in read_frames(p)]
wanted = {files[int(f.key("task"))][int(f.key("step"))].text for f in selected}
print(len(picked) == 12, {f.text for f in picked} == wanted,
      len({f.key("task") for f in selected}))
END
is "... picks are those that were selected, of both" "True True 2" "$(cat "$tmp/out")"

done_testing
