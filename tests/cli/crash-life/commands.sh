# commands.sh DIR - a campaign is edited, extended, redone, renamed, forgotten, reset
#
# How far that got is in DIR.step: started again it goes on where it was killed.
# A command that failed or was killed is given again, until it succeeds, or says
# that the one before had been obeyed.
set -u
dir=$1
step=0
done=$(cat "$dir.step" 2>"$dir.unread" || echo 0)
obeyed="has not begun in iteration|is running; run .fanfold cancel|nothing is known of a stage|nothing has run; the campaign is as new"

# give COMMAND...: what fails by itself five times will always.
give() {
    for _ in 1 2 3 4 5; do
        touched=$(cat "$dir.begun" 2>"$dir.unread")
        echo $step >"$dir.begun"
        fanfold -C "$dir" "$@" >"$dir.said" 2>&1 && return
        cat "$dir.said"
        [ "$touched" != $step ] || ! grep -E -q "$obeyed" "$dir.said" || return 0
    done
    echo "$* fails" && exit 1
}

# step COMMAND...: unless it was done.
step() {
    step=$((step + 1))
    [ $step -gt "$done" ] || return 0
    "$@" && echo $step >"$dir.new" && mv "$dir.new" "$dir.step"
}

edit() {
    sed -i "$1" "$dir/campaign.yaml"
}

step give run
step edit 's/scale: 1.25/scale: 1.5/; s/iterations: 1/iterations: 2/'
step give run
step give redo train --iteration 0 --yes
step give run
step edit 's/^  label:$/  dft:\n    renamed_from: label/; s/all.label/all.dft/; s/iterations: 2/iterations: 3/'
step give run
step edit '/^  more:$/,/^  train:$/{/^  train:$/!d}; s/, all.more.dataset//'
step give forget more --yes
step give run
step edit 's/iterations: 3/iterations: 1/'
step give reset --keep-data --yes
step give run
