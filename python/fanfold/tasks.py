# SPDX-License-Identifier: BSD-3-Clause
"""What the task at hand is given, and what it leaves: task.json, params.json."""
import os
from typing import Any, Dict, Iterator, Mapping, Optional

from . import _json, _messages
from .artifact import Artifact, artifacts_in

_REPORT_BYTES = 4096  # fanfold-worker(7)


class TaskError(Exception):
    """Raised in a worker: the task has no result, and the worker goes on with the next.

    KIND is the task's outcome: "failed", "fatal" (no other try helps), "bad_input",
    "bad_output" or "out_of_memory".
    """

    kinds = ("failed", "fatal", "bad_input", "bad_output", "out_of_memory")

    def __init__(self, message: str, kind: str = "failed"):
        if kind not in self.kinds:
            raise ValueError(f"kind '{kind}'; write one of {', '.join(self.kinds)}")
        super().__init__(message)
        self.kind = kind


class Values(Mapping[str, Any]):
    """Named values, as attributes or by ["NAME"]; of a section another one of these.

    A name that is not there raises AttributeError (KeyError), which says what is.
    """

    def __init__(self, values: Dict[str, Any], what: str, remedy: str):
        self._values = values
        self._what = what
        self._remedy = remedy

    def _missing(self, name: str) -> str:
        names = ", ".join(self._values) or "none"
        return f"{self._what} has no '{name}' (it has: {names}); {self._remedy}"

    def _of(self, name: str) -> Any:
        value = self._values[name]
        if isinstance(value, dict) and not isinstance(value, Values):
            return Values(value, f"{self._what}.{name}", self._remedy)
        return value

    def plain(self, name: str) -> Any:
        """The value as JSON has it: of a section, or of a map, a dict."""
        return self._values[name]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name not in self._values:
            raise AttributeError(self._missing(name))
        return self._of(name)

    def __getitem__(self, name: str) -> Any:
        if name not in self._values:
            raise KeyError(self._missing(name))
        return self._of(name)

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_"):
            raise AttributeError(f"{self._what}.{name} cannot be set")
        super().__setattr__(name, value)

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"{self._what}: {self._values!r}"


class Task:
    """A task, prepare or collect in DIRECTORY, which has its task.json.

    task.json is read when it is first needed.
    """

    def __init__(self, directory: str, worker_task: Optional[int] = None):
        self._begin(directory, worker_task)

    def _begin(self, directory: str, worker_task: Optional[int]) -> None:
        self._directory = os.path.abspath(directory)
        self._worker_task = worker_task
        self._file: Optional[Dict[str, Any]] = None
        self._params: Dict[str, Any] = {}

    def _read(self) -> Dict[str, Any]:
        if self._file is None:
            path = os.path.join(self._directory, "task.json")
            try:
                self._file = _json.read(path)
            except FileNotFoundError as error:
                raise FileNotFoundError(
                    f"{path} is not there: only what Fanfold starts has a task"
                ) from error
        return self._file

    def _read_use(self, key: str) -> int:
        """What is there only for operators that say so."""
        value = self._read().get(key)
        if value is None:
            raise AttributeError(
                f"task.{key} is not declared: write reads: [{key}] in the operator, "
                "so that results depend on it"
            )
        return int(value)

    def _path(self, path: str) -> Artifact:
        return Artifact(os.path.join(self._directory, path))

    @property
    def directory(self) -> str:
        """Where it works."""
        return self._directory

    @property
    def inputs(self) -> Values:
        """The inputs; a path is an Artifact.  One that is optional and was left out is not
        there: inputs.get("NAME")."""
        return Values(
            artifacts_in(self._read()["inputs"]),
            "task.inputs",
            "declare it in the operator's inputs; of an optional one write "
            'task.inputs.get("NAME")',
        )

    @property
    def outputs(self) -> Values:
        """Where to write the output artifacts."""
        paths = self._read()["outputs"]
        return Values(
            {name: self._path(path) for name, path in paths.items()},
            "task.outputs",
            "declare it in the operator's outputs; parameters are returned by "
            "task.params(NAME=VALUE)",
        )

    @property
    def stacked(self) -> Values:
        """Of collect: the outputs of the tasks, lists with None for those that failed."""
        return Values(
            artifacts_in(self._read().get("stacked", {})),
            "task.stacked",
            "it is the outputs of the tasks, of collect only",
        )

    @property
    def seed(self) -> int:
        """A seed of this task's own, 31 bits."""
        return self._read_use("seed")

    @property
    def number(self) -> int:
        """Which task it is, from 0."""
        return self._read_use("task")

    @property
    def iteration(self) -> int:
        """The iteration, from 0."""
        return self._read_use("iteration")

    @property
    def restart(self) -> bool:
        """Whether a checkpoint of an earlier try is in the directory."""
        return bool(self._read().get("restart", False))

    @property
    def resources(self) -> Values:
        """cores, ranks, gpus and others, as task.json has them."""
        return Values(self._read()["resources"], "task.resources", "see fanfold-declare(5)")

    def params(self, **values: Any) -> None:
        """Return output parameters; another call adds to them.  ValueError for NaN."""
        for name, value in values.items():
            try:
                _json.dumps(value)
            except (TypeError, ValueError) as error:
                raise type(error)(f"output '{name}' is {value!r}: {error}") from None
        self._params.update(values)
        _json.write(self._path("params.json"), self._params)

    def slices(self, **lists: Any) -> None:
        """Of prepare: the lists that tasks are made of."""
        _json.write(self._path("slices.json"), lists)

    def progress(self, **values: Any) -> None:
        """Say how far the task is; numbers that are not finite become null.

        Of a worker it is a report.  Else it is the file progress.json in the task's
        directory, which `report: {command: [cat, progress.json]}` of the operator shows.
        """
        report = _json.finite(values)
        if len(_json.dumps(report).encode()) > _REPORT_BYTES:
            raise ValueError(f"progress has more than {_REPORT_BYTES} bytes; say less")
        if self._worker_task is not None and _messages.is_worker():
            _messages.say(type="report", task=self._worker_task, report=report)
        else:
            _json.write(self._path("progress.json"), report)


def _start_directory() -> str:
    try:
        return os.getcwd()
    except FileNotFoundError:  # removed meanwhile
        return os.sep


# The task in whose directory the program was started; of a worker the one that it has.
task = Task(_start_directory())
