"""`coloma new`: each kind lints clean, passes its scenarios and plays, outside the checkout."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from cli.conftest import Run
from cli.new_things import TEMPLATE, bare_mod, files_in, is_sound, own_game
from coloma.scaffold.names import title_of
from coloma.scaffold.trials import Trial
from rulesdsl.syntax.format import format_rules


def test_a_game_is_whole(run: Run, here: Path) -> None:
    ran = run("new", "game", "tea-time")

    assert ran.status == 0, ran.err
    assert ran.lines[-3:] == [
        "  coloma lint tea-time",
        "  coloma test tea-time",
        "  coloma play --pack tea-time",
    ]
    manifest = tomllib.loads((here / "tea-time" / "pack.toml").read_text(encoding="utf-8"))
    assert (manifest["id"], manifest["name"]) == ("tea-time", "Tea Time")
    is_sound(run, "tea-time", 8)
    for word in ("FOLDER", "emplate"):
        assert not any(word in text for text in files_in(here).values()), word


@pytest.mark.nightly
def test_a_mod_of_the_shipped_game_is_sound(run: Run, here: Path) -> None:
    ran = run("new", "mod", "fast")

    assert ran.status == 0, ran.err
    assert ran.lines[-1] == "  coloma play --pack fast --option fast.on=on"
    assert sorted(files_in(here / "fast")) == [
        "fast.rules",
        "fast.toml",
        "pack.toml",
        "scenarios/fast.toml",
        "schema/fast.json",
        "schema/pack.json",
        "schema/scenarios/scenarios.json",
    ]
    is_sound(run, "fast", 2)


def test_what_a_mod_does_is_seen_in_play(run: Run, here: Path) -> None:
    run("new", "game", "tea-time")
    run("new", "mod", "fast", "--pack", "tea-time")

    wanted = ("play", "--pack", "fast", "--bots", "2xrandom", "--seed", "1", "--plain")
    scored = [line for line in run(*wanted, "--option", "fast.on=on").lines if "  Fast:" in line]
    assert scored
    assert [line for line in scored if not line.endswith(" 0")]
    assert [line for line in run(*wanted).lines if "  Fast: 0" in line]
    assert "Fast" in (here / "fast" / "pack.toml").read_text(encoding="utf-8")


def test_the_scenario_of_a_mod_fails_without_its_hook(run: Run, here: Path) -> None:
    run("new", "game", "tea-time")
    run("new", "mod", "fast", "--pack", "tea-time")
    rules = here / "fast" / "fast.rules"
    rules.write_text(
        rules.read_text(encoding="utf-8").replace("when fast.on: raise", "when fast.on: lower"),
        encoding="utf-8",
    )

    assert run("test", "fast").status == 1


@pytest.mark.nightly
@pytest.mark.parametrize("word", ["card", "cards", "building", "buildings", "town"])
def test_a_card_of_the_shipped_game_is_found_by_many_words(
    run: Run, here: Path, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the first is tried in full: it is the same for all."""
    mod = bare_mod(here)
    if word != "card":
        monkeypatch.setattr(Trial, "check", lambda _: None)
    ran = run("new", word, "old-mill", "--mod", str(mod))

    assert ran.status == 0, ran.err
    entry = tomllib.loads((mod / "buildings.toml").read_text(encoding="utf-8"))["bare"]["old-mill"]
    assert entry["name"] == "Old Mill"
    assert entry["source"] == "house"
    assert set(entry["price"]) == {"hammer", "saw"}
    if word == "card":
        is_sound(run, str(mod), 2)


@pytest.mark.nightly
def test_tables_of_all_shapes_take_one_more(
    run: Run, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a file for several kinds, with effects without choices, without a field."""
    mod = bare_mod(here)
    monkeypatch.setattr(Trial, "check", lambda _: None)  # it is done for all together below
    refused = run("new", "xyzzy", "thing", "--mod", str(mod)).err
    kinds = [each.split(" (")[0] for each in refused.split("new things can be: ")[1].split(", ")]
    wanted = ("space", "trail", "outcome", "icon")
    assert {"card", "barrel", *wanted} <= set(kinds)

    for kind in wanted:
        ran = run("new", kind, f"test-{kind}", "--mod", str(mod))
        assert ran.status == 0, (kind, ran.err)
    assert set(tomllib.loads((mod / "map.toml").read_text(encoding="utf-8"))) == {"space", "trail"}
    assert run("lint", str(mod)).out == ""
    assert run("test", str(mod)).out == "6 passed, 0 failed\n"


@pytest.mark.nightly
def test_what_cannot_be_done_at_the_beginning_is_not_in_the_scenario(
    run: Run, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mod = bare_mod(here, game="sutters_mill")
    monkeypatch.setattr(Trial, "check", lambda _: None)

    assert run("new", "certificate", "deed", "--mod", str(mod)).status == 0
    assert run("lint", str(mod)).out == ""
    assert run("test", str(mod)).status == 0


def test_a_new_card_of_a_game_of_ones_own_is_played(run: Run, here: Path) -> None:
    run("new", "game", "tea-time")
    before = (here / "tea-time" / "dishes.toml").read_text(encoding="utf-8")
    ran = run("new", "dish", "apple-pie", "--mod", "tea-time")

    assert ran.status == 0, ran.err
    text = (here / "tea-time" / "dishes.toml").read_text(encoding="utf-8")
    assert text.startswith(before.rstrip())
    assert "# worth: a whole number. Points at the end of the game" in text
    assert tomllib.loads(text)["apple-pie"]["treat"] != "nothing"
    is_sound(run, "tea-time", 10)


@pytest.mark.nightly
def test_a_new_card_does_not_say_that_it_does_what_another_does(
    run: Run, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mod = bare_mod(here)
    monkeypatch.setattr(Trial, "check", lambda _: None)
    run("new", "character", "mary", "--mod", str(mod))
    card = tomllib.loads((mod / "characters.toml").read_text(encoding="utf-8"))

    assert card["bare"]["mary"]["text"] == "Say here what Mary does."


@pytest.mark.nightly
def test_a_bare_entry_has_no_effects_and_says_how_to_go_on(
    run: Run, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mod = bare_mod(here)
    monkeypatch.setattr(Trial, "check", lambda _: None)  # the test does it itself
    ran = run("new", "character", "rider", "--mod", str(mod), "--bare")

    assert ran.status == 0, ran.err
    assert ran.lines[-1] == "  --option characters=dealt|chosen"
    text = (mod / "characters.toml").read_text(encoding="utf-8")
    assert set(tomllib.loads(text)["bare"]["rider"]) == {"name", "text", "source"}
    assert "#   after VERB when any bare.rider in my persona: ..." in text
    is_sound(run, str(mod), 1)


@pytest.mark.nightly
def test_what_the_rules_always_do_is_nothing_in_a_bare_entry(run: Run, here: Path) -> None:
    mod = bare_mod(here)
    ran = run("new", "outcome", "tie", "--mod", str(mod), "--bare")

    assert ran.status == 0, ran.err
    entry = tomllib.loads((mod / "shootout.toml").read_text("utf-8"))["outcome"]["bare"]["tie"]
    assert entry["first-tier"] == "nothing"
    is_sound(run, str(mod), 1)


@pytest.mark.parametrize("kind", ["dish", "game", "mod"])
def test_what_is_bare_has_no_demo(run: Run, here: Path, kind: str) -> None:
    own_game(here)
    if kind == "dish":
        run("new", "mod", "fast", "--pack", "tea-time", "--bare")
        ran = run("new", "dish", "jam", "--mod", "fast", "--bare")
    else:
        ran = run("new", kind, "fast", "--bare", *(["--pack", "tea-time"] * (kind == "mod")))

    assert ran.status == 0, ran.err
    assert (
        set(files_in(here / "fast")) - {"schema/pack.json", "schema/scenarios/scenarios.json"}
        == {
            "dish": {"pack.toml", "dishes.toml", "scenarios/jam.toml", "schema/dishes.json"},
            "game": {"pack.toml", "game.rules"},
            "mod": {"pack.toml"},
        }[kind]
    )
    linted = run("lint", "fast")
    assert (linted.out, linted.status) == ("", 0)
    played = run("play", "--pack", "fast", "--bots", "2xrandom", "--players", "2", "--plain")
    assert (played.err, played.status) == ("", 0)
    assert "Final scoring" in played.out


def test_new_things_are_made_where_a_path_leads(run: Run, here: Path) -> None:
    (here / "games").mkdir()
    ran = run("new", "game", "games/tea-time/")
    assert ran.lines[-1] == "  coloma play --pack games/tea-time"
    ran = run("new", "mod", "games/fast", "--pack", "games/tea-time")

    assert ran.status == 0, ran.err
    assert ran.lines[-1] == "  coloma play --pack games/fast --option fast.on=on"
    assert tomllib.loads((here / "games/fast/pack.toml").read_text("utf-8"))["id"] == "fast"
    is_sound(run, "games/fast", 2)


@pytest.mark.parametrize("way", [".", "../fast", ""])
def test_inside_a_mod_new_things_go_into_it(
    run: Run, here: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    own_game(here)
    run("new", "mod", "fast", "--pack", "tea-time")
    monkeypatch.chdir(here / "fast")
    ran = run("new", "dish", "jam", *(["--mod", way] if way else []))

    assert ran.status == 0, ran.err
    assert (here / "fast" / "scenarios" / "jam.toml").is_file()
    assert sorted(each.name for each in here.iterdir()) == ["fast", "tea-time"]
    monkeypatch.chdir(here)
    is_sound(run, "fast", 4)


def test_a_thing_may_be_called_as_its_mod_is(run: Run, here: Path) -> None:
    own_game(here)
    run("new", "mod", "fast", "--pack", "tea-time")
    ran = run("new", "dish", "fast", "--mod", "fast")

    assert ran.status == 0, ran.err
    assert (here / "fast" / "scenarios" / "dish-fast.toml").is_file()
    is_sound(run, "fast", 4)


def test_a_second_entry_goes_into_the_same_file(run: Run, here: Path) -> None:
    own_game(here)
    run("new", "mod", "more", "--pack", "tea-time")
    for name in ("jam", "honey"):
        assert run("new", "dish", name, "--mod", "more").status == 0

    table = tomllib.loads((here / "more" / "dishes.toml").read_text(encoding="utf-8"))
    assert list(table["more"]) == ["jam", "honey"]
    is_sound(run, "more", 6)


def test_the_game_that_is_copied_is_in_canonical_form() -> None:
    for path in sorted(TEMPLATE.rglob("*.rules")):
        text = path.read_text(encoding="utf-8")
        assert format_rules(text, path.name) == text, path


def test_titles_have_capitals() -> None:
    assert title_of("old-mill-2") == "Old Mill 2"
