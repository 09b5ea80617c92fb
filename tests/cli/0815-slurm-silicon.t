#!/bin/sh
# 0815-slurm-silicon - two iterations of the quick start, with the real engines,
# on four nodes: the same bytes as here, one sbatch for each stage
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/slurm.sh"

silicon() {
    cp -R "$abs_top_builddir/examples/silicon" "$1"
    chmod -R u+w "$1"
    sed -i 's/iterations: 12/iterations: 2/' "$1/campaign.yaml"
}

silicon "$tmp/here"
ok "on this machine" fanfold -C "$tmp/here" run

slurm_up --nodes 4 --cpus 2
c=$tmp/slurm-silicon
silicon "$c"
cat >"$c/site.yaml" <<'END'
format: 1
profiles:
  here:
    scheduler: slurm
    node: {cores: 2, memory: 3GiB}
    limits: {poll: 1s, settle: 5s, visibility: 10s}
    launcher: [mpirun, -n, "{ranks}"]
END
ok "it checks" fanfold -C "$c" check
count_calls
ok "on Slurm" fanfold -C "$c" run
is "... the same bytes" "$(results_digest "$tmp/here")" "$(results_digest "$c")"
is "... one sbatch for each stage that ran" \
    "$(ls -d "$c"/.fanfold/run/*/*/000000/000000 | wc -l)" "$(calls sbatch)"
is "... each attempt was the first" "" "$(ls -d "$c"/.fanfold/run/*/*/000001 2>/dev/null)"
echo "# scheduler calls of two iterations: $(wc -l <"$tmp/calls") ($(
    cut -d' ' -f1,2 "$tmp/calls" | sed 's/ -.*//' | sort | uniq -c | tr -s ' \n' ' '))"
