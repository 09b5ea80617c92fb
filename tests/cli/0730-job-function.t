#!/bin/sh
# 0730-job-function - the example of functions: a training that is called twice goes on
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/job-function.sh"

job_function "$tmp/c"
cd "$tmp/c" || exit 1
ok "the example checks" fanfold check
call_all
is "what is run then was told both" "call 0 of fit is done,call 1 of fit is done" \
    "$(paste -sd, calls.log)"
# The loss before the first step of the second call is of what the first call made.
loss() {
    python3 -c 'import sys; sys.path.insert(0, "mlp"); import net
print(*net.read_npy(sys.argv[1])[1])' "$(fanfold result fit loss --call "$1")"
}
ok "the loss falls, and goes on to" sh -c "echo '$(loss 0) $(loss 1)' |
    awk '{ for (i = 2; i <= NF; i++) if (\$i >= \$(i - 1) && i != 5) exit 1; exit \$5 >= \$1 }'"
is "another campaign makes the same bytes" "$(call_results)" "$(
    job_function "$tmp/again" && cd "$tmp/again" && call_all >"$tmp/said" && call_results
)"
if /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
    cat >"$tmp/score.py" <<'END'
from fanfold import Campaign
digits = Campaign(".").call("score", images="b1.npy")["digits"]
print(digits.dtype, len(digits), set(digits) <= set(range(10)))
END
    is "a call in Python has arrays" "int32 16 True" \
        "$(PYTHONPATH=$abs_top_srcdir/python /usr/bin/python3 "$tmp/score.py" 2>&1)"
else
    not_here "NumPy for /usr/bin/python3 (scripts/packages bench)"
fi

done_testing
