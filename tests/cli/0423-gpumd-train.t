#!/bin/sh
# 0423-gpumd-train - gpumd.train with a stand-in for nep: what nep is given and leaves, a
# training that is killed and goes on, and those that fail
. "$abs_top_srcdir/tests/cli/tap.sh"

# nep: every tenth generation adds a row to nep.restart and to the curve.  The first that
# gets to 20 waits there where STOP names a directory, to be killed, and has a state that
# cannot be read when DAMAGE is set.
mkdir "$tmp/bin"
cat >"$tmp/bin/nep" <<'END'
#!/bin/sh
echo '*                 Welcome to use GPUMD                        *'
g=$(awk '$1 == "generation" { g = $2 } END { print g + 0 }' nep.in)
if grep -q '^bad' nep.in; then
    printf 'Input Error:\n    File:       main_nep/parameters.cu\n    Line:       9\n    Error text: bad is an invalid keyword.\n'
    exit 1
fi
if [ -f nep.restart ] && grep -q damaged nep.restart; then
    printf 'Input Error:\n    File:       main_nep/snes.cu\n    Line:       126\n    Error text: Reading error for nep.restart.\n'
    exit 1
fi
i=0
while [ $i -lt "$g" ]; do
    i=$((i + 10))
    loss=1.00000
    # the first that has a checkpoint, and it alone
    [ -z "$NAN_ONCE" ] || [ $i != 20 ] || ! mkdir "$NAN_ONCE" 2>/dev/null || NAN_AT=20
    [ -z "$NAN_AT" ] || [ $i -lt "$NAN_AT" ] || loss=nan
    printf '%-8d%-11s%-11s%-11s%-13s%-13s%-13s%-13s%-13s%-13s\n' $i $loss 0.01000 0.01000 0.00200 0.05000 0.01000 0.00000 0.00000 0.00000 >>loss.out
    printf 'nep4 1 Si \n  1.0000000e+00\n' >nep.txt
    echo "generation $i" >>nep.restart
    # predicted, then labelled
    [ ! -f test.xyz ] || awk '$1 == "Si" { print $5 + 0.5, $6 + 0.5, $7 + 0.5, $5, $6, ENVIRON["FORCE_NAN"] ? "nan" : $7 }' test.xyz >force_test.out
    if [ $i = 20 ] && [ -n "$STOP" ] && mkdir "$STOP" 2>/dev/null; then
        [ -z "$DAMAGE" ] || echo damaged >>nep.restart
        : >"$STOP/here"
        exec sleep 600
    fi
done
[ -z "$NO_MODEL" ] || rm -f nep.txt
echo 'Finished running nep.'
END
chmod +x "$tmp/bin/nep"
PATH=$tmp/bin:$PATH

# campaign DIR [INPUT ...]: further inputs of train, one a line.
campaign() {
    c=$tmp/$1
    rm -rf "$c"
    mkdir -p "$c"
    cp "$abs_top_srcdir/tests/cli/loop/site.yaml" "$c"
    printf 'cutoff 6 4\ngeneration 40\n' >"$c/nep.in"
    cat >"$c/si.extxyz" <<'END'
2
Lattice="5.43 0 0 0 5.43 0 0 0 5.43" Properties=species:S:1:pos:R:3:forces:R:3 energy=-10.8 virial="1 0 0 0 2 0 0 0 3"
Si 0 0 0 0.1 0 0
Si 1.3 1.3 1.3 -0.1 0 0
END
    cat >"$c/campaign.yaml" <<'END'
format: 1
campaign: nep
elements: [Si]
models: 2
data: {initial: [si.extxyz]}
stop: {iterations: 1}
stages:
  train:
    uses: gpumd.train
    with:
      input: nep.in
      datasets: {from: data.initial}
END
    shift
    for line; do echo "      $line" >>"$c/campaign.yaml"; done
}

campaign run
ok "check" fanfold -C "$c" check
ok "run" fanfold -C "$c" run
out=$c/train/gpumd/iter/000000/job/000001/out
is "every member has its model" "nep4 1 Si " "$(head -n 1 "$out/potential/nep.txt")"
is "... and what it can go on from" 4 "$(wc -l <"$out/checkpoint/nep.restart")"
is "the last row is known" "[40,40] [0.05,0.05] [1,1]" \
    "$(for o in step rmse_f frames; do fanfold -C "$c" result train $o | jq -c .; done | tr '\n' ' ' | sed 's/ $//')"
is "without a test set it has no errors" "[null,null]" "$(fanfold -C "$c" result train rmse_f_val | jq -c .)"

campaign held 'validation: {from: data.held_out}'
sed 's/^Si 0 0 0 /Si 0 0 0.1 /' "$c/si.extxyz" >"$c/held.extxyz"
sed -i 's/initial: \[si.extxyz\]/&, held_out: [held.extxyz]/' "$c/campaign.yaml"
ok "with a test set" fanfold -C "$c" run
is "... the forces of both are an output" "0.1 0.6/0 0.5/0 0.5/-0.1 0.4/0 0.5/0 0.5/" \
    "$(grep -v '^#' "$c/train/gpumd/iter/000000/job/000001/out/parity" | tr '\n' '/')"

cp -r "$c" "$tmp/held-nan" && c=$tmp/held-nan && rm -rf "$c/.fanfold" "$c/train" "$c/state.json"
ok "... which is not made in part" env FORCE_NAN=1 fanfold -C "$c" run
is "... nor at all" '[null,null]' "$(fanfold -C "$c" result train parity | jq -c .)"
has "... and the log says where" "there is no output 'parity': force_test.out:1: is not six numbers" "$(fanfold -C "$c" log train 0)"

# What nep is given, of a task that stays.
campaign given
sed -i 's/Lattice="[^"]*"/Lattice="0 5.43 0 5.43 0 0 1 0 5.43"/' "$c/si.extxyz"
echo bad >>"$c/nep.in"
exits "an error of the input is fatal" 1 fanfold -C "$c" run
has "... and is told" "Error text: bad is an invalid keyword." "$(fanfold -C "$c" explain train 0)"
task=$(dirname "$(find "$c/.fanfold/run" -name nep.in | head -n 1)")
is "nep.in has the types, and the generations" "type 1 Si/cutoff 6 4/generation 40/bad//generation 40" \
    "$(tr '\n' '/' <"$task/nep.in" | sed 's#/$##')"
has "train.xyz has the names that nep reads" 'virial="1.0 0.0 0.0 0.0 2.0 0.0 0.0 0.0 3.0"' "$(cat "$task/train.xyz")"
has "... the cell as it is: sheared, left-handed" 'Lattice="0.0 5.43 0.0 5.43 0.0 0.0 1.0 0.0 5.43"' \
    "$(cat "$task/train.xyz")"
has "... of forces, too" "force:R:3" "$(cat "$task/train.xyz")"
has "... and the energy" "energy=-10.8" "$(cat "$task/train.xyz")"

campaign nan
exits "a loss that is no number is no model" 1 env NAN_AT=20 fanfold -C "$c" run
has "... since when" "since step 20 the error is no number" "$(fanfold -C "$c" explain train 0)"
campaign unlucky
sed -i 's/models: 2/models: 1/' "$c/campaign.yaml"
ok "with another seed it may be one" env NAN_ONCE="$tmp/once" fanfold -C "$c" run
is "... of a training that begins anew" "40 4" \
    "$(fanfold -C "$c" result train step | jq -c .[0]) $(wc -l <"$c/train/gpumd/iter/000000/job/000000/out/checkpoint/nep.restart")"
campaign gone
exits "a training that left no model" 1 env NO_MODEL=1 fanfold -C "$c" run
has "... is told" "nep left no model" "$(fanfold -C "$c" explain train 0)"

# --- killed ---

# killed DIR: the agent of the first training that stops is killed.
killed() {
    campaign "$1"
    sed -i 's/models: 2/models: 1/' "$c/campaign.yaml"
    STOP=$tmp/$1.stop fanfold -C "$c" run >"$tmp/out" 2>&1 &
    pid=$!
    until_ok test -e "$tmp/$1.stop/here"
    pkill -KILL -f "fanfold -C $c agent"
    wait $pid
    is "a training whose agent was killed ends well" 0 $?
    out=$c/train/gpumd/iter/000000/job/000000/out
}

killed on
is "... it goes on: no generation twice" 40 "$(fanfold -C "$c" result train step | jq -c .[0])"
is "... from its state" "generation 10 generation 20 generation 10 generation 20" \
    "$(tr '\n' ' ' <"$out/checkpoint/nep.restart" | sed 's/ $//')"
DAMAGE=1
export DAMAGE
killed anew
is "... a state that was cut: from the beginning" "generation 10 generation 20 generation 30 generation 40" \
    "$(tr '\n' ' ' <"$out/checkpoint/nep.restart" | sed 's/ $//')"
is "... with the generations of this training alone" 40 "$(fanfold -C "$c" result train step | jq -c .[0])"
unset DAMAGE

# --- from another training ---

mkdir "$tmp/state"
echo "generation 10" >"$tmp/state/nep.restart"
campaign further "restart: [$tmp/state]"
ok "from the state of another training" fanfold -C "$c" run
is "... which stays as it was" 1 "$(wc -l <"$tmp/state/nep.restart")"
is "... and is gone on from by every member" "5 5" \
    "$(cat "$c"/train/gpumd/iter/000000/job/000000/out/checkpoint/nep.restart | wc -l) $(cat "$c"/train/gpumd/iter/000000/job/000001/out/checkpoint/nep.restart | wc -l)"

# refused WHAT LINE SAYS
refused() {
    campaign bad
    echo "$2" >>"$c/nep.in"
    exits "$1" 3 fanfold -C "$c" check
    has "... and says where" "input: $c/nep.in:3: $3" "$out"
}
refused "types in the input" "type 1 Si" "'type' is filled in by Fanfold for every model; write elements of the stage instead"
refused "a prediction" "prediction 1" "'prediction' is filled in"
refused "no number of generations" "generation many" "generation: write a number of 1 or more"

printf '1\nProperties=species:S:1:pos:R:3:forces:R:3 energy=-1 pbc="F F F"\nSi 0 0 0 0 0 0\n' >"$tmp/free.xyz"
campaign free
cp "$tmp/free.xyz" "$c/si.extxyz"
exits "a frame without a cell" 1 fanfold -C "$c" run
has "... is named" "si.extxyz: frame 0: it has no cell, and nep needs one" "$(fanfold -C "$c" explain train 0)"

done_testing
