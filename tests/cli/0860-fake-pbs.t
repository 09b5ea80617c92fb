#!/bin/sh
# 0860-fake-pbs - the emulated PBS says what a real one was recorded to say,
# several live side by side, and none leaves anything behind
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/pbs.sh"

fixtures=$abs_top_srcdir/tests/fixtures/pbs
replay=$abs_top_srcdir/tests/fakes/replay
mkdir "$tmp/home"
cd "$tmp/home" || exit 1
printf '#!/bin/sh\n' | tee sl.sh >arr.sh
export LANG=C.UTF-8 SHELL=/bin/bash HOME="$tmp/home"

# Each replay is many comparisons: one line here.
replayed() {
    if "$replay" "$@" >"$tmp/out" 2>&1; then
        pass "$(basename "${2:-$1}"): $(grep -c '^ok' "$tmp/out") replies are the same"
    else
        fail "$(basename "${2:-$1}")" "$(grep -A6 '^not ok' "$tmp/out")"
    fi
}

fake_up user=pbsuser next_id=2 ncpus=8
is "qstat -Bf" "$(cat "$fixtures/qstat-Bf-default.txt")" "$(qstat -Bf)"
is "qmgr -c 'print server'" "$(cat "$fixtures/qmgr-print-default.txt")" \
    "$(qmgr -c 'print server')"
replayed "$fixtures/submit-arrays.txt"
fake down
fake_up user=pbsuser next_id=1103
cp sl.sh rc.sh
replayed "$fixtures/names.txt"
fake down

fake_up user=pbsuser next_id=1001 ncpus=8
cat >mix.sh <<'END'
#!/bin/sh
case $PBS_ARRAY_INDEX in
[012]) touch "ended$PBS_ARRAY_INDEX" ;;
3) until [ -e ended0 ] && [ -e ended1 ] && [ -e ended2 ]; do sleep 0.1; done
   sleep 0.3; exit 1 ;;
*) until [ -e go ]; do sleep 0.1; done ;;
esac
END
is "an array is submitted" "1001[].pbs01" "$(qsub -J 0-5 mix.sh)"
four_ended() {
    [ "$(qstat -t '1001[]' | grep -c ' X ')" -eq 4 ]
}
until_ok four_ended
replayed "$fixtures/array-nohistory-running.txt"
replayed --folds "$fixtures/array-nohistory-running.txt"
touch go
until_is "" qselect
replayed "$fixtures/array-nohistory-done.txt"
fake fault any down
replayed "$fixtures/server-down.txt"
fake mend

# Another beside it, and the end of both.
"$abs_top_srcdir/tests/fakes/pbs" up "$tmp/other" server=pbs09 job_history_enable=True
printf '#!/bin/sh\nsleep 1000\n' >long.sh
id=$(PATH="$tmp/other/bin:$PATH" qsub -J 0-1 -o /dev/null -j oe long.sh)
is "another server has jobs of its own" "0[].pbs09" "$id"
silent "... which the first does not know" qselect
ok "the first is taken down" fake down
is "... the other's jobs run on" 2 "$(PATH="$tmp/other/bin:$PATH" qstat -t | grep -c ' R ')"
"$abs_top_srcdir/tests/fakes/pbs" down "$tmp/other"
ok "the other is taken down with its jobs" until_is "" pgrep -f "$tmp/other"
is "... and nothing is left" "" "$(ls -d "$tmp/other" 2>/dev/null)"

done_testing
