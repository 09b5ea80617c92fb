# SPDX-License-Identifier: BSD-3-Clause
"""Annotations as the declaration of an operator, and calls by them."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

from fanfold.declare import DeclarationError, absent_modules, declaration, operator_name

TRAIN = '''
import no_such_module
from typing import Annotated, Any, NamedTuple, Optional, Union
import fanfold
from fanfold import Array, Dir, Each, File, Frames, Output

class Trained(NamedTuple):
    """What comes of it."""
    frames: int
    force_rmse: Annotated[float, "eV/angstrom"]
    note: Optional[str] = None

def train(model: Each[int], datasets: "list[fanfold.Frames]", grid: Annotated[Array, {"dtype": "f4",
          "shape": ["any", 3]}], rate: float = 1e-3, steps: int = -4, start: File | None = None,
          tables: list[list[Dir]] = [], how: Union[str, None] = None, more: dict[str, Any] = {},
          seed: int = 0, *, potential: Output[File], curve: Annotated[Output[Array], {"take": "c.npy"}],
          name: str = "a") -> Trained:
    """Train a member.

    Of the committee."""

def nothing():
    pass

def bare(x): pass
def computed(x: int = 3 * steps): pass
def several(*x: int): pass
def strange(x: complex): pass
def union(x: int | str): pass
def sliced(x: Each[int] = 3): pass
def parameter(x: Output[int]): pass
def returned(x: int) -> float: pass
def annotated(x: Annotated[int, steps]): pass
'''

CALLED = '''
from dataclasses import dataclass
from typing import Optional
from fanfold import Frames, File, Output

@dataclass
class Made:
    total: float
    kind: str
    note: Optional[str] = None

def add(parts: list[float], frames: list[Frames], seed: int, target: Output[File],
        more: Optional[int] = None, scale: float = 2) -> Made:
    open(target, "w").write("made")
    assert more is None and all(isinstance(f, Frames) for f in frames)
    return Made(scale * sum(parts) + seed, type(parts[0]).__name__)

def wrong() -> Made:
    return {"nothing": 1}
'''


class DeclareTest(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.path = os.path.join(self.directory.name, "train.py")
        with open(self.path, "w") as file:
            file.write(TRAIN)

    def test_ports(self):
        self.maxDiff = None
        self.assertEqual(
            declaration(self.path, "train").to_json(),
            {
                "doc": "Train a member.",
                "fan_out": ["model"],
                "inputs": {
                    "model": {"type": "int"},
                    "datasets": {"type": "frames", "list": True},
                    "grid": {"type": "npy", "dtype": "f4", "shape": ["any", 3]},
                    "rate": {"type": "float", "default": 1e-3},
                    "steps": {"type": "int", "default": -4},
                    "start": {"type": "file", "optional": True},
                    "tables": {"type": "dir", "list": 2, "default": []},
                    "how": {"type": "string", "optional": True},
                    "more": {"type": "map", "default": {}},
                    "name": {"type": "string", "default": "a"},
                },
                "outputs": {
                    "potential": {"type": "file"},
                    "curve": {"type": "npy", "take": "c.npy"},
                    "frames": {"type": "int"},
                    "force_rmse": {"type": "float", "doc": "eV/angstrom"},
                    "note": {"type": "string", "optional": True},
                },
                "reads": ["seed"],
            },
        )
        self.assertEqual(declaration(self.path, "nothing").to_json(), {})

    def test_mistakes(self):
        for name, text in (
            ("bare", "'x' has no annotation"),
            ("computed", "default of 'x' is computed"),
            ("several", "'x': inputs are given by name"),
            ("strange", "'complex' is no type.*write int"),
            ("union", "'int | str' is no type".replace("|", r"\|")),
            ("sliced", "'x' is sliced"),
            ("parameter", "output 'x' is no artifact; return it"),
            ("returned", "'float': write the name of a NamedTuple"),
            ("annotated", "in Annotated write a text"),
            ("absent", r"no function 'absent' \(there are: train, nothing"),
        ):
            with self.subTest(name), self.assertRaisesRegex(
                DeclarationError, r"train\.py:.*" + text
            ):
                declaration(self.path, name)
        with self.assertRaisesRegex(DeclarationError, "nowhere.py: No such file"):
            declaration("nowhere.py", "f")
        with open(self.path, "a") as file:
            file.write("def (\n")
        with self.assertRaisesRegex(DeclarationError, r"train\.py:\d+: no Python"):
            declaration(self.path, "train")

    def test_name(self):
        self.assertEqual(operator_name("lib/Fit-one.py", "train"), "fit_one.train")
        self.assertEqual(operator_name("2.py", "_x"), "f2.f_x")

    def test_absent_modules(self):
        def write(name, text):
            with open(os.path.join(self.directory.name, name), "w") as file:
                file.write(text)

        write("beside.py", "import json, no_such.part\nimport train, no_such\n")
        write("broken.py", "import no_such_too\ndef (\n")
        os.mkdir(os.path.join(self.directory.name, "package"))
        write(
            "train.py",
            "import os.path, beside, broken\nimport package.part\nfrom . import here\n"
            "from no_such_one.x import y\ntry:\n    import no_such_maybe\n"
            "except ImportError:\n    pass\ndef f():\n    import no_such_later\n",
        )
        self.assertEqual(
            absent_modules(self.path), {"no_such_one": "train.py:4", "no_such": "beside.py:1"}
        )
        self.assertEqual(absent_modules(self.path + "x"), {})

    def run_module(self, *words, cwd=None):
        return subprocess.run(
            [sys.executable, "-m", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            cwd=cwd,
        )

    def test_program(self):
        done = self.run_module("fanfold.declare", self.path + ":nothing")
        self.assertEqual(
            json.loads(done.stdout),
            {
                "name": "train.nothing",
                "operator": {},
                "absent": {"no_such_module": "train.py:2"},
            },
        )
        done = self.run_module("fanfold.declare", self.path + ":bare")
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assertRegex(done.stderr, "^[^ ]*train.py:")
        self.assertEqual(self.run_module("fanfold.declare", "x").returncode, 2)

    def call(self, function, file="called.py", **inputs):
        """In a task's directory, as an agent does."""
        path = os.path.join(self.directory.name, "lib", file)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(CALLED)
        os.makedirs(os.path.join(self.directory.name, "out"), exist_ok=True)
        with open(os.path.join(self.directory.name, "task.json"), "w") as file:
            task = {"inputs": inputs, "outputs": {"target": "out/target"}, "seed": 100}
            json.dump(task, file)
        return self.run_module("fanfold.run", path, function, cwd=self.directory.name)

    def test_call(self):
        done = self.call("add", parts=[1, 2], frames=["/a"], scale=3)
        self.assertEqual((done.stderr, done.returncode), ("", 0))
        with open(os.path.join(self.directory.name, "params.json")) as file:
            self.assertEqual(json.load(file), {"total": 109.0, "kind": "float"})
        with open(os.path.join(self.directory.name, "out/target")) as file:
            self.assertEqual(file.read(), "made")

    def test_file_names(self):
        """That of a module which is there, and no module's; nothing is cached."""
        for file in ("json.py", "fit_pairs"):
            done = self.call("add", file, parts=[1, 2], frames=[])
            self.assertEqual((done.stderr, done.returncode), ("", 0))
        self.assertNotIn("__pycache__", os.listdir(os.path.join(self.directory.name, "lib")))

    def test_call_mistakes(self):
        done = self.call("add", parts=[1])
        self.assertIn("task.inputs has no 'frames'", done.stderr)
        done = self.call("wrong")
        self.assertIn("returned 'nothing', which it does not declare", done.stderr)
        self.assertEqual(done.returncode, 1)


if __name__ == "__main__":
    unittest.main()
