import traceback
from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import written
from rulesdsl.interpreter.python import runtime
from rulesdsl.lower.flattened import Flattened, flattened
from rulesdsl.lower.layout import Layout
from rulesdsl.syntax.lexer import grammar
from some import some

ACT = """
move up to 3 coins from heap into my purse
shuffle deck
"""


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    grammar()  # its tables are kept as well
    folder = tmp_path / "cache"
    monkeypatch.setattr("rulesdsl.source.cache._folder", lambda: folder)
    return folder


def test_equal_packs_keep_their_own_spans(tmp_path: Path, own_cache: Path) -> None:
    folders = [written(tmp_path / name, ACT) for name in ("here", "there", "here")]
    games = [rulesdsl.load(folder).new_game(1, 1) for folder in folders]
    named = [
        {place.file for line in game.log for place in line.rules if place.file} for game in games
    ]
    assert named == [{str(folder / "box.rules")} for folder in folders]
    assert len(list(own_cache.glob("*.pack"))) == 4, "what is checked, and its flat form"


def test_flattening(tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[bool] = []

    def counted(layout: Layout, *, logging: bool, careful: bool) -> Flattened:
        found.append(logging)
        return flattened(layout, logging=logging, careful=careful)

    monkeypatch.setattr("rulesdsl.interpreter.compile.flattened", counted)
    folder = written(tmp_path, ACT)

    games = [rulesdsl.load(folder).new_game(1, 1) for _ in range(3)]

    assert found == [True]
    assert len({str(game.log) for game in games}) == 1
    for path in own_cache.glob("*.pack"):
        path.write_bytes(path.read_bytes()[:-1])
    assert str(rulesdsl.load(folder).new_game(1, 1).log) == str(games[0].log)
    assert found == [True, True]


def test_tracebacks_name_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setitem(runtime.OPERATIONS, "shuffle", broken)
    act = f"choose-fame{ACT}"
    folders = [written(tmp_path / name, act) for name in ("here", "there")]
    games = [rulesdsl.load(folder).new_game(1, 1) for folder in folders]

    for folder, game in zip(folders, games, strict=True):
        decision = some(game.decision)
        with pytest.raises(RuntimeError) as raised:
            game.choose(decision.options[0])

        told = "".join(traceback.format_exception(raised.value))
        line = (folder / "box.rules").read_text().split("\n").index("    shuffle deck") + 1
        assert f"{folder / 'box.rules'}:{line}:" in told


def test_a_damaged_file_is_as_good_as_none(tmp_path: Path, own_cache: Path) -> None:
    folder = written(tmp_path / "pack", ACT)
    rulesdsl.load(folder)
    for kept in own_cache.glob("*.pack"):
        kept.write_bytes(kept.read_bytes()[:-1])
    game = rulesdsl.load(folder).new_game(1, 1)
    assert game.result is not None


@pytest.mark.parametrize("name", ["content", "content/sutters_mill"])
def test_shipped_games_are_kept_as_they_are(name: str, own_cache: Path) -> None:
    folder = Path(__file__).parents[2] / name
    checked = rulesdsl.load(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rulesdsl.interpreter.pack._check", None)
        kept = rulesdsl.load(folder)
    assert kept.program == checked.program
    assert len(list(own_cache.glob("*.pack"))) == 1
