#!/bin/sh
# 0900-manual - manual pages, --help, NEWS and README agree with the program
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/blocks.sh"

cd "$abs_top_srcdir/doc" || exit
man=$(grep -l '^\.Sh COMMANDS' -- *.1)
for command in $(fanfold --help | sed -n '/^Every day:/,$s/^  \([a-z]*\) .*/\1/p'); do
    # shellcheck disable=SC2086 # several pages
    ok "the manual describes $command" grep -q "^\.It Cm $command" $man
    for option in $(fanfold "$command" --help | sed -n 's/^  --\([a-z-]*\).*/\1/p'); do
        # The options stand between this command's heading and the next.
        ok "... and its --$option" awk -v c="$command" -v o="$option" '
            $1 == ".It" && $2 == "Cm" { here = $3 == c }
            here && index($0, "Fl -" o) { found = 1 }
            END { exit !found }' $man
    done
done
for described in $(sed -n 's/^\.It Cm \([a-z]*\).*/\1/p' $man); do
    ok "$described is a command" fanfold "$described" --help
done
for page in $(fanfold --help | grep -o '[a-z-]*([157])' | tr -d ')' | tr '(' .); do
    ok "the manual page $page that help names is there" test -f "$abs_top_srcdir/doc/$page"
done
is "help names all of them" "$(cd "$abs_top_srcdir/doc" && ls ./*.[157] | wc -l)" \
    "$(fanfold --help | grep -o '[a-z-]*([157])' | wc -l)"

# Help says what to do in sentences; the fragments that would be none are known by
# how they begin.
fanfold --help | sed -n '/^Every day:/,$s/^  \([a-z]*\) .*/\1/p' | while read -r command; do
    fanfold "$command" --help >"$tmp/help"
    PATH=$(dirname "$(command -v fanfold)") fanfold help "$command" >"$tmp/plain"
    cmp -s "$tmp/help" "$tmp/plain" || echo "$command: two helps"
    sed -n -e '2p' -e '/^        /s/^ *//p' "$tmp/help" | grep -vE '^[A-Z].*\.$'
    sed -n -e '2p' -e '/^        /s/^ *//p' "$tmp/help" | grep -E \
        "^(A|An|The|Of|As|For|How|Why|What|Where|Which|Such|YAML|Data|Typed|Jobs) "
done >"$tmp/fragments"
silent "what help prints are sentences" cat "$tmp/fragments"
is "help COMMAND of none names the nearest" "fanfold: there is no command 'statsu'; did you mean 'status'?" \
    "$(fanfold help statsu 2>&1)"

# misquoted FILE: its macro lines with a quote that mdoc prints or drops; a word in
# quotes begins and ends with them, others have \(dq.
misquoted() {
    sed -nE '/^\.\\"/d; /^\./!d; s/$/ /; s/ "([^"]|"")*"( |$)/ /g; s/ "([^"]|"")*"( |$)/ /g
        /"/p' "$1"
}
for page in $(cd "$abs_top_srcdir/doc" && ls -- *.[157]); do
    is "$page is clean" "" \
        "$(cd "$abs_top_srcdir/doc" && mandoc -T lint -W warning "$page")"
    is "... and its quotes are meant" "" "$(misquoted "$abs_top_srcdir/doc/$page")"
done
# wide_rows FILE: lines of its tables that a terminal of 80 columns would break.
wide_rows() {
    {
        printf '.Dd May 1, 2026\n.Dt T 7\n.Os\n.Sh NAME\n.Nm t\n.Nd t\n.Ss Tables\n'
        awk '/^\.Bl -column/ { on = 1 } on; /^\.El/ { on = 0 }' "$1"
    } | mandoc -T ascii -O width=78 | sed "s/.$(printf '\b')//g" | awk 'length($0) > 80'
}
is "tables fit 80 columns" "" "$(for page in "$abs_top_srcdir"/doc/*.[157]; do wide_rows "$page"; done)"
printf '.Bl -column %s x\n.It a Ta %s\n.El\n' "$(printf '%050d' 0)" "$(printf '%030d' 0)" >"$tmp/table.1"
is "... a wider one is seen" 1 "$(wide_rows "$tmp/table.1" | wc -l)"
printf '.Li {"ok", 1}\n.Li "two words" , "x y"\n.\\" a "note\n' >"$tmp/quotes.1"
is "... a quote within a word is seen" '.Li {"ok", 1} ' "$(misquoted "$tmp/quotes.1")"
is "NEWS begins with this version" "$(fanfold --version | awk '{ print $2 }')" \
    "$(sed -n 's/^## \([0-9.]*\).*/\1/p' "$abs_top_srcdir/NEWS.md" | head -1)"
# Tests that the manuals name are there.
for name in $(grep -ohE '(test_[a-z0-9_]+|tests/cli/[0-9]{4}-[a-z-]+\.t|tests/[a-z]+|scripts/[a-z-]+)' \
    "$abs_top_srcdir/doc/security.md" | sort -u); do
    case $name in
    test_*) path=tests/unit/$name.c ;;
    *) path=$name ;;
    esac
    ok "security.md: $name is there" test -e "$abs_top_srcdir/$path"
done
is "not linked to MPI" 0 "$(ldd "$(command -v fanfold)" | grep -c libmpi)"

# has_heading FILE ANCHOR: a heading of a Markdown file that is so named in links.
has_heading() {
    sed -n 's/^##* //p' "$1" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9\n-' | grep -qx -e "$2"
}

# Every block of the README: the two commands are what CI itself runs; building is
# tried by scripts/test --all and installing by 0905-install; all others run here.
split_blocks "$abs_top_srcdir/README.md" "$tmp/blocks"
for block in "$tmp"/blocks/*; do
    case $(cat "$block") in
    scripts/quickstart | scripts/test)
        ok "README: $(cat "$block") is there" test -x "$abs_top_srcdir/$(cat "$block")"
        ;;
    scripts/packages*autoreconf*)
        ok "README: the build block is sh" sh -n "$block"
        ;;
    *)
        run_block "$block" "$tmp"
        ;;
    esac
done

# What the pages that one reads first link to is there.
for page in README.md doc/tutorial.md doc/from-dpgen.md; do
    for link in $(grep -o '](\([^)]*\))' "$abs_top_srcdir/$page" | tr -d '()]'); do
        case $link in
        http*) continue ;;
        esac
        file=$(dirname "$page")/${link%%#*}
        [ "${link%%#*}" ] || file=$page
        ok "$page: $link is there" test -e "$abs_top_srcdir/$file"
        case $link in
        *#*) ok "... with that heading" has_heading "$abs_top_srcdir/$file" "${link#*#}" ;;
        esac
    done
done

# The first example of a page is good, with files and programs of its names.
# example PAGE [SECTION [N]]: the first example, or the N-th of a section.
example() {
    awk -v section="${2:-}" -v nth="${3:-1}" '
        BEGIN { here = section == "" }
        /^\.S[hs]/ && section != "" { here = $0 ~ " " section "$" }
        /^\.Bd/ && here { n++; next }
        /^\.Ed/ && here && n == nth { exit }
        here && n == nth' \
        "$abs_top_srcdir/doc/$1" | sed 's/\\e/\\/g; s/\\&//g'
}
mkdir "$tmp/e" "$tmp/e/data" "$tmp/e/bin" "$tmp/fakes"
for program in pw.x lmp mail driver progress pack make_input watch_socket label_worker ../e/bin/fit; do
    printf '#!/bin/sh\n' >"$tmp/fakes/$program"
    chmod +x "$tmp/fakes/$program"
done
PATH=$PATH:$tmp/fakes
cd "$tmp/e" || exit 1
: >data/note.txt
: >data/si.data
: >force.in
printf '1\nProperties=species:S:1:pos:R:3:forces:R:3 energy=0\nSi 0 0 0 0 0 0\n' >data/initial.extxyz
printf '&CONTROL\n/\n&SYSTEM ecutwfc = 20\n/\nK_POINTS gamma\n' >pw.in
printf 'fix 1 all nvt temp ${temperature} ${temperature} 0.1\nrun ${steps}\n' >md.in
printf 'x\n\n1 atoms\n1 atom types\n0 5 xlo xhi\n0 5 ylo yhi\n0 5 zlo zhi\n\nAtoms # atomic\n\n1 1 0 0 0\n' >data/diamond.data
good() {
    text=$(fanfold check 2>&1)
    is "$1: the first example passes check" 0 $? "$text"
}

example fanfold-campaign.5 >campaign.yaml
if [ -x "$abs_top_builddir/fanfold-reduce" ]; then
    good "fanfold-campaign(5)"
else
    not_here "MPI, for the first example of fanfold-campaign(5)"
fi
{
    printf 'format: 1\ncampaign: c\nstop: {iterations: 1}\nstages:\n'
    example fanfold-operators.7 | sed 's/^/  /'
} >campaign.yaml
good "fanfold-operators(7)"
example fanfold-site.5 >site.yaml
good "fanfold-site(5)"
{
    printf 'format: 1\ncampaign: c\nstop: {iterations: 1}\n'
    example fanfold-groups.7
} >campaign.yaml
cat >site.yaml <<'END'
format: 1
profiles: {here: {scheduler: local, node: {cores: 16, gpus: 4}}}
END
good "fanfold-groups(7)"
{
    printf 'format: 1\ncampaign: c\nstop: {iterations: 1}\n'
    example fanfold-worker.7
} >campaign.yaml
good "fanfold-worker(7)"
rm campaign.yaml site.yaml

# Your own exploration of fanfold-select(7) runs, with an md of three frames.
mkdir own
cat >own/campaign.yaml <<'END'
format: 1
campaign: own
elements: [Si]
stages:
  train: {uses: my.train}
  explore: {uses: my.explore, with: {temperature: [300, 600]}}
  select: {uses: model_devi.select, with: {levels: {force: [0.2, 0.8]}, pick: {quota: 9}}}
stop: {iterations: 1}
END
example fanfold-select.7 "Your own exploration" >>own/campaign.yaml
cat >>own/campaign.yaml <<'END'
  my.train: {outputs: {potential: {type: file, list: true}}, command: [sh, -c, "mkdir $1; echo >$1/0", sh, "{outputs.potential}"]}
END
example fanfold-select.7 "Your own exploration" 2 >own/explore.py
cat >own/md.py <<'END'
def run(potentials, temperature, seed):
    assert seed > 0
    for step in (0, 10, 20):
        yield (step, f"1\nProperties=species:S:1:pos:R:3 step={step}\nSi {temperature} 0 0\n", 0.05 * step)
END
if [ -x "$abs_top_builddir/fanfold-reduce" ]; then
    ok "your own exploration of fanfold-select(7) runs" fanfold -C own run
    is "... its frames are judged, and those that are lost" "2 196 200" \
        "$(fanfold -C own result select | jq -r '"\(.selected) \(.lost) \(.total)"')"
else
    not_here "MPI, for your own exploration of fanfold-select(7)"
fi
example fanfold.1 >block
ok "fanfold(1): the first example runs" sh -eu block
ok "... and what it makes passes check" fanfold -C toy check
has "plan counts one as one" "1 task in 1 element of 1 slot, 1 submission, 1 core each" \
    "$(fanfold -C toy plan)"

done_testing
