#!/bin/sh
# 0118-mutants - good campaigns with one slip each, hundreds of them: exit 3, the line
# is named, nothing is created
. "$abs_top_srcdir/tests/cli/tap.sh"

# missed FILE: the slips of `list` of which no error in what was `said` names the line.
missed() {
    awk -v file="$1" '
    NR == FNR { line[$1] = $2; slip[$1] = $0; next }
    /^== [0-9]+\.yaml$/ { name = $2; said = ""; found = 0; next }
    /^== exit / {
        if ($3 != 3 || !found)
            printf "exit %s: %s\n%s", $3, slip[name], said
        next
    }
    { said = said $0 "\n" }
    index ($0, file ":" line[name] ":") == 1 && !/: warning: / { found = 1 }
    ' "$tmp/list" "$tmp/said"
}

# mutants WHAT FILE: each slip in FILE of $dir, which is good, is found in its line.
mutants() {
    ok "$1: good" fanfold -C "$dir" check
    good=$tmp/good.yaml
    cp "$dir/$2" "$good"
    rm -rf "$tmp/slips" && mkdir "$tmp/slips"
    "$abs_top_builddir/tests/mutate/mutate" "$good" "$tmp/slips" >"$tmp/list" ||
        fail "$1: cannot be mutated"
    before=$(cd "$dir" && find . | sort)
    "$abs_top_builddir/tests/mutate/told" "$dir" "$2" "$tmp/slips" >"$tmp/said" ||
        fail "$1: cannot be told"
    n=$(grep -c '^== exit 3$' "$tmp/said")
    missed "$dir/$2" >"$tmp/missed"
    cp "$good" "$dir/$2"
    total=$((total + n))
    is "$1: each is refused" "$(wc -l <"$tmp/list")" "$n"
    silent "$1: each of $n slips is told in its line" cat "$tmp/missed"
    is "$1: nothing was created" "$before" "$(cd "$dir" && find . | sort)"
}

total=0
dir=$tmp/every-key
cp -r "$abs_top_srcdir/tests/cli/mutants" "$dir"
mutants "every key" campaign.yaml
mutants "every key of the site" site.yaml
ok "$total slips" [ $total -ge 500 ]
done_testing
