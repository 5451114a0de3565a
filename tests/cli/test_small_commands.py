import inspect
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import entry_points, version
from pathlib import Path

import attr
import pytest

import rulesdsl
from cli.conftest import Run
from cli.fake import FakeDecision, FakeGame, FakePack
from coloma.__main__ import main as start
from coloma.app import main
from coloma.guides import SORTS, GuidePage, as_plain_text, find_page, shipped_pages
from coloma.packs import bundled_content
from rulesdsl import Decision, Game, Pack, SourceLine
from rulesdsl.source.codes import CODES
from rulesdsl.source.span import Span
from rulesdsl.table.seating import Seating, seat_names


def test_packs_lists_what_we_ship(run: Run) -> None:
    ids = [tomllib.loads(each.read_text())["id"] for each in bundled_content().rglob("pack.toml")]
    first_words = [line.split()[0] for line in run("packs").lines if line]
    assert set(ids) <= set(first_words)
    assert ids


def test_packs_lists_mods_below_their_game_and_groups_last(run: Run) -> None:
    lines = run("packs").lines
    at = {line.split()[0]: number for number, line in enumerate(lines) if line}
    assert at["coloma"] < at["deluxe"] < at["variants"] < at["sutters_mill"] < at["Classics"]
    assert at["Classics"] < min(at["chess"], at["tic_tac_toe"])
    assert lines[at["Classics"]] == "Classics"
    assert lines[at["chess"]].startswith("  chess ")


def test_sources_are_grouped(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    place = Span("game.rules", 3, 1, 3, 2)
    house = SourceLine("house", place, "price of a card", "3")
    derived = SourceLine("derived", place, "coins", "12")
    monkeypatch.setattr(rulesdsl, "sources", lambda *_: [house, derived])

    assert run("sources").lines == [
        "derived: 1",
        "  coins  12  game.rules:3",
        "house: 1",
        "  price of a card  3  game.rules:3",
    ]


def test_without_a_command_the_help_is_shown(run: Run) -> None:
    ran = run()
    assert "simulate" in ran.out + ran.err
    assert ran.status in (0, 2)


def test_the_installed_command_is_ours() -> None:
    installed = entry_points(group="console_scripts", name="coloma")
    assert all(each.load() in {main, start} for each in installed)
    assert '"coloma.__main__:main"' in Path("pyproject.toml").read_text()


def test_the_version_is_that_of_the_package(run: Run) -> None:
    ran = run("--version")
    assert ran.out == f"coloma {version('coloma')}\n"
    assert ran.status == 0


def test_explain_lists_every_page_and_every_code(run: Run) -> None:
    ran = run("explain")
    first_words = [line.split()[0] for line in ran.lines if line.strip()]
    assert [word for word in first_words if word in CODES] == list(CODES)
    assert {"language", "tutorial", "mods", "game"} <= set(first_words)
    assert "hooks on values" in " ".join(ran.out.split())


def test_a_sign_of_a_heading_in_an_example_is_no_heading() -> None:
    page = GuidePage("x", "# X\n\n```rules a.rules\n# a comment\n```\n\n## Y\ntext\n")
    assert [each.name for each in page.sections()] == ["y"]
    assert find_page("a comment", [page]) is None


def test_pages_lose_their_markdown() -> None:
    prose = "# E1 name\n\n## What\nA\n[text](#what).\n| a | b |\n"
    page = f"{prose}```rules game.rules\nverb x:\n    y\n```\n"

    assert list(as_plain_text(page)) == [
        "E1 name",
        "",
        "What",
        "A text.",
        "| a | b |",
        "  game.rules:",
        "    verb x:",
        "        y",
    ]


def test_no_two_headings_are_asked_for_by_one_word() -> None:
    names = [each.name for page in shipped_pages() for each in (page, *page.sections())]
    assert sorted(set(names)) == sorted(names)


SESSION = Path(__file__).parent / "sessions" / "vocabulary.txt"


def test_every_sort_of_declaration_is_listed() -> None:
    listed = {line.split(":")[0] for line in SESSION.read_text("utf-8").splitlines()}
    absent = {plural for plural, _ in SORTS.values()} - {line[2:] for line in listed}
    assert absent == {"memories", "rivals"}


@pytest.mark.parametrize(
    ("fake", "real"), [(FakePack, Pack), (FakeGame, Game), (FakeDecision, Decision)]
)
def test_the_fake_has_the_interface_of_the_real_one(fake: type, real: type) -> None:
    public = {name: each for name, each in vars(fake).items() if not name.startswith("_")}
    methods = {name for name, each in public.items() if inspect.isfunction(each)}
    properties = {name for name, each in public.items() if isinstance(each, property)}
    for name in methods:
        assert _parameters(fake, name) == _parameters(real, name), name
    assert properties <= set(dir(real))
    assert not any(callable(getattr(real, name)) for name in properties)


def _parameters(of: type, method: str) -> list[tuple[str, object, object]]:
    found = inspect.signature(getattr(of, method)).parameters.values()
    return [(each.name, each.kind, each.default) for each in found]


ROOT = Path(__file__).parents[2]


def with_bots(players: int, bots: int) -> Seating:
    return Seating.with_last(players, ("random",) * bots)


def test_bots_have_names_that_no_person_has() -> None:
    assert seat_names(with_bots(4, 3), ["ben "]) == [
        "ben ",
        "Ada (bot)",
        "Cleo (bot)",
        "Dora (bot)",
    ]
    assert seat_names(with_bots(3, 1), ["Ann"]) == ["Ann", "", "Ada (bot)"]
    many = seat_names(with_bots(40, 40), [])
    assert len(set(many)) == 40


def test_no_game_knows_the_names_of_bots() -> None:
    names = {each.split()[0] for each in seat_names(with_bots(16, 16), [])}
    texts = (
        path.read_text(encoding="utf-8")
        for path in (ROOT / "content").rglob("*")
        if path.suffix in {".toml", ".rules"}
    )
    words = {word for text in texts for word in re.findall(r"\w+", text)}

    assert names & words == set()


def test_descriptions_do_not_depend_on_docstrings() -> None:
    """Run without docstrings, as `python -OO` and some packagers do."""
    ran = subprocess.run(
        [sys.executable, "-OO", "-m", "coloma", "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Play board games, and write" in ran.stdout
    assert "Check packs and their mods." in ran.stdout


def test_an_installation_in_an_archive(tmp_path: Path) -> None:
    """Put the packages that the disk cache looks at into a zip file, without the games."""
    packages = [Path(attr.__file__).parent, Path("rulesdsl"), Path("cli/coloma")]
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for package in packages:
            for path in package.rglob("*"):
                if path.is_file() and path.suffix != ".pyc":
                    archive.write(path, path.relative_to(package.parent))
    game = Path("content/classics/tic_tac_toe").resolve()
    start = f"import sys; sys.path.insert(0, {str(tmp_path / 'all.zip')!r}); "
    start += "from coloma.app import main; import rulesdsl; print(rulesdsl.__file__); main()"

    def ran(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", start, *arguments],
            cwd=tmp_path,
            env={**os.environ, "HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert "all.zip" in done.stdout
        return done.stdout + done.stderr

    assert "3 games with" in ran("simulate", "--pack", str(game), "--games", "3")
    assert "unknown-name" in ran("explain", "E201")
    assert "this installation has no games" in ran("rules")
