#!/bin/sh
# 0557-reduce-batch.t - a batch of frames that differ: as a short program of
# Python picks them, by any number of ranks and in any order of the frames

# shellcheck source=tests/cli/tap.sh
. "${abs_top_srcdir:-$(dirname "$0")/../..}/tests/cli/tap.sh"
# shellcheck source=tests/cli/reduce.sh
. "${abs_top_srcdir:-$(dirname "$0")/../..}/tests/cli/reduce.sh"

# Eight tasks of two systems, 40 frames of two or three atoms each; features of
# five numbers: three, a constant, and the sum of two.  Those three are from -3 to 3
# and whole, so that many distances are equal; to be scaled, they are not.  frames.json has what the reference needs to know.
cat >make.py <<'END'
import json, random, struct, sys

def npy(path, rows, shape, code):
    head = "{'descr': '<%s', 'fortran_order': False, 'shape': %s, }" % (code, shape)
    head += " " * (-(len(head) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode())
        file.write(struct.pack("<%d%s" % (len(rows), "f" if code == "f4" else "d"), *rows))

def features(draw):
    x = [float(draw.randint(-3, 3)) for _ in range(3)]
    return [x[0], x[1], 7.0, x[2], x[0] + x[1]]

def spread(draw): # as 32 bits hold it
    y = [draw.gauss(0, 1), draw.gauss(50, 3), 100 + draw.gauss(0, 0.1)]
    return list(struct.unpack("5f", struct.pack("5f", y[0], y[1], 7.0, y[2], y[0] + y[1])))

def flat(rows):
    return [v for row in rows for v in row]

def dump(path, frames, columns):
    with open(path, "w") as file:
        for frame in frames:
            file.write("ITEM: TIMESTEP\n%d\nITEM: NUMBER OF ATOMS\n%d\n" % (
                frame["step"], frame["atoms"]))
            file.write("ITEM: BOX BOUNDS pp pp pp\n0 20\n0 20\n0 20\nITEM: ATOMS id type "
                       + ("xu yu zu" if frame["task"] % 2 else "x y z") + columns + "\n")
            for i in range(frame["atoms"]):
                file.write("%d %d %r 1 %r" % (i + 1, i % 2 + 1, frame["d"] * i, frame["d"] * i * i / 4))
                file.write(" %r 0 0\n" % frame["g"] if columns else "\n")

draw = random.Random(5)
everything = []
entries = open("entries", "w")
shuffled = open("entries.shuffled", "w")
for task in range(8):
    atoms = 2 + task % 2
    frames = [{"task": task, "system": "ab"[task % 2], "step": 10 * i, "atoms": atoms,
               "d": 1 + draw.random() * 3, "g": draw.random() * 3,
               "deviation": float("%.6e" % draw.random()), "x": features(draw), "y": spread(draw)}
              for i in range(40)]
    everything += frames
    code = "f4" if task < 4 else "f8"
    for kind, order in ("", frames), (".shuffled", draw.sample(frames, 40)):
        dump("t%d%s" % (task, kind), order, " fx fy fz")
        npy("x%d%s.npy" % (task, kind), flat(f["x"] for f in order), (40, 5), code)
        npy("y%d%s.npy" % (task, kind), flat(f["y"] for f in order), (40, 5), code)
        # per atom: a sum that is the frame's, and as much more as the next has less
        rows = [[v / 2 if i == 0 else v / 2 if i == 1 else 0 for v in f["x"]]
                for f in order for i in range(atoms)]
        npy("a%d%s.npy" % (task, kind), flat(rows), (40 * atoms, 5), code)
        npy("c%d%s.npy" % (task, kind), flat(rows), (40, atoms, 5), code)
    with open("d%d" % task, "w") as file:
        file.write(open("head").read())
        for f in frames:
            file.write("%12d" % f["step"] + " %18.6e" % 0 * 3
                       + " %18.6e" % f["deviation"] + " %18.6e" % 0 * 2 + "\n")
    for kind, to in ("", entries), (".shuffled", shuffled):
        to.write('{"task": %d, "system": "%s", "trajectory": "t%d%s", "deviations": "d%d"}\n' % (
            task, "ab"[task % 2], task, kind, task))
labelled = [features(draw) for _ in range(6)]
npy("l1.npy", flat(labelled[:4]), (4, 5), "f4")
npy("l2.npy", flat(labelled[4:]), (2, 5), "f8")
spread_out = [spread(draw) for _ in range(6)]
npy("m1.npy", flat(spread_out[:4]), (4, 5), "f4")
npy("m2.npy", flat(spread_out[4:]), (2, 5), "f8")
npy("p1.npy", flat(labelled[:4]), (4, 1, 5), "f4")
npy("p2.npy", flat([v / 2 for v in row] for row in labelled[4:] for _ in range(2)), (2, 2, 5), "f8")
npy("narrow.npy", flat(row[:4] for row in labelled), (6, 4), "f8")
npy("nan.npy", flat(labelled[:4]) + [float("nan")] * 5, (5, 5), "f8")
npy("short.npy", [0.0] * 195, (39, 5), "f8")
json.dump([everything, {"x": labelled, "y": spread_out}], open("frames.json", "w"))
END
deviation_head >head
ok "made up" python3 make.py

# pick.py HOW QUOTA LABELLED SCALE WEIGHT POWER: "TASK STEP" of what it would
# pick of each system.
cat >pick.py <<'END'
import json, math, sys

how, quota, with_labelled, scale, weight, power = sys.argv[1:]
frames, labelled = json.load(open("frames.json"))
which = "x" if scale == "none" else "y"
labelled = labelled[which] if with_labelled == "yes" else []

def scaled(rows):
    n, kept = len(rows), [0, 1, 3, 4]
    if scale == "whiten":
        kept = [0, 1, 3]
    columns = [[row[k] for row in rows] for k in kept]
    if scale == "none":
        return [list(row) for row in zip(*columns)]
    columns = [[v - sum(c) / n for v in c] for c in columns]
    if scale == "standard":
        columns = [[v / math.sqrt(sum(u * u for u in c) / n) for v in c] for c in columns]
    else: # Gram and Schmidt: distances are those of any other whitening
        for i, c in enumerate(columns):
            for b in columns[:i]:
                part = sum(u * v for u, v in zip(b, c)) / n
                c = [v - part * u for u, v in zip(b, c)]
            size = math.sqrt(sum(v * v for v in c) / n)
            columns[i] = [v / size for v in c]
    return [list(row) for row in zip(*columns)]

def farthest(rows, met, weights):
    picked = []
    while len(picked) < int(quota):
        best, value = -1, 0
        for i, row in enumerate(rows):
            least = min(sum((a - b) ** 2 for a, b in zip(row, other)) for other in met)
            # of equals the first, also where they differ by rounding
            if i not in picked and weights[i] * math.sqrt(least) > value * (1 + 1e-7) + 1e-6:
                best, value = i, weights[i] * math.sqrt(least)
        if best < 0:
            break
        picked.append(best)
        met.append(rows[best])
    return picked

def inverse(m):
    n = len(m)
    m = [row[:] + [float(i == j) for j in range(n)] for i, row in enumerate(m)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda j: abs(m[j][i]))
        m[i], m[pivot] = m[pivot], m[i]
        m[i] = [v / m[i][i] for v in m[i]]
        for j in range(n):
            if j != i:
                m[j] = [v - m[j][i] * u for u, v in zip(m[i], m[j])]
    return [row[n:] for row in m]

# Determinants by inverses from nothing, each time.
def doptimal(rows, met, weights):
    ridge = 1e-3 * sum(v * v for row in rows for v in row) / len(rows) / len(rows[0])
    x = [[1.0] + row for row in rows]
    known = [[1.0] + row for row in met]
    n = len(x[0])
    def values(picked):
        m = [[sum(v[i] * v[j] for v in known + [x[k] for k in picked]) + (ridge if i == j else 0)
              for j in range(n)] for i in range(n)]
        m = inverse(m)
        return [sum(v[i] * m[i][j] * v[j] for i in range(n) for j in range(n)) for v in x]
    def best(picked, out):
        value = values(picked)
        return max((value[i], -i) for i in range(len(x)) if i not in out), value
    picked = []
    while len(picked) < min(int(quota), len(x)):
        picked.append(-best(picked, picked)[0][1])
    gained = True
    while gained:
        gained = False
        for k in range(len(picked)):
            (value, i), all_values = best(picked[:k] + picked[k + 1:], picked)
            if 1 + value > (1 + all_values[picked[k]]) * (1 + 1e-9):
                picked[k] = -i
                gained = True
    return picked

# By the definition, one by one.
def cover(rows, met, weights):
    n = len(rows)
    squared = lambda a, b: sum((u - v) ** 2 for u, v in zip(a, b))
    pairs = sorted(squared(rows[k * n // 4096], rows[(k * n // 4096 + 1 + k * 2654435761 % (n - 1)) % n])
                   for k in range(4096))
    like = lambda a, b: math.exp(-squared(a, b) / pairs[2048])
    if scale == "none":
        like = lambda a, b: float(squared(a, b) <= 4)
    covered = [max(like(row, other) for other in met) for row in rows]
    between = [[like(a, b) for b in rows] for a in rows]
    picked = []
    while len(picked) < int(quota):
        gains = [sum(max(0, s - c) for s, c in zip(row, covered)) for row in between]
        best = max(range(n), key=lambda i: (gains[i], -i))
        if gains[best] <= 0:
            break
        picked.append(best)
        covered = [max(s, c) for s, c in zip(between[best], covered)]
    return picked

for system in "ab":
    own = [f for f in frames if f["system"] == system and f["step"] > 0
           and 0.2 <= f["deviation"] < 0.8]
    rows = scaled([f[which] for f in own] + labelled)
    rows, met = rows[:len(own)], rows[len(own):]
    weights = [1 if weight == "none" else f["deviation"] ** float(power) if weight == "score"
               else (f["g"] * 1) ** float(power) for f in own]
    for i in {"fps": farthest, "doptimal": doptimal, "cover": cover}[how](rows, met, weights):
        print(own[i]["task"], own[i]["step"])
END

levels='"levels": {"force": [0.2, 0.8]}, "elements": ["Si", "Ge"]'
# rules QUOTA HOW FILES [MORE OF PICK [OF FEATURES]]: FILES are x, a or c.
rules () {
    rules_labelled='"l1.npy", "l2.npy"'
    case $3 in
        y) rules_labelled='"m1.npy", "m2.npy"' ;;
        a | c) rules_labelled='"p1.npy", "p2.npy"' ;;
    esac
    echo "$levels, \"pick\": {\"quota\": $1, \"how\": \"$2\", \"pool\": \"all\"${4:+, $4}}," \
        "\"features\": {\"labelled\": [$rules_labelled]${5:+, $5}, \"frames\": [$(
            for task in 0 1 2 3 4 5 6 7; do
                printf '%s"%s%d%s.npy"' "${sep-}" "$3" $task "${kind-}"
                sep=", "
            done)]}"
}
selected () {
    sed -n 's/.*task=\([0-9]*\) step=\([0-9]*\) .*/\1 \2/p' "$1"/frames/*.extxyz | sort -n -k1,1 -k2,2
}
# as_python DIR HOW QUOTA LABELLED SCALE WEIGHT POWER
as_python () {
    selected "$1" >found
    shift
    python3 pick.py "$@" | sort -n -k1,1 -k2,2 >expected
    [ -s expected ] && diff expected found
}
# picks WHAT DIR RULES PICK.PY'S-ARGUMENTS
picks () {
    picks_what=$1 picks_dir=$2 picks_rules=$3
    shift 3
    plan "$picks_dir" "$picks_rules"
    ok "$picks_what" reduce 2 "$picks_dir.json"
    ok "... as Python does" as_python "$picks_dir" "$@"
}

picks "farthest points" fps "$(rules 9 fps x)" fps 9 yes none none 1
is "the constant is named" '{"a":[2],"b":[2]}' "$(jq -c .dropped_features fps/params.json)"
is "how it was picked is told" fps "$(jq -r '.frames[0].picked' fps/provenance.json)"
ok "1, 3 and 7 ranks leave the same bytes" same_for_ranks fps "$(rules 9 fps x)" 0 3 7
picks "standard features" standard "$(rules 9 fps y '' '"scale": "standard"')" \
    fps 9 yes standard none 1
picks "whitened features" whiten "$(rules 9 fps y '' '"scale": "whiten"')" fps 9 yes whiten none 1
ok "1, 3 and 7 ranks leave the same bytes" same_for_ranks whiten \
    "$(rules 9 fps y '' '"scale": "whiten"')" 0 3 7
is "what follows from others is named" '{"a":[2,4],"b":[2,4]}' \
    "$(jq -c .dropped_features whiten/params.json)"
picks "by the deviation, too" score "$(rules 9 fps x '"weight": "score", "power": 2')" \
    fps 9 yes none score 2
picks "by the force, too" force "$(rules 9 fps x '"weight": "force"')" fps 9 yes none force 1

picks "determinants" doptimal "$(rules 4 doptimal y '' '"scale": "standard"')" \
    doptimal 4 yes standard none 1
ok "1, 3 and 7 ranks leave the same bytes" same_for_ranks doptimal \
    "$(rules 4 doptimal y '' '"scale": "standard"')" 0 3 7
picks "more of them than features" many \
    "$(rules 15 doptimal y '' '"scale": "whiten"')" doptimal 15 yes whiten none 1

picks "what covers the candidates" cover "$(rules 9 cover y '' '"scale": "standard"')" \
    cover 9 yes standard none 1
ok "1, 3 and 7 ranks leave the same bytes" same_for_ranks cover \
    "$(rules 9 cover y '' '"scale": "standard"')" 0 3 7
picks "... by a radius" radius "$(rules 500 cover x '"radius": 2')" cover 500 yes none none 1
ok "which ends where all is covered" test "$(answer radius .selected)" -lt 60

# All there are, but for those that equal another: fewer than the quota.
picks "no frame twice" most "$(rules 500 fps x)" fps 500 yes none none 1
ok "which are fewer than candidates" test "$(answer most .selected)" -lt "$(answer most .candidates)"

# Frames in another order, and their rows with them.
other_order () {
    cp entries entries.kept
    cp entries.shuffled entries
    kind=.shuffled
    plan shuffled "$(rules 9 fps x)"
    kind=
    cp entries.kept entries
    reduce 3 shuffled.json && diff -r fps/frames shuffled/frames && diff fps/params.json shuffled/params.json
}
ok "in any order of the frames" other_order

# Features of atoms, whose sums are those of the frames.
for form in a c; do
    plan $form "$(rules 9 fps $form '' '"pool": "sum"')"
    ok "features of atoms ($form)" reduce 2 $form.json
    ok "... are those of frames" diff -r fps/frames $form/frames
done

# A pool that is drawn, and nothing that is labelled.
drawn="$(rules 5 fps x | sed 's/"all"/3/; s/"labelled": [^]]*\]/"labelled": []/')"
plan drawn "$drawn"
ok "a pool that is drawn" reduce 0 drawn.json
is "a quota of each" "5 5" "$(answer drawn '.systems | "\(.a.selected) \(.b.selected)"')"
ok "2, 3 and 7 ranks leave the same bytes" same_for_ranks drawn "$drawn"
ok "fewer than the minimum are none" eval 'plan minimum "$(rules 500 fps x "\"minimum\": 300")" &&
    reduce 2 minimum.json && [ "$(answer minimum .selected)" = 0 ]'

# Without features: fingerprints, far from those of the labelled.
cat fps/frames/*.extxyz >labelled.extxyz
prints="$levels, \"pick\": {\"quota\": 5, \"how\": \"fps\", \"pool\": \"all\"},
    \"duplicates\": {\"labelled\": [\"labelled.extxyz\"]}"
plan prints "$prints"
ok "fingerprints" reduce 0 prints.json
is "a quota of each" "5 5" "$(answer prints '.systems | "\(.a.selected) \(.b.selected)"')"
none_is_labelled () {
    selected fps >labelled
    selected prints | grep -xFf labelled && return 1
    return 0
}
ok "... none that is labelled" none_is_labelled
ok "... the same bytes" same_for_ranks prints "$prints"

# What cannot be used: said once, the file and the row named, nothing left.
refuses () { # WHAT RULES MESSAGE
    plan refused "$2"
    rm -rf refused
    reduce 2 refused.json >/dev/null 2>message
    refused_status=$?
    cat message
    is "$1" 3 $refused_status
    ok "... which says why" eval 'grep -q "$3" message && [ "$(grep -c "^fanfold-reduce:" message)" = 1 ]'
    ok "... and leaves nothing" test ! -e refused
}
refuses "a row that is not finite" "$(rules 9 fps x | sed s/l1.npy/nan.npy/)" \
    'nan.npy: row 4 (from 0): feature 0 is not a finite number'
refuses "rows of another length" "$(rules 9 fps x | sed s/l2.npy/narrow.npy/)" \
    'narrow.npy: rows of 4 features, but .*.npy has 5'
refuses "a row too few" "$(rules 9 fps x | sed s/x3.npy/short.npy/)" \
    'short.npy: 39 rows, but the trajectory has 40 frames'
refuses "no file" "$(rules 9 fps x | sed s/x3.npy/absent.npy/)" 'absent.npy'
refuses "atoms without a pool" "$(rules 9 fps c)" 'write pool: mean, max or sum'
refuses "atoms of frames that are not known" \
    "$(rules 9 fps a '' '"pool": "sum"' | sed s/p1.npy/l1.npy/)" 'save them as \[frames, atoms, d\]'
refuses "as many files as tasks" "$(rules 9 fps x | sed 's/, "x7.npy"//')" \
    'features: frames has 7 elements, system has 8'

done_testing
