# commands.sh DIR - a store is filled, used, cleared and verified
#
# As in crash-life: started again it goes on where it was killed, and a command that
# failed or was killed is given again.
set -u
dir=$1
FANFOLD_STORE=$dir/store
export FANFOLD_STORE
step=0
done=$(cat "$dir.step" 2>"$dir.unread" || echo 0)

# give COMMAND...: what fails by itself five times will always.
give() {
    for _ in 1 2 3 4 5; do
        "$@" >"$dir.out" 2>&1 && return
        cat "$dir.out"
        # As whoever places does, before it begins anew.
        rm -rf "$dir"/back/.tmp-*
    done
    echo "$* fails" && exit 1
}

# step COMMAND...: unless it was done.
step() {
    step=$((step + 1))
    [ $step -gt "$done" ] || return 0
    "$@" && echo $step >"$dir.new" && mv "$dir.new" "$dir.step"
}

# Files that are linked, copied and the same; a link; a directory that is empty.
make() {
    rm -rf "$dir/data"
    mkdir -p "$dir/data/deep/empty" "$dir/back" &&
        echo one >"$dir/data/one" && echo one >"$dir/data/deep/same" &&
        echo two >"$dir/data/two" && chmod 0444 "$dir/data/two" &&
        echo '#!/bin/sh' >"$dir/data/deep/run" && chmod 0755 "$dir/data/deep/run" &&
        ln -s ../two "$dir/data/deep/link" &&
        echo alone >"$dir/alone" && echo lone >"$dir/lone"
}

put() {
    give use_store "$FANFOLD_STORE" put "$1"
    cp "$dir.out" "$dir.$2"
}

# What is placed is there as a whole or not at all.
place() {
    [ -e "$dir/back/$2" ] || give use_store "$FANFOLD_STORE" place "$1" "$dir/back/$2"
}

use() {
    give use_store "$FANFOLD_STORE" "$@"
}

step make
step put "$dir/data" tree
step use record algorithms tool "{\"tree\": \"$(cat "$dir.tree")\"}"
step put "$dir/alone" alone
step use record datasets water "{\"sha256\": \"$(cat "$dir.alone")\"}"
step put "$dir/lone" lone
step give fanfold store gc --age 0s
step place "$(cat "$dir.tree")" linked
step place "$(cat "$dir.alone")" alone
step put "$dir/data" again
step put "$dir/data/deep" deep
step use record datasets water "{\"sha256\": \"$(cat "$dir.deep")\"}"
step give fanfold store verify
step give fanfold store gc --age 0s
