import json
import shutil
import subprocess
from pathlib import Path

import jsonschema
import pytest

from cli.conftest import Run
from cli.mods_on_disk import write_mod
from coloma.simulation import comparing
from coloma.simulation.conclusion import _chosen, _size
from coloma.simulation.tables import schema_text
from game_texts import write_market
from rulesdsl.figures.intervals import Interval

FEW = ("--players", "3", "--games", "400", "--train", "800", "--jobs", "1")
SCHEMA = json.loads(schema_text())


@pytest.fixture(autouse=True)
def small_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparing, "PAIR", 40)


def test_a_card_that_gives_more_is_found(run: Run, tmp_path: Path) -> None:
    one, two = write_market(tmp_path / "one"), write_market(tmp_path / "two", ruby=30)

    ran = run("compare", str(one), str(two), *FEW)

    assert ran.status == 0, ran.err
    assert ran.lines[0].startswith("Players score ")
    assert " points more: " in ran.lines[0]
    assert ran.lines[1].startswith("Ruby is chosen ")
    assert "% more often: " in ran.lines[1]
    assert "(Worth: 1 becomes 30)" in ran.lines[1]
    assert f"before: {one}" in ran.lines


@pytest.mark.nightly
def test_it_is_the_same_for_any_number_of_jobs(run: Run, tmp_path: Path) -> None:
    one, two = write_market(tmp_path / "one"), write_market(tmp_path / "two", ruby=3)
    asked = ("compare", str(one), str(two), *FEW[:-1])

    alone, shared = (run(*asked, jobs, "--json") for jobs in ("1", "2"))

    assert alone.status == 0, alone.err
    assert alone.out == shared.out
    data = json.loads(alone.out)
    jsonschema.validate(data, SCHEMA)
    jsonschema.validate(data, SCHEMA["$defs"]["compared"] | {"$defs": SCHEMA["$defs"]})
    ruby = next(each for each in data["items"] if each["id"] == "card:ruby")
    assert ruby["changes"] == ["Worth: 1 becomes 3"]
    assert data["before"]["digest"] != data["after"]["digest"]


def test_the_same_content_makes_no_difference(run: Run, tmp_path: Path) -> None:
    one = write_market(tmp_path / "one")
    ran = run("compare", str(one), str(one), *FEW)
    assert ran.lines[0] == "The change makes no difference: the two versions are identical."
    assert run("compare", str(one), str(one), *FEW, "--json").status == 0


@pytest.fixture
def nobody_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(comparing, "shared")


@pytest.mark.usefixtures("nobody_plays")
@pytest.mark.parametrize("how", [(), ("--json",), ("--html", "page.html")])
def test_contents_that_are_the_same_are_not_played(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: tuple[str, ...]
) -> None:
    one, two = (write_market(tmp_path / name) for name in ("one", "two"))
    monkeypatch.chdir(tmp_path)

    ran = run("compare", str(one), str(two), *how)

    said = "The change makes no difference: the two versions are identical."
    assert ran.status == 0, ran.err
    if how == ("--json",):
        data = json.loads(ran.out)
        jsonschema.validate(data, SCHEMA["$defs"]["compared"] | {"$defs": SCHEMA["$defs"]})
        assert (data["verdict"], data["pairs"], data["decided"]) == ([said], 0, True)
    else:
        assert ran.lines == [said, "", f"before: {one}", f"after: {two}"]
    if "--html" in how:
        assert said in Path("page.html").read_text(encoding="utf-8")


@pytest.mark.usefixtures("nobody_plays")
def test_a_mod_that_is_switched_off_is_not_played(run: Run, tmp_path: Path) -> None:
    one = write_market(tmp_path / "one")
    rules = (one / "market.rules").read_text()
    (one / "market.rules").write_text(f'option fair "There is a fair": off\n{rules}')
    head = ['kind = "mod"', 'for_game = "market"']
    added = {"more.rules": "before refill when fair: raise my gold by 2\n"}
    mod = write_mod(tmp_path / "more", *head, files=added)

    ran = run("compare", str(one), "--with-mod", str(mod))

    assert ran.status == 0, ran.err
    assert ran.lines[0].startswith(
        "The change makes no difference: in 5000 random games, all decisions and scores were the"
        " same. Perhaps an option switches the change off (fair=off). With --games N, "
    )


def test_what_is_not_decided_is_said(run: Run, tmp_path: Path) -> None:
    one, two = write_market(tmp_path / "one"), write_market(tmp_path / "two", ruby=2)
    ran = run("compare", str(one), str(two), *FEW, "--games", "16", "--until", "0.001vp")
    assert ran.status == 0
    assert ran.lines[0].startswith("Not decided: ")


def test_with_an_option_and_without(run: Run, tmp_path: Path) -> None:
    one = write_market(tmp_path / "one")
    rules = (one / "market.rules").read_text()
    rules = rules.replace("raise my gold by 2", "raise my gold by wage")
    (one / "market.rules").write_text(f'option wage "Waiting pays": 2 in 2..9\n{rules}')

    ran = run("compare", str(one), "--with-option", "wage=9", *FEW)

    assert ran.status == 0, ran.err
    assert " points more: " in ran.lines[0]
    assert f"after: {one} with wage=9" in ran.lines


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_commits_are_compared(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def git(*argv: str) -> None:
        asked = ["git", "-c", "user.name=Ann", "-c", "user.email=ann@example.org", *argv]
        subprocess.run(asked, cwd=tmp_path, check=True, capture_output=True)

    write_market(tmp_path / "game")
    git("init")
    git("add", ".")
    git("commit", "-m", "one")
    write_market(tmp_path / "game", ruby=9)
    monkeypatch.chdir(tmp_path)

    ran = run("compare", "HEAD:game", "game", *FEW)
    wrong = run("compare", "HEAD:gone", "game", *FEW)

    assert ran.status == 0, ran.err
    assert "(Worth: 1 becomes 9)" in ran.lines[1]
    assert "before: HEAD:game" in ran.lines
    assert wrong.status == 1
    assert "git has no folder HEAD:gone: " in wrong.err


def test_commits_need_git(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    ran = run("compare", "HEAD:game", str(write_market(tmp_path / "game")), *FEW)
    assert ran.status == 1
    assert "reading it requires git, which is not installed" in ran.err


def test_no_option_of_git_comes_for_a_commit(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "written:game"
    ran = run("compare", *FEW, "--", f"--output={file}", str(write_market(tmp_path / "game")))
    assert ran.status == 2
    assert "is not a folder in a commit: the name of a commit cannot begin with -" in ran.err
    assert not file.exists()


@pytest.mark.parametrize("how", [(), ("--json",)])
def test_interrupted_it_says_what_is_known(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: tuple[str, ...]
) -> None:
    real = comparing._learned  # noqa: SLF001

    def interrupted(pack: object, plan: object, games: int, seed: int) -> object:
        if seed > 2:
            raise KeyboardInterrupt
        return real(pack, plan, games, seed)  # type: ignore[arg-type]

    monkeypatch.setattr(comparing, "_learned", interrupted)
    one, two = write_market(tmp_path / "one"), write_market(tmp_path / "two", ruby=2)

    ran = run("compare", str(one), str(two), *FEW, *how)

    assert ran.status == 130
    assert "interrupted after 2 pairs; the result is partial" in ran.err
    if how:
        data = json.loads(ran.out)
        assert (data["pairs"], data["complete"], data["decided"]) == (2, False, False)
    else:
        assert ran.lines[0].startswith("partial: ")


@pytest.mark.parametrize(
    ("mean", "radius", "said"),
    [(6.04, 2.0, "6.0 ±2.0"), (0.65, 0.02, "0.65 ±0.02"), (0.0123, 0.0011, "0.012 ±0.001")],
)
def test_sizes_have_as_many_places_as_they_need(mean: float, radius: float, said: str) -> None:
    assert _size(Interval(mean, radius)) == said


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (0.1, 0.2, "chosen twice as often"),
        (0.2, 0.1, "chosen half as often"),
        (0.1, 0.31, "chosen 3.1 times as often"),
        (1.0, 1.2, "chosen 20 % more often"),
        (1.0, 0.7, "chosen 30 % less often"),
        (0.0, 0.3, "chosen now, but was not before"),
        (0.3, 0.0, "no longer chosen"),
    ],
)
def test_how_often_is_said_in_words(before: float, after: float, said: str) -> None:
    assert _chosen("", before, after) == said
