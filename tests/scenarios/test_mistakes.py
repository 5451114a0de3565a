from __future__ import annotations

from pathlib import Path

import pytest

from rulesdsl.scenarios import run_scenarios
from scenarios.small_pack import scenario, write_pack

MISTAKES = {
    "unknown key": ('[[scenario]]\nname = "a"\nover = true\nexpects = ["1 = 1"]\n', "E004 4:1-8"),
    "unknown table": ('[scenarios]\nname = "a"\n', "E004 1:2-11"),
    "no name": ("[[scenario]]\nover = true\n", "E006 1:3-11"),
    "nothing checked": ('[[scenario]]\nname = "a"\n', "E006 1:3-11"),
    "one table": ('[scenario]\nname = "a"\n', "E005 1:1-11"),
    "players": ('[[scenario]]\nname = "a"\nover = true\nplayers = 4\n', "E005 4:11-12"),
    "seed": ('[[scenario]]\nname = "a"\nover = true\nseed = "x"\n', "E005 4:8-11"),
    "no list": ('[[scenario]]\nname = "a"\nexpect = "1 = 1"\n', "E005 3:10-17"),
    "no text": ('[[scenario]]\nname = "a"\nexpect = ["1 = 1", 2]\n', "E005 3:20-21"),
    "answer": ('[[scenario]]\nname = "a"\nover = true\ndo = ["p1"]\n', "E005 4:7-11"),
    "no player": ('[[scenario]]\nname = "a"\nover = true\ndo = ["p3 x"]\n', "E005 4:7-13"),
    "anything": ('[[scenario]]\nname = "a"\noffered = ["p1 *"]\n', "E005 3:12-18"),
    "option": (
        '[[scenario]]\nname = "a"\nover = true\noptions = { poor = true }\n',
        "E201 4:20-24",
    ),
    "value": (
        '[[scenario]]\nname = "a"\nover = true\noptions = { rich = 2 }\n',
        "E005 4:20-21",
    ),
    "a list as a value": (
        '[[scenario]]\nname = "a"\nover = true\noptions = { rich = [1] }\n',
        "E005 4:20-23",
    ),
    "a table as a value": (
        '[[scenario]]\nname = "a"\nover = true\noptions = { rich = { a = 1 } }\n',
        "E005 4:20-29",
    ),
    "after": ('[[scenario]]\nname = "a"\nover = true\nafter = "visit"\n', "E204 4:9-16"),
    "name in a text": (
        '[[scenario]]\nname = "a"\nexpect = ["coins in heep = 1"]\n',
        "E201 3:21-25",
    ),
    "verb in a text": (
        '[[scenario]]\nname = "a"\nover = true\ngiven = ["for p1: tak 1 coins"]\n',
        "E204 4:19-22",
    ),
    "second line of a text": (
        '[[scenario]]\nname = "a"\nover = true\nplay = """\ndeal\nfor p1: tak 1 coins"""\n',
        "E204 6:9-12",
    ),
    "player in a text": (
        '[[scenario]]\nname = "a"\nexpect = ["coins in purse of p3 = 0"]\n',
        "E201 3:30-32",
    ),
    "nobody": ('[[scenario]]\nname = "a"\nexpect = ["coins in my purse = 0"]\n', "E304 3:21-29"),
    "no yes or no": ('[[scenario]]\nname = "a"\nexpect = ["coins in heap"]\n', "E301 3:12-25"),
    "sign": ('[[scenario]]\nname = "a"\nexpect = ["coins in heap ? 1"]\n', "E102 3:26-27"),
    "nobody left open": ('[[scenario]]\nname = "a"\nopen = ["p3"]\n', "E005 3:9-13"),
    "no verdict": (
        '[[scenario]]\nname = "a"\nverdicts = ["won", "wonn"]\n',
        "E005 3:20-26",
    ),
    "verdicts for some": ('[[scenario]]\nname = "a"\nverdicts = ["won"]\n', "E005 3:12-19"),
    "no TOML": ("[[scenario]]\nname = a\n", "E002 2:8-9"),
}


@pytest.mark.parametrize(("text", "found"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_found_where_it_stands(tmp_path: Path, text: str, found: str) -> None:
    right = scenario(name="right", after="deal", expect=["coins in heap = 7"])
    pack = write_pack(tmp_path, text)
    (pack / "scenarios" / "right.toml").write_text(right)

    report = run_scenarios(pack)

    assert [
        f"{each.code} {each.span.line}:{each.span.column}-{each.span.end_column}"
        for each in report.findings
    ] == [found]
    assert report.findings[0].span.file == f"{tmp_path.as_posix()}/scenarios/all.toml"
    assert [each.scenario.name for each in report.results if each.passed] == ["right"]
    assert not report.ok


def test_two_scenarios_of_one_name_are_a_mistake(tmp_path: Path) -> None:
    same = scenario(name="same", over=False)

    (found,) = run_scenarios(write_pack(tmp_path, same, same)).findings

    assert (found.code, found.span.line) == ("E202", 6)
    assert found.related[0].span.line == 2


def test_a_scenario_that_checks_nothing_is_told_how_to_see_what_is_asked(tmp_path: Path) -> None:
    pack = write_pack(tmp_path, '[[scenario]]\nname = "a"\nplay = "for p1: visit"\n')

    (found,) = run_scenarios(pack).findings

    assert 'offered = ["p1 ?"]' in found.help
