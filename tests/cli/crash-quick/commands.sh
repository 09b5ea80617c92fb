# commands.sh DIR - a training in one call, driven to its end, and fetched
#
# Started again it goes on where it was killed, as a person would: the same call again
# until a task is told, then `quick resume` and `quick get`.
set -u
dir=$1
FANFOLD_STORE=$dir/store
export FANFOLD_STORE

# told: the call printed which task it made.
told() {
    jq -r .task "$dir/told" >"$dir.task" 2>"$dir.unread" && [ -s "$dir.task" ]
}

# again COMMAND...: what fails by itself five times will always.
again() {
    for _ in 1 2 3 4 5; do
        "$@" && return
    done
    echo "$* fails" && exit 1
}

call() {
    fanfold quick --algorithm "$dir/trainer" --dataset "$dir/data" --hyperparam rate=0.5 \
        --output model --project crash -- sh train.sh >"$dir/told"
    told
}

fetch() {
    rm -rf "$dir/got" && fanfold quick get "$(cat "$dir.task")" "$dir/got"
}

# Where a job was submitted it ends meanwhile, so that what is looked at afterwards
# does not depend on the time that takes.
job() {
    for _ in $(seq 60); do
        [ ! -d "$dir/store/quick/$(cat "$dir.task")/train/quick/iter/000000/job/000000/out" ] ||
            return 0
        sleep 0.05
    done
}

told || again call
job
again fanfold quick resume
again fetch
