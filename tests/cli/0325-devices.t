#!/bin/sh
# 0325-devices - each task has devices of its own, and its cores beside them
. "$abs_top_srcdir/tests/cli/tap.sh"

# two slots, whatever this machine has
HWLOC_XMLFILE=$abs_top_srcdir/tests/fixtures/hwloc/8-gpus.xml
export HWLOC_XMLFILE

# campaign GPUS: six tasks that tell what they see; a device that two tasks have
# at the same time is told as 'shared'.
campaign() {
    rm -rf "$tmp/c" "$tmp/in-use"
    mkdir "$tmp/c" "$tmp/in-use"
    cat >"$tmp/c/see" <<-'EOF'
	#!/bin/sh
	device=${CUDA_VISIBLE_DEVICES-unset}
	mkdir "$1/$device" || device=shared
	printf '{"seen": "%s", "order": "%s"}' "$device" "$CUDA_DEVICE_ORDER" >"$2"
	# until the other slot's task has looked, too
	n=0
	while [ "$(ls "$1" | wc -l)" -lt 2 ] && [ $n -lt 10 ]; do
	    sleep 0.1
	    n=$((n + 1))
	done
	[ "$device" = shared ] || rmdir "$1/$device"
	EOF
    chmod +x "$tmp/c/see"
    cat >"$tmp/c/campaign.yaml" <<-EOF
	format: 1
	campaign: devices
	elements: [Si]
	stages:
	  look: {uses: toy.look, with: {n: [1, 2, 3, 4, 5, 6]}}
	stop: {iterations: 1}
	operators:
	  toy.look:
	    fan_out: [n]
	    inputs: {n: {type: int}}
	    outputs: {seen: {type: string}, order: {type: string}, f: {type: file}}
	    task: {gpus: $1}
	    command:
	      - [$tmp/c/see, $tmp/in-use, "{outputs.params}"]
	      - [touch, "{outputs.f}"]
	EOF
    cat >"$tmp/c/site.yaml" <<-EOF
	format: 1
	profiles:
	  here:
	    scheduler: local
	    spool: $tmp/spool
	    node: {cores: 2, gpus: 2}
	    limits: {elements: 1}
	EOF
}

# seen: what the tasks saw, each once
seen() {
    fanfold -C "$tmp/c" result look seen | jq -r '.[]' | sort -u | xargs
}

# bound: the devices that results tell of, each once
bound() {
    cat "$tmp"/c/look/*/iter/000000/job/*/out/result.json |
        jq -r '.run.gpus // "none"' | sort -u | xargs
}

campaign 1
CUDA_VISIBLE_DEVICES=GPU-a,MIG-b
export CUDA_VISIBLE_DEVICES
ok "UUIDs and partitions" fanfold -C "$tmp/c" run
is "... are handed on as they are, each to one task at a time" "GPU-a MIG-b" "$(seen)"
is "... and recorded" "GPU-a MIG-b" "$(bound)"
is "... with the order of numbers" PCI_BUS_ID \
    "$(fanfold -C "$tmp/c" result look order | jq -r '.[]' | sort -u)"

has "... as explain tells" "GPUs GPU-a" "$(fanfold -C "$tmp/c" explain look 0)
$(fanfold -C "$tmp/c" explain look 1)"

campaign 0.5
ok "half a GPU each" fanfold -C "$tmp/c" run
is "... two tasks see the same one" "GPU-a shared" "$(seen)"

campaign 1
CUDA_VISIBLE_DEVICES=6,1
ok "numbers" fanfold -C "$tmp/c" run
is "... are those of PCI addresses" "0000:21:00.0 0000:71:00.0" "$(bound)"
is "... of one task at a time" "1 6" "$(seen)"

unset CUDA_VISIBLE_DEVICES
campaign 1
ok "nothing said" fanfold -C "$tmp/c" run
is "the first that the node has" "0000:11:00.0 0000:21:00.0" "$(bound)"
is "... by number" "0 1" "$(seen)"

# --- two stages at one time ---

# two_stages: stages a and b, of one GPU each; each looks until both have looked,
# or there is no room for both
two_stages() {
    campaign 1
    sed -i "s|^  look: .*|  a: {uses: toy.look, with: {n: [1]}}\n  b: {uses: toy.look, with: {n: [1]}}|" \
        "$tmp/c/campaign.yaml"
    sed -i 's/, gpus: 2}/, gpus: 1}/' "$tmp/c/site.yaml"
}
both() {
    for stage in a b; do
        fanfold -C "$tmp/c" result $stage seen | jq -r '.[]'
    done | sort | xargs
}

two_stages
CUDA_VISIBLE_DEVICES=0,1
export CUDA_VISIBLE_DEVICES
ok "two stages with a GPU each" fanfold -C "$tmp/c" run
is "... have one each" "0 1" "$(both)"

two_stages
CUDA_VISIBLE_DEVICES=0,0
ok "one that is named twice" fanfold -C "$tmp/c" run
is "... is one: they have it one after the other" "0 0" "$(both)"

unset CUDA_VISIBLE_DEVICES
two_stages
ok "nothing said: as hwloc sees them" fanfold -C "$tmp/c" run
is "... one each" "0 1" "$(both)"

# --- a device that fails what others do not fail ---

campaign 1
CUDA_VISIBLE_DEVICES=GPU-a,GPU-b
export CUDA_VISIBLE_DEVICES
cat >"$tmp/c/see" <<-'EOF'
	#!/bin/sh
	[ "$CUDA_VISIBLE_DEVICES" != GPU-a ] || exit 1
	printf '{"seen": "%s", "order": ""}' "$CUDA_VISIBLE_DEVICES" >"$2"
	sleep 0.1
EOF
sed -i 's/{n: \[1, 2, 3, 4, 5, 6\]}/{n: [1, 2, 3, 4, 5, 6, 7, 8]}/; s/uses: toy.look,/& retry: {failed: 9},/' \
    "$tmp/c/campaign.yaml"
sed -i 's/limits: {elements: 1}/limits: {elements: 1, poll: 0.1s, settle: 0.2s}/' "$tmp/c/site.yaml"
ok "a sick device" fanfold -C "$tmp/c" run
is "... all tasks are ok, on the other one" GPU-b "$(seen)"
first=$(run_files "$tmp/c" look 000000 '000000/000000/results-0.0')
is "... three failed before it was retired" "3 1" \
    "$(grep -c '"outcome":"failed"' "$first") $(grep -c '"ev":"retired"' "$first")"
has "... status says so" "GPU GPU-a failed 3 tasks fast, retired" \
    "$(fanfold -C "$tmp/c" status)"
has "... and explain" "GPU GPU-a failed 3 tasks fast, retired" \
    "$(fanfold -C "$tmp/c" explain look)"

done_testing
