# SPDX-License-Identifier: BSD-3-Clause
"""JSON as Fanfold reads it: no NaN, numbers of NumPy as numbers."""
import json
import math
import os
from typing import Any


def _plain(value: Any) -> Any:
    """What json has no way to write: arrays and scalars of NumPy, paths."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"{type(value).__name__} has no JSON")


def dumps(value: Any) -> str:
    """The text on one line; ValueError for NaN and infinity, TypeError for what is no
    JSON."""
    return json.dumps(value, allow_nan=False, default=_plain)


def finite(value: Any) -> Any:
    """The value with None in the place of numbers that are not finite."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(item) for item in value]
    return value


def read(path: str) -> Any:
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def write(path: str, value: Any) -> None:
    """The whole file or nothing of it."""
    text = dumps(value)
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(text + "\n")
    os.replace(path + ".new", path)
