#!/bin/sh
# 0869-pbs-group - a group on two nodes of PBS: mpirun starts its processes on the
# hosts that PBS gave, a process that is killed is a node that is lost
# Of two daemons of Open MPI on one machine one crashes when they meet in /dev/shm.
TMPDIR=/tmp
export TMPDIR
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/pbs.sh"

pbs_up nodes=3
cat >"$tmp/tmsh" <<END
#!/bin/sh
host=\$1
shift
echo "\$host" >>'$tmp/asked'
exec $(command -v pbs_tmrsh) "\$host" /bin/sh -c "\$*"
END
chmod +x "$tmp/tmsh"

c=$tmp/one
group_campaign "$c" 'node_map: {far: local}'
ok "a group on one node" fanfold -C "$c" run

on_two() {
    group_campaign "$1" 'retry: {node_failure: 3}'
    pbs_site "$1" \
        "setup: [[export, OMPI_MCA_plm_rsh_agent=$tmp/tmsh], [export, OMPI_ALLOW_RUN_AS_ROOT=1, OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1]]"
    sed -i 's/node: .*/node: {cores: 4}/' "$1/site.yaml"
}
c=$tmp/two
on_two "$c"
has "its nodes are asked for" "select=2:ncpus=2" "$(fanfold -C "$c" plan --script work)"
ok "a group on two nodes" fanfold -C "$c" run
is "makes the same bytes" "$(group_results "$tmp/one")" "$(group_results "$c")"
ok "PBS started what is on the other one" test -s "$tmp/asked"
is "both nodes reported" "2 2" \
    "$(jq '.run.report | length' "$c"/work/*/iter/*/job/*/out/result.json | paste -sd' ')"

# Its processes on the other node are killed.
c=$tmp/killed
on_two "$c"
: >"$c/waits"
fanfold -C "$c" run >"$tmp/out" 2>&1 &
pid=$!
until_ok grep -q client "$c/ran"
pkill -KILL -f "[/]fanfold group --node $c/"
: >"$c/go"
wait $pid
is "a node of a group dies: the campaign ends well" 0 $?
has "and explain says why" "node_failure: node 'far'" "$(fanfold -C "$c" explain work 0; fanfold -C "$c" explain work 1)"
is "with the same bytes" "$(group_results "$tmp/one")" "$(group_results "$c")"
ok "and nothing of it is left" until_is "" pgrep -f "$c/"

done_testing
