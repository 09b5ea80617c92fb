#!/bin/sh
# 0422-gpumd-explore - gpumd.explore and model_devi.select: a campaign from the NEP
# models to the frames, and what check says.  gpumd is a stand-in, which writes what
# src/measure/active.cu does for a crystal that moves a little.
. "$abs_top_srcdir/tests/cli/tap.sh"

# gpumd: reads run.in and model.xyz as GPUMD does; the deviation in row n is 0.02 n.
mkdir "$tmp/bin"
cat >"$tmp/bin/gpumd" <<'END'
#!/bin/sh
echo '*                 Welcome to use GPUMD                        *'
for file in $(awk '$1 == "potential" { print $2 }' run.in); do
    if [ ! -s "$file" ]; then
        printf 'Input Error:\n    File:       read_file.cu\n    Line:       9\n    Error text: Failed to open %s.\n' "$file"
        exit 1
    fi
done
awk '
    FILENAME == "run.in" && $1 == "active" { every = $2; threshold = $6 }
    FILENAME == "run.in" && $1 == "run" { steps = $2 }
    FILENAME == "model.xyz" { line[++n] = $0 }
    END {
        split(line[2], lattice, "\"")
        for (step = every; step <= steps; step += every) {
            u = 0.02 * step / every
            printf "%20.10e%20.10e\n", step, u >"active.out"
            if (u <= threshold) continue
            printf "%d\nTime=%.8f pbc=\"T T T\" uncertainty=%.8f Lattice=\"%s\" energy=-1.00000000 Properties=species:S:1:pos:R:3\n", \
                n - 2, step, u, lattice[2] >"active.xyz"
            for (k = 3; k <= n; k++) {
                split(line[k], atom, " ")
                printf "%s %.8f %.8f %.8f\n", atom[1], atom[2] + u, atom[3], atom[4] >"active.xyz"
            }
        }
    }' run.in model.xyz
echo 'Finished running GPUMD.'
END
chmod +x "$tmp/bin/gpumd"
PATH=$tmp/bin:$PATH

# campaign DIR [INPUT ...]: further inputs of explore, one a line.
campaign() {
    c=$tmp/$1
    rm -rf "$c"
    mkdir -p "$c/nep1"
    cp "$abs_top_srcdir/tests/cli/loop/site.yaml" "$c"
    echo nep4 >"$c/nep0.txt"
    echo nep4 >"$c/nep1/nep.txt"
    printf '2\nLattice="5.43 0 0 0 5.43 0 0 0 5.43"\nSi 0 0 0\nSi 1.3 1.3 1.3\n' >"$c/si.extxyz"
    printf 'velocity ${temperature} seed ${seed}\nensemble nvt_lan ${temperature} ${temperature} 100\ntime_step 1\nrun ${steps}\n' >"$c/run.in"
    cat >"$c/campaign.yaml" <<'END'
format: 1
campaign: nep
elements: [Si]
stop: {iterations: 1}
stages:
  explore:
    uses: gpumd.explore
    with:
      input: run.in
      systems: si.extxyz
      for_each: {temperature: [300, 600]}
      steps: 200
      dump_every: 10
      potentials: [nep0.txt, nep1]
END
    shift
    for line; do echo "      $line" >>"$c/campaign.yaml"; done
    cat >>"$c/campaign.yaml" <<'END'
  select:
    uses: model_devi.select
    with: {levels: {force: [0.1, 0.3]}, pick: {quota: 5}}
END
}

campaign run 'threshold: 0.09'
ok "check" fanfold -C "$c" check
ok "run" fanfold -C "$c" run
is "frames above the threshold are kept" "[16,16]" "$(fanfold -C "$c" result explore frames | jq -c .)"
is "the deviations of all are known" 40 "$(fanfold -C "$c" result select total)"
is "... accurate 4 of 20" 0.2 "$(fanfold -C "$c" result select accurate)"
is "... candidates 10 of 20" 20 "$(fanfold -C "$c" result select candidates)"
is "every candidate has its frame" 0 "$(fanfold -C "$c" result select without_frame)"
is "as many as the quota says are selected" 5 "$(fanfold -C "$c" result select selected)"
frames=$(find "$c/select" -name '*.extxyz' | head -n 1)
has "a selected frame is a crystal that moved" 'Lattice="5.43 0.0 0.0 0.0 5.43 0.0 0.0 0.0 5.43"' "$(cat "$frames")"
is "... by one of the deviations from 0.1 on" yes \
    "$(awk '$1 == "Si" && $3 == 0 { print ($2 >= 0.1 && $2 < 0.3) ? "yes" : "no" }' "$frames" | sort -u)"
# refused WHAT SAYS [INPUT ...]
refused() {
    what=$1 says=$2
    shift 2
    campaign bad "$@"
    [ -z "$line" ] || echo "$line" >>"$c/run.in"
    exits "$what" 3 fanfold -C "$c" check
    has "... and says so" "$says" "$out"
}

line=
refused "a threshold below 0" "threshold: -1 is below 0" 'threshold: -1'
line='potential nep.txt'
refused "a potential in the input" "run.in:5: 'potential' is filled in by Fanfold for every task; write potentials of the stage instead"
line='active 10 0 0 0 0.1'
refused "active in the input" "run.in:5: 'active' is filled in"
line='run 10'
refused "two runs" "run.in: there are 2 runs, and \`active\` is of one"
line='fix ${group}'
refused "a variable that is not there" "run.in:5: there is no variable '\${group}'"
line=
campaign bad
rm "$c/nep1/nep.txt"
exits "a directory without a nep.txt" 3 fanfold -C "$c" check
has "... and says so" "name a nep.txt, or a directory that has it" "$out"

done_testing
