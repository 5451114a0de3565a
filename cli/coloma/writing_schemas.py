"""Keeping a folder of schemas: what is new, what is out of date, what is not wanted any more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from coloma.errors import CommandError
from coloma.files import write_whole
from rulesdsl.schema.parts import MARK
from rulesdsl.source.files import reason


def stale(folder: Path, texts: Mapping[str, str]) -> list[str]:
    """Return the schemas that are not what they should be; other files are left alone."""
    ours = {
        each.relative_to(folder).as_posix(): text
        for each in folder.rglob("*.json")
        if MARK in (text := _text(each))
    }
    return sorted(name for name in ours.keys() | texts.keys() if ours.get(name) != texts.get(name))


def write(folder: Path, texts: Mapping[str, str], names: Sequence[str]) -> None:
    """Write some of the schemas, and remove those of them that there are none of any more."""
    for name in names:
        if name in texts:
            write_whole(folder / name, texts[name])
        else:
            _remove(folder / name)


def _remove(path: Path) -> None:
    try:
        path.unlink()
    except OSError as error:
        raise CommandError(f"cannot remove {path}: {reason(error)}") from None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError):  # UnicodeDecodeError is a ValueError: no schema of ours
        return ""
