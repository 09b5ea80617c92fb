#!/bin/sh
# 0905-install - make install, what it puts where, and uninstall; the examples where
# they lie; what the scripts of first contact say when something is missing
. "$abs_top_srcdir/tests/cli/tap.sh"

# The variables of the make that runs this are not for this one.
make_here() {
    env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u DESTDIR make -s -C "$abs_top_builddir" "$@"
}

# files DIR: those below it, one a line.
files() {
    (cd "$1" && find . -type f | sed 's,^\./,,' | LC_ALL=C sort)
}

manuals=$(cd "$abs_top_srcdir/doc" && ls -- *.[157] | sed 's,.*\(.\)$,share/man/man\1/&,')
completions="share/bash-completion/completions/fanfold
share/fish/vendor_completions.d/fanfold.fish
share/zsh/site-functions/_fanfold"
programs=bin/fanfold
[ ! -x "$abs_top_builddir/fanfold-reduce" ] || programs="$programs
bin/fanfold-reduce"

pre=$tmp/with\ blank
ok "make install to a prefix" make_here install prefix="$pre"
python=$(cd "$abs_top_srcdir/python" && find fanfold -name '*.py' -o -name py.typed |
    sed 's,^,share/fanfold/python/,')
schemas=$(cd "$abs_top_srcdir/doc" && find schemas -type f | sed 's,^,share/fanfold/,')
is "programs, the Python package, schemas, manual pages and completions are there, nothing else" \
    "$(printf '%s\n' "$programs" "$python" "$schemas" "$manuals" "$completions" | LC_ALL=C sort)" \
    "$(files "$pre" | grep -v '^share/doc/fanfold/')"
docs=$pre/share/doc/fanfold
ok "... but what is for people who come from DP-GEN" \
    cmp "$abs_top_srcdir/doc/from-dpgen.md" "$docs/from-dpgen.md"
ok "... and the tutorial" cmp "$abs_top_srcdir/doc/tutorial.md" "$docs/tutorial.md"
is "... and the examples" "$(cd "$abs_top_srcdir/examples" && ls -d */ | xargs)" "$(cd "$docs/examples" && ls -d */ | xargs)"
cp -r "$docs/examples/deepmd-vasp" "$tmp/copied"
is "... which are whole" "$(cat "$abs_top_srcdir/examples/deepmd-vasp/campaign.yaml")" \
    "$(cat "$tmp/copied/campaign.yaml")"
ok "make install to a DESTDIR" make_here install DESTDIR="$tmp/dest" prefix=/opt/x
is "... the same below it" "$(files "$pre")" "$(files "$tmp/dest/opt/x")"

# From here on, no other fanfold can be found.
bare_path=$(printf %s "$PATH" | tr : '\n' | grep -vxF "$abs_top_builddir" | paste -sd:)
installed() {
    PATH="$pre/bin:$bare_path" "$@"
}
is "the installed program is found" "$pre/bin/fanfold" "$(installed sh -c 'command -v fanfold')"
installed fanfold -C "$tmp/toy" new >"$tmp/said" 2>&1
ok "it makes a campaign" test -f "$tmp/toy/campaign.yaml"
ok "... and runs it" installed fanfold -C "$tmp/toy" run
is "... to its end" true "$(installed fanfold -C "$tmp/toy" status --json | jq .converged)"
mkdir "$tmp/python"
cat >"$tmp/python/campaign.yaml" <<'END'
format: 1
campaign: python
stop: {iterations: 1}
stages: {work: {uses: test.work}}
operators:
  test.work:
    outputs: {path: {type: string}}
    command: [python3, -c, "import fanfold; fanfold.task.params(path=fanfold.__file__)"]
END
cp "$tmp/toy/site.yaml" "$tmp/python"
ok "an operator in Python runs" installed fanfold -C "$tmp/python" run
is "... by the package that was installed" "$pre/share/fanfold/python/fanfold/__init__.py" \
    "$(installed fanfold -C "$tmp/python" result work path)"
is "it has no hooks of tests" 0 \
    "$(grep -a -c 'FANFOLD_STOP_AT\|FANFOLD_LEASE_S' "$pre/bin/fanfold")"
is "... which theirs has" 1 \
    "$(grep -a -l 'FANFOLD_STOP_AT' "$abs_top_builddir/tests/hooks/fanfold" | wc -l)"
ln -s "$pre/bin/fanfold" "$tmp/link"
is "a link to it finds what it needs, too" "$pre/bin/fanfold" \
    "$("$tmp/link" -C "$tmp/toy" plan --script train | grep -o "$pre/bin/fanfold" | head -1)"
if command -v man >/dev/null && man -w man >/dev/null 2>&1; then
    is "man finds the pages" "$pre/share/man/man5/fanfold-campaign.5" \
        "$(MANPATH="$pre/share/man" man -w 5 fanfold-campaign 2>&1)"
else
    not_here "man"
fi

# A campaign that selects, by a fanfold without its reducer.
mkdir "$tmp/alone" "$tmp/select"
cp "$pre/bin/fanfold" "$tmp/alone"
cat >"$tmp/select/campaign.yaml" <<'END'
format: 1
campaign: c
elements: [Si]
stop: {iterations: 1}
stages:
  select:
    uses: model_devi.select
    with:
      {trajectories: [], forces: [], deviations: [], frames_expected: [], system: [],
       levels: {force: [0.1, 0.2]}, pick: {quota: 1}}
END
has "without fanfold-reduce check says where it looked" "$tmp/alone/fanfold-reduce" \
    "$("$tmp/alone/fanfold" -C "$tmp/select" check 2>&1)"

ok "make uninstall" make_here uninstall prefix="$pre"
is "... takes everything away" "" "$(files "$pre")"

# The examples, in the source and in the build directory.
for top in "$abs_top_srcdir" "$abs_top_builddir"; do
    [ -w "$top/examples/task-group" ] || continue
    ok "the programs of task-group are in $top" test -x "$top/examples/task-group/bin/pimd"
    [ -x "$abs_top_builddir/examples/silicon/potential/fit_linear" ] || continue
    ok "... and those of silicon" test -x "$top/examples/silicon/bin/fit_linear"
    ok "... of this build" cmp "$abs_top_builddir/examples/silicon/potential/fit_linear" \
        "$abs_top_builddir/examples/silicon/bin/fit_linear"
    if command -v pw.x >/dev/null && command -v lmp >/dev/null; then
        ok "silicon is ready to run where it lies" fanfold -C "$top/examples/silicon" check
    else
        not_here "pw.x and lmp"
    fi
done

# Scripts that need a build say how it is had.
has "bench without a program" "run 'scripts/packages build && scripts/build build'" \
    "$(PATH=$bare_path BUILD=$tmp/none sh "$abs_top_srcdir/scripts/bench" status 2>&1)"
has "bench without a build directory" "$tmp/none is no build directory; run" \
    "$(BUILD=$tmp/none sh "$abs_top_srcdir/scripts/bench" scale 2>&1)"
mkdir "$tmp/there"
has "quickstart overwrites nothing" "$tmp/there is there already" \
    "$(sh "$abs_top_srcdir/scripts/quickstart" --dir "$tmp/there" 2>&1)"

done_testing
