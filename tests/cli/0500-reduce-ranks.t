#!/bin/sh
# 0500-reduce-ranks.t - fanfold-reduce: the same bytes for any number of ranks,
# and the numbers an independent awk program finds
#
# The committee is made up here: trajectories of different lengths and boxes,
# with everything that goes wrong on a cluster.  MPIRUN replaces the launcher.

# shellcheck source=tests/cli/tap.sh
. "${abs_top_srcdir:-$(dirname "$0")/../..}/tests/cli/tap.sh"
# shellcheck source=tests/cli/reduce.sh
. "${abs_top_srcdir:-$(dirname "$0")/../..}/tests/cli/reduce.sh"

# A dump of one task: make_dump TASK ATOMS FRAMES MODEL WHAT, MODEL -1 being
# the trajectory.  Numbers depend on the task, frame, atom and model only; the
# spread of the models on the frame, so there are frames of every class.
make_dump () {
    awk -v task="$1" -v atoms="$2" -v frames="$3" -v model="$4" -v what="$5" '
    function noise (a, b, c, d,    x) {
        x = (a * 7919 + b * 104729 + c * 1299709 + d * 15485863 + 12345) % 65521
        x = (x * 17364 + 4099) % 65521
        x = (x * 33285 + 17) % 65521
        return x / 65521 - 0.5
    }
    function row (frame, i,    j, text, spread, v) {
        text = i " " (i % 2 + 1)
        if (what ~ /element/)
            text = i " " (i % 2 ? "Ge" : "Si")
        spread = frame == 0 ? 0 : 0.02 + frame * 0.18
        for (j = 1; j <= 3; j++) {
            v = 10 * noise(task, frame, i, j)
            if (model >= 0)
                v += spread * noise(task + 100 * model, frame, i, j + 3)
            if (what ~ /nan/ && model == 1 && frame == 2 && i == 2)
                v = "nan"
            text = text " " (v == "nan" ? v : sprintf ("%.17g", v))
        }
        return text
    }
    BEGIN {
        OFMT = CONVFMT = "%.17g"
        for (frame = 0; frame < frames; frame++) {
            if (what ~ /hole/ && model == 2 && frame == 3)
                continue
            step = 20 * frame
            if (what ~ /again/ && frame > 4)
                step = 20 * (frame - 2) # 3 and 4 come again
            print "ITEM: TIMESTEP\n" step "\nITEM: NUMBER OF ATOMS\n" atoms
            if (what ~ /tilted/)
                print "ITEM: BOX BOUNDS xy xz yz pp pp pp\n0 12 2\n0 10 0\n0 10 0"
            else
                print "ITEM: BOX BOUNDS pp pp pp\n0 10\n0 10\n0 10"
            print "ITEM: ATOMS id " (what ~ /element/ ? "element" : "type") \
                (model < 0 ? " x y z" : " fx fy fz")
            for (i = 1; i <= atoms; i++)
                print row(frame, what ~ /shuffled/ ? atoms + 1 - i : i)
        }
    }'
}

# committee TASK SYSTEM ATOMS FRAMES EXPECTED WHAT: its dumps and its entry.
committee () {
    make_dump "$1" "$3" "$4" -1 "$6" >"t$1.dump"
    for model in 0 1 2; do
        make_dump "$1" "$3" "$4" $model "$6" >"t$1.f$model.dump"
    done
    entry "$1" "$2" "$5" >>entries
}

entry () {
    echo "{\"task\": $1, \"system\": \"$2\", \"trajectory\": \"t$1.dump\"," \
        "\"forces\": [\"t$1.f0.dump\", \"t$1.f1.dump\", \"t$1.f2.dump\"]," \
        "\"expected_frames\": $3}"
}

# plan QUOTA DIR: the task that writes into DIR.
plan () {
    {
        echo '{"seed": 4711, "semantics": "dpgen",'
        echo '"levels": {"force": [0.2, 0.8]},'
        echo "\"pick\": {\"quota\": $1, \"per\": \"iteration\"}, \"skip\": {\"steps\": 1}, \"elements\": [\"Si\", \"Ge\"],"
        echo "\"frames_dir\": \"$2/frames\", \"params\": \"$2/params.json\","
        echo '"trajectories": ['
        sed '$!s/$/,/' entries
        echo ']}'
    } | task_of
}

# The reference: "TASK STEP DEVIATION" of every frame that counts, "invalid"
# standing for what cannot be used.  Frames are matched by step; the last one
# of a step wins.
reference () {
    awk -v task="$1" '
    FNR == 1 { file++ }
    $0 == "ITEM: TIMESTEP" { want_step = 1; next }
    want_step { step = $1; want_step = 0; frame++; next }
    $0 == "ITEM: NUMBER OF ATOMS" { want_n = 1; next }
    want_n { atoms = $1; left = 0; want_n = 0; next }
    /^ITEM: ATOMS/ {
        left = atoms
        if (file == 1) {
            if (!(step in last))
                steps[++n] = step
            last[step] = 1
        }
        next
    }
    left > 0 {
        if (NF < 5)
            next
        left--
        if (file > 1) {
            for (j = 1; j <= 3; j++)
                f[file - 1, step, $1, j] = $(2 + j)
            got[file - 1, step]++
        }
        natoms = atoms
    }
    END {
        for (s = 1; s <= n; s++) {
            step = steps[s]
            if (step < 1)
                continue
            worst = 0
            for (i = 1; i <= natoms; i++) {
                sum = 0
                for (j = 1; j <= 3; j++) {
                    mean = 0
                    for (k = 1; k <= 3; k++) {
                        v = f[k, step, i, j]
                        if (v == "nan" || got[k, step] < natoms)
                            worst = "invalid"
                        mean += v / 3
                    }
                    for (k = 1; k <= 3; k++) {
                        d = f[k, step, i, j] - mean
                        sum += d * d / 3
                    }
                }
                if (worst != "invalid" && sqrt (sum) > worst)
                    worst = sqrt (sum)
            }
            if (worst == "invalid")
                print task, step, worst
            else
                printf "%d %d %.12g\n", task, step, worst
        }
    }' "t$1.dump" "t$1".f[0-2].dump
}

# number KEY DIR: from params.json.
number () {
    sed -n "s/^ *\"$1\": \([^,]*\),*\$/\1/p" "$2/params.json"
}

# numbers_are DIR KEY VALUE [KEY VALUE]...: to 12 digits.
numbers_are () {
    dir=$1
    shift
    while [ $# -gt 0 ]; do
        found=$(number "$1" "$dir")
        echo "$1: expected $2, found $found"
        [ -n "$found" ] || return 1
        awk -v a="$found" -v b="$2" \
            'BEGIN { d = a - b; exit !(d * d <= 1e-24 * b * b) }' || return 1
        shift 2
    done
}

# What was selected, from the frames: "TASK STEP DEVIATION", 12 digits.
selected () {
    cat "$1"/frames/*.extxyz | sed -n 's/.* task=//p' |
        sed 's/step=//; s/deviation=//' |
        awk '{ printf "%d %d %.12g\n", $1, $2, $3 }' | sort -n -k1,1 -k2,2
}

committee 11 diamond 5 12 11 plain
committee 3 diamond 8 9 11 shuffled      # three frames were lost
committee 7 tilted-box 6 10 9 tilted,element
committee 5 diamond 4 12 11 nan,hole
committee 2 again 4 9 6 again
committee 20 cut 5 9 8 plain
head -n 100 t20.f1.dump >short && mv short t20.f1.dump # within the 8th frame
committee 21 cut 5 9 8 plain
head -n 56 t21.dump >short && printf 'ITEM: TIMES' >>short && mv short t21.dump
entry 30 gone 10 >>entries
committee 31 no-forces 3 4 3 plain
rm t31.f2.dump
for task in 40 41 42 43 44 45 46 47 48; do
    committee $task bulk $((task - 36)) $((task - 35)) $((task - 36)) plain
done

for task in 11 3 7 5 2 20 21 31 40 41 42 43 44 45 46 47 48; do
    reference $task
done | sort -n -k1,1 -k2,2 >all
awk '$3 != "invalid" && $3 >= 0.2 && $3 < 0.8' all >candidates
found=$(wc -l <all)
lost=$((3 + 5 + 10)) # of tasks 3, 21 and 30
whole=$((found + lost))
accurate=$(awk '$3 != "invalid" && $3 < 0.2' all | wc -l)
candidate=$(wc -l <candidates)
failed=$(awk '$3 != "invalid" && $3 >= 0.8' all | wc -l)
invalid=$(grep -c invalid all)
largest=$(awk '$3 != "invalid" { print $3 }' all | sort -g | tail -n 1)
middle=$(awk '$3 != "invalid" { print $3 }' all | sort -g |
    awk '{ v[NR] = $1 } END { print v[int ((NR + 1) / 2)] }')

ok "the made-up committee has frames of every class" test "$accurate" -ge 5 \
    -a "$candidate" -ge 10 -a "$failed" -ge 5 -a "$invalid" -ge 5

# Everything that is a candidate, against the reference.
plan 1000 whole >whole.json
ok "one rank" reduce 1 whole.json
selected whole >chosen
ok "selects the frames awk selects" diff candidates chosen
ok "counts as awk counts" numbers_are whole total $whole candidates "$candidate" \
    selected "$candidate" lost $lost missing_tasks 31 absent_files 2 \
    cut_files 2 repeated_steps 2
ok "fractions are one division" numbers_are whole \
    accurate "$(awk "BEGIN { printf \"%.17g\", $accurate / $whole }")" \
    candidate "$(awk "BEGIN { printf \"%.17g\", $candidate / $whole }")" \
    failed "$(awk "BEGIN { printf \"%.17g\", \
        ($failed + $invalid + $lost) / $whole }")" \
    invalid "$(awk "BEGIN { printf \"%.17g\", $invalid / $whole }")"
median_is_near () {
    awk -v a="$(number deviation_median whole)" -v b="$middle" \
        'BEGIN { print a, b; d = a / b - 1; exit !(d * d < 1 / 4096) }'
}
ok "the largest deviation" numbers_are whole max_deviation "$largest"
ok "the median, to a bin" median_is_near
files_of () {
    (cd "$1/frames" && echo *)
}
is "a file for each system that has frames" \
    "again.extxyz bulk.extxyz cut.extxyz diamond.extxyz tilted-box.extxyz" \
    "$(files_of whole)"

# Coordinates come through to the bit, symbols by type or element.
coordinates_are () {
    awk -v step="$3" '
        $0 == "ITEM: TIMESTEP" { getline; on = $1 == step; rows = 0; next }
        /^ITEM: ATOMS/ { rows = 1; next }
        /^ITEM/ { rows = 0 }
        on && rows { print $1, ($2 == 1 ? "Si" : $2 == 2 ? "Ge" : $2), $3, $4, $5 }
    ' "t$2.dump" | sort -n | cut -d' ' -f2- |
        awk '{ printf "%s %.17g %.17g %.17g\n", $1, $2, $3, $4 }' >expected
    awk -v tag=" task=$2 step=$3 " '
        index ($0, tag) { on = 1; next }
        NF != 4 { on = 0 }
        on { printf "%s %.17g %.17g %.17g\n", $1, $2, $3, $4 }
    ' "$1" >found
    [ -s expected ] && diff expected found
}
first_step () {
    awk -v task="$1" '$1 == task { print $2; exit }' candidates
}
ok "coordinates of sorted rows" \
    coordinates_are whole/frames/diamond.extxyz 3 "$(first_step 3)"
ok "coordinates and elements" \
    coordinates_are whole/frames/tilted-box.extxyz 7 "$(first_step 7)"
ok "the tilted box, not its bounding box" \
    grep -q 'Lattice="10.0 0.0 0.0 2.0 10.0 0.0 0.0 0.0 10.0"' \
    whole/frames/tilted-box.extxyz

# A small quota, drawn the same way by any number of ranks.
plan 7 r1 >r1.json
reduce 1 r1.json
selected r1 >chosen
ok "a quota is kept" numbers_are r1 selected 7 candidates "$candidate"
drawn_from_candidates () {
    [ "$(sort chosen candidates | uniq -d | wc -l)" -eq 7 ]
}
ok "and drawn from the candidates" drawn_from_candidates
same_as_one_rank () {
    plan 7 "r$1" >"r$1.json"
    reduce "$1" "r$1.json" && diff -r r1 "r$1"
}
ok "2 ranks: the same bytes" same_as_one_rank 2
ok "3 ranks: the same bytes" same_as_one_rank 3
ok "7 ranks: the same bytes" same_as_one_rank 7
ok "without mpirun: the same bytes" same_as_one_rank 0

# Structures that are refused are replaced, the same way by any number of ranks.
# In a box of 10 A some pairs of these atoms are always closer than 4 A.
closest_is () { # closest pair of each selected frame, images in [-1, 1]^3
    cat "$1"/frames/*.extxyz | awk '
    function finish (i, j, x, y, z, d, least) {
        least = 1e9
        for (i = 1; i <= n; i++) for (j = 1; j <= n; j++)
            for (x = -1; x <= 1; x++) for (y = -1; y <= 1; y++)
                for (z = -1; z <= 1; z++) {
                    if (i == j && !x && !y && !z) continue
                    d = (px[i] - px[j] + 10 * x + tilt * y) ^ 2 \
                        + (py[i] - py[j] + 10 * y) ^ 2 + (pz[i] - pz[j] + 10 * z) ^ 2
                    if (d < least) least = d
                }
        if (n) printf "%.9g\n", sqrt(least)
        n = 0
    }
    /Lattice/ { split($0, l, " "); tilt = l[4]; next }
    NF == 1 { finish(); next }
    { n++; px[n] = $2; py[n] = $3; pz[n] = $4 }
    END { finish() }'
}
sed 's/"semantics"/"filters": {"closest": 2.5}, "semantics"/; s/whole/closest/g' whole.json >closest.json
reduce 2 closest.json
filtered_as_awk () {
    kept=$(closest_is whole | awk '$1 >= 2.5' | wc -l)
    refused=$(closest_is whole | awk '$1 < 2.5' | wc -l)
    echo "$kept kept, $refused refused"
    [ "$kept" -gt 2 ] && [ "$refused" -gt 2 ] &&
        numbers_are closest selected "$kept" too_close "$refused" &&
        closest_is closest | awk '$1 < 2.5 { bad = 1 } END { exit bad }'
}
ok "atoms too close, as awk finds them" filtered_as_awk
sed 's/"quota": 1000/"quota": 4/; s/"semantics"/"filters": {"closest": 2.5}, "semantics"/; s/whole/four/g' whole.json >four.json
sed 's/four/few/g' four.json >few.json
replaced () {
    reduce 0 four.json && reduce 3 few.json && numbers_are four selected 4 &&
        diff -r four few
}
ok "refused frames are replaced, by 1 and 3 ranks alike" replaced

# Structures that differ: a trajectory with many copies of few structures gives
# one of each before any twice.
awk 'BEGIN { for (i = 1; i <= 60; i++) { x = 1 + i % 5
    print "ITEM: TIMESTEP\n" i "\nITEM: NUMBER OF ATOMS\n2"
    print "ITEM: BOX BOUNDS pp pp pp\n0 20\n0 20\n0 20\nITEM: ATOMS id type x y z"
    print "1 1 0 " i / 7 " 0\n2 2 " x " " i / 7 " 0" } }' >t90.dump
for model in 0 1 2; do
    awk -v f="$((model - 1))" 'BEGIN { for (i = 1; i <= 60; i++) {
        print "ITEM: TIMESTEP\n" i "\nITEM: NUMBER OF ATOMS\n2"
        print "ITEM: BOX BOUNDS pp pp pp\n0 20\n0 20\n0 20\nITEM: ATOMS id fx fy fz"
        print "1 " f / 2 " 0 0\n2 0 0 0" } }' >t90.f$model.dump
done
cp entries entries.kept
entry 90 pairs 60 >entries
for ranks in 0 3; do
    plan 5 diverse$ranks | sed 's/"quota"/"how": "diverse", "quota"/' >diverse$ranks.json
    reduce $ranks diverse$ranks.json
done
cp entries.kept entries
is "one of each structure" "1 2 3 4 5" \
    "$(sed -n 's/^Ge \([0-9]*\).*/\1/p' diverse0/frames/pairs.extxyz | sort | xargs)"
ok "3 ranks: the same bytes" diff -r diverse0 diverse3

# What is malformed fails, says where, once, and leaves nothing.
fails_cleanly () {
    reduce "$1" "$2.json" >/dev/null 2>message
    status=$?
    cat message
    [ $status -eq "$3" ] && [ "$(grep -c "$4" message)" -eq 1 ] && [ ! -e "$2" ]
}
cp t41.f1.dump kept
sed '12s/^./x/' kept >t41.f1.dump
plan 7 bad >bad.json
ok "a malformed dump" fails_cleanly 3 bad 1 '^fanfold-reduce: t41.f1.dump:12: '
cp kept t41.f1.dump
sed 's/"quota": 7/"quota": -7/; s/\(: "\)r1/\1wrong/g' r1.json >wrong.json
ok "an invalid task" fails_cleanly 2 wrong 3 \
    "^fanfold-reduce: wrong.json: inputs: pick: quota: -7 is less than 0"

# Nothing selected: no file, but the directory.
sed 's/"quota": 7/"quota": 0/; s/\(: "\)r1/\1none/g' r1.json >none.json
nothing_selected () { # an empty directory: the pattern stands for itself
    reduce 2 none.json && numbers_are none selected 0 &&
        [ "$(files_of none)" = "*" ]
}
ok "a quota of nothing" nothing_selected

keeps_what_is_there () {
    reduce 1 r1.json
    [ $? -eq 1 ] && diff -r r1 r2
}
ok "a result is not overwritten" keeps_what_is_there

usage () {
    reduce 0 --help | grep -q '^usage: fanfold-reduce' || return 1
    reduce 0 --version | grep -q '^fanfold ' || return 1
    reduce 0 --nonsense 2>message
    [ $? -eq 2 ] && grep -q '^usage: ' message
}
ok "usage" usage

# A large committee is shared at frame boundaries: the same bytes, also where a
# model lacks frames, a run was restarted, or a file was cut.
: >entries
committee 1 diamond 200 120 119 plain
committee 2 diamond 200 120 119 hole
committee 3 diamond 200 120 119 again
committee 4 diamond 200 120 119 shuffled
ok "large enough to be shared" test "$(wc -c <t1.dump)" -gt 1048576
# shared WHAT RANKS...: what is in "entries" has the same bytes from one rank and
# so many.
shared () {
    rm -rf one
    mkdir one
    plan 5 one >one.json
    ok "$1, one rank" "$reduce" one.json
    shift
    for ranks; do
        rm -rf many
        mkdir many
        plan 5 many >many.json
        # shellcheck disable=SC2086 # a launcher is several words
        ok "... $ranks ranks" $mpirun -n $ranks "$reduce" many.json </dev/null
        ok "... the same bytes" diff -r one many
    done
}

for task in 1 2 3 4; do
    cp t$task.f1.dump uncut
    entry $task diamond 119 >entries
    shared "task $task" 2 7
    cp one/params.json t$task.json
    head -c -1000 uncut >t$task.f1.dump
    shared "task $task with a file that was cut" 3
    mv uncut t$task.f1.dump
done

# The same frames as binary dumps and as extended XYZ.
other_forms () {
    python3 - "$@" <<'END'
import struct, sys

def frames (path):
    lines = open (path).read ().split ("\n")
    while len (lines) > 8:
        n = int (lines[3])
        yield int (lines[1]), [line.split () for line in lines[9:9 + n]]
        del lines[:9 + n]

def binary (step, atoms, columns):
    names = b"id type " + columns
    return (struct.pack ("<q", -10) + b"DUMPCUSTOM" + struct.pack ("<iiqq", 1,
            2, step, len (atoms)) + bytes (28) + struct.pack ("<6d", 0, 10, 0,
            10, 0, 10) + struct.pack ("<iixi", 5, 0, len (names)) + names
            + struct.pack ("<ii", 1, 5 * len (atoms))
            + b"".join (struct.pack ("<5d", *map (float, row)) for row in atoms))

def text (step, atoms, columns):
    rows = [["Si", "Ge"][int (row[1]) - 1] + " " + " ".join (row[2:5])
            + (" " + " ".join (row[2:5]) if columns == b"fx fy fz" else "")
            for row in atoms]
    return ("%d\nTimestep=%d Lattice=\"10 0 0 0 10 0 0 0 10\" Properties="
            "species:S:1:pos:R:3%s\n%s\n" % (len (rows), step,
            ":forces:R:3" if columns == b"fx fy fz" else "",
            "\n".join (rows))).encode ()

for path in sys.argv[1:]:
    columns = b"fx fy fz" if ".f" in path else b"x y z"
    for suffix, form in (".bin", binary), (".xyz", text):
        with open (path + suffix, "wb") as file:
            for step, atoms in frames (path):
                file.write (form (step, atoms, columns))
END
}
ok "other forms" other_forms t2.dump t2.f?.dump t3.dump t3.f?.dump
for form in bin xyz; do
    for task in 2 3; do
        entry $task diamond 119 | sed "s/\.dump/&.$form/g" >entries
        shared "task $task as $form" 2 7
        is "... as many candidates as in text" "$(jq .candidates t$task.json)" \
            "$(jq .candidates one/params.json)"
    done
done

done_testing
