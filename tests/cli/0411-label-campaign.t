#!/bin/sh
# 0411-label-campaign - labels in a campaign, of the real pw.x: what does not converge
# is tried with the next template, and `success` says how many frames may fail
. "$abs_top_srcdir/tests/cli/tap.sh"

if ! command -v pw.x >/dev/null; then
    not_here "frames that pw.x labels"
    pass "nothing is labelled"
    done_testing
fi
silicon=$abs_top_srcdir/examples/silicon

# Two frames of silicon, and one with an atom that there is no pseudopotential for.
mkdir "$tmp/c"
head -n 30 "$silicon/data/initial.extxyz" |
    awk 'NR == 25 { sub(/^Si/, "Ge") } 1' >"$tmp/c/frames.extxyz"
cp "$silicon/site.yaml" "$tmp/c"
cp "$silicon/pw.in" "$tmp/c/soft.in"
sed 's/electron_maxstep.*/electron_maxstep = 2/' "$silicon/pw.in" >"$tmp/c/pw.in"

# campaign FALLBACK SUCCESS
campaign() {
    cat >"$tmp/c/campaign.yaml" <<END
format: 1
campaign: labels
elements: [Si, Ge]
stop: {iterations: 1}
stages:
  label:
    uses: qe.label
    success: $2
    task: {cores: 1, walltime: 5m}
    with:
      frames: frames.extxyz
      input: pw.in
      fallback: $1
      pseudopotentials: {Si: Si.pz-vbc.UPF}
END
}

campaign '[pw.in]' 0.6
exits "no frame converges" 1 fanfold -C "$tmp/c" run
has "... and each was tried with both" \
    "SCF not converged after 2 steps, with input and 1 fallback" \
    "$(fanfold -C "$tmp/c" explain label 0)"
has "... once" "task 0: fatal, 1 try" "$(fanfold -C "$tmp/c" explain label 0)"

campaign '[pw.in, soft.in]' 0.6
ok "the campaign is edited" fanfold -C "$tmp/c" retry label
ok "two of three are enough for success: 0.6" fanfold -C "$tmp/c" run
is "labelled" 2 "$(fanfold -C "$tmp/c" result label labelled)"
is "failed" 1 "$(fanfold -C "$tmp/c" result label failed)"
is "they are in the dataset" 2 \
    "$(cat "$tmp"/c/dataset/extxyz/iter/000000/*.extxyz | grep -c 'energy=')"
has "the log tells why there are several calculations" \
    "SCF not converged after 2 steps; the next template is soft.in" \
    "$(fanfold -C "$tmp/c" log label 0 | grep '^---')"
place=$tmp/c/label/qe/iter/000000/job/000000
has "the input that was completed lies beside the labels" "ATOMIC_POSITIONS" \
    "$(cat "$place/in/pw.in")"
has "... and so does the log" "the next template is soft.in" "$(cat "$place/log")"
has "the frame that failed, and why" \
    "pseudopotentials has no file for 'Ge'; add Ge: FILE" \
    "$(fanfold -C "$tmp/c" explain label 2)"

ok "raw files were removed when the campaign was done" test ! -e "$place/raw"

# --- too many ---

rm -rf "$tmp/d"
mkdir "$tmp/d"
cp "$tmp/c/frames.extxyz" "$tmp/c/site.yaml" "$tmp/c/soft.in" "$tmp/d"
sed 's/success: .*/success: 0.7/; s/input: pw.in/input: soft.in/; /fallback/d' \
    "$tmp/c/campaign.yaml" >"$tmp/d/campaign.yaml"
exits "they are too few for success: 0.7" 1 fanfold -C "$tmp/d" run
has "... which status counts" "2 of 3 tasks are ok" \
    "$(fanfold -C "$tmp/d" status)"
has "what pw.x printed stays while the campaign is not done" "JOB DONE" \
    "$(gzip -dc "$tmp/d/label/qe/iter/000000/job/000000/raw/pw.out.gz")"

# --- what check says of the templates ---

sed 's/ibrav = 0/ibrav = 0, nat = 8/' "$silicon/pw.in" >"$tmp/c/soft.in"
exits "a key that Fanfold completes" 3 fanfold -C "$tmp/c" check
has "... with file, line and key, in a fallback, too" "soft.in:12: 'nat' is filled" \
    "$(fanfold -C "$tmp/c" check 2>&1)"

done_testing
