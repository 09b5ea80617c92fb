#!/bin/sh
# 0865-pbs-mpi - tasks of several nodes on PBS: mpirun finds the hosts that PBS
# gave, though it was built without PBS
# Of two daemons of Open MPI on one machine one crashes when they meet in /dev/shm.
TMPDIR=/tmp
export TMPDIR
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/pbs.sh"

pbs_up nodes=3
where=$abs_top_builddir/tests/mpi/where
cat >"$tmp/tmsh" <<END
#!/bin/sh
host=\$1
shift
echo "\$host" >>'$tmp/asked'
exec $(command -v pbs_tmrsh) "\$host" /bin/sh -c "\$*"
END
chmod +x "$tmp/tmsh"

c=$tmp/mpi
mkdir "$c"
pbs_site "$c" 'launcher: [mpirun, -n, "{ranks}", --oversubscribe, --bind-to, none]' \
    "setup: [[export, OMPI_MCA_plm_rsh_agent=$tmp/tmsh], [export, OMPI_ALLOW_RUN_AS_ROOT=1, OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1], [eval, 'cp \"\$PBS_NODEFILE\" \"$tmp/hosts-\$PBS_ARRAY_INDEX\"']]"
sed -i 's/node: .*/node: {cores: 4}/' "$c/site.yaml"
where_yaml "$c" 1 "'{launcher}', '$where', '{outputs.params}'"
has "plan: two chunks of two ranks" "select=2:ncpus=2:mpiprocs=2" \
    "$(fanfold -C "$c" plan --script work)"
ok "mpirun over two nodes" fanfold -C "$c" run
is "... has two ranks on each" "[2,2]" \
    "$(fanfold -C "$c" result work hosts | jq -c '.[0] | group_by(.) | map(length)')"
is "... on the two hosts it was given, two lines each" "2 2 " \
    "$(sort "$tmp/hosts-0" | uniq -c | awk '{ printf "%s ", $1 }')"
others=$(sort -u "$tmp/hosts-0")
ok "... and reaches the other one by PBS" test -s "$tmp/asked"
is "... and none that it was not given" "" \
    "$(sort -u "$tmp/asked" | grep -vxF "$others")"

done_testing
