#!/bin/sh
# 0382-model - the protocol model: its small configurations, that it notices, and that
# it is the program's
. "$abs_top_srcdir/tests/cli/tap.sh"

if ! command -v spin >/dev/null; then
    not_here "the protocol model: spin is not installed"
    done_testing
fi

model=$abs_top_srcdir/scripts/model
"$model" --quick >"$tmp/log" 2>&1
is "nothing is violated" 0 "$?"
sed 's/^/# /' "$tmp/log"
is "all was searched" 4 "$(grep -c 'states, no violation' "$tmp/log")"

# A model whose property cannot be violated shows nothing.
"$model" --faults --only 12 >"$tmp/log" 2>&1
is "a fault of the protocol is found" 0 "$?"
is "it is that one" "found: released before the id is recorded" "$(cat "$tmp/log")"

# The program's own journals are behaviours of the model; such with a wrong event are not.
"$model" --journals 5 --build "$abs_top_builddir" --jobs 1 >"$tmp/log" 2>&1
is "journals of the simulation are read" 0 "$?"
sed 's/^/# /' "$tmp/log"
is "none is refused" 1 "$(grep -c '^5 seeds, [1-9][0-9]* stages, 0 refused$' "$tmp/log")"
is "those that were changed are" \
    "refused: released refused: recorded refused: results refused: intent refused: ok refused: renewed refused: preparing refused: replaced refused: number" \
    "$(grep '^refused' "$tmp/log" | xargs)"

"$model" --fast >"$tmp/log" 2>&1
is "an unknown option is a usage error" 2 "$?"

done_testing
