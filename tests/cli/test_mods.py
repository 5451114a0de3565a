import json
import shutil
import tomllib
from pathlib import Path

import pytest

from cli.conftest import Run
from cli.mods_on_disk import everything_in, write_game, write_mod
from coloma import packs
from coloma.packs import bundled_content
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


def test_the_mod_is_blamed_for_errors_in_its_game(run: Run, game: Path, tmp_path: Path) -> None:
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
    play = ("play", "--bots", "1xrandom", "--seed", "1", "--journal", str(journal))
    run(*play, "--mod", str(mod), typed=["1", "1"])
    return mod, journal


@pytest.mark.parametrize("command", [("play", "--plain", "--resume"), ("replay",)])
def test_a_journal_names_mods(run: Run, kept: tuple[Path, Path], command: tuple[str, ...]) -> None:
    mod, journal = kept
    assert tomllib.loads(journal.read_text())["mods"] == [str(mod)]
    assert run(*command, str(journal)).status == 0


@pytest.mark.parametrize("command", [("play", "--resume"), ("replay",)])
def test_a_missing_mod(run: Run, kept: tuple[Path, Path], command: tuple[str, ...]) -> None:
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
    ("inside", "said", "tested"),
    [
        ("", "coloma: using the pack in bundled\n", "bundled:\nno scenarios\n{}"),
        ("bundled", "coloma: using the pack in this folder\n", ".:\nno scenarios\n{}"),
        ("bundled/mods/hats", "coloma: using the pack in this folder\n", "1 passed, 0 failed"),
        ("..", "", "no scenarios"),
    ],
)
def test_a_command_uses_the_pack_where_one_is_and_says_so(
    run: Run, checkout: Path, monkeypatch: pytest.MonkeyPatch, inside: str, said: str, tested: str
) -> None:
    monkeypatch.chdir(checkout / inside)

    told = run("vocabulary", "juggler")
    assert (told.status, told.err) == (0, said)
    assert f"worth = {9 if said else 2}" in told.out
    mods = "bundled/mods/hats:" if not inside else "mods/hats:"
    assert run("test").out == tested.format(f"{mods}\n1 passed, 0 failed") + "\n"
    for words in ("lint", "test", "sources", "play --bots 2xrandom --json", "simulate --games 1"):
        ran = run(*words.split())
        assert ran.err.startswith(said), words
        assert ("using the pack" in ran.err) == bool(said), words


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
def test_resuming_elsewhere(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
        run("play", "--pack", game, "--mod", mod, "--seed", "1", typed=["why --source", "quit"])
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


MODS = sorted(each.parent for each in bundled_content().glob("mods/*/pack.toml"))
RULES = """\
source "house"
instead of value start-dudes: 3
"""


def _options(*mods: Path) -> list[str]:
    return [part for each in mods for part in ("--mod", str(each))]


@pytest.mark.nightly
@pytest.mark.parametrize("mods", [*([each] for each in MODS), MODS], ids=len)
def test_shipped_mods_are_clean_alone_and_together(run: Run, mods: list[Path]) -> None:
    linted = run("lint", *map(str, mods))
    ordered = run("packs", *_options(*mods))
    played = run("simulate", "--games", "3", *_options(*mods))
    assert (linted.status, linted.out) == (0, "")
    assert [line.split()[1] for line in ordered.lines[1:]] == [each.name for each in mods]
    assert played.status == 0
    assert all(each.name in played.lines[0] for each in mods)


def test_a_conflict_with_a_shipped_mod_names_both_places(run: Run, tmp_path: Path) -> None:
    variants = bundled_content() / "mods" / "variants"
    game = ['kind = "mod"', 'for_game = "coloma"']
    mod = write_mod(tmp_path / "ranch", *game, files={"ranch.rules": RULES})
    ran = run("lint", str(mod), "--mod", str(variants))
    played = run("play", "--bots", "2xrandom", "--plain", *_options(mod, variants))

    assert run("lint", str(mod)).status == 0
    assert (ran.status, played.status) == (1, 1)
    for said in (ran.out, played.err):
        assert "error[E506 mod-conflict]" in said
        assert "These mods each replace `start-dudes`: `ranch`, `variants`." in said
        assert f"{variants.relative_to(Path.cwd())}/variants.rules:6:1" in said
        assert f"{mod}/ranch.rules:2:1" in said
        assert said.endswith("\n1 error\n")


def test_a_mod_after_a_shipped_one_wins(run: Run, tmp_path: Path) -> None:
    variants = bundled_content() / "mods" / "variants"
    lines = ['kind = "mod"', 'for_game = "coloma"', 'after = ["variants"]']
    mod = write_mod(tmp_path / "ranch", *lines, files={"ranch.rules": RULES})
    assert run("lint", str(mod), "--mod", str(variants)).out == ""
    assert run("packs", *_options(mod, variants)).lines[2].endswith("after variants")


@pytest.fixture
def stock_with_mod(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = write_game(tmp_path / "bundled")
    write_mod(home / "mods" / "hats", files={"cards.toml": "[juggler]\nworth = 7\n"})
    monkeypatch.setattr(packs, "bundled_content", lambda: home)
    return home


def test_the_schemas_of_a_pack_name_what_it_declares(run: Run, stock_with_mod: Path) -> None:
    ran = run("schema")
    written = {name for name in everything_in(stock_with_mod) if name.endswith(".json")}

    assert ran.status == 0
    assert written == {"schema/cards.json", "schema/numbers.json", "schema/pack.json"}
    assert f"{stock_with_mod}/schema/cards.json written" in ran.lines
    rules = stock_with_mod / "stock.rules"
    rules.write_text(rules.read_text().replace("red, blue", "red, blue, green"))
    run("schema")
    assert '"green"' in (stock_with_mod / "schema/cards.json").read_text()


def test_schemas_go_to_another_folder(run: Run, stock_with_mod: Path, tmp_path: Path) -> None:
    mod = write_mod(
        tmp_path / "shoes",
        'requires = ["hats"]',
        files={"cards.toml": "[hats.clown]\nworth = 1\n", "shoes.rules": "kind lace: long\n"},
    )
    before = everything_in(stock_with_mod)
    of_game = run("schema", "--pack", str(stock_with_mod), "--out", str(tmp_path / "one"))
    hats = str(stock_with_mod / "mods/hats")
    of_mod = run("schema", "--mod", hats, "--mod", str(mod), "--out", str(tmp_path / "two"))

    assert of_game.status == 0
    assert sorted(everything_in(tmp_path / "one")) == ["cards.json", "numbers.json", "pack.json"]
    assert of_mod.status == 1
    assert "E206" in of_mod.err
    assert not (tmp_path / "two").exists()
    (mod / "cards.toml").write_text("source = 'house'\n[singer]\nworth = 4\n")
    assert run("schema", "--mod", hats, "--mod", str(mod), "--out", str(tmp_path / "two")).out
    pack = json.loads((tmp_path / "two/pack.json").read_text())
    assert pack["title"] == "pack.toml of Shoes"
    assert everything_in(stock_with_mod) == before


def test_content_with_errors_gets_none(run: Run, stock_with_mod: Path) -> None:
    (stock_with_mod / "extra.rules").write_text("verb jump: hop\n")
    ran = run("schema")
    assert ran.status == 1
    assert "E204 unknown-verb" in ran.err
    assert not (stock_with_mod / "schema").exists()
