#!/bin/sh
# 0335-env - variables of jobs that do not depend on who submits
. "$abs_top_srcdir/tests/cli/tap.sh"

# campaign DIR: a chain of two stages, each with the program `locate` on PATH.
campaign() {
    mkdir -p "$1/bin"
    cp "$abs_top_srcdir/tests/cli/loop/site.yaml" "$1"
    printf '#!/bin/sh\nprintf "{\\"said\\": \\"%%s\\"}" "$SAID" >params.json\n' >"$1/bin/locate-me"
    chmod +x "$1/bin/locate-me"
    cat >"$1/campaign.yaml" <<'END'
format: 1
campaign: env
elements: [Si]
stop: {iterations: 1}
stages:
  first: {uses: test.work, with: {after: x}}
  second: {uses: test.work, with: {after: first.said}}
operators:
  test.work:
    inputs: {after: {type: string}}
    outputs: {said: {type: string}}
    command: [locate-me]
END
}
fanfold=$(command -v fanfold)
bin=$(dirname "$fanfold")

c=$tmp/c
campaign "$c"
exits "a program that is not on PATH" 3 "$fanfold" -C "$c" check
sed -i "s|scheduler: local|&\n    env: {PATH: '$c/bin:/usr/bin:/bin', SAID: \"it's \$5\"}|" "$c/site.yaml"
ok "... is on that of env" "$fanfold" -C "$c" check
has "the script has it" "export SAID='it'\\''s \$5'" "$("$fanfold" -C "$c" plan --script first)"
ok "a driver with another PATH" env PATH=/usr/bin:/bin SAID=no "$fanfold" -C "$c" run
is "... starts tasks with that of env" "it's \$5" "$("$fanfold" -C "$c" result second said)"
is "a change of env computes nothing anew" "" "$(
    sed -i 's/SAID: .*}/SAID: other}/' "$c/site.yaml"
    "$fanfold" -C "$c" redo second >/dev/null 2>&1
    "$fanfold" -C "$c" run | grep first
)"
is "... but what runs has it" other "$("$fanfold" -C "$c" result second said)"

# --- setup ---

# bash runs it: `source` is a word of bash alone; of a login shell what its files
# define, as they define `module`.
c=$tmp/setup
campaign "$c"
printf 'export SAID=sourced\n' >"$c/rc"
sed -i "s|scheduler: local|&\n    setup: [[source, $c/rc]]|" "$c/site.yaml"
ok "setup with source" env PATH="$c/bin:/usr/bin:/bin" "$fanfold" -C "$c" run
is "... reaches the tasks" sourced "$("$fanfold" -C "$c" result second said)"
mkdir "$tmp/home"
printf 'module() { export SAID="$*"; }\nPATH=%s:/usr/bin:/bin\n' "$c/bin" >"$tmp/home/.bash_profile"
sed -i "s|    setup: .*|    setup: [[module, load, x]]|" "$c/site.yaml"
"$fanfold" -C "$c" redo second >/dev/null 2>&1
status=0
HOME=$tmp/home timeout 60 "$fanfold" -C "$c" run >"$tmp/out" 2>&1 || status=$?
ok "a function of a login shell is not there" [ $status != 0 ]
sed -i "s|    setup: .*|&\n    login_shell: true|" "$c/site.yaml"
"$fanfold" -C "$c" resume >/dev/null 2>&1
ok "... but where one is asked for" env HOME="$tmp/home" "$fanfold" -C "$c" run
is "... for the tasks, too" "load x" "$("$fanfold" -C "$c" result second said)"
sed -i 's/scheduler: local/scheduler: slurm/' "$c/site.yaml"
exits "jobs of a cluster have one anyway" 3 "$fanfold" -C "$c" check
has "... which is said" "login_shell: jobs of this scheduler begin with one anyway" "$out"

# Without env jobs see the driver's PATH; who submits with another one is told once.
c=$tmp/seen
campaign "$c"
cp "$c/bin/locate-me" "$tmp/spare"
until_submitted() {
    told=$(env PATH="$1" "$fanfold" -C "$c" advance 2>&1) || return 1
    printf '%s\n' "$told" >>"$tmp/told"
    [ "$(run_files "$c" "$2" 000000 000000)" ]
}
: >"$tmp/told"
until_ok until_submitted "$c/bin:/usr/bin:/bin" first
lacks "the first submission warns of nothing" warning cat "$tmp/told"
mkdir "$tmp/else"
cp "$tmp/spare" "$tmp/else/locate-me"
until_ok until_submitted "$tmp/else:/usr/bin:/bin" second
has "another environment submits" \
    "warning: jobs of stage 'second' see another PATH than those submitted before, without $c/bin, with $tmp/else" \
    "$(cat "$tmp/told")"
is "... which is said once" 1 "$(grep -c warning "$tmp/told")"
is "... and journaled" 1 "$(cat "$c"/.fanfold/journal/* | grep -c '"path_before"')"

done_testing
