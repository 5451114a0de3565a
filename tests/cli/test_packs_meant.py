from __future__ import annotations

from pathlib import Path

import pytest

from cli.conftest import Run
from cli.mods_on_disk import write_game, write_mod
from coloma.commands.test import FileWatcher, _follow, _tasks
from coloma.fixing import packs_of
from coloma.packs import packs_at
from rulesdsl.scenarios.parallel import Processes

FITS = "verb jump:   gain 1 fame   # wide\n"
HOP = """
[[scenario]]
name = "A hop"
given = []
play = "for p1: gain 1 fame"
expect = ["fame of p1 = 1"]
"""


@pytest.fixture
def games(tmp_path: Path) -> Path:
    game = write_game(tmp_path / "games" / "coins", {"scenarios/hop.toml": HOP})
    write_mod(game / "mods" / "hats", files={"scenarios/hop.toml": HOP, "hats.rules": FITS})
    write_mod(game / "mods" / "lost", 'kind = "mod"', 'for_game = "cions"')
    write_mod(game / "mods" / "odd", 'kind = "mod"', 'for_game = "shells"')
    inner = write_game(game / "shells", {"wide.rules": FITS, "scenarios/hop.toml": HOP})
    manifest = inner / "pack.toml"
    manifest.write_text(manifest.read_text("utf-8").replace('"coins"', '"shells"'), "utf-8")
    write_mod(inner / "mods" / "pearls", 'kind = "mod"', 'for_game = "coins"')
    return game.parent


def below(folder: Path) -> list[str]:
    return [each.folder.relative_to(folder).as_posix() for each in packs_at(folder)]


def test_what_a_folder_stands_for(games: Path) -> None:
    game = games / "coins"

    assert below(game) == [".", "mods/hats", "mods/lost"]
    assert below(game / "shells") == [".", "mods/pearls"]
    assert below(game / "mods" / "odd") == ["."]
    assert below(game / "mods") == ["hats", "lost", "odd"]
    assert below(games) == [
        "coins",
        *(f"coins/mods/{each}" for each in ("hats", "lost", "odd")),
        *("coins/shells", "coins/shells/mods/pearls"),
    ]


def test_the_scenarios_of_the_mods_for_a_game_are_run_with_its_own(run: Run, games: Path) -> None:
    (games / "coins" / "mods" / "lost" / "pack.toml").unlink()
    game, hats, inner = (games / "coins" / each for each in ("", "mods/hats", "shells"))
    passed = "1 passed, 0 failed"

    assert run("test", str(game)).lines == [f"{game}:", passed, f"{hats}:", passed]
    assert run("test", str(hats)).lines == [passed]
    assert run("test", str(game), "--mod", str(hats)).lines == [passed]
    assert run("test", str(game), "--mutants", "1").lines[0] == passed
    assert run("test", str(games)).lines.count(passed) == 3
    assert f"{inner}:" in run("test", str(games)).lines


def test_one_pack_that_fails_is_enough(run: Run, games: Path) -> None:
    (games / "coins" / "mods" / "lost" / "pack.toml").unlink()
    scenarios = games / "coins" / "mods" / "hats" / "scenarios" / "hop.toml"
    scenarios.write_text(HOP.replace("p1 = 1", "p1 = 2"), "utf-8")
    ran = run("test", str(games / "coins"))

    assert ran.status == 1
    assert ran.lines[-1] == "0 passed, 1 failed"


def test_only_in_one_pack_of_several(run: Run, games: Path) -> None:
    (games / "coins" / "mods" / "lost" / "pack.toml").unlink()
    scenarios = games / "coins" / "mods" / "hats" / "scenarios" / "hop.toml"
    scenarios.write_text(HOP.replace("A hop", "A leap"), "utf-8")

    assert run("test", str(games / "coins"), "--only", "leap").status == 0
    assert run("test", str(games / "coins"), "--only", "lope").status == 2


def test_rules_of_other_games_are_not_formatted(run: Run, games: Path) -> None:
    hats, wide = games / "coins/mods/hats/hats.rules", games / "coins/shells/wide.rules"

    assert f"{hats} would be changed" in run("fmt", "--check", str(games / "coins")).lines
    assert f"{wide} would be changed" not in run("fmt", "--check", str(games / "coins")).lines
    assert f"{wide} would be changed" in run("fmt", "--check", str(games)).lines


def test_schemas_of_every_pack_below_a_folder(run: Run, games: Path) -> None:
    (games / "coins" / "mods" / "lost" / "pack.toml").unlink()
    inner = games / "coins" / "shells" / "schema" / "cards.json"
    run("schema", "--pack", str(games / "coins"))
    assert not inner.exists()

    run("schema", "--pack", str(games))
    assert inner.exists()


def test_the_editor_does_not_take_other_games_in(games: Path) -> None:
    game = games / "coins"

    assert set(packs_of(game).folders) == {game, game / "mods" / "hats"}
    assert packs_of(game / "shells").game == game / "shells"


class Typed(FileWatcher):
    def __init__(self, *texts: tuple[Path, str]) -> None:
        super().__init__([each[0].parent for each in texts])
        self._texts = list(texts)

    def wait(self) -> list[str]:
        if not self._texts:
            raise KeyboardInterrupt
        file, text = self._texts.pop(0)
        file.write_text(text, "utf-8")
        return [str(file)]


def test_the_mods_for_a_game_are_watched_with_it(
    games: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, hats = games / "coins", games / "coins" / "mods" / "hats"
    (games / "coins" / "mods" / "lost" / "pack.toml").unlink()
    (hats / "hats.rules").unlink()
    empty, full = ((hats / "hats.rules", text) for text in ("", "# hats\n"))
    wrong = game / "wrong.rules", "verb jump: hop\n"
    with Processes() as processes, pytest.raises(KeyboardInterrupt):
        _follow(_tasks(str(game), (), first=False), processes, Typed(empty, wrong, full))
    said = [line.rpartition(" (")[0] or line for line in capsys.readouterr().out.splitlines()]
    begun, changed, broken, again = "\n".join(said).split("\nchanged: ")

    assert begun.splitlines()[1:] == ["no findings; 2 passed, 0 failed"]
    assert changed.splitlines()[1:] == ["no findings; 1 passed, 0 failed"]
    assert broken.count("unknown-verb") == 1
    assert broken.splitlines()[-1] == "1 finding; no scenario run"
    assert again.count("unknown-verb") == 1
