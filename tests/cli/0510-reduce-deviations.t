#!/bin/sh
# 0510-reduce-deviations.t - fanfold-reduce on model_devi.out: every rule of
# counting against awk, files shared by ranks, restarts, and what is missing
#
# MPIRUN replaces the launcher.

# shellcheck source=tests/cli/tap.sh
. "${abs_top_srcdir:-$(dirname "$0")/../..}/tests/cli/tap.sh"
# shellcheck source=tests/cli/reduce.sh
. "${abs_top_srcdir:-$(dirname "$0")/../..}/tests/cli/reduce.sh"

# rows TASK FROM TO: what LAMMPS writes, every 10 steps, without a header.
rows () {
    awk -v task="$1" -v from="$2" -v to="$3" '
    function noise (a, b,    x) {
        x = (a * 7919 + b * 104729 + 12345) % 65521
        x = (x * 17364 + 4099) % 65521
        return ((x * 33285 + 17) % 65521) / 65521
    }
    BEGIN {
        for (step = from; step <= to; step += 10) {
            printf "%12d", step
            for (i = 1; i <= 6; i++) {
                x = noise(task * 1000 + i, step)
                if (i % 3 == 1)
                    largest = x
                printf " %18.6e", i % 3 == 2 ? x * largest : x
            }
            print ""
        }
    }'
}

header () {
    awk 'BEGIN {
        printf "#%11s", "step"
        n = split("v f", of, " ")
        for (i = 1; i <= n; i++)
            printf "%19s%19s%19s", "max_devi_" of[i], "min_devi_" of[i], \
                "avg_devi_" of[i]
        print ""
    }'
}

# A dump with a frame of one atom for each step on stdin.
dump_of () {
    awk '{
        print "ITEM: TIMESTEP\n" $1 "\nITEM: NUMBER OF ATOMS\n1"
        print "ITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 9"
        print "ITEM: ATOMS id type x y z\n1 1 " $1 / 1000 " 1 2"
    }'
}

# entry TASK SYSTEM EXPECTED [EXTRA]
entry () {
    echo "{\"task\": $1, \"system\": \"$2\", \"trajectory\": \"t$1.dump\"," \
        "\"deviations\": \"d$1\", \"expected_frames\": $3${4-}}" >>entries
}

# Of each file, "TASK STEP V F" of the rows that count: the last of each step,
# in [10, ...).
counted () {
    for file in d[0-9]*; do
        tr -d '\r' <"$file" | awk -v task="${file#d}" '
        NF == 7 && $1 ~ /^[0-9]+$/ && $1 >= 10 {
            if (!($1 in last))
                steps[++n] = $1
            gsub (/ inf/, " 9e99")
            last[$1] = /nan/ ? "invalid" : $2 " " $5
        }
        END { for (i = 1; i <= n; i++) print task, steps[i], last[steps[i]] }
        '
    done | sort -n -k1,1 -k2,2
}

{ header; rows 1 0 20000; } >d1
{ header; rows 2 0 500; rows 3 400 900; } >d2     # a restart
{ header; rows 4 0 300; rows 4 0 300; } >d3       # from the start again
{ header; rows 5 0 300 | sed 'p;p'; } >d4         # Monte Carlo
{ header; rows 6 0 300 | sed '8s/ [^ ]*$/ nan/; 9s/ [^ ]*e[^ ]*/ inf/4'; } >d5
{ header; rows 7 0 300; printf '         310       1.0'; } >d6
header >d7
: >d8
{ header; rows 9 0 300; } | sed 's/$/\r/' >d9
{ header; printf '          50       1.0e-01       1.0e-01       1.0e-01       3.0e-01       1.0e-01       1.0e-01\n'; } >d10
for task in 1 2 3 4 5 6 7 8 9 10; do
    tr -d '\r' <d$task | awk 'NF == 7 && $1 ~ /^[0-9]/ { print $1 }' | sort -nu |
        dump_of >t$task.dump
done
for task in 1 2 3 4 5 6 7 8 9 10; do
    case $task in
    [1-3]) entry $task first 2000 ;;
    *) entry $task second 30 ;;
    esac
done
entry 12 second 30 # its file does not exist

number () {
    sed -n "s/^  \"$1\": \([^,]*\),*\$/\1/p" "$2/params.json"
}

# The reference: classes of all rows, by DP-GEN's rule for force and virial.
counted >all.raw
awk '{
    if ($3 == "invalid") c = "invalid"
    else if (($3 >= 0.9 && $3 < 0.95) || ($4 >= 0.2 && $4 < 0.4)) c = "candidate"
    else if ($3 >= 0.95 || $4 >= 0.4) c = "failed"
    else c = "accurate"
    print $1, $2, c
}' all.raw >classes
count () {
    grep -c " $1\$" classes
}

common='"elements": ["Si"]'
skip='"skip": {"steps": 10, "dump_every": 10}'
levels='"levels": {"force": [0.2, 0.4], "virial": [0.9, 0.95]}'
rules="$common, $skip, $levels"
skip3='"skip": {"steps": 10, "dump_every": 10, "frames": 3}'
twelve='"pick": {"quota": 12, "per": "iteration"}'
plan whole "$rules, \"pick\": {\"quota\": 100000}"
ok "one rank, without mpirun" reduce 0 whole.json
is "candidates as awk counts them" "$(count candidate)" "$(number candidates whole)"
fraction_is () {
    awk -v a="$(number "$1" whole)" -v n="$2" -v all="$(number total whole)" \
        'BEGIN { print a, n / all; d = a - n / all; exit !(d * d < 1e-20) }'
}
ok "accurate ones" fraction_is accurate "$(count accurate)"
ok "invalid ones, by a number beside the largest too" \
    fraction_is invalid "$(count invalid)"
lost=$((2000 - 90 + 2000 - 30 + 30 + 30 + 29 + 30))
is "lost frames" $lost "$(number lost whole)"
ok "failed ones, and those lost" fraction_is failed \
    $(($(count failed) + $(count invalid) + lost))
is "steps that came again" $((11 + 30 + 60)) "$(number repeated_steps whole)"
is "rows that were cut" 1 "$(number cut_rows whole)"
is "files that do not exist" 1 "$(number absent_files whole)"
selected_steps () {
    cat "$1"/frames/*.extxyz | sed -n 's/.* task=\([0-9]*\) step=\([0-9]*\) .*/\1 \2/p' |
        sort -n -k1,1 -k2,2
}
selected_steps whole >chosen
awk '$3 == "candidate" { print $1, $2 }' classes >wanted
ok "the frames of those steps" diff wanted chosen
position_of () {
    awk -v tag="task=$1 step=$2 " 'index ($0, tag) { getline; print $2 }' "$3"
}
step=$(awk '$1 == 2 { print $2; exit }' wanted)
is "with their coordinates" "$(awk "BEGIN { print $step / 1000 }")" \
    "$(position_of 2 "$step" whole/frames/first.extxyz)"

# Any number of ranks: the same bytes.  The first file is large
# enough to be shared.
rows 1 0 200000 | cat d1 - >large # and it starts again
mv large d1
awk 'NF == 7 && $1 ~ /^[0-9]/ { print $1 }' d1 | sort -nu | dump_of >t1.dump
ok "the large file is larger than what is not shared" \
    test "$(wc -c <d1)" -gt 2000000
same_as_one () {
    reference=$1
    ranks=$2
    plan "$reference-$ranks" "$3"
    reduce "$ranks" "$reference-$ranks.json" || return 1
    diff -r "$reference" "$reference-$ranks"
}
# name|rules
while IFS='|' read -r name rule; do
    plan "$name" "$rule"
    reduce 0 "$name.json" || exit 1
    for ranks in 2 3 7; do
        ok "$name: $ranks ranks" same_as_one "$name" $ranks "$rule"
    done
done <<END
plain|$rules, "pick": {"quota": 12, "per": "iteration"}
per-system|$rules, "pick": {"quota": 5, "per": "system", "how": "max"}
adaptive|$common, $skip, "levels": {"force": {"high": 0.9}, "virial": {"high": 0.99}, "adaptive": {"force": {"fraction": 0.01}, "virial": {"count": 7}}}, "pick": {"quota": 40, "per": "iteration"}
stratified|$rules, "pick": {"quota": 30, "per": "iteration", "how": "stratified"}
rare|$rules, "pick": {"quota": 30, "how": "inverse_population"}, "semantics": "dpgen2"
skipped|$common, $levels, $skip3, "pick": {"quota": 9}, "semantics": "simplify"
END

# A large file without a restart: its pieces fit.
rows 1 0 200000 >d1
awk '{ print $1 }' d1 | dump_of >t1.dump
plan rising "$rules, $twelve"
reduce 0 rising.json || exit 1
for ranks in 2 3 7; do
    ok "rising: $ranks ranks" same_as_one rising $ranks "$rules, $twelve"
done

# It is read by one rank when frames are skipped, which are those at its beginning.
plan skipped3 "$common, $skip3, $levels, \"pick\": {\"quota\": 9}"
reduce 0 skipped3.json
# d1 to d3 have 2000, 90 and 30 of 2000 that are expected, others 30 of 30, but for three
# that have none and one that has one: of each three less are expected, and lost only
# where there are fewer.
is "frames that are skipped by number are not lost" \
    $((1910 + 1970 + 27 + 27 + 27 + 27)) "$(number lost skipped3)"
plan late "$common, $levels, $skip3, $twelve"
reduce 0 late.json || exit 1
for ranks in 2 3 7; do
    ok "late: $ranks ranks" same_as_one late $ranks "$common, $levels, $skip3, $twelve"
done

# A candidate whose frame is not there is replaced.
awk '$1 % 20 == 0 { print $1 }' d1 | dump_of >t1.dump
plan sparse "$rules, $twelve"
reduce 2 sparse.json || exit 1
even_steps () {
    [ "$(number selected sparse)" = 12 ] && [ "$(number without_frame sparse)" -gt 0 ] &&
        ! selected_steps sparse | awk '$1 == 1 { print $2 }' | grep -v '[02468]0$'
}
ok "candidates without a frame are replaced" even_steps

# Without trajectories frames are only listed, with where they come from.
jq '.inputs.trajectories = [] | .outputs = {params: "listed/params.json", provenance: "listed/from.json"}' \
    sparse.json >listed.json
mkdir listed
reduce 2 listed.json || exit 1
is "no frame is missed" 0 "$(number without_frame listed)"
is "nor written" "from.json params.json" "$(cd listed && echo *)"
listed_frames () {
    tr -d '\n' <listed/from.json | sed 's/{/\n{/g' | grep -c "\"task\": [0-9]*, *\"part\": 0, *\"step\": [0-9]*, *\"deviation\": 0\.[0-9]*, *\"levels\": "
}
is "twelve are listed" 12 "$(listed_frames)"

# listed FILE...: entries of these files, whose frames are only listed.
listed () {
    : >entries
    task=0
    for file in "$@"; do
        task=$((task + 1))
        echo "{\"task\": $task, \"system\": \"s\", \"deviations\": \"$file\", \"expected_frames\": 0}" >>entries
    done
}

# A row that is cut, in whichever file: one row less.
{ header; rows 1 10 80; } >whole.out
awk 'NR == 6 { $0 = substr ($0, 1, 60) } 1' whole.out >short.out
for ranks in 0 1 2 3 7; do
    for first in whole short; do
        listed $first.out "$(echo whole.out short.out | sed "s/$first.out//; s/ //g")"
        plan cut-$ranks-$first "$rules, $twelve"
        ok "a row cut in one of two files, $first first: $ranks ranks" \
            reduce $ranks cut-$ranks-$first.json
        is "... is the only one that is lost" "15 1" \
            "$(number total cut-$ranks-$first) $(number cut_rows cut-$ranks-$first)"
    done
done

# A large file whose columns change in its middle: any number of ranks reads the
# rows that one does.
virial_last () {
    awk '{ print $1, $5, $6, $7, $2, $3, $4 }'
}
{ header; rows 1 10 200000; } >same.out
{
    header
    rows 1 10 100000
    header | sed 's/$/            min_dis/'
    rows 1 100010 200000 | sed 's/$/       1.250000e+00/'
} >wider.out
{
    header
    rows 1 10 100000
    echo "# step $(header | tr -d '#' | virial_last | cut -d' ' -f2-)"
    rows 1 100010 200000 | virial_last
} >other-order.out
{ header; rows 1 10 100000; echo '# sys/b'; rows 1 100010 150000
    echo '# sys/c'; rows 1 10 100000; } >systems.out
for name in same wider other-order systems; do
    listed $name.out
    plan $name "$rules, $twelve"
    reduce 0 $name.json
    for ranks in 2 3 7; do
        ok "$name: $ranks ranks" same_as_one $name $ranks "$rules, $twelve"
    done
done
ok "a column more changes nothing" diff same/params.json wider/params.json
ok "nor does another order" diff same/params.json other-order/params.json
is "each system has its steps" "25000 0" \
    "$(number total systems) $(number repeated_steps systems)"

# Forms of the top, and rows that were cut behind a whole number and continued.
{ header; rows 1 10 80 | sed '8s/[^ ]*$/nan/'; } | sed 's/$/\r/' >crlf.out
{ echo '   '; echo ' # by hand'; header; rows 1 10 80; } >blanks.out
atoms () {
    sed 's/$/       1.000000e-02       2.000000e-02/'
}
{
    header | sed 's/$/      atm_devi_f(N)/'
    rows 1 10 40 | atoms
    rows 1 50 50 | cut -c 1-31 | tr -d '\n'
    rows 1 50 80 | atoms
} >atoms.out
for ranks in 0 1 2 3 7; do
    listed crlf.out blanks.out atoms.out
    plan forms-$ranks "$rules, $twelve"
    ok "odd forms: $ranks ranks" reduce $ranks forms-$ranks.json
    is "... one invalid, one cut" "23 $(awk 'BEGIN { printf "%.17g", 1 / 23 }') 1" \
        "$(number total forms-$ranks) $(number invalid forms-$ranks) $(number cut_rows forms-$ranks)"
done

# Nothing at all.
: >entries
entry 7 none 3
plan empty "$rules, $twelve"
ok "a header alone" reduce 2 empty.json
is "three frames were lost" 3 "$(number lost empty)"

# What is no such file.
fails_cleanly () {
    reduce 2 "$1.json" >/dev/null 2>message
    status=$?
    cat message
    [ $status -eq 1 ] && [ "$(grep -c "$2" message)" -eq 1 ] && [ ! -e "$1/frames" ]
}
echo 'this is no table' >d7
plan wrong "$rules, $twelve"
ok "no model_devi.out" fails_cleanly wrong '^fanfold-reduce: d7: at byte 0: expected a step'
header >d7
plan energy "$common, $skip, \"levels\": {\"energy\": [1, 2]}, $twelve"
ok "levels for what the file does not hold" fails_cleanly energy \
    '^fanfold-reduce: d7: at byte 0: no column devi_e'

# Compressed, whatever the names: the same bytes.  One of the files is cut.
: >entries
for task in 1 2 5; do
    entry $task first 100
done
for task in 1 2 5; do
    { header; rows $task 0 20000; } >d$task
    awk '$1 ~ /^[0-9]/ { print $1 }' d$task | dump_of >t$task.dump
done
plan unpacked "$rules, $twelve"
ok "files as they are" reduce 2 unpacked.json
for file in d1 d2 d5 t1.dump t2.dump; do
    gzip -c $file >z && mv z $file
done
plan packed "$rules, $twelve"
for ranks in 0 1 2 3; do
    rm -rf packed
    mkdir packed
    ok "compressed, $ranks ranks" reduce $ranks packed.json
    ok "the same bytes" diff -r packed unpacked
done
head -c 20000 d1 >cut && mv cut d1
plan cut "$rules, $twelve"
ok "compressed data that ends too early" fails_cleanly cut \
    '^fanfold-reduce: d1: at byte 20000 of the file: the gzip data is damaged: it ends too early'

done_testing
