"""What is costly and the same for many tests: kept for all tests of one worker.

`shipped_pack` is for tests that look at games. `packs_kept` puts what is kept under the product's
own functions, for tests that go through a command.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import rulesdsl
from coloma.packs import bundled_content
from rulesdsl.interpreter import pack as loading

if TYPE_CHECKING:
    import pytest

    from rulesdsl.check.typed.program import Program
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
