# SPDX-License-Identifier: BSD-3-Clause
"""What a program sees of its task."""
import json
import os
import tempfile
import unittest

from fanfold import Artifact, Task, TaskError
from fanfold.tasks import Values

TASK = {
    "format": 1,
    "stage": "train",
    "resources": {"cores": 2},
    "restart": False,
    "inputs": {
        "levels": [0.1, 0.2],
        "frames": "/data/frames.extxyz",
        "sets": [["/a", None], ["/b"]],
        "title": "a title",
        "pick": {"quota": 16},
    },
    "outputs": {"potential": "out/potential"},
}


class TaskTest(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)

    def task(self, **changes):
        with open(os.path.join(self.directory.name, "task.json"), "w") as file:
            json.dump({**TASK, **changes}, file)
        return Task(self.directory.name)

    def left(self, name):
        with open(os.path.join(self.directory.name, name)) as file:
            return json.load(file)

    def test_inputs(self):
        inputs = self.task().inputs
        self.assertEqual(inputs.levels, [0.1, 0.2])
        self.assertEqual(inputs.frames, "/data/frames.extxyz")
        self.assertIsInstance(inputs.frames, Artifact)
        self.assertIsInstance(inputs.sets[1][0], Artifact)
        self.assertIsNone(inputs.sets[0][1])
        self.assertNotIsInstance(inputs.title, Artifact)
        self.assertEqual(inputs.pick.quota, 16)
        self.assertEqual(inputs["levels"], [0.1, 0.2])
        self.assertEqual(dict(**inputs.pick), {"quota": 16})
        self.assertIsNone(inputs.get("extra"))

    def test_undeclared(self):
        task = self.task()
        for what, text in (
            (lambda: task.inputs.level, "has no 'level'.*levels, frames.*declare it"),
            (lambda: task.inputs.pick.quote, "task.inputs.pick has no 'quote'.*quota"),
            (lambda: task.outputs.force_rmse, "potential.*task.params"),
            (lambda: task.seed, r"write reads: \[seed\]"),
            (lambda: task.number, r"write reads: \[task\]"),
            (lambda: task.iteration, r"write reads: \[iteration\]"),
            (lambda: task.stacked.frame, "of collect only"),
            (lambda: task.temperature, "temperature"),
        ):
            with self.assertRaisesRegex(AttributeError, text):
                what()
        with self.assertRaisesRegex(KeyError, "levels"):
            task.inputs["level"]
        with self.assertRaises(AttributeError):
            task.inputs.levels = 3

    def test_declared(self):
        task = self.task(seed=7, task=3, iteration=2, restart=True)
        self.assertEqual((task.seed, task.number, task.iteration), (7, 3, 2))
        self.assertTrue(task.restart)
        self.assertEqual(task.resources.cores, 2)

    def test_outputs(self):
        task = self.task()
        self.assertEqual(
            task.outputs.potential, os.path.join(self.directory.name, "out/potential")
        )

    def test_params(self):
        task = self.task()
        task.params(force_rmse=0.1)
        task.params(frames=3, path=Artifact("/a"))
        self.assertEqual(
            self.left("params.json"), {"force_rmse": 0.1, "frames": 3, "path": "/a"}
        )
        with self.assertRaisesRegex(ValueError, "'force_rmse' is nan"):
            task.params(force_rmse=float("nan"))
        with self.assertRaisesRegex(TypeError, "'a'"):
            task.params(a=object())
        self.assertEqual(len(self.left("params.json")), 3)
        self.assertEqual(sorted(os.listdir(self.directory.name)), ["params.json", "task.json"])

    def test_progress(self):
        task = self.task()
        task.progress(step=3, error=float("inf"))
        self.assertEqual(self.left("progress.json"), {"step": 3, "error": None})
        with self.assertRaisesRegex(ValueError, "4096"):
            task.progress(text="x" * 5000)

    def test_slices(self):
        self.task().slices(start=["runs/0"])
        self.assertEqual(self.left("slices.json"), {"start": ["runs/0"]})

    def test_no_task(self):
        with self.assertRaisesRegex(FileNotFoundError, "only what Fanfold starts"):
            Task(self.directory.name).inputs

    def test_values_are_a_mapping(self):
        values = Values({"a": 1}, "task.inputs", "declare it")
        self.assertEqual((list(values), len(values), "a" in values), (["a"], 1, True))
        self.assertFalse(hasattr(values, "b"))

    def test_kinds(self):
        self.assertEqual(TaskError("no", kind="fatal").kind, "fatal")
        with self.assertRaisesRegex(ValueError, "write one of failed"):
            TaskError("no", kind="broken")


class ArrayTest(unittest.TestCase):
    def setUp(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("no NumPy")
        self.numpy = numpy

    def test_array(self):
        with tempfile.TemporaryDirectory() as directory:
            path = Artifact(os.path.join(directory, "a.npy"))
            path.write([[1.5, 2]])
            self.assertEqual(path.read().tolist(), [[1.5, 2.0]])
            self.assertEqual(os.listdir(directory), ["a.npy"])

    def test_scalars(self):
        with tempfile.TemporaryDirectory() as directory:
            task = Task(directory)
            task.params(x=self.numpy.float64(0.5), n=self.numpy.int64(2), a=self.numpy.ones(2))
            with open(os.path.join(directory, "params.json")) as file:
                self.assertEqual(json.load(file), {"x": 0.5, "n": 2, "a": [1.0, 1.0]})
            with self.assertRaises(ValueError):
                task.params(x=self.numpy.float64("nan"))


if __name__ == "__main__":
    unittest.main()
