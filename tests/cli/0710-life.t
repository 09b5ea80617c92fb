#!/bin/sh
# 0710-life - a campaign taken through a life on this machine, with the real engines
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/life.sh"

life_begins "$tmp/c"
life_goes_on "$tmp/c"

done_testing
