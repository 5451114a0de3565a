"""Cases in `judged.txt`: changes to tables, and whether they are accepted."""

import copy
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

TEXT = Path(__file__).with_name("judged.txt").read_text("utf-8")


def judged(*headings: str) -> list[tuple[str, str, str]]:
    """Return the cases under these headings, each as heading, judgement and change."""
    found = []
    heading = ""
    for line in TEXT.splitlines():
        if line.startswith("["):
            heading = line[1:-1]
        elif heading in headings and line:
            found.append((heading, line[:3].strip(), line[4:]))
    return found


def changed(table: Mapping[str, object], change: str) -> dict[str, Any]:
    """Return a copy of a table with the keys that a case names removed or overwritten."""
    found: dict[str, Any] = copy.deepcopy(dict(table))
    for part in change.split("; "):
        if part.startswith("-"):
            *path, last = part[1:].split(".")
            at = found
            for step in path:
                at = at[step]
            del at[last]
        else:
            _lay(found, tomllib.loads(part))
    return found


def _lay(table: dict[str, Any], over: dict[str, Any]) -> None:
    for key, value in over.items():
        if isinstance(value, dict) and isinstance(table.get(key), dict):
            _lay(table[key], value)
        else:
            table[key] = value
