#!/bin/sh
# 0525-reduce-relative.t - deviations relative to the forces of their trajectory,
# against awk

# shellcheck source=tests/cli/tap.sh
. "${abs_top_srcdir:-$(dirname "$0")/../..}/tests/cli/tap.sh"
# shellcheck source=tests/cli/reduce.sh
. "${abs_top_srcdir:-$(dirname "$0")/../..}/tests/cli/reduce.sh"

# Three tasks of 60 frames whose forces are of a size of their own: 1, 2, 4.
for task in 1 2 3; do
    deviation_head >d$task
    awk -v task=$task 'BEGIN {
        srand(task)
        for (step = 0; step <= 590; step += 10) {
            printf "%12d", step >>"d" task
            for (i = 1; i <= 2; i++) { # the largest, the smallest, the mean
                a = rand(); b = rand()
                printf " %18.6e %18.6e %18.6e", (a > b ? a : b), (a > b ? b : a), (a + b) / 2 >>"d" task
            }
            print "" >>"d" task
            print "ITEM: TIMESTEP\n" step "\nITEM: NUMBER OF ATOMS\n2"
            print "ITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 9\nITEM: ATOMS id type x y z fx fy fz"
            for (i = 1; i <= 2; i++)
                print i, 1, step / 100, i, 1, 2 ^ task * (rand() - 0.5), 2 ^ task * (rand() - 0.5), 0
        }
    }' >t$task
    echo "{\"task\": $task, \"system\": \"s$task\", \"trajectory\": \"t$task\"," \
        "\"deviations\": \"d$task\", \"expected_frames\": 60}" >>entries
done

# "TASK STEP CLASS": DP-GEN's columns 4 to 6 over sqrt (<|F|^2>).
for task in 1 2 3; do
    awk -v task=$task '
        FNR == NR { if (NF == 8 && $1 ~ /^[12]$/) { n++; s += $6 ^ 2 + $7 ^ 2 + $8 ^ 2 }; next }
        !/#/ { f = $5 / sqrt(s / n)
            c = f < 0.25 ? "accurate" : f < 0.75 ? "candidate" : "failed"
            print task, $1, c }' t$task d$task
done >classes
rules='"levels": {"force": [0.25, 0.75], "avg_relative": true}, "elements": ["Si"], "skip": {"steps": 0}'
plan whole "$rules, \"pick\": {\"quota\": 1000}"
ok "relative deviations" reduce 0 whole.json
for task in 1 2 3; do
    is "classes of task $task" \
        "$(awk -v t=$task '$1 == t { n[$3]++ } END { print n["accurate"] + 0, n["candidate"] + 0, n["failed"] + 0 }' classes)" \
        "$(answer whole ".systems.s$task | \"\(.accurate) \(.candidates) \(.failed)\"")"
done
is "the frames of those steps" "$(awk '$3 == "candidate" { print $1, $2 }' classes)" \
    "$(jq -r '.frames[] | "\(.task) \(.step)"' whole/provenance.json)"
ok "2, 3 and 7 ranks: the same bytes" same_for_ranks whole "$rules, \"pick\": {\"quota\": 1000}"
adaptive='"levels": {"force": {"high": 1}, "adaptive": {"force": {"count": 7}}, "avg_relative": true},
 "elements": ["Si"], "skip": {"steps": 0}, "pick": {"quota": 1000, "per": "iteration"}'
plan adaptive "$adaptive"
reduce 0 adaptive.json || exit 1
ok "with adaptive levels" same_for_ranks adaptive "$adaptive"

# A trajectory that is not there leaves nothing to compare with.
mv t2 kept
plan absent "$rules, \"pick\": {\"quota\": 1000}"
reduce 2 absent.json || exit 1
is "without its trajectory a frame is invalid" "60 1" \
    "$(answer absent '"\(.systems.s2.invalid) \(.absent_files)"')"
sed 's/ fx fy fz$/ vx vy vz/' kept >t2
plan none "$rules, \"pick\": {\"quota\": 1000}"
no_forces () {
    reduce 3 none.json >message 2>&1
    status=$?
    cat message
    [ $status -eq 1 ] && [ "$(grep -c "^fanfold-reduce: .*t2.*fx" message)" -eq 1 ]
}
ok "a trajectory without forces is an error" no_forces

done_testing
