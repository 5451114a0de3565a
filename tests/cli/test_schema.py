from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.conftest import Run
from cli.mods_on_disk import everything_in, write_game, write_mod
from coloma import packs


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = write_game(tmp_path / "bundled")
    write_mod(home / "mods" / "hats", files={"cards.toml": "[juggler]\nworth = 7\n"})
    monkeypatch.setattr(packs, "bundled_content", lambda: home)
    return home


def test_a_pack_and_those_below_it_get_their_schemas(run: Run, game: Path) -> None:
    ran = run("schema")
    written = {name for name in everything_in(game) if name.endswith(".json")}

    assert ran.status == 0
    assert written == {
        "schema/cards.json",
        "schema/numbers.json",
        "schema/pack.json",
        "mods/hats/schema/cards.json",
        "mods/hats/schema/pack.json",
    }
    assert f"{game}/schema/cards.json changed" in ran.lines
    line = "names no schema; add this first line: #:schema ./schema/cards.json"
    assert f"{game}/cards.toml {line}" in ran.lines


def test_what_is_fresh_is_left_alone(run: Run, game: Path) -> None:
    run("schema")
    (game / "cards.toml").write_text(
        "# A comment\n#:schema ./schema/cards.json\n" + (game / "cards.toml").read_text()
    )
    before = everything_in(game)
    ran = run("schema")

    assert everything_in(game) == before
    assert not any("changed" in line for line in ran.lines)
    assert not any(line.startswith(f"{game}/cards.toml") for line in ran.lines)
    assert run("schema", "--check").status == 0


def test_what_is_out_of_date_is_listed_and_then_mended(run: Run, game: Path) -> None:
    run("schema")
    (game / "extra.rules").write_text("kind colour-two: green\n")
    (game / "stock.rules").write_text(
        (game / "stock.rules").read_text().replace("red, blue", "red, blue, green")
    )
    (game / "extra.rules").unlink()
    before = everything_in(game)
    checked = run("schema", "--check")

    assert checked.status == 1
    assert checked.lines[0] == f"{game}/schema/cards.json would be changed"
    assert everything_in(game) == before
    assert run("schema").lines[0] == f"{game}/schema/cards.json changed"
    assert '"green"' in (game / "schema/cards.json").read_text()


def test_a_schema_that_nothing_needs_goes_and_other_files_stay(run: Run, game: Path) -> None:
    run("schema")
    old = (game / "schema/cards.json").read_text()
    (game / "schema/old.json").write_text(old)
    (game / "schema/mine.json").write_text('{"title": "mine"}\n')
    ran = run("schema")

    assert f"{game}/schema/old.json changed" in ran.lines
    assert not (game / "schema/old.json").exists()
    assert (game / "schema/mine.json").exists()


def test_the_schemas_of_one_pack_go_where_somebody_wants_them(
    run: Run, game: Path, tmp_path: Path
) -> None:
    mod = write_mod(
        tmp_path / "shoes",
        'requires = ["hats"]',
        files={"cards.toml": "[hats.clown]\nworth = 1\n", "shoes.rules": "kind lace: long\n"},
    )
    before = everything_in(game)
    of_game = run("schema", "--pack", str(game), "--out", str(tmp_path / "one"))
    hats = str(game / "mods/hats")
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
    assert everything_in(game) == before


def test_content_with_errors_gets_none(run: Run, game: Path) -> None:
    (game / "extra.rules").write_text("verb jump: hop\n")
    ran = run("schema")

    assert ran.status == 1
    assert "E204 unknown-verb" in ran.err
    assert not (game / "schema").exists()
