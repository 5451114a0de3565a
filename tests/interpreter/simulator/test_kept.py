from __future__ import annotations

from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import written
from rulesdsl.interpreter.simulator import module
from rulesdsl.interpreter.simulator.module import Made


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    found = tmp_path / "cache"
    monkeypatch.setattr("rulesdsl.source.cache._folder", lambda: found)
    return found


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Every module that is made, and not read."""
    found: list[object] = []
    make = module.assembled

    def counted(made: Made) -> module.Compiled:
        found.append(made)
        return make(made)

    monkeypatch.setattr(module, "assembled", counted)
    return found


def totals(folder: Path, players: int = 2) -> rulesdsl.Totals:
    return rulesdsl.load(folder).simulator(players).playouts(10).totals


ACT = "let c = random card in deck\nif any c: raise my fame by worth of c"


def test_a_module_is_made_once(folder: Path, made: list[object], tmp_path: Path) -> None:
    pack = written(tmp_path, ACT)

    found = [totals(pack), totals(pack), totals(pack)]

    assert found[0] == found[1] == found[2]
    assert len(made) == 1
    assert len(list(folder.glob("*.pack"))) == 3, "what is checked, its flat form, its module"


def test_each_setting_has_a_module_of_its_own(
    folder: Path, made: list[object], tmp_path: Path
) -> None:
    pack = written(tmp_path, ACT)

    assert len(totals(pack, 2).scores) == 2
    assert len(totals(pack, 3).scores) == 3
    assert len(made) == 2
    assert len(list(folder.glob("*.pack"))) == 5


@pytest.mark.parametrize("part", range(0, 8, 3))
def test_a_byte_that_was_changed_is_found(
    folder: Path, made: list[object], tmp_path: Path, part: int
) -> None:
    pack = written(tmp_path, ACT)
    _ = rulesdsl.load(pack).setting(2, {}, log=False, careful=True).engine
    before = set(folder.glob("*.pack"))
    first = totals(pack)
    (kept,) = set(folder.glob("*.pack")) - before
    content = bytearray(kept.read_bytes())
    content[len(content) * part // 8 + 3] ^= 1
    kept.write_bytes(content)

    assert totals(pack) == first
    assert len(made) == 2
    assert totals(pack) == first
    assert len(made) == 2, "what was wrong is replaced"


def test_without_a_cache_nothing_is_kept(folder: Path, tmp_path: Path) -> None:
    pack = rulesdsl.load(written(tmp_path, ACT), cache=False)

    pack.simulator(2).playouts(1)

    assert not folder.exists()
