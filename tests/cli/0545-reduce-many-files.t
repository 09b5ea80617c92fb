#!/bin/sh
# 0545-reduce-many-files.t - a hundred thousand files of deviations

# shellcheck source=tests/cli/tap.sh
. "${abs_top_srcdir:-$(dirname "$0")/../..}/tests/cli/tap.sh"
# shellcheck source=tests/cli/reduce.sh
. "${abs_top_srcdir:-$(dirname "$0")/../..}/tests/cli/reduce.sh"

# Each of three rows; one in a thousand is absent, one has a single row.
awk 'BEGIN {
    head = sprintf("#%11s%19s%19s%19s%19s%19s%19s", "step", "max_devi_v", "min_devi_v",
        "avg_devi_v", "max_devi_f", "min_devi_f", "avg_devi_f")
    for (task = 0; task < 100000; task++) {
        file = "d" task
        if (task % 1000 != 7) {
            print head >file
            for (step = 0; step < (task % 1000 == 8 ? 10 : 30); step += 10)
                printf "%12d %18.6e %18.6e %18.6e %18.6e %18.6e %18.6e\n", step, \
                    0.1, 0.1, 0.1, (task % 10 + step / 10) / 10, 0.1, 0.1 >file
            close(file)
        }
        print "{\"task\": " task ", \"system\": \"s" task % 5 "\", \"deviations\": \"" \
            file "\", \"expected_frames\": 3}" >"entries"
    }
}'
rules='"levels": {"force": [0.25, 0.85]}, "elements": ["Si"], "skip": {"steps": 0}, "pick": {"quota": 50, "per": "iteration"}'
plan whole "$rules"
ok "one rank" reduce 0 whole.json
# Rows of task t are t % 10 + 0, 1, 2: candidates are 3 to 8, two of them in each
# file that is absent.
is "frames, candidates, lost and absent" "300000 $((180000 - 100 * 2)) 500 100" \
    "$(answer whole '"\(.total) \(.candidates) \(.lost) \(.absent_files)"')"
same () {
    plan whole3 "$rules"
    reduce 3 whole3.json && diff -r whole whole3
}
ok "3 ranks: the same bytes" same

done_testing
