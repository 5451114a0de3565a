import csv
import io
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Run
from coloma.report.page import (
    MISSING,
    ReportPage,
    ReportSection,
    ReportTable,
    cleaned,
    heat,
    intervals,
)
from coloma.report.report import Strength
from coloma.simulation import games as playing
from coloma.simulation.work import Hands
from packs_on_the_fly import written
from rulesdsl.figures.games import Figures
from rulesdsl.figures.intervals import Interval

pytest.importorskip("vl_convert", reason="charts cannot be drawn: the extra `report`")
pytest.importorskip("jinja2", reason="pages cannot be made: the extra `report`")

CONTENT = Path(__file__).parents[2] / "content"
SMALL = "content/classics/tic_tac_toe"
MILL = str(CONTENT / "sutters_mill")
LARGEST = 400_000  # characters of a page that one sends to somebody
TEAM = """
rival robot "Robot"
verdict won "Both were saved" when note > 1
verdict lost "Nobody came"
"""
NINE = " (+9.0 ±1.0)"
EVIL = '<script>alert("1")</script> & "x'


class Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.links: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.links += [
            value or "" for name, value in attrs if name in {"href", "src", "xlink:href"}
        ]
        assert not [name for name, _ in attrs if name.startswith("on")]

    def handle_data(self, data: str) -> None:
        self.text += data


def elements(page: str) -> Elements:
    found = Elements()
    found.feed(page)
    return found


def test_a_page_says_what_was_played(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    same = ("--games", "200", "--seed", "2")
    ran = run("report", MILL, *same, "--bots", "2xrandom", "-o", str(out))
    simulated = run("simulate", "--pack", MILL, *same, "--by", "card", "--csv").out
    page = out.read_text(encoding="utf-8")
    found = elements(page)

    assert (ran.status, ran.out) == (0, f"{out}\n")
    assert "games: 200, in" in ran.err
    assert {"svg", "table", "figure"} <= found.names
    assert not {"script", "iframe", "object", "embed", "form"} & found.names
    assert all(each.startswith(("#", "data:")) for each in found.links)
    for part in ("seats", "over-time", "sources", "by-card", "by-option", "together", "length"):
        assert f'<section id="{part}">' in page
    assert len(page) < LARGEST
    assert "200 games of 2 players, all bots (random)." in found.text
    for row in csv.DictReader(io.StringIO(simulated)):  # its numbers are those of `simulate`
        if row.get("points.difference.mean"):
            cells = [rf"{int(row['chosen']) / 200:.2f}", row["points.difference.mean"]]
            told = rf"{row['title']}\d+ %\d+ %{cells[0]}[+]{float(cells[1]):.1f} ±"
            assert re.search(told.replace("[+]-", "-"), found.text), row


def test_its_command_makes_it_again(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    assert run("report", SMALL, "--games", "1100", "--seed", "4", "-o", str(out)).status == 0
    page = out.read_text(encoding="utf-8")
    again = shlex.split(re.findall(r"coloma report .*", elements(page).text)[0])

    out.unlink()
    assert run(*again[1:], "--jobs", "2").status == 0
    assert out.read_text(encoding="utf-8") == page


def test_names_never_become_html() -> None:
    bar = {"name": EVIL, "mean": 1.0, "low": 0.5, "high": 1.5, "sign": 1}
    square = {"one": EVIL, "two": EVIL, "value": 1.0, "says": "above even"}
    table = ReportTable(EVIL, (EVIL, EVIL), ((EVIL, EVIL),))
    sections = (
        ReportSection("one", EVIL, (EVIL,), intervals([bar], EVIL), EVIL, (table,)),
        ReportSection("two", EVIL, (EVIL,), heat([square], EVIL), EVIL),
    )
    page = ReportPage(EVIL, (EVIL,), sections, ((EVIL, EVIL),), EVIL, EVIL).html()
    found = elements(page)

    assert "script" not in found.names
    assert found.text.count(EVIL) >= 16
    assert page.count("<svg") == 2


def test_control_characters_in_names_are_replaced() -> None:
    name = "a\x00\x1b[2J\x7f\x9b\u202eb"
    bar = {"name": name, "mean": 1.0, "low": 0.5, "high": 1.5, "sign": 1}
    section = ReportSection("one", name, (name,), intervals([bar], name), name)
    page = ReportPage(name, (name,), (section,), ((name, name),), name, name).html()

    assert not {"\x00", "\x1b", "\x7f", "\x9b", "\u202e"} & {*page}
    assert page.count("a\ufffd\ufffd[2J\ufffd\ufffd\ufffdb") >= 8
    assert page.count("<svg") == 1


@pytest.mark.parametrize(
    "inside",
    [
        "<script>1</script>",
        "<foreignObject/>",
        '<image href="http://example.com/a.png"/>',
        '<path onload="1"/>',
        '<path href="http://example.com"/>',
    ],
)
def test_what_does_not_draw_is_refused(inside: str) -> None:
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><g>{inside}</g></svg>'
    with pytest.raises(ValueError, match=r"a chart has a forbidden (element|attribute)"):
        cleaned(svg, "one", "about")


def test_interrupted_pages(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "page.html"
    words = ("report", SMALL, "--games", "2000", "-o", str(out))
    real = playing.outcomes

    def stopped(after: int) -> Callable[..., Iterator[tuple[int, Figures]]]:
        def outcomes(plan: playing.GamePlan, hands: Hands) -> Iterator[tuple[int, Figures]]:
            yield from islice(real(plan, hands), after)
            raise KeyboardInterrupt

        return outcomes

    monkeypatch.setattr(playing, "outcomes", stopped(0))
    none = run(*words)
    assert none.status == 130
    assert "nothing was written" in none.err
    assert not out.exists()
    monkeypatch.setattr(playing, "outcomes", stopped(1))
    some = run(*words)
    assert some.status == 130
    assert "interrupted after 512 of 2000 games; the report is partial" in some.err
    page = out.read_text(encoding="utf-8")
    assert 'role="alert">This report is partial: interrupted after 512 of 2000 games.' in page
    assert list(tmp_path.glob(".*")) == []


def test_a_missing_library(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    ran = run("report", MILL, "-o", str(tmp_path / "page.html"))
    assert ran.status == 1
    assert ran.err == f"coloma: {MISSING}\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--together", "crad"), "there is no group `crad` (a similar name exists"),
        (("--in", "nowhere"), "there is no question `nowhere`"),
        (("--bots", "trained", "--players", "2"), "--bots lists 1 bot for 2 players"),
    ],
)
def test_unknown_names(run: Run, tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    ran = run("report", MILL, "-o", str(tmp_path / "page.html"), *words)
    assert ran.status == 2
    assert said in ran.err
    assert list(tmp_path.glob("*.html")) == []


def test_a_comparison_as_a_page(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "compared.html"
    words = ("compare", MILL, "--with-option", "bonus-optional=on", "--bots", "2xrandom")
    ran = run(*words, "--games", "40", "--seed", "0", "--html", str(out))
    page = out.read_text(encoding="utf-8")
    found = elements(page)

    assert ran.status == 0
    assert ran.lines[0] in found.text  # the verdict in words first
    assert not {"script", "iframe"} & found.names
    for part in ("games", "uses", "strength"):
        assert f'<section id="{part}">' in page
    assert "with bonus-optional=on" in found.text
    again = shlex.split(re.findall(r"coloma compare .*", found.text)[0])
    for option, value in (("--seed", "0"), ("--bots", "random,random"), ("--players", "2")):
        assert again[again.index(option) + 1] == value
    assert "--jobs" not in again


def test_players_who_win_together_are_not_compared(run: Run, tmp_path: Path) -> None:
    pack = tmp_path / "team"
    written(pack, 'choose one:\n    "rest": nothing\n    "rescue": raise note by 1', TEAM)
    out = tmp_path / "page.html"
    played = ("--games", "400", "--players", "2")
    assert run("report", str(pack), *played, "-o", str(out)).status == 0
    text = elements(out.read_text(encoding="utf-8")).text
    assert re.search(r"The players win together in 2\d\.\d ±\d\.\d % of games\.", text)
    assert "significantly" not in text
    told = run("simulate", "--pack", str(pack), *played).out
    assert re.search(r"^Robot +0\.00 ±0\.00 +0 +0 +- +-$", told, re.MULTILINE)
    assert "The players win together in 2" in told
    assert "often than others" not in told


@pytest.mark.parametrize(
    ("ranked", "verdicts"),
    [
        pytest.param([], ["Ships: too few games to compare them."], id="none"),
        pytest.param(
            [(3, 1), (2, 1), (1.5, 1)], ["Ships: no clear difference."], id="all overlap"
        ),
        pytest.param(
            [(9, 1), (2, 1), (0, 1)],
            [
                "Ships: the strongest is A (+9.0 ±1.0).",
                "Ships: no clear difference at the bottom: C (+0.0 ±1.0), B (+2.0 ±1.0).",
            ],
            id="one is clearly ahead",
        ),
        pytest.param(
            [(9, 1), (9, 1), (9, 1), (8, 1), (0, 1)],
            [
                f"Ships: no clear difference at the top: A{NINE}, B{NINE}, C{NINE} and 1 more.",
                "Ships: the weakest is E (+0.0 ±1.0).",
            ],
            id="several are ahead",
        ),
    ],
)
def test_the_strongest_is_named_only_where_the_interval_says_so(
    monkeypatch: pytest.MonkeyPatch,
    ranked: list[tuple[float, float]],
    verdicts: list[str],
) -> None:
    found = {
        ("ship", name): Interval(mean, wide)
        for name, (mean, wide) in zip("ABCDE", ranked, strict=False)
    }
    monkeypatch.setattr(Strength, "told", [*found])
    monkeypatch.setattr(Strength, "points", lambda _, item: found[item])
    monkeypatch.setattr(Strength, "title", lambda _, item: item[1])
    nothing: Any = None
    assert [*Strength("ship", "Ships", nothing, nothing, nothing).verdicts()] == verdicts
