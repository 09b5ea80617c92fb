#!/bin/sh
# 0475-python - the Python package: its own tests, operators, workers and campaigns by it
. "$abs_top_srcdir/tests/cli/tap.sh"

PATH=/usr/bin:$PATH
unset PYTHONPATH FANFOLD
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE
package=$abs_top_srcdir/python
(cd "$abs_top_srcdir/tests/python" && PYTHONPATH=$package python3 -m unittest 2>&1) >"$tmp/said" ||
    echo failed >>"$tmp/said"
is "its own tests pass" OK "$(tail -1 "$tmp/said" | sed 's/ (.*//')"
sed 's/^/# /' "$tmp/said"
is "it is as old as the program" "$(fanfold --version | awk '{ print $2 }')" \
    "$(PYTHONPATH=$package python3 -c 'import fanfold; print(fanfold.__version__)')"

# --- operators and workers ---

c=$tmp/c
mkdir "$c"
cat >"$c/site.yaml" <<'END'
format: 1
profiles:
  here: {scheduler: local, node: {cores: 2}, limits: {poll: 0.05s, settle: 0.1s}}
END
cat >"$c/campaign.yaml" <<'END'
format: 1
campaign: python
seed: 5
stop: {iterations: 2}
stages:
  cut: {uses: test.cut, with: {text: "it's {a} \"text\""}}
  work: {uses: test.work, with: {n: cut.n}}
  serve: {uses: test.serve, with: {n: cut.n, add: {seven: 7}}}
history: {total: sum(work.square)}
functions:
  twice: {type: predict, uses: test.twice}
operators:
  test.cut:
    inputs: {text: {type: string}, base: {type: file, optional: true}}
    outputs: {n: {type: int, list: true}, text: {type: string}, paths: {type: any}}
    script: |
      #!/usr/bin/env python3
      # Not a word of task.json counts as the number of a task.
      import os
      from fanfold import task
      assert task.inputs.get("base") is None
      task.params(n=[1, 2, 3], text=task.inputs.text)
      task.params(paths=os.environ["PYTHONPATH"].split(":"))
  test.work:
    fan_out: [n]
    inputs: {n: {type: int}}
    outputs: {square: {type: int}, array: {type: file}}
    prepare:
      slices: {cut: {type: int}}
      script: |
        #!/usr/bin/env python3
        from fanfold import task
        task.slices(cut=[10 * n for n in task.inputs.n])
    command: [python3, "{campaign}/work.py"]
    collect:
      outputs: {square: {type: int, list: true}, all: {type: file}}
      script: |
        #!/usr/bin/env python3
        from fanfold import task
        task.params(square=task.stacked.square)
        with open(task.outputs.all, "w") as file:
            file.write(" ".join(open(path).read() for path in task.stacked.array))
  test.serve:
    fan_out: [n]
    inputs: {n: {type: int}, add: {type: map}}
    outputs: {sum: {type: int}, seeded: {type: bool}}
    reads: [seed]
    env: {PYTHONPATH: /mine}
    worker: [python3, "{campaign}/serve.py"]
  test.twice:
    inputs: {x: {type: float, list: true}, name: {type: string, default: none}}
    outputs: {y: {type: float, list: true}, frames: {type: frames}, name: {type: string}}
    command: [python3, "{campaign}/twice.py"]
END
cat >"$c/work.py" <<'END'
from fanfold import task
with open(task.outputs.array, "w") as file:
    file.write(str(task.inputs.cut))
task.params(square=task.inputs.n ** 2)
try:
    task.seed
except AttributeError as error:
    print(error)
END
cat >"$c/serve.py" <<'END'
import os
import fanfold
print("what an import prints")
def serve(task):
    assert os.environ["PYTHONPATH"].split(":")[0] == "/mine", os.environ["PYTHONPATH"]
    assert "FANFOLD_WORKER" not in os.environ
    task.progress(n=task.inputs.n)
    task.params(sum=task.inputs.n + task.inputs.add["seven"], seeded=task.seed > 0)
fanfold.worker(serve, "serve.py")
END
cat >"$c/twice.py" <<'END'
from fanfold import task
with open(task.outputs.frames, "w") as file:
    print('1\nProperties=species:S:1:pos:R:3 pbc="F F F"\nH 0 0 0', file=file)
task.params(y=[2 * x for x in task.inputs.x], name=task.inputs.name)
END
ok "a campaign of operators in Python runs" fanfold -C "$c" run
is "... text comes as it is" "it's {a} \"text\"" "$(fanfold -C "$c" result cut text)"
is "... prepare, tasks and collect have what they are given" "10 20 30" \
    "$(cat "$c/$(fanfold -C "$c" result work all)")"
is "... workers answer" "[8,9,10]" "$(fanfold -C "$c" result serve sum | jq -c .)"
has "... an undeclared seed is none" "write reads: [seed] in the operator" \
    "$(fanfold -C "$c" log work 0 --iteration 0)"
is "... and a script depends on nothing by accident" "[]" \
    "$(jq -c .uses "$c/cut/test/iter/000000/stage.json")"
is "the package is found behind all else" "$abs_top_builddir/python" \
    "$(fanfold -C "$c" result cut paths | jq -r '.[-1]')"
is "... and is in no identity" "" "$(grep -l "$abs_top_builddir/python" \
    "$c"/*/test/iter/*/stage.json "$c"/*/test/iter/*/slices.jsonl)"

# --- campaigns ---

cat >"$tmp/ask.py" <<'END'
import sys
from fanfold import Campaign, FanfoldError, Frames
c = Campaign(sys.argv[1])
assert c.status()["state"] == c.wait()["state"] == "done"
assert c.history["iteration"] == [0, 1] and c.history["total"] == [14, 14], c.history
assert c.result("work", "square", iteration=0) == [1, 4, 9]
assert set(c.result("cut")) >= {"n", "text", "paths"}
made = c.call("twice", x=[1, 2.5], name="array")
assert made["y"] == [2, 5] and made["name"] == "array", made
assert isinstance(made["frames"], Frames) and open(made["frames"]).readline() == "1\n", made
for wrong, text in ((lambda: c.result("wrok"), "work"), (lambda: c.call("twice"), "x: is not given"),
                    (lambda: c.result("cut", iteration=9), "9")):
    try:
        wrong()
        raise SystemExit("it is no error")
    except FanfoldError as error:
        assert text in str(error) and error.status > 0, error
try:
    c.result("cut", "m")
    raise SystemExit("it is no error")
except KeyError as error:
    assert "text" in str(error)
END
silent "a campaign answers in Python" env PYTHONPATH="$package" python3 "$tmp/ask.py" "$c"
cat >"$tmp/wait.py" <<'END'
import sys, warnings
from fanfold import Campaign
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    try:
        Campaign(sys.argv[1]).wait(timeout_s=0.3)
    except TimeoutError as error:
        print(len(said), error)
END
mkdir "$tmp/new"
cp "$c"/*.yaml "$c"/*.py "$tmp/new"
is "... and is waited for, though nobody drives it" "1 $tmp/new is not begun after 0.3 s" \
    "$(PYTHONPATH=$package python3 "$tmp/wait.py" "$tmp/new" 2>&1)"
has "FANFOLD names the program" "/nowhere/fanfold cannot be run" \
    "$(FANFOLD=/nowhere/fanfold PYTHONPATH=$package python3 "$tmp/ask.py" "$c" 2>&1)"

done_testing
