from __future__ import annotations

from pathlib import Path

from packs.on_disk import USE, layered, manifest_of_mod, told, write, written
from rulesdsl.packs.manifest import Players
from rulesdsl.packs.overlay import layer
from rulesdsl.packs.pack_source import digest_of, read_pack


def test_a_game_without_mods_is_itself(tmp_path: Path) -> None:
    both, findings = layered(tmp_path, {})

    table = both.get("cards.toml", USE)

    assert table
    assert both.packs == (both.game,)
    assert both.digest == digest_of(both.game.files)
    assert both.files == both.game.files
    assert table.data == both.game.toml("cards.toml").data  # type: ignore[union-attr]
    assert written(tmp_path, table.span(("joker", "worth"))) == "3"
    assert told(findings) == []


def test_a_table_that_only_a_mod_has_is_found(tmp_path: Path) -> None:
    both, findings = layered(tmp_path, {"a": ("", ())})
    hats = {"pack.toml": manifest_of_mod("b"), "hats.toml": "[bowler]\n"}
    mod = read_pack(write(tmp_path / "mods/b", hats), findings, tmp_path)
    assert mod
    both = layer(both.game, [*both.mods, mod], findings)

    table = both.get("hats.toml", USE)

    assert table
    assert table.span(("bowler",)).file == "mods/b/hats.toml"
    assert [(pack.id, path) for pack, path in both.unread()] == [
        ("coins", "cards.toml"),
        ("a", "cards.toml"),
    ]
    assert told(findings) == []


def test_a_table_that_no_pack_has_is_reported(tmp_path: Path) -> None:
    both, findings = layered(tmp_path, {"a": ("", ())})

    assert both.get("card.toml", USE) is None
    (found,) = findings.sorted()
    assert (found.code, found.span) == ("E001", USE)
    assert found.help == "a similar name exists: `cards.toml`"


def test_a_broken_table_of_a_mod_leaves_that_of_the_game(tmp_path: Path) -> None:
    both, findings = layered(tmp_path, {"a": ("[joker", ())})

    table = both.get("cards.toml", USE)

    assert table
    assert table.data["joker"]["worth"] == 3  # type: ignore[index]
    assert table is both.get("./cards.toml", USE)
    assert told(findings) == ["E002 mods/a/cards.toml:1:7"]


def test_where_no_pack_has_a_table_that_can_be_read_there_is_none(tmp_path: Path) -> None:
    both, findings = layered(tmp_path, {}, "[joker")

    assert both.get("cards.toml", USE) is None
    assert told(findings) == ["E002 cards.toml:1:7"]


def test_game_and_mods_are_one_pack(tmp_path: Path) -> None:
    mods = {"b": ("", ("players = { least = 1, most = 6 }",)), "a": ("", ())}
    both, findings = layered(tmp_path, mods)

    assert [source.path for source in both.rules] == [
        "game.rules",
        "mods/a/a.rules",
        "mods/b/b.rules",
    ]
    assert both.players == Players(1, 6)
    assert set(both.sources) >= {"cards.toml", "mods/a/cards.toml", "mods/b/pack.toml"}
    assert both.files["a:cards.toml"] == both.mods[0].files["cards.toml"]
    assert both.digest != digest_of(both.game.files)
    assert told(findings) == []


def test_the_digest_does_not_depend_on_the_order_in_which_mods_are_given(tmp_path: Path) -> None:
    mods = {"a": ("joker.worth = 1\n", ()), "b": ("queen.worth = 1\n", ())}
    one, findings = layered(tmp_path, mods)

    other = layer(one.game, one.mods[::-1], findings)

    assert other.mods == one.mods
    assert other.digest == one.digest
