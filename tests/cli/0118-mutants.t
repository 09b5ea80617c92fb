#!/bin/sh
# 0118-mutants - good campaigns with one slip each, hundreds of them: exit 3, the line
# is named, nothing is created
. "$abs_top_srcdir/tests/cli/tap.sh"

# mutants WHAT FILE: each slip in FILE of $dir, which is good, is found in its line.
mutants() {
    ok "$1: good" fanfold -C "$dir" check
    good=$tmp/good.yaml
    cp "$dir/$2" "$good"
    rm -rf "$tmp/slips" && mkdir "$tmp/slips"
    "$abs_top_builddir/tests/mutate/mutate" "$good" "$tmp/slips" >"$tmp/list" ||
        fail "$1: cannot be mutated"
    before=$(cd "$dir" && find . | sort)
    n=0
    : >"$tmp/missed"
    while read -r name line what; do
        cp "$tmp/slips/$name" "$dir/$2"
        fanfold -C "$dir" run >"$tmp/said" 2>&1
        status=$?
        n=$((n + 1))
        [ $status -eq 3 ] && grep "^$dir/$2:$line:" "$tmp/said" | grep -qv ': warning: ' ||
            {
                echo "exit $status, line $line: $what"
                cat "$tmp/said"
                (cd "$dir" && rm -rf .fanfold state.json config)
            } >>"$tmp/missed"
    done <"$tmp/list"
    cp "$good" "$dir/$2"
    total=$((total + n))
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
