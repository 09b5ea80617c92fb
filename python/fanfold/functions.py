# SPDX-License-Identifier: BSD-3-Clause
"""Calls a function with annotations for a task (fanfold.declare)."""
import os
import sys
from dataclasses import asdict, is_dataclass
from types import ModuleType
from typing import Any, Callable, Dict

from .artifact import Array, Artifact, Dir, File, Frames
from .declare import Declaration, declaration
from .tasks import Task

_CLASSES = {"file": File, "dir": Dir, "frames": Frames, "npy": Array}


def load(path: str, name: str) -> Callable[..., Any]:
    """The function NAME of the file at PATH, which finds modules beside itself.

    The text is compiled as it is now: of an edit within a second Python's cache may know
    nothing.
    """
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    stem = os.path.splitext(os.path.basename(path))[0]
    module = ModuleType(f"operator_{stem}" if stem in sys.modules else stem)
    module.__file__ = path
    with open(path, "rb") as file:
        code = compile(file.read(), path, "exec")
    sys.modules[module.__name__] = module
    exec(code, module.__dict__)
    function: Callable[..., Any] = getattr(module, name)
    return function


def _typed(kind: str, value: Any) -> Any:
    """The value of a type, or lists of it; a hole stays None."""
    if isinstance(value, list):
        return [_typed(kind, item) for item in value]
    if value is None:
        return None
    if kind == "float":
        return float(value)
    return _CLASSES[kind](value) if kind in _CLASSES else value


def _arguments(made: Declaration, task: Task) -> Dict[str, Any]:
    arguments: Dict[str, Any] = {}
    inputs = task.inputs
    for name, port in made.inputs.items():
        if name in inputs:
            arguments[name] = _typed(port["type"], inputs.plain(name))
        elif "default" not in port and not port.get("optional"):
            getattr(inputs, name)  # says what is wrong
    for name, port in made.outputs.items():
        if name not in made.returned:
            path: Artifact = getattr(task.outputs, name)
            arguments[name] = _CLASSES[port["type"]](path)
    uses = {"seed": "seed", "task": "number", "iteration": "iteration"}
    for name in made.reads:
        arguments[name] = getattr(task, uses[name])
    return arguments


def _returned(made: Declaration, value: Any, what: str) -> Dict[str, Any]:
    """The output parameters, by name; those that are None are left out."""
    if value is None:
        values: Dict[str, Any] = {}
    elif hasattr(value, "_asdict"):
        values = value._asdict()
    elif is_dataclass(value) and not isinstance(value, type):
        values = asdict(value)
    elif isinstance(value, dict):
        values = value
    else:
        raise TypeError(f"{what} returned {type(value).__name__}, not what it declares")
    unknown = [name for name in values if name not in made.returned]
    if unknown:
        raise TypeError(f"{what} returned '{unknown[0]}', which it does not declare")
    return {name: item for name, item in values.items() if item is not None}


def task_function(path: str, name: str) -> Callable[[Task], None]:
    """What runs one task by that function."""
    made = declaration(path, name)
    function = load(path, name)

    def run(task: Task) -> None:
        value = function(**_arguments(made, task))
        values = _returned(made, value, f"{path}:{name}")
        if values:
            task.params(**values)

    return run
