"""What a session finds after edits is what a check finds that knows nothing of the past."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import rulesdsl
from coloma.bundled import bundled_content
from rulesdsl.check import pack_check
from rulesdsl.check.followed import KEPT_GAMES, Memories
from rulesdsl.check.read import check_pack, read_layers
from rulesdsl.editor import Session
from rulesdsl.source.kept import Kept, KeptOf
from soak.edits import TARGETS, Target, try_session

BOX = """\
piece coin 10 in bank
place bank holds coin
place purse per seat holds coin
track fame per seat from 0..9
value wealth of seat s: coins in purse of s
step game: for each player: act
verb take n coins: move n coins from bank into my purse
verb act:
    may take 1 coin
    if wealth of me > 2: raise my fame by 1
score final "Fame": my fame
win with most score
"""
MANIFEST = """\
id = "box"
name = "Box"
version = "1.0.0"
kind = "game"
players = { least = 1, most = 4 }
"""
SMALL = next(at for at, each in enumerate(TARGETS) if each == Target("sutters_mill"))


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    tmp_path.joinpath("pack.toml").write_text(MANIFEST, encoding="utf-8")
    tmp_path.joinpath("main.rules").write_text(BOX, encoding="utf-8")
    return tmp_path


EDITS = (
    ("take 1 coin\n", "take 1 coint\n"),  # a name that nothing has
    ("coins in purse of s", "fame of s"),  # a value of something else
    ("from 0..9", "from 0..1"),  # a track as long as it is raised
    ("place bank holds coin", "place bank holds nothing"),
    ("verb take n coins:", "\nverb take n coins:"),  # everything below moves
    ("piece coin 10", "piece coin 1"),
    ("verb act:", "verb act:\n    take 1 coin"),  # what may be impossible
    ("    may take 1 coin\n", "    may take (1 coin\n"),  # no syntax
    ("step game: for each player: act", "step game: nothing"),  # nothing calls the rest
    ("wealth of me > 2", "wealth of me > 2 and wealth of me > 1"),
    ('score final "Fame": my fame', 'score final "Fame": final'),  # a circle
    ("step game:", 'rival ghost "Ghost"\nstep game:'),  # a seat more
    (BOX, ""),
)


@pytest.mark.parametrize("first", range(len(EDITS)))
def test_any_edit_after_any_other(pack: Path, first: int) -> None:
    session = Session(pack)
    for at in range(len(EDITS)):
        old, new = EDITS[(first + at * 5) % len(EDITS)]
        text = BOX.replace(old, new)
        assert text != BOX
        session.edit(pack / "main.rules", text)
        pack.joinpath("main.rules").write_text(text, encoding="utf-8")
        assert session.check().report == rulesdsl.lint(pack)


def test_random_edits_of_a_shipped_game() -> None:
    assert try_session((bundled_content(), SMALL, 1)) == []


def test_what_has_not_changed_is_not_checked_again(
    pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = Session(pack)
    before = session.check()
    monkeypatch.setattr("rulesdsl.check.pack_check.check_program", None)
    session.edit(pack / "main.rules", BOX + "\n# nothing but a comment\n")
    assert session.check().report.diagnostics == before.report.diagnostics


def test_one_verb_is_checked_again_and_not_the_others(pack: Path, resolved: list[str]) -> None:
    session = Session(pack)
    session.check()
    resolved.clear()
    session.edit(pack / "main.rules", BOX.replace("may take 1 coin", "may take 2 coins"))
    session.check()
    assert resolved == ["act"]


HOOKED = (
    BOX
    + """
before act: take 2 coins
instead of take n coins:
    take n coins
instead of text "takes" of step game: "takes"
"""
)
BODIES = (
    ("    may take 1 coin\n", "    may take 2 coins\n"),
    ("    may take 1 coin\n", "    may take 1 coint\n"),
    ("raise my fame by 1", "raise my fame by 1 # once"),
    ("before act: take 2 coins", "before act: raise my fame by 1"),
    ("move n coins from bank", "move 1 coin from bank"),
)


def test_a_body_is_put_into_the_world_that_is_there(
    pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = Session(pack)
    session.edit(pack / "main.rules", HOOKED)
    session.check()
    filled = pack_check.build_world
    for old, new in (*BODIES, ("", "")):
        text = HOOKED.replace(old, new)
        session.edit(pack / "main.rules", text)
        monkeypatch.setattr(pack_check, "build_world", None)
        found = session.check().report
        monkeypatch.setattr(pack_check, "build_world", filled)
        pack.joinpath("main.rules").write_text(text, encoding="utf-8")
        assert found == rulesdsl.lint(pack)


LOOKED_INTO = (
    ("instead of take n coins:\n    take n coins", "instead of take n coins: nothing"),
    ("    may take 1 coin\n", "    let coin = 1\n"),
    ("    may take 1 coin\n", "    let if = 1\n"),
    ("for each player: act", 'say "takes {fame of p1}"'),
    ("before act", "after act"),
    ("verb act:", 'verb act "acts":'),
)


def test_what_looks_into_a_body_looks_again(pack: Path) -> None:
    session = Session(pack)
    for first in HOOKED, HOOKED + HOOKED[len(BOX) :]:
        for old, new in LOOKED_INTO:
            for text in (first, first.replace(old, new)):
                session.edit(pack / "main.rules", text)
                pack.joinpath("main.rules").write_text(text, encoding="utf-8")
                assert session.check().report == rulesdsl.lint(pack)


def test_what_is_returned_is_nobody_elses(pack: Path) -> None:
    session = Session(pack)
    first = session.check()
    assert first.checked is not None
    first.checked.program.procs.clear()
    first.checked.program.world.pieces.clear()
    for text in (BOX + "\n", BOX.replace("may take 1 coin", "may take 2 coins")):
        session.edit(pack / "main.rules", text)
        assert session.check().report.diagnostics == rulesdsl.lint(pack).diagnostics


def test_two_sessions_in_two_threads(tmp_path: Path) -> None:
    folders = []
    for name in ("one", "two"):
        folder = tmp_path / name
        shutil.copytree(bundled_content() / "sutters_mill", folder)
        folders.append(folder)
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(_typed, folders))
    assert found == [[], []]


def _typed(folder: Path) -> list[str]:
    session = Session(folder)
    wrong = []
    for file in ("gold.rules", "city.rules", "cards.toml"):
        text = folder.joinpath(file).read_text(encoding="utf-8")
        for new in (text.replace("gold", "gould", 3), text):
            session.edit(folder / file, new)
            folder.joinpath(file).write_text(new, encoding="utf-8")
            if session.check().report != rulesdsl.lint(folder):
                wrong.append(file)
    return wrong


def test_memories_are_bounded(pack: Path) -> None:
    memories = Memories()
    first = memories.of(read_layers(pack))
    for number in range(KEPT_GAMES):
        other = pack / f"other{number}"
        other.mkdir()
        manifest = MANIFEST.replace('"box"', f'"box{number}"')
        other.joinpath("pack.toml").write_text(manifest, encoding="utf-8")
        check_pack(other, memories=memories)
    assert memories.of(read_layers(pack)) is not first


def test_what_is_kept_is_bounded_and_what_is_asked_for_stays() -> None:
    kept: Kept[int, int] = Kept(10)
    made: list[int] = []

    def make() -> int:
        made.append(-1)
        return 0

    for number in range(100):
        kept.get(-1, make)
        kept.get(number, lambda: 0)
        assert len(kept) <= 22
    assert made == [-1]


def test_results_are_kept_of_a_value_and_not_of_one_like_it() -> None:
    asked: list[object] = []

    def ask(value: object) -> int:
        asked.append(value)
        return len(asked)

    kept = KeptOf(ask, 10)
    one, other = (1, [2]), (1, [2])
    assert [kept(one), kept(other), kept(one)] == [1, 2, 1]
