#!/bin/sh
# 0384-report - a campaign as one HTML file of figures
. "$abs_top_srcdir/tests/cli/tap.sh"

# A campaign whose texts try to be tags: two iterations, of which in each one task of
# label fails.
c=$tmp/c
mkdir "$c"
cat >"$c/campaign.yaml" <<'END_YAML'
format: 1
campaign: toy
elements: [Si]
stages:
  train: {uses: t.train, with: {model: [0, 1]}}
  select: {uses: t.select, with: {error: train.force_rmse}}
  label:
    uses: t.label
    success: 0.5
    retry: {failed: {tries: 2}}
    with: {n: [0, 1, 2], wanted: select.selected}
stop: {iterations: 2}
history: {accurate: select.accurate}
operators:
  t.train:
    fan_out: [model]
    inputs: {model: {type: int}}
    outputs: {lcurve: {type: file}, parity: {type: file}, force_rmse: {type: float}}
    script: |
      #!/bin/sh
      { echo '# step rmse_trn rmse_f_trn'
        for i in 1 2 3; do echo "$i 0.$i 0.0$i"; done; } >out/lcurve
      printf '# reference prediction\n-1 -1.1\n2 2.1\n\n' >out/parity
      echo '{"force_rmse": 0.25}' >params.json
  t.select:
    inputs: {error: {type: float, list: true}}
    outputs: {accurate: {type: float}, candidate: {type: float}, failed: {type: float},
      total: {type: int}, selected: {type: int}, systems: {type: map}}
    script: |
      #!/bin/sh
      cat >params.json <<'END'
      {"accurate": 0.5, "candidate": 0.4, "failed": 0.1, "total": 100, "selected": 3,
       "systems": {"<b>bulk</b>": {"levels": {"force": [0.2, 0.8]},
       "histogram": {"edges": [0.1, 0.3, 1.0], "frames": [60, 40]}}}}
      END
  t.label:
    fan_out: [n]
    inputs: {n: {type: int}, wanted: {type: int}}
    outputs: {frame: {type: frames, publish: true}}
    script: |
      #!/bin/sh
      echo '<script>alert(1)</script>'
      [ "$n" != 1 ] || { echo 'no SCF <i>here</i>' >&2; exit 1; }
      printf '1\nLattice="5 0 0 0 5 0 0 0 5" Properties=species:S:1:pos:R:3:forces:R:3 energy=-1 pbc="T T T"\nSi 0 0 0 0.1 0 0\n' >out/frame.extxyz
END_YAML
has_not() { # WHAT TEXT FILE
    is "$1" 0 "$(grep -cF "$2" "$3")"
}

# --- before anything has run ---
cd "$tmp" || exit 1
ok "a campaign that has not begun" fanfold -C "$c" report "$tmp/none.html"
has "... says so" "The campaign has not begun." "$(cat none.html)"
exits "not in a campaign" 3 fanfold -C "$tmp/nowhere" report
exits "two files" 2 fanfold -C "$c" report a b
exits "one campaign to compare" 2 fanfold report --compare "$c"
exits "a directory that is not there" 1 fanfold -C "$c" report "$tmp/not/there.html"

# --- it has run ---
fanfold -C "$c" run >"$tmp/run" 2>&1
ok "it is done" grep -q "limit was reached\|toy: done" "$tmp/run"
sed -i 's/success: 0.5/success: 0.6/' "$c/campaign.yaml"
ok "one stage is asked for again" fanfold -C "$c" redo label
fanfold -C "$c" run >>"$tmp/run" 2>&1
is "report writes FILE" "wrote $tmp/r.html" "$(fanfold -C "$c" report "$tmp/r.html")"
silent "... which everybody can read" python3 -B "$abs_top_srcdir/tests/cli/html_page.py" r.html none.html
is "... report.html without" "wrote report.html" "$(fanfold -C "$c" report)"
page=$(cat r.html)
for what in \
    'aria-labelledby="classes-select-t' 'Deviations of system &lt;b&gt;bulk' 'low 0.2</text>' \
    'id="error-train-force_rmse-t"' 'id="lcurve-train-rmse_f-t"' 'id="parity-train-t"' \
    '4 components of forces of all tasks, RMSE 0.1 ' 'id="data-published-t"' \
    'id="outcomes-label-t"' 'id="timeline-t"' 'id="running-t"' 'id="failures-t"' 'id="node-hours-t"' \
    'no SCF &lt;i&gt;here' 'Last lines of label, iteration 1, task 1' 'a try failed' \
    'stages.label.success 0.5 -&gt; 0.6' '<td>redo label' 'The campaign as it ran' 'The site as it ran' 'id="history-accurate-t"'; do
    has "there is $what" "$what" "$page"
done
has_not "no tag of a task's" "<script" r.html
has_not "no tag of a system's" "<b>" r.html
is "no address of anything else" 0 "$(grep -cE 'https?://|src=|@import|url\(' r.html)"
is "an id for each element once" "" "$(grep -oE ' id="[^"]*"' r.html | sort | uniq -d)"
if command -v xmllint >/dev/null; then
    sed -n '/<svg role/,/<\/svg>/p' r.html | grep -o '<svg role.*' | while read -r svg; do
        echo "$svg" | xmllint --noout - 2>&1 || echo "$svg"
    done >"$tmp/xml"
    silent "each chart is XML" cat "$tmp/xml"
else
    not_here "xmllint, which reads the charts"
fi
is "two failures of task 1 in each iteration, and of the one that was replaced" 6 "$(jq -s 'map(.tries.failures) | add' "$c"/.fanfold/run/*/summary.json)"
is "... and one retry" 3 "$(jq -s 'map(.tries.retries) | add' "$c"/.fanfold/run/*/summary.json)"

# Summaries are made again where they are not there.
grep -v '^<footer>' r.html | sed 's/Made by.*//' >"$tmp/with"
rm "$c"/.fanfold/run/*/summary.json
fanfold -C "$c" report "$tmp/again.html" >/dev/null
grep -v '^<footer>' again.html | sed 's/Made by.*//' >"$tmp/without"
ok "without summaries the same page" cmp "$tmp/with" "$tmp/without"

# --- numbers ---
ok "--data writes them" fanfold -C "$c" report --data "$tmp/d" "$tmp/r.html"
is "a histogram" "# force deviation (eV/Å) from	to	frames
0.1	0.3	60
0.3	1	40" "$(cat d/histogram-select-0.tsv)"
is "tasks of label: ok, failed" "0 2 1,1 2 1," "$(sed 1d d/outcomes-label.tsv | tr '\t\n' ' ,')"
is "a script for each figure" "$(ls d/*.tsv | grep -vc '/table-')" "$(ls d/*.gp | wc -l)"
ok "a table" grep -q "^label	8	2	4	" d/table-timeline-1.tsv
if command -v gnuplot >/dev/null; then
    (cd d && for script in *.gp; do gnuplot "$script" 2>&1; done | grep -v "empty y range") >"$tmp/gnuplot"
    silent "gnuplot draws each of them" cat "$tmp/gnuplot"
else
    not_here "gnuplot, which draws the numbers"
fi

# --- two of them ---
cp -R "$c" "$tmp/e"
ok "two campaigns side by side" fanfold report --compare "$c" "$tmp/e" --data "$tmp/both" "$tmp/two.html"
has "... with both names" "<p class=\"soft\">toy ($tmp/e)</p>" "$(cat two.html)"
is "... an id for each element once" "" "$(grep -oE ' id="[^"]*"' two.html | sort | uniq -d)"
is "... and the numbers of both" "$(ls both/a)" "$(ls both/b)"

# --- what is damaged ---
echo '{"format": 1, "outputs": 5' >"$(run_files "$c" label 000001 .)/summary.json"
made=$c/train/t/iter/000001/job/000000/out
data=$c/dataset/extxyz/iter/000001/dataset.extxyz
chmod u+w "$made/lcurve" "$made/parity" "$data"
printf '\377\376' >"$made/lcurve"
echo 'no number' >>"$made/parity"
echo 'x' >>"$data"
ok "files that are damaged" fanfold -C "$c" report "$tmp/damaged.html"
has "... a summary is made again" "no SCF &lt;i&gt;here" "$(cat damaged.html)"
has "... a learning curve is told" "$made/lcurve" "$(cat damaged.html)"
has "... parity is not shown in part" "parity:5: is not two numbers" "$(cat damaged.html)"
has_not "... which has no figure" 'id="parity-train-t"' damaged.html
has "... training data neither" "The training data are not shown: frame " "$(cat damaged.html)"
has_not "... which have no figure" 'id="data-published-t"' damaged.html

# --- 100 iterations of 100,000 tasks ---
mkdir "$tmp/large"
"$abs_top_builddir/tests/bench/bench_report" 100 100000 "$tmp/large" "$(command -v fanfold)" >"$tmp/cost"
cost() { awk -v name="$1" 'index($1, name) == 1 { print $2 + 0; found = 1 } END { exit !found }' "$tmp/cost"; }
ok "a report of a large campaign: at most 5 MB" test "$(cost report_bytes)" -le 5000000
if grep -q __asan_init "$(command -v fanfold)"; then
    ok "... is made" test "$(cost report_rss_kib)" -gt 0 # it has memory of its own
else
    ok "... made in 256 MiB" test "$(cost report_rss_kib)" -le 262144
fi
has "... whose rows are groups of nodes" "node000 to node001" "$(cat "$tmp/large/report.html")"

done_testing
