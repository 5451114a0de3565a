"""What `coloma new` refuses, and that it leaves nothing behind then."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cli.conftest import Run
from cli.new_things import files_in, own_game


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        ((), "coloma new KIND NAME --mod FOLDER"),
        (("mod",), "coloma new mod NAME"),
        (("mod", "Old Mill"), "such as `old-mill`"),
        (("mod", "../out x"), "such as `out-x`"),
        (("game", "."), "cannot be a name"),
        (("game", ""), "cannot be a name"),
        (("game", "x" * 41), "too long"),
        (("game", "aux"), "Windows has no such files"),
        (("game", "coloma"), "already a pack coloma"),
        (("mod", "soup", "--pack", "tea-time"), "a word of the game (entry soup"),
        (("mod", "tea-time"), "tea-time already exists"),
        (("game", "tea-time"), "tea-time already exists"),
        (("dish", "soup"), "which mod gets it?"),
        (("dish", "soup", "--mod", "nowhere"), "no file pack.toml"),
        (("dish", "soup", "--mod", "tea-time"), "`soup` is taken (entry soup at tea-time/dishes"),
        (("dish", "berries", "--mod", "tea-time"), "is taken (piece berry"),
        (("dish", "my", "--mod", "tea-time"), "a word of the language"),
        (("dish", "player", "--mod", "tea-time"), "a word of the language"),
        (("dihs", "pie", "--mod", "tea-time"), "`dish`"),
        (("qqqq", "pie", "--mod", "tea-time"), "new things can be: dish (Dish)"),
        (("mod", "x", "--mod", "tea-time"), "--mod goes with a kind"),
        (("game", "x", "--pack", "tea-time"), "--pack goes with `mod`"),
        (("dish", "x", "--mod", "tea-time", "--pack", "coloma"), "--pack goes with `mod`"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_written(
    run: Run, here: Path, argv: tuple[str, ...], said: str
) -> None:
    own_game(here)
    before = files_in(here)
    ran = run("new", *argv)

    assert ran.status in (1, 2)
    assert said in ran.err
    assert files_in(here) == before
    assert [each.name for each in here.iterdir()] == ["tea-time"]


def test_a_mod_that_would_not_find_its_game_is_refused(run: Run, here: Path) -> None:
    (here / "deep").mkdir()
    own_game(here / "deep")
    ran = run("new", "mod", "fast", "--pack", "deep/tea-time")

    assert ran.status == 2
    assert f"go to {(here / 'deep').resolve()} first" in ran.err
    assert not (here / "fast").exists()


def test_an_entry_that_the_game_does_not_take_leaves_no_trace(run: Run, here: Path) -> None:
    own_game(here)
    rules = here / "tea-time" / "box.rules"
    rules.write_text(  # as many as there are now, and not one more
        rules.read_text(encoding="utf-8") + "\nkind best: bread, soup\n", encoding="utf-8"
    )
    before = files_in(here)
    ran = run("new", "dish", "soup", "--mod", "tea-time")

    assert ran.status != 0
    assert files_in(here) == before


def test_a_write_that_fails_half_way_is_taken_back(
    run: Run, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own_game(here)
    before = files_in(here)
    (here / "tea-time" / "scenarios").chmod(0o555)
    if os.access(here / "tea-time" / "scenarios", os.W_OK):
        refuse_scenarios(monkeypatch)  # nothing is forbidden to this user
    ran = run("new", "dish", "pie", "--mod", "tea-time")
    (here / "tea-time" / "scenarios").chmod(0o755)

    assert ran.status == 1
    assert "cannot write" in ran.err
    assert files_in(here) == before


def refuse_scenarios(monkeypatch: pytest.MonkeyPatch) -> None:
    replace = Path.replace

    def refusing(path: Path, target: Path) -> Path:
        if target.parent.name == "scenarios" and not target.parents[2].name.startswith("."):
            raise PermissionError(13, "Permission denied")
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", refusing)


def test_a_broken_mod_is_reported_and_left_alone(run: Run, here: Path) -> None:
    own_game(here)
    (here / "tea-time" / "more.rules").write_text("verb x: y\n", encoding="utf-8")
    before = files_in(here)
    ran = run("new", "dish", "pie", "--mod", "tea-time")

    assert ran.status == 1
    assert "E204" in ran.err
    assert files_in(here) == before
