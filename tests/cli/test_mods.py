from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

import pytest

from cli.conftest import Run
from cli.mods_on_disk import write_game, write_mod
from coloma import packs
from coloma.session.log_view import RuleLines
from rulesdsl.source.span import SourceFile, Span


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "bundled"
    monkeypatch.setattr(packs, "bundled_content", lambda: home)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return write_game(home)


def worth(number: int) -> dict[str, str]:
    return {
        "cards.toml": f'source = "house"\n[juggler]\nworth = {number}\n',
        "scenarios/worth.toml": (
            f'[[scenario]]\nname = "a juggler is worth {number}"\n'
            f'given = ["for p1: draw 1 card"]\nexpect = ["worth of juggler = {number}"]\n'
        ),
    }


@pytest.mark.usefixtures("game")
def test_a_mod_is_tested_with_what_it_requires_and_with_others(run: Run, tmp_path: Path) -> None:
    write_mod(tmp_path / "hats", files=worth(7))
    shoes = write_mod(tmp_path / "shoes", 'requires = ["hats"]')
    other = write_mod(tmp_path / "elsewhere" / "gloves", 'after = ["hats"]', files=worth(9))
    shutil.copytree(tmp_path / "hats/scenarios", shoes / "scenarios")

    assert run("test", str(shoes)).lines == ["1 passed, 0 failed"]
    assert run("test", str(shoes), "--mod", str(other)).lines[-1] == "0 passed, 1 failed"


@pytest.mark.usefixtures("game")
def test_the_mutants_of_a_mod_are_those_of_its_own_files(run: Run, tmp_path: Path) -> None:
    write_mod(tmp_path / "apples", files={"a.rules": "value a-half of seat: my fame / 2\n"})
    mod = write_mod(tmp_path / "hats", 'requires = ["apples"]', files=worth(7))
    ran = run("test", str(mod), "--mutants", "100", "--jobs", "1")

    assert "100.0 %" in ran.lines[-1]
    assert ran.status == 0


def test_what_a_mod_breaks_in_its_game_is_the_fault_of_the_mod(
    run: Run, game: Path, tmp_path: Path
) -> None:
    rules = {"hats.rules": "instead of discard card c: nothing\n"}
    ran = run("lint", str(write_mod(tmp_path / "hats", files=rules)))

    assert run("lint", str(game)).out == ""
    assert ran.status == 1
    assert "error[E402 endless]" in ran.out
    assert f"{game}/play.rules:" in ran.out


# -------------------------------------------------------------------- journals
@pytest.fixture
def kept(run: Run, game: Path, tmp_path: Path) -> tuple[Path, Path]:
    assert game.is_dir()
    mod = write_mod(tmp_path / "hats", files=worth(7))
    journal = tmp_path / "kept.toml"
    run(
        *(
            "play",
            "--bots",
            "1xrandom",
            "--seed",
            "1",
            "--mod",
            str(mod),
            "--journal",
            str(journal),
        ),
        typed=["1", "1"],
    )
    return mod, journal


@pytest.mark.parametrize("command", [("play", "--plain", "--resume"), ("replay",)])
def test_a_journal_brings_its_mods_with_it(
    run: Run, kept: tuple[Path, Path], command: tuple[str, ...]
) -> None:
    mod, journal = kept

    assert tomllib.loads(journal.read_text())["mods"] == [str(mod)]
    assert run(*command, str(journal)).status == 0


@pytest.mark.parametrize("command", [("play", "--resume"), ("replay",)])
def test_a_journal_whose_mod_has_gone_is_refused(
    run: Run, kept: tuple[Path, Path], command: tuple[str, ...]
) -> None:
    mod, journal = kept
    shutil.rmtree(mod)
    ran = run(*command, str(journal))

    assert ran.status == 1
    assert f"{journal} was played with the mod {mod}: there is no pack {mod}" in ran.err
    assert len(ran.err.splitlines()) == 1


def test_a_journal_whose_mod_has_changed_is_refused(run: Run, kept: tuple[Path, Path]) -> None:
    mod, journal = kept
    (mod / "cards.toml").write_text(worth(8)["cards.toml"])
    ran = run("play", "--resume", str(journal))

    assert ran.status == 1
    assert "hats:cards.toml has changed" in ran.err


# -------------------------------------------------------------------- where one is
@pytest.fixture
def checkout(run: Run, game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    assert run is not None  # it goes to our own checkout first
    home = tmp_path / "checkout"
    shutil.copytree(game, home / game.name)
    write_mod(home / game.name / "mods" / "hats", files=worth(7))
    cards = home / game.name / "cards.toml"
    cards.write_text(cards.read_text("utf-8").replace("worth = 2", "worth = 9"), "utf-8")
    monkeypatch.chdir(home)
    return home


@pytest.mark.parametrize(
    ("inside", "said", "number", "scenarios"),
    [
        ("", "coloma: using the pack in bundled\n", 9, "bundled:\nno scenarios\n{}"),
        ("bundled", "coloma: using the pack in this folder\n", 9, ".:\nno scenarios\n{}"),
        ("bundled/mods/hats", "coloma: using the pack in this folder\n", 9, "1 passed, 0 failed"),
        ("..", "", 2, "no scenarios"),
    ],
)
def test_a_command_uses_the_pack_where_one_is_and_says_so(
    run: Run,
    checkout: Path,
    monkeypatch: pytest.MonkeyPatch,
    inside: str,
    said: str,
    number: int,
    scenarios: str,
) -> None:
    monkeypatch.chdir(checkout / inside)

    told = run("vocabulary", "juggler")
    assert (told.status, told.err) == (0, said)
    assert f"worth = {number}" in told.out
    mods = "bundled/mods/hats:" if not inside else "mods/hats:"
    assert run("test").out == scenarios.format(f"{mods}\n1 passed, 0 failed") + "\n"
    for command in (
        ("lint",),
        ("test",),
        ("sources",),
        ("play", "--bots", "2xrandom", "--seed", "1", "--json"),
        ("simulate", "--games", "1"),
    ):
        ran = run(*command)
        assert ran.err.startswith(said), command
        assert ("using the pack" in ran.err) == bool(said), command


def test_a_pack_that_is_named_is_used_wherever_one_is(
    run: Run, checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = write_game(tmp_path / "other")
    monkeypatch.chdir(checkout / "bundled")

    named = run("vocabulary", "juggler", "--pack", str(other))
    assert (named.status, named.err) == (0, "")
    assert "worth = 2" in named.out


@pytest.mark.usefixtures("checkout")
def test_a_name_means_the_pack_of_the_checkout(run: Run) -> None:
    for words in (("--mod", "hats"), ("--pack", "hats")):
        told = run("vocabulary", "juggler", *words)
        assert told.err.startswith("coloma: using the pack in bundled")
        assert "worth = 9" in told.out
    assert "hats" in run("packs").out


@pytest.mark.usefixtures("checkout")
def test_a_game_of_a_checkout_goes_on_from_anywhere(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "kept.toml"
    run("play", "--seed", "1", "--plain", "--journal", str(kept), typed=["1", "quit"])
    monkeypatch.chdir(tmp_path)

    resumed = run("play", "--resume", str(kept), "--plain", typed=["quit"])
    assert resumed.status == 0, resumed.err
    assert "changed" not in resumed.err


def test_reasons_name_files_wherever_a_game_and_its_mod_are(here: Path, run: Run) -> None:
    run("new", "game", "demo")
    run("new", "mod", "demo/m", "--pack", "demo")
    ways = ("demo", "demo/m"), ("demo", str(here / "demo/m")), (str(here / "demo"), "demo/m")

    ran = [
        run("play", "--pack", game, "--mod", mod, "--seed", "1", typed=["why", "quit"])
        for game, mod in ways
    ]

    assert [each.status for each in ran] == [0, 0, 0], ran[1].err
    assert all("  play.rules:15: choose one\n" in each.out for each in ran)


def test_files_on_two_drives_are_named_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    def on_two_drives(_: object) -> str:
        raise ValueError("Paths don't have the same drive")

    monkeypatch.setattr("os.path.commonpath", on_two_drives)
    sources = {"a/x.rules": SourceFile("a/x.rules", "step game: nothing")}

    said = RuleLines(lambda: sources)._quoted(Span("a/x.rules", 1, 1, 1, 5))  # noqa: SLF001

    assert said == "  a/x.rules:1: step game: nothing"
