# job-function.sh - calls of examples/job-function; sourced after tap.sh
# shellcheck shell=sh

# job_function DIR: the example, and two batches.
job_function() {
    cp -R "$abs_top_srcdir/examples/job-function" "$1"
    chmod -R u+w "$1"
    (cd "$1" && for i in 0 1; do
        python3 mlp/make_data.py b$i.npy l$i.npy $i
    done)
}

# Here: two trainings, one of them later, and a prediction.
call_all() {
    ok "the first call" fanfold call fit images=b0.npy labels=l0.npy
    is "the second, asynchronous" 1 "$(fanfold call fit images=b1.npy labels=l1.npy --async)"
    ok "... has a result" fanfold result fit --call 1 --wait
    ok "a prediction" fanfold call score images=b1.npy
}

# What they made, by digest.
call_results() {
    find calls -path '*/out/*' -type f ! -name result.json ! -path '*/.fanfold/*' | sort |
        xargs sha256sum
}
