#!/bin/sh
# 0904-picture - scripts/picture draws a run; the picture of the README is such a one
. "$abs_top_srcdir/tests/cli/tap.sh"

LC_ALL=C.UTF-8 TERM=xterm
export LC_ALL TERM
unset NO_COLOR COLORTERM
if ! /usr/bin/env python3 -c 'import pty' 2>/dev/null; then
    not_here "a terminal: python3 is not installed"
    done_testing
fi

loop_campaign "$tmp/c"
ok "a short run is drawn" "$abs_top_srcdir/scripts/picture" "$tmp/c" "$tmp/run.svg" 80x16 \
    "iteration 0" train
# words FILE: what stands in the picture.
words() {
    sed -n 's/^<text [^>]*>\(.*\)<\/text>$/\1/p' "$1"
}
for file in "$tmp/run.svg" "$abs_top_srcdir/doc/run.svg"; do
    ok "$(basename "$(dirname "$file")")/run.svg is XML" python3 -c \
        'import sys, xml.dom.minidom as d; d.parse(sys.argv[1])' "$file"
    for text in "running" ", iteration " train explore; do
        has "... with the screen's $text" "$text" "$(words "$file")"
    done
    ok "... and colours" grep -q ' class="dim"' "$file"
done
exits "a run that ends before" 1 "$abs_top_srcdir/scripts/picture" "$tmp/c" "$tmp/none.svg" 80x16 "no such text"
has "... is shown" "the run ended before this was on its screen" "$out"
ok "... and draws nothing" test ! -e "$tmp/none.svg"
ok "the README shows it" grep -q '(doc/run.svg)' "$abs_top_srcdir/README.md"

done_testing
