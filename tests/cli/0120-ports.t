#!/bin/sh
# 0120-ports - named sizes, numbers of slices, lists of lists, maps with fields: what
# check says of them, and what the agent does, which knows the values
. "$abs_top_srcdir/tests/cli/tap.sh"

# npy FILE ROWS [DTYPE BYTES]: an array of zeros [ROWS, 3].
npy() {
    printf '\223NUMPY\001\000v\000%-117s\n' \
        "{'descr': '${3:-<f8}', 'fortran_order': False, 'shape': ($2, 3), }" >"$1"
    head -c $(($2 * 3 * ${4:-8})) /dev/zero >>"$1"
}

# campaign DIR: stages and operators are on standard input.
campaign() {
    mkdir -p "$1"
    cp "$abs_top_srcdir/tests/cli/loop/site.yaml" "$1"
    for rows in 2 4; do npy "$1/$rows.npy" $rows; done
    printf 'format: 1\ncampaign: ports\nstop: {iterations: 1}\n' >"$1/campaign.yaml"
    cat >>"$1/campaign.yaml"
}

# --- sizes ---

c=$tmp/sizes
campaign "$c" <<'END'
stages:
  fit: {uses: mlp.fit, with: {images: 4.npy, labels: 2.npy}}
operators:
  mlp.fit:
    inputs:
      images: {type: npy, dtype: f8, shape: [batch, 3]}
      labels: {type: npy, shape: [batch, any]}
    outputs: {loss: {type: npy, shape: [batch, 3]}}
    command: [cp, "{labels}", "{outputs.loss}"]
END
exits "arrays that are known to differ are refused" 3 fanfold -C "$c" check
has "... with both ports and both extents" \
    "campaign.yaml:5:54: stage 'fit': size 'batch' is 4 in input 'images' and 2 in input 'labels'; bind arrays that agree" \
    "$out"
sed -i 's/labels: 2.npy/labels: 4.npy/' "$c/campaign.yaml"
ok "others are not" fanfold -C "$c" run
plan=$(fanfold -C "$c" plan)
has "plan names the sizes" 'images <- "4.npy" : npy(f8,[batch,3])' "$plan"
has "... of outputs, too" 'loss : npy(?,[batch,3])' "$plan"
has "... and explain" ' : npy(?,[batch,?])' "$(fanfold -C "$c" explain fit)"
is "stage.json has them" '["batch",3]' \
    "$(jq -c '.inputs[0].type.shape' "$c"/fit/*/iter/000000/stage.json)"

# What only its task sees: two arrays of a stage that says nothing of their extents.
# Task 0 of `fit` has 2 rows twice, task 1 2 and 4, task 2 writes another number.
c=$tmp/later
campaign "$c" <<'END'
stages:
  make: {uses: my.make}
  fit: {uses: mlp.fit, success: 0.3, with: {images: make.x, labels: [2.npy, 4.npy, 2.npy]}}
operators:
  my.make:
    fan_out: [n]
    inputs: {n: {type: int, default: 3}}
    outputs: {x: {type: npy, dtype: f8, shape: [any, 3]}}
    command: [cp, "{campaign}/2.npy", "{outputs.x}"]
  mlp.fit:
    fan_out: [images, labels]
    inputs:
      images: {type: npy, dtype: f8, shape: [batch, 3]}
      labels: {type: npy, shape: [batch, 3]}
    outputs: {loss: {type: npy, shape: [batch, 3]}}
    command: [sh, "{campaign}/fit.sh", "{task}", "{outputs.loss}"]
END
echo 'echo began; case $1 in 2) n=4 ;; *) n=2 ;; esac; cp "$(dirname "$0")/$n.npy" "$2"' >"$c/fit.sh"
ok "one of three tasks is enough" fanfold -C "$c" run
is "a number is as many slices" 3 "$(fanfold -C "$c" result make x | jq length)"
why=$(fanfold -C "$c" explain fit 1)
has "inputs that differ are bad input" "task 1: bad_input, 1 try" "$why"
has "... which names both" \
    "size 'batch' is 2 in input 'images' and 4 in input 'labels'" "$why"
exits "... and nothing was started, which would have a log" 1 fanfold -C "$c" log fit 1
why=$(fanfold -C "$c" explain fit 2)
has "an output that differs is bad output" "task 2: bad_output" "$why"
has "... which names both" \
    "size 'batch' is 2 in input 'images' and 4 in output 'loss'" "$why"

# --- dtypes ---

c=$tmp/dtypes
campaign "$c" <<'END'
stages:
  half: {uses: my.half, with: {x: 2.npy}}
operators:
  my.half:
    dtype: f2
    inputs: {x: {type: npy, dtype: f8}}
    outputs: {y: {type: npy}, mask: {type: npy, dtype: b1, optional: true}}
    command: [cp, "{campaign}/half.npy", "{outputs.y}"]
END
npy "$c/half.npy" 2 '<f2' 2
ok "the operator's dtype is that of ports without" fanfold -C "$c" run
npy "$c/half.npy" 2 '|b1' 1
rm -r "$c/.fanfold" "$c/half"
exits "... and of what its tasks make" 1 fanfold -C "$c" run
has "... which says so" "output 'y': 'y.npy': expected npy(f2), got npy(b1,[2,3])" \
    "$(fanfold -C "$c" explain half 0)"

# --- how many, from another stage; lists of lists of files ---

c=$tmp/slices
campaign "$c" <<'END'
stages:
  how: {uses: my.how}
  many: {uses: my.many, with: {n: how.n}}
  none: {uses: my.many, with: {n: how.none}}
  use: {uses: my.use, with: {all: many.parts, one: nested.grid}}
  nested: {uses: my.nested}
operators:
  my.how:
    outputs: {n: {type: int}, none: {type: int}, bad: {type: int}}
    command: [sh, -c, "echo '{\"n\": 3, \"none\": 0, \"bad\": -1}' >params.json"]
  my.many:
    fan_out: [n]
    inputs: {n: {type: int}}
    outputs: {parts: {type: file, list: 2}}
    command: [sh, "{campaign}/many.sh", "{n}", "{outputs.parts}"]
  my.nested:
    outputs: {grid: {type: int, list: 2}}
    command: [sh, -c, "echo '{\"grid\": [[1], [], [2, 3]]}' >params.json"]
  my.use:
    inputs: {all: {type: file, list: 3}, one: {type: int, list: 2}}
    outputs: {seen: {type: list}, grid: {type: list}}
    command: [sh, "{campaign}/use.sh"]
END
cat >"$c/many.sh" <<'END'
mkdir -p "$2/a" "$2/b"
touch "$2/a/0-$1" "$2/a/1"
END
cat >"$c/use.sh" <<'END'
jq '{seen: [.inputs.all[] | [.[] | [.[] | split("/")[-2:] | join("/")]]], grid: .inputs.one}' \
    task.json >params.json
END
ok "another stage says how many" fanfold -C "$c" run
is "as many tasks as another stage says" 3 "$(fanfold -C "$c" result many count)"
is "... or none" 0 "$(fanfold -C "$c" result none count)"
is "lists of lists of files are seen so by others" \
    '[[["a/0-0","a/1"],[]],[["a/0-1","a/1"],[]],[["a/0-2","a/1"],[]]]' \
    "$(fanfold -C "$c" result use seen | jq -c .)"
is "... and of parameters" '[[1],[],[2,3]]' "$(fanfold -C "$c" result use grid | jq -c .)"

sed -i 's/how.none/how.bad/' "$c/campaign.yaml"
rm -r "$c/.fanfold" "$c/how" "$c/many"
exits "a number of slices that is none fails its stage" 1 fanfold -C "$c" run
has "... as bad input" \
    "bad_input: input 'n': -1 slices of a whole number; give 0 to 1000000, or a list" \
    "$(fanfold -C "$c" status)"

# --- maps ---

c=$tmp/maps
campaign "$c" <<'END'
stages:
  make: {uses: my.make}
  use: {uses: my.use, with: {levels: make.levels, wait: {a: 1m}}}
operators:
  my.make:
    outputs: {levels: {type: map}}
    command: [cp, "{campaign}/params.json", params.json]
  my.use:
    inputs:
      levels: {type: map, fields: {low: float, high: {type: float, optional: true}}}
      wait: {type: map, of: duration}
    outputs: {out: {type: map, of: float}}
    command: [sh, "{campaign}/use.sh"]
END
cat >"$c/use.sh" <<'END'
jq '{out: (.inputs.levels + .inputs.wait)}' task.json >params.json
END
# goes STATUS LEVELS: the campaign, anew, with what `make` makes.
goes() {
    rm -rf "$c/.fanfold" "$c/make" "$c/use"
    echo "{\"levels\": $2}" >"$c/params.json"
    fanfold -C "$c" run >/dev/null 2>&1
    is "levels $2" "$1" $?
}
goes 0 '{"low": 1}'
is "... with values of their types" '{"low":1,"a":60}' \
    "$(fanfold -C "$c" result use out | jq -c 'map_values(round)')"
goes 1 '{"low": "x"}'
has "... are checked when the stage begins" \
    "bad_input: input 'levels': low: expected float, got a string" "$(fanfold -C "$c" status)"
goes 1 '{"lwo": 1, "low": 2}'
has "... with what was meant" "input 'levels': unknown key 'lwo'; did you mean 'low'?" \
    "$(fanfold -C "$c" status)"
goes 1 '{"high": 1}'
has "... and what is missing" "input 'levels': 'low' (float) is missing" "$(fanfold -C "$c" status)"
echo "echo '{\"out\": {\"a\": 1, \"b\": []}}' >params.json" >"$c/use.sh"
goes 1 '{"low": 1}'
has "... and so is what a task makes" "output 'out': b: expected float, got an array" \
    "$(fanfold -C "$c" explain use 0)"

# --- what is taken ---

c=$tmp/taken
campaign "$c" <<'END'
stages:
  train: {uses: my.train}
operators:
  my.train:
    outputs:
      model: {type: file, take: frozen_model.pb}
      inner: {type: dir, take: run/last}
      named: {type: file, take: named.pb, path: other.pb}
      frames: {type: frames, take: traj.xyz}
    script: |
      mkdir -p run/last; echo m >frozen_model.pb; echo n >named.pb; echo f >run/last/f
      printf '1\nLattice="9 0 0 0 9 0 0 0 9" Properties=species:S:1:pos:R:3\nSi 0 0 0\n' >traj.xyz
END
ok "what commands leave where they stand is taken" fanfold -C "$c" run
is "... under its own name, by which programs know what it is" \
    "frozen_model.pb last other.pb frames.extxyz" \
    "$(for o in model inner named frames; do basename "$(fanfold -C "$c" result train $o)"; done | xargs)"

done_testing
