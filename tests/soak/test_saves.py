"""Changed saves of a small pack: refused with a line, or played to the end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from packs_on_the_fly import written
from soak import saves
from soak.cases import Case, Outcome, Sitting
from soak.folders import CASES, folders_of

if TYPE_CHECKING:
    import pytest

ACT = """
gain 5 coins
move top 3 of deck into my hand
may:
    let c = a card in my hand
    choose-fame
    move c into my shelf
    pay 1 coin
may:
    let k = a number in 1..2
    choose-fame
    pay k coins
for each player p:
    for p: choose-fame
"""


def test_changed_saves_are_refused_or_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pack, results = str(written(tmp_path, ACT)), tmp_path / "results"

    assert saves.run(pack, Sitting(1, 150, results)) == 0

    cases = [json.loads(line) for line in results.read_text().splitlines()]
    found = {outcome: sum(each["outcome"] == outcome for each in cases) for outcome in Outcome}
    assert found[Outcome.REFUSED] > 75
    assert found[Outcome.PLAYED] > 15
    assert "failed            0" in capsys.readouterr().out


def test_what_raises_is_a_failure_with_its_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise KeyError("broken")

    pack = str(written(tmp_path, ACT))
    monkeypatch.setattr("rulesdsl.interpreter.saves.Saver.state", broken)

    assert saves.run(pack, Sitting(1, 3)) == 1
    assert "FAILED 1: " in capsys.readouterr().out


def test_a_sitting_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    results = tmp_path / "results"
    tried: list[int] = []

    def one(number: int) -> Case:
        tried.append(number)
        return Case(Outcome.FAILED if number == 2 else Outcome.PLAYED, "x", {"a": number})

    Sitting(1, 2, results).run(one)
    with results.open("a") as file:
        file.write('{"number": 3, "outco')

    assert Sitting(1, 4, results).run(one) == 1
    assert tried == [1, 2, 3, 4]
    assert Sitting(3, 2, results).run(one) == 0


def test_packs_from_scratch_take_turns() -> None:
    with folders_of("scratch") as folder:
        packs = [folder(number) for number in (0, CASES - 1, CASES)]
        outcomes = {saves.one(packs[-1], number).outcome for number in range(CASES, CASES + 10)}

    assert packs[0] == packs[1] != packs[2]
    assert Outcome.FAILED not in outcomes
