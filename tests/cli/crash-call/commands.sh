# commands.sh DIR - functions are called, at once and later
#
# As in crash-life: started again it goes on where it was killed.  Who was killed in a
# call sees whether there is one, and then asks for its result.
set -u
dir=$1
step=0
done=$(cat "$dir.step" 2>"$dir.unread" || echo 0)

# ask FUNCTION NUMBER ARGUMENT...: its call of this number, and what it made.
ask() {
    function=$1
    number=$2
    shift 2
    for _ in 1 2 3 4 5; do
        if [ -e "$(printf '%s/calls/%s/%06d' "$dir" "$function" "$number")" ]; then
            set -- result "$function" --call "$number" --wait
        else
            set -- call "$function" "$@"
        fi
        fanfold -C "$dir" "$@" >"$dir.said" 2>&1 || {
            cat "$dir.said"
            continue
        }
        case $* in
        *--async*) ;;
        *) return ;;
        esac
    done
    echo "$* fails" && exit 1
}

# step COMMAND...: unless it was done.
step() {
    step=$((step + 1))
    [ $step -gt "$done" ] || return 0
    "$@" && echo $step >"$dir.new" && mv "$dir.new" "$dir.step"
}

step ask fit 0 by=1
step ask fit 1 by=2 --async
step ask score 0
step ask fit 2 by=3
