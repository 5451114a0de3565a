"""Loaded packs, shared by all tests of one worker.

`shipped_pack` is for tests of games. `packs_kept` makes the commands use the shared packs.
"""

from functools import cache
from pathlib import Path

import pytest

import rulesdsl
from coloma.packs import bundled_content
from rulesdsl.check.typed.program import Program
from rulesdsl.interpreter import pack as loading
from rulesdsl.packs.overlay import Layered

_packs: dict[tuple[str, ...], rulesdsl.Pack] = {}
_pack_of = loading.pack_of


@cache
def shipped_pack(folder: Path, mods: tuple[Path, ...] = ()) -> rulesdsl.Pack:
    return rulesdsl.load(folder, mods)


def packs_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "pack_of", _kept_pack_of)


def _kept_pack_of(layers: Layered, program: Program, key: str = "") -> rulesdsl.Pack:
    pack = _pack_of(layers, program, key)
    folders = [each.folder.resolve() for each in (layers.game, *layers.mods)]
    if not all(each.is_relative_to(bundled_content().resolve()) for each in folders):
        return pack
    return _packs.setdefault((layers.digest, *map(str, folders), *sorted(layers.sources)), pack)
