#!/bin/sh
# 0900-manual - manual pages, --help, NEWS and README agree with the program
. "$abs_top_srcdir/tests/cli/tap.sh"

man=$abs_top_srcdir/doc/fanfold.1
for command in $(fanfold --help | sed -n '/^Commands:/,$s/^  \([a-z]*\) .*/\1/p'); do
    ok "fanfold(1) describes $command" grep -q "^\.It Cm $command" "$man"
    for option in $(fanfold "$command" --help | sed -n 's/^  --\([a-z-]*\).*/\1/p'); do
        # The options stand between this command's heading and the next.
        ok "... and its --$option" awk -v c="$command" -v o="$option" '
            $1 == ".It" { here = $2 == "Cm" && $3 == c }
            here && index($0, "Fl -" o) { found = 1 }
            END { exit !found }' "$man"
    done
done
for described in $(sed -n 's/^\.It Cm \([a-z]*\).*/\1/p' "$man"); do
    ok "$described is a command" fanfold "$described" --help
done
for page in fanfold.1 fanfold-reduce.1 fanfold-campaign.5 fanfold-site.5 fanfold-groups.7 fanfold-operators.7; do
    is "$page is clean" "" \
        "$(cd "$abs_top_srcdir/doc" && mandoc -T lint -W warning "$page")"
done
is "NEWS begins with this version" "$(fanfold --version | awk '{ print $2 }')" \
    "$(sed -n 's/^## \([0-9.]*\).*/\1/p' "$abs_top_srcdir/NEWS.md" | head -1)"
is "not linked to MPI" 0 "$(ldd "$(command -v fanfold)" | grep -c libmpi)"

# Every sh block of the README: the two commands are what CI itself runs; a
# build command is tried by configure's own options; all others run here.
awk '/^```sh/ { n++; on = 1; next } /^```/ { on = 0 } on { print > (dir "/block" n) }' \
    dir="$tmp" "$abs_top_srcdir/README.md"
for block in "$tmp"/block*; do
    case $(cat "$block") in
    scripts/quickstart | scripts/test)
        ok "README: $(cat "$block") is there" test -x "$abs_top_srcdir/$(cat "$block")"
        ;;
    autoreconf*)
        ok "README: the build block is sh" sh -n "$block"
        ;;
    *)
        ok "README: $(head -1 "$block" | cut -c1-40)..." sh -c "cd '$tmp' && sh -eu '$block'"
        ;;
    esac
done

done_testing
