#!/bin/sh
# 0903-manual-html - make html: all manual pages, links that lead somewhere, a search
# that finds every option; make install-html
. "$abs_top_srcdir/tests/cli/tap.sh"

if ! command -v mandoc >/dev/null || ! python3 -c 'import html' 2>/dev/null; then
    not_here "mandoc and python3"
    done_testing
fi

h=$tmp/html
ok "the manual pages become HTML" "$abs_top_srcdir/scripts/manual-html" "$h" "$abs_top_srcdir"/doc/*.[157]
pages=$(cd "$abs_top_srcdir/doc" && ls -- *.[157])
is "... all of them, and an index" "$(printf '%s.html\n' $pages index | LC_ALL=C sort)" \
    "$(cd "$h" && ls | LC_ALL=C sort)"
for page in $pages; do
    ok "the index has $page" grep -q "href=\"$page.html\">$page</a>" "$h/index.html"
done
silent "everybody can read each of them" python3 -B "$abs_top_srcdir/tests/cli/html_page.py" "$h"/*.html
printf '<html><h1>a</h1><h3>b</h3><table></table><input id="x"><svg></svg></html>\n' >"$tmp/bad.html"
is "... what is wrong with a page is noticed" 9 \
    "$(python3 -B "$abs_top_srcdir/tests/cli/html_page.py" "$tmp/bad.html" | wc -l)"
is "nothing is fetched" "" "$(grep -ohE '(src|href)="([a-z]+:|//)[^"]*"' "$h"/*.html)"

# links FILE: where it leads, as FILE#ANCHOR; those that the search makes, too.
links() {
    grep -o 'href="[^"]*"' "$1" | sed 's/href="//; s/"$//; s/&#x00A0;/ /g' |
        sed "s/^#/$(basename "$1")#/"
    sed -n 's/^\["\([^"]*\)", "\([^"]*\)", .*/\1.html#\2/p' "$1"
}
for file in "$h"/*.html; do
    links "$file"
done | LC_ALL=C sort -u >"$tmp/links"
for file in "$h"/*.html; do
    grep -o ' id="[^"]*"' "$file" | sed "s/ id=\"/$(basename "$file")#/; s/\"$//"
    basename "$file"
done | LC_ALL=C sort -u >"$tmp/anchors"
ok "there are links" test "$(wc -l <"$tmp/links")" -gt 500
is "every link leads somewhere" "" "$(LC_ALL=C comm -23 "$tmp/links" "$tmp/anchors")"

# finds TEXT: the search has an entry of a page of commands with all these words.
sed -n 's/^\["fanfold[a-z-]*.1", "[^"]*", "\(.*\)"\],*$/\1/p' "$h/index.html" >"$tmp/entries"
for command in $(fanfold --help | sed -n '/^Every day:/,$s/^  \([a-z]*\) .*/\1/p'); do
    for option in "" $(fanfold "$command" --help | sed -n 's/^  \(--[a-z-]*\).*/\1/p'); do
        ok "the search finds $command $option" awk -v c="$command" -v o="$option" '
            $1 == c && (o == "" || index($0, o)) { found = 1 }
            END { exit !found }' "$tmp/entries"
    done
done
ok "... keys of site.yaml with their types" grep -q '"partition: text' "$h/index.html"
ok "... outputs and inputs of operators" grep -q 'fanfold-select.7.*pick' "$h/index.html"

make_here() {
    env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u DESTDIR make -s -C "$abs_top_builddir" "$@"
}
ok "make install-html" make_here install-html prefix="$tmp/pre"
is "... puts the same into the documentation" "" "$(diff -r "$h" "$tmp/pre/share/doc/fanfold/html")"
ok "... is uninstalled" make_here manual-html-uninstall prefix="$tmp/pre"
is "... to the last file" "" "$(find "$tmp/pre" -type f)"

mkdir "$tmp/bin"
has "without mandoc that is said" "install mandoc" "$(PATH=$tmp/bin /usr/bin/python3 \
    "$abs_top_srcdir/scripts/manual-html" "$tmp/none" "$abs_top_srcdir/doc/fanfold.1" 2>&1)"

done_testing
