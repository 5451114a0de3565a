import os
import tomllib
from pathlib import Path

import pytest

from cli.conftest import Run
from cli.mods_on_disk import TEMPLATE, bare_mod, files_in, is_sound, own_game
from coloma.scaffold.drafts import Trial
from rulesdsl.syntax.format import format_rules


def test_a_game_says_nothing_of_the_one_that_is_copied(run: Run, here: Path) -> None:
    assert run("new", "game", "tea-time").status == 0
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
    ]
    is_sound(run, "fast", 2)


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
def test_words_for_cards(run: Run, here: Path, word: str, monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_tables_of_all_shapes(run: Run, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mod = bare_mod(here)
    monkeypatch.setattr(Trial, "check", lambda _: None)  # it is done for all together below
    refused = run("new", "xyzzy", "thing", "--mod", str(mod)).err
    kinds = [
        each.split(" (")[0] for each in refused.split("kinds of new entries: ")[1].split(", ")
    ]
    wanted = ("space", "trail", "outcome", "icon")
    assert {"card", "barrel", *wanted} <= set(kinds)

    for kind in wanted:
        ran = run("new", kind, f"test-{kind}", "--mod", str(mod))
        assert ran.status == 0, (kind, ran.err)
    assert set(tomllib.loads((mod / "map.toml").read_text(encoding="utf-8"))) == {"space", "trail"}
    assert run("lint", str(mod)).out == ""
    assert run("test", str(mod)).out == "6 passed, 0 failed\n"


@pytest.mark.nightly
def test_scenarios_are_possible(run: Run, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mod = bare_mod(here, game="sutters_mill")
    monkeypatch.setattr(Trial, "check", lambda _: None)
    assert run("new", "certificate", "deed", "--mod", str(mod)).status == 0
    assert run("lint", str(mod)).out == ""
    assert run("test", str(mod)).status == 0


@pytest.mark.nightly
def test_text_is_not_copied(run: Run, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mod = bare_mod(here)
    monkeypatch.setattr(Trial, "check", lambda _: None)
    run("new", "character", "mary", "--mod", str(mod))
    card = tomllib.loads((mod / "characters.toml").read_text(encoding="utf-8"))
    assert card["bare"]["mary"]["text"] == "Describe Mary here."


@pytest.mark.nightly
def test_bare_entries_do_nothing(run: Run, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


@pytest.mark.parametrize("way", [".", "../fast", ""])
def test_inside_a_mod(run: Run, here: Path, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    own_game(here)
    run("new", "mod", "fast", "--pack", "tea-time")
    monkeypatch.chdir(here / "fast")
    ran = run("new", "dish", "jam", *(["--mod", way] if way else []))

    assert ran.status == 0, ran.err
    assert (here / "fast" / "scenarios" / "jam.toml").is_file()
    assert sorted(each.name for each in here.iterdir()) == ["fast", "tea-time"]
    monkeypatch.chdir(here)
    is_sound(run, "fast", 4)


def test_the_game_that_is_copied_is_in_canonical_form() -> None:
    for path in sorted(TEMPLATE.rglob("*.rules")):
        text = path.read_text(encoding="utf-8")
        assert format_rules(text, path.name) == text, path


def test_failed_writes_are_undone(run: Run, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
