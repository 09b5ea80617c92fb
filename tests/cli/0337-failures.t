#!/bin/sh
# 0337-failures - what run says of tasks that fail
. "$abs_top_srcdir/tests/cli/tap.sh"

c=$tmp/c
mkdir "$c"
cat >"$c/site.yaml" <<'END'
format: 1
profiles:
  here:
    scheduler: local
    node: {cores: 2}
    limits: {poll: 0.2s, settle: 0.3s, visibility: 2s}
    launcher: [env, "RANKS={ranks}"]
END
cat >"$c/campaign.yaml" <<'END'
format: 1
campaign: failures
elements: [Si]
models: 3
stop: {iterations: 1}
stages:
  a_committee_of_potentials: {uses: test.work, success: 0.5, retry: {failed: 2}}
  label: {uses: test.work, with: {n: a_committee_of_potentials.n}, retry: {failed: 1}}
operators:
  test.work:
    fan_out: [m]
    inputs: {m: {type: int, from: models}, n: {type: int, list: true, default: []}}
    outputs: {n: {type: int}}
    task: {ranks: 2, cores: 2}
    command: ["{launcher}", "{campaign}/task.sh", "{m}"]
END
cat >"$c/task.sh" <<'END'
#!/bin/sh
echo begins
if [ "$1" = 1 ]; then echo "no convergence"; exit 5; fi
echo '{"n": 1}' >params.json
END
chmod +x "$c/task.sh"
exits "a stage fails" 1 fanfold -C "$c" run
said=$(printf '%s\n' "$out" | sed 's/^2[^ ]* *\(  [a-z]\)/\1/') # without the times
is "names are aligned, tries are counted, the program is named" \
    "  a_committee_of_potentials task 1, try 1 of 2: failed: command 'task.sh' exited with status 5; its last line: 'no convergence'
  a_committee_of_potentials task 1, try 2 of 2: failed: as before
  label                     task 1, try 1 of 1: failed: command 'task.sh' exited with status 5; its last line: 'no convergence'" \
    "$(printf '%s\n' "$said" | grep ' task 1, ')"
has "... as in a stage's own line" "  a_committee_of_potentials 2 ok, 1 failed  " "$said"
is "... which says where to look" 1 \
    "$(printf '%s\n' "$said" | grep -c '  label  *failed: 2 of 3 tasks are ok.*see `fanfold log label --failed`')"
has "... and that shows it" "no convergence" "$(fanfold -C "$c" log label --failed)"
has "... as status does" "label: task 1 (failed): command 'task.sh' exited with status 5; its last line: 'no convergence'" \
    "$(fanfold -C "$c" status)"
lacks "no braces are left" '{' printf '%s\n' "$said"

# Its files stay where they are.
sed -i 's/^  label: {/  dft: {renamed_from: label, /' "$c/campaign.yaml"
exits "under another name it is still failed" 1 fanfold -C "$c" run
has "... and status knows why" "its last line: 'no convergence'" \
    "$(fanfold -C "$c" status | grep '^dft: task 1')"

done_testing
