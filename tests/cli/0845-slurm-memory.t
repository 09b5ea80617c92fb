#!/bin/sh
# 0845-slurm-memory - memory kept by cgroups: Slurm's OUT_OF_MEMORY, and the
# agent's own word
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/slurm.sh"

# Only root may make cgroups, and newer systems have no version 1.
kept=no
[ "$(id -u)" -ne 0 ] || [ ! -w /sys/fs/cgroup/memory ] || kept=--cgroups

if [ $kept = no ]; then slurm_up --nodes 2 --cpus 2; else slurm_up --nodes 2 --cpus 2 $kept; fi

# --- Slurm's word alone, put into its mouth ---

c=$tmp/word
work_campaign "$c" 2
sed -i 's/walltime: 50s/walltime: 50s, memory: 100MiB/' "$c/campaign.yaml"
echo "$suicide" >"$c/behaviour"
mkdir "$tmp/bin"
real=$(command -v squeue)
printf '#!/bin/sh\n"%s" "$@" | sed s/FAILED/OUT_OF_MEMORY/\n' "$real" >"$tmp/bin/squeue"
chmod +x "$tmp/bin/squeue"
PATH=$tmp/bin:$PATH
ok "an element is out of memory, says Slurm" fanfold -C "$c" run
rm "$tmp/bin/squeue"
is "... the task that left no word ran again" "0 1 1 " "$(ran "$c")"
has "... and explain says why" "out_of_memory" "$(fanfold -C "$c" explain work 1)"
is "... with half as much again" "mem=100M mem=150M " \
    "$(run_cat "$c" work '000000' '*/000000/script' | grep -o 'mem=[0-9]*M' |
        sort -u | tr '\n' ' ')"

# --- the kernel's ---

if [ $kept = no ]; then
    not_here "memory that is kept by cgroups: none of version 1 can be made"
    done_testing
fi

grow='exec awk "BEGIN { s = \"x\"; while (length (s) < 300000000) s = s s; print length (s) >\"/dev/null\" }"'

# A task that outgrows its element is killed by the kernel; the agent, whose
# share is small, lives to tell.
c=$tmp/task
work_campaign "$c" 2
sed -i 's/walltime: 50s/walltime: 50s, memory: 100MiB/' "$c/campaign.yaml"
echo "if [ \$2 = 0 ]; then $grow; fi" >"$c/behaviour"
sed -i 's/node: .*/node: {cores: 1, memory: 1GiB}/' "$c/site.yaml"
fanfold -C "$c" run >"$tmp/out" 2>&1
is "a task that never has enough: the campaign fails" failed "$(state_of "$c")"
has "... with the outcome out_of_memory" "out_of_memory" "$(fanfold -C "$c" explain work 0)"
is "... after three tries" "0 0 0 1 " "$(ran "$c")"
is "... each with half as much again" "--mem=100M --mem=150M --mem=225M" \
    "$(run_cat "$c" work '000000' '*/000000/script' | grep -o 'mem=[0-9]*M' |
        sed 's/^/--/' | sort -t= -k2n | uniq | tr '\n' ' ' | sed 's/ $//')"
ok "Slurm says so of the element" wait_state OUT_OF_MEMORY 3

# One that takes its agent with it: only Slurm's word is left.
c=$tmp/agent
work_campaign "$c" 2
sed -i 's/walltime: 50s/walltime: 50s, memory: 100MiB/' "$c/campaign.yaml"
cat >"$c/behaviour" <<END
if [ \$2 = 0 ] && mkdir "\$1/once" 2>/dev/null; then
    echo 1000 >/proc/\$PPID/oom_score_adj
    $grow
fi
END
ok "the agent is killed for its task's hunger" fanfold -C "$c" run
is "... the task ran again" "0 0 1 " "$(ran "$c")"
has "... and explain says why" "out_of_memory" "$(fanfold -C "$c" explain work 0)"

done_testing
