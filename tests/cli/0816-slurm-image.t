#!/bin/sh
# 0816-slurm-image - scripts, groups and commands of several ranks in an image on nodes
# of Slurm: the same bytes as here without one
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/slurm.sh"
. "$abs_top_srcdir/tests/cli/image.sh"

c=$tmp/here
image_campaign "$c"
printf 'format: 1\nprofiles:\n  here: {scheduler: local, node: {cores: 2}}\n' >"$c/site.yaml"
ok "here, without an image" fanfold -C "$c" run

if ! image_here; then
    not_here "commands in an image: ch-run (charliecloud) does not work here"
    done_testing
fi

slurm_up --nodes 2 --cpus 2
d=$tmp/slurm-image
image_campaign "$d" image
image_make "$d/image"
cat >"$d/site.yaml" <<END
format: 1
profiles:
  here:
    scheduler: slurm
    node: {cores: 2, memory: 300MiB}
    limits: {poll: 0.5s, settle: 2s, visibility: 10s}
    launcher: srun
$(image_site)
END
sed -i 's/more: {uses: test.more,/more: {uses: test.more, task: {ranks: 2},/' "$d/campaign.yaml"
ok "it checks" fanfold -C "$d" check
ok "on Slurm, in an image" fanfold -C "$d" run
is "... the same bytes" "$(image_results "$c")" "$(image_results "$d")"
is "... prepare and three scripts inside" 4 "$(grep -c made "$d/inside")"
is "... two ranks, which srun started, each inside" 2 "$(grep -c rank "$d/inside")"
has "... behind the launcher" "srun '--nodes=1' '--ntasks=2'" "$(fanfold -C "$d" log more)"
ok "... and none of it is left" until_is "" pgrep -f "$d/image"

done_testing
