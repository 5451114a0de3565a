"""A little game and mods for it, written to a folder of the test's own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from check.stock import STOCK, write


def write_game(folder: Path, more: Mapping[str, str] | None = None) -> Path:
    write(folder, STOCK | dict(more or {}))
    return folder


def write_mod(folder: Path, *lines: str, files: Mapping[str, str] | None = None) -> Path:
    head = [f'id = "{folder.name}"', f'name = "{folder.name.capitalize()}"', 'version = "1.0.0"']
    if not any(line.startswith("kind") for line in lines):
        head += ['kind = "mod"', 'for_game = "coins"']
    write(folder, {"pack.toml": "\n".join([*head, *lines, ""]), **(files or {})})
    return folder


def everything_in(folder: Path) -> dict[str, bytes]:
    return {
        each.relative_to(folder).as_posix(): each.read_bytes()
        for each in sorted(folder.rglob("*"))
        if each.is_file()
    }
