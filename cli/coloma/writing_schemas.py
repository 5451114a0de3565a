"""Keeping a folder of schemas: what is new, what is out of date, what is not wanted any more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from coloma.errors import CommandError
from coloma.files import read_text, remove, write_whole
from rulesdsl.schema.parts import MARK


def stale(folder: Path, texts: Mapping[str, str], within: Path) -> list[str]:
    """Return the schemas that are not what they should be; other files are left alone."""
    ours = {
        each.relative_to(folder).as_posix(): text
        for each in folder.rglob("*.json")
        if MARK in (text := _text(each, within))
    }
    return sorted(name for name in ours.keys() | texts.keys() if ours.get(name) != texts.get(name))


def write(folder: Path, texts: Mapping[str, str], names: Sequence[str], within: Path) -> None:
    """Write some of the schemas, and remove those of them that there are none of any more."""
    for name in names:
        if name in texts:
            write_whole(folder / name, texts[name], within)
        else:
            remove(folder / name, within)


def _text(path: Path, within: Path) -> str:
    try:
        return read_text(path, within)
    except CommandError:  # no schema of ours
        return ""
