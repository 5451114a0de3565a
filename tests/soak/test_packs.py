"""Drawn packs are judged, and a pack that fails is made small."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import loaded, written
from rulesdsl.check.read import check_pack
from rulesdsl.interpreter import engine as driver
from rulesdsl.interpreter.game import Game
from soak import judging, sitting
from soak.judging import CLEAN, FAILED, REFUSED, Judge
from soak.language import everything, uses_of
from soak.mutants import Mutants
from soak.mutations import files_of
from soak.playouts import by_choices
from soak.printer import print_file
from soak.scratch import pack_of
from soak.shrinking import shrink

ACT = """
    move up to 2 dudes from my purse into field
    move top of deck into my hand
    may raise my fame by 1
    menu:
        once: gain 3 coins
        once: move my pawn into two
"""


def verdict(folder: Path, seeds: int = 3) -> tuple[str, str]:
    """Return what becomes of a pack: the first failure of a few seeds, else what it is."""
    found = [Judge().judge(folder, seed) for seed in range(seeds)]
    worst = next((each for each in found if each.outcome == FAILED), found[0])
    return worst.outcome, worst.kind


def files_in(folder: Path) -> dict[str, str]:
    return {each.name: each.read_text() for each in folder.iterdir()}


def test_a_pack_is_drawn_again_from_its_number() -> None:
    assert pack_of(7) == pack_of(7)
    assert pack_of(7) != pack_of(8)


def test_drawn_packs_are_refused_or_play(tmp_path: Path) -> None:
    outcomes = set()
    for seed in range(8):
        judging.write_pack(tmp_path, pack_of(seed))
        outcomes.add(Judge().judge(tmp_path, seed).outcome)

    assert CLEAN in outcomes


def test_a_pack_that_does_not_lint_is_refused_with_its_codes(tmp_path: Path) -> None:
    found = Judge().judge(written(tmp_path, "win 3 fame"), 1)

    assert (found.outcome, found.codes) == (REFUSED, ("E204",))


def test_a_clean_pack_holds(tmp_path: Path) -> None:
    assert verdict(written(tmp_path, ACT)) == (CLEAN, "")


# -------------------------------------------------------------------- each check notices its fault
def test_an_exception_of_the_engine_is_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise KeyError("lost")

    monkeypatch.setattr(driver, "start", broken)

    assert verdict(written(tmp_path, ACT))[0] == FAILED


def test_a_lint_that_changes_its_mind_is_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest, calls = check_pack, iter(range(99))

    def fickle(folder: Path, _: object) -> object:
        return honest(folder if next(calls) % 2 == 0 else written(tmp_path / "b", "nothing"))

    monkeypatch.setattr(judging, "check_pack", fickle)

    judged = {verdict(written(tmp_path / "a", "nothing"), 20)[1]}
    assert judged == {"lint says something else the second time"}


def test_a_slow_lint_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "MAX_LINT", 0.0)

    assert verdict(written(tmp_path, ACT), 1)[1] == "slow lint"


def test_words_that_are_read_as_something_else_are_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = print_file
    judging.check_print.cache_clear()
    monkeypatch.setattr(judging, "print_file", lambda file: honest(file).replace("up to ", ""))

    assert verdict(written(tmp_path, ACT), 1)[1] == "read as something else"


def test_spaces_around_a_sign_are_no_difference() -> None:
    assert judging.signs("few.. my x") == judging.signs("few .. my x") == ["few", "..", "my", "x"]


def test_a_playout_that_ends_otherwise_is_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack = loaded(tmp_path, ACT)
    other = by_choices(pack, 2, {}, 1, 99)
    monkeypatch.setattr("soak.playouts.by_choices", lambda *_: other)

    assert verdict(written(tmp_path, ACT))[1] == "playout differs"


def test_a_save_that_plays_on_otherwise_is_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = rulesdsl.Pack.game_from_data

    def other(pack: rulesdsl.Pack, data: dict[str, object]) -> Game:
        return honest(pack, {**data, "seed": 0})

    monkeypatch.setattr(rulesdsl.Pack, "game_from_data", other)

    assert verdict(written(tmp_path, ACT))[1] == "a save plays on otherwise"


def test_a_number_beyond_64_bits_is_a_failure(tmp_path: Path) -> None:
    game = loaded(tmp_path, ACT).new_game(2)
    judging.check_numbers(game.to_data()["state"])

    game._state.t_fame[0] = 2**63  # noqa: SLF001 - a fault that is planted

    with pytest.raises(judging.Fault, match="64 bits"):
        judging.check_numbers(game.to_data()["state"])


def test_what_takes_too_long_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(*_: object) -> None:
        while True:
            pass

    monkeypatch.setattr(driver, "start", endless)

    assert Judge(seconds=0.3).judge(written(tmp_path, ACT), 1).kind == "hung: set-up"


# -------------------------------------------------------------------- made small
def test_what_fails_is_made_small() -> None:
    rules = "piece coin 3 in bank\nplace bank holds coin\nstep game:\n    if 1 = 1:\n        bad\n"
    files = {"pack.toml": "", "game.rules": rules, "other.toml": "[x]\n"}

    small = shrink(files, lambda each: "bad" in each.get("game.rules", ""))

    assert small == {"pack.toml": "", "game.rules": "bad\n"} or len(small["game.rules"]) < 30


# -------------------------------------------------------------------- sittings
def test_a_sitting_goes_on_where_it_was_stopped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = files_in(written(tmp_path / "pack", "nothing"))
    out = tmp_path / "out.jsonl"

    def made(_: int) -> dict[str, str]:
        return files

    for last in (3, 5):
        assert sitting.sit(sitting.Sitting("fly", made, range(1, last), out), 1) == 0

    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert sorted(row["seed"] for row in rows) == [1, 2, 3, 4]
    assert "fly: 4 packs: 4 clean" in capsys.readouterr().out


def test_sittings_of_several_commits_are_not_put_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.jsonl"
    rows = [
        {"seed": seed, "sitting": "fly", "outcome": CLEAN, "commit": f"c{seed}"} for seed in (1, 2)
    ]
    out.write_text("".join(json.dumps(row) + "\n" for row in rows))

    assert sitting.summary([out]) == 2
    assert "several commits: c1, c2" in capsys.readouterr().out


def test_what_kills_a_worker_is_a_failure_and_the_others_are_judged(tmp_path: Path) -> None:
    def made(seed: int) -> dict[str, str]:
        if seed == 2:
            raise MemoryError
        return {"pack.toml": ""}

    out = tmp_path / "out.jsonl"

    assert sitting.sit(sitting.Sitting("fly", made, range(1, 5), out), 1) == 1

    rows = {row["seed"]: row["outcome"] for row in sitting.read_rows(out)}
    assert rows == {1: REFUSED, 2: FAILED, 3: REFUSED, 4: REFUSED}


def test_uses_of_the_language_are_counted() -> None:
    used = uses_of({"a.rules": "verb act:\n    may: nothing\n", "pack.toml": ""})

    assert {"may in verb", "nothing in may"} <= used.keys() <= everything()


# -------------------------------------------------------------------- mutants
def test_a_mutant_is_made_again_from_its_number_and_differs_from_its_pack(tmp_path: Path) -> None:
    written(tmp_path, ACT)
    files = files_of(tmp_path)
    mutants = Mutants([tmp_path])

    made = [mutants.files(seed) for seed in range(20)]

    assert made == [Mutants([tmp_path]).files(seed) for seed in range(20)]
    assert sum(each != files for each in made) > 15


def test_many_mutants_lint_clean(tmp_path: Path) -> None:
    written(tmp_path / "pack", ACT)
    mutants = Mutants([tmp_path / "pack"])
    outcomes = []
    for seed in range(12):
        folder = judging.write_pack(tmp_path / "mutant", mutants.files(seed))
        outcomes.append(Judge().judge(folder, seed).outcome)

    assert outcomes.count(CLEAN) >= 2


def test_a_mod_is_laid_over_the_game_that_it_lies_in(tmp_path: Path) -> None:
    written(tmp_path, "win 1 fame")
    assert Judge().judge(tmp_path, 1).outcome == REFUSED

    mod = tmp_path / "mods" / "more"
    mod.mkdir(parents=True)
    (mod / "pack.toml").write_text(
        'id = "more"\nname = "M"\nversion = "1.0.0"\nkind = "mod"\nfor_game = "fly"\n'
    )
    (mod / "more.rules").write_text("verb win n fame: raise my fame by n\n")

    assert Judge().judge(tmp_path, 1).outcome == CLEAN
