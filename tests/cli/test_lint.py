from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from cli.conftest import Run
from coloma import linting, packs
from rulesdsl.source.diagnostics import Report, diagnose
from rulesdsl.source.span import SourceFile, Span


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, tuple[str, ...]]]:
    checked: list[tuple[str, tuple[str, ...]]] = []

    def lint_pack(path: Path, mods: Sequence[Path] = (), _: object = None) -> Report:
        checked.append((path.name, tuple(each.name for each in mods)))
        shown = f"{path.name}/game.rules"
        finding = diagnose("E201", Span(shown, 1, 1, 1, 4), "There is no `con`.")
        found = (finding,) if "bad" in path.name else ()
        return Report(found, {shown: SourceFile(shown, "con")})

    monkeypatch.setattr(linting, "lint_if_changed", lint_pack)
    monkeypatch.setattr(packs, "bundled_content", lambda: Path("nowhere"))
    return checked


def _write_pack(folder: Path, more: str = 'kind = "game"') -> Path:
    folder.mkdir(parents=True)
    (folder / "pack.toml").write_text(f'id = "{folder.name}"\n{more}\n')
    return folder


def test_clean_packs_print_nothing(run: Run, runs: list[object], tmp_path: Path) -> None:
    ran = run("lint", str(_write_pack(tmp_path / "coins").parent))

    assert (ran.status, ran.out, ran.err) == (0, "", "")
    assert runs == [("coins", ())]


def test_a_mod_is_checked_with_its_game_and_what_it_requires(
    run: Run, runs: list[tuple[str, tuple[str, ...]]], tmp_path: Path
) -> None:
    mod = 'kind = "mod"\nfor_game = "coins"'
    game = _write_pack(tmp_path / "coins")
    _write_pack(game / "mods" / "red", mod)
    blue = _write_pack(game / "mods" / "blue", f'{mod}\nrequires = ["red >=1.0"]')
    run("lint", str(game / "mods"))

    assert set(runs) == {("coins", ("red", "blue")), ("coins", ("red",)), ("coins", ())}
    assert len(runs) == 3
    runs.clear()
    run("lint", str(blue))

    assert runs == [("coins", ("red",)), ("coins", ("red", "blue"))]


def test_a_mod_is_laid_over_its_own_game_among_several(
    run: Run, runs: list[tuple[str, tuple[str, ...]]], tmp_path: Path
) -> None:
    _write_pack(tmp_path / "games" / "coins")
    _write_pack(tmp_path / "games" / "tokens")
    mod = _write_pack(tmp_path / "red", 'kind = "mod"\nfor_game = "coins"')
    run("lint", str(tmp_path / "games"), "--mod", str(mod))

    assert sorted(runs) == [("coins", ("red",)), ("tokens", ())]


def test_a_mod_for_no_game_among_them_is_laid_over_each(
    run: Run, runs: list[tuple[str, tuple[str, ...]]], tmp_path: Path
) -> None:
    _write_pack(tmp_path / "games" / "coins")
    mod = _write_pack(tmp_path / "red", 'kind = "mod"\nfor_game = "cones"')
    run("lint", str(tmp_path / "games"), "--mod", str(mod))

    assert runs == [("coins", ("red",))]


@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize("clean", [True, False])
def test_tools_get_a_document_whether_something_was_found_or_not(
    run: Run, tmp_path: Path, clean: bool
) -> None:
    pack = str(_write_pack(tmp_path / ("good" if clean else "bad")))
    found = json.loads(run("lint", pack, "--format", "json").out)
    sarif = json.loads(run("lint", pack, "--format", "sarif").out)

    assert found["errors"] == (0 if clean else 1)
    assert len(sarif["runs"][0]["results"]) == (0 if clean else 1)


@pytest.mark.usefixtures("runs")
def test_output_goes_to_a_file(run: Run, tmp_path: Path) -> None:
    pack, file = _write_pack(tmp_path / "bad"), tmp_path / "out" / "found.txt"
    ran = run("lint", str(pack), "--format", "github", "--output", str(file))

    assert (ran.status, ran.out) == (1, "")
    assert file.read_text().startswith("::error file=bad/game.rules,line=1")
