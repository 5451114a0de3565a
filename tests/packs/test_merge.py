from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from packs.on_disk import USE, layered, told, written
from rulesdsl.packs.overlay import MergedTable
from rulesdsl.packs.toml_document import KeyPath as TomlPath


def merged(folder: Path, *mods: str) -> MergedTable:
    """Return the cards after mods that each come after the one before, without findings."""
    names = [f"m{number}" for number in range(len(mods))]
    wishes = [f"after = {names[:number]}" for number in range(len(mods))]
    both, findings = layered(
        folder,
        {name: (text, (wish,)) for name, text, wish in zip(names, mods, wishes, strict=True)},
    )
    table = both.get("cards.toml", USE)
    assert told(findings) == []
    assert table
    return table


def test_a_mod_changes_single_values_and_adds_entries(tmp_path: Path) -> None:
    mod = """\
[joker]
worth = 4
price.coins = 1
effect.day = "nothing"
effect.night = ["gain 3 coins"]
[king]
worth = 5
"""

    table = merged(tmp_path, mod)

    assert table.data["joker"] == {
        "name": "Joker",
        "worth": 4,
        "price": {"coins": 1, "tokens": 1},
        "effect": {"day": "nothing", "night": ["gain 3 coins"]},
    }
    assert table.data["queen"] == {"worth": 9, "source": "house"}
    assert table.data["king"] == {"worth": 5}
    assert list(table.data) == ["source", "joker", "queen", "king"]


def test_the_files_themselves_do_not_change(tmp_path: Path) -> None:
    table = merged(tmp_path, "[joker]\nworth = 4\nnew.a = 1\n", "[joker]\nnew.b = 2\n")

    first, second, third = (each.file.data for each in table.layers)

    assert first["joker"]["worth"] == 3  # type: ignore[index]
    assert second == {"joker": {"worth": 4, "new": {"a": 1}}}
    assert third == {"joker": {"new": {"b": 2}}}


@pytest.mark.parametrize(
    ("path", "file", "value"),
    [
        (("joker", "name"), "cards.toml", '"Joker"'),
        (("joker", "worth"), "mods/m1/cards.toml", "5"),
        (("joker", "price", "coins"), "mods/m0/cards.toml", "1"),
        (("joker", "price", "tokens"), "cards.toml", "1"),
        (("joker", "effect", "night", 0), "mods/m0/cards.toml", '"nothing"'),
        (("joker",), "cards.toml", "[joker]"),
        (("joker", "price"), "cards.toml", "{ coins = 2, tokens = 1 }"),
        (("king",), "mods/m0/cards.toml", "[king]"),
        (("king", "worth"), "mods/m1/cards.toml", "7"),
        (("king", "no-such"), "mods/m0/cards.toml", "[king]"),
        (("joker", "price", "hats"), "cards.toml", "{ coins = 2, tokens = 1 }"),
    ],
)
def test_every_value_knows_where_it_stands(
    tmp_path: Path, path: TomlPath, file: str, value: str
) -> None:
    table = merged(
        tmp_path,
        '[king]\n[joker]\nworth = 4\nprice.coins = 1\neffect.night = ["nothing"]\n',
        "[joker]\nworth = 5\n[king]\nworth = 7\n",
    )

    span = table.span(path)

    assert span.file == file
    assert written(tmp_path, span) == value
    assert table.origin(path).source.path == file
    assert table.key_span(path).file == file


def test_every_character_of_a_text_knows_where_it_stands(tmp_path: Path) -> None:
    table = merged(tmp_path, '\n[joker]\neffect.day = "no"\n')

    day, night = ("joker", "effect", "day"), ("joker", "effect", "night", 1)
    assert table.origin(day).index.string_map(day) == ((3, 15), (3, 16), (3, 17))
    assert table.origin(night).index.string_map(night)[0] == (8, 33)
    assert table.layer(("joker", "effect", "day")).pack.id == "m0"


def test_a_value_can_become_a_table_and_a_table_a_value(tmp_path: Path) -> None:
    table = merged(
        tmp_path,
        "[joker]\nworth = { day = 1 }\nprice = 7\n",
        "[joker]\nworth.night = 2\nprice = { hats = 1 }\n",
        "[joker]\neffect = 'nothing'\n",
    )

    assert table.data["joker"] == {
        "name": "Joker",
        "worth": {"day": 1, "night": 2},
        "price": {"hats": 1},
        "effect": "nothing",
    }
    assert table.span(("joker", "worth", "day")).file == "mods/m0/cards.toml"
    assert table.span(("joker", "worth", "night")).file == "mods/m1/cards.toml"
    assert table.span(("joker", "price", "hats")).file == "mods/m1/cards.toml"
    assert table.span(("joker", "effect", "day")).file == "mods/m2/cards.toml"


def test_the_source_of_a_value_is_that_of_its_file_and_entry(tmp_path: Path) -> None:
    mod = """\
source = "house"
joker.worth = 4
[joker.sources]
price = "derived"
[joker.price]
tokens = 2
[queen]
name = "Queen"
"""
    table = merged(tmp_path, mod)

    assert table.source_of(("joker", "worth")) == "house"
    assert table.source_of(("joker", "price", "tokens")) == "derived"
    assert table.source_of(("joker", "price", "coins")) == "rulebook"
    assert table.source_of(("queen", "worth")) == "house"
    assert table.source_of(("queen", "name")) == "house"
    assert table.source_of(("joker", "effect", "night", 0)) == "rulebook"


def test_named_numbers_have_sources_too(tmp_path: Path) -> None:
    numbers = 'source = "rulebook"\nhand = 5\nlimit = 3\n[sources]\nlimit = "house"\n'
    both, _ = layered(tmp_path, {}, numbers)

    table = both.get("cards.toml", USE)

    assert table
    assert table.source_of(("hand",)) == "rulebook"
    assert table.source_of(("limit",)) == "house"


def test_without_a_word_there_is_no_source(tmp_path: Path) -> None:
    both, _ = layered(tmp_path, {}, "hand = 5\nsources = 3\n[joker]\nsource = 4\nworth = 1\n")

    table = both.get("cards.toml", USE)

    assert table
    assert table.source_of(("hand",)) is None
    assert table.source_of(("joker", "worth")) is None


KEYS = st.sampled_from(["a", "b", "c", "d d"])
TABLES = st.dictionaries(
    KEYS,
    st.recursive(
        st.integers(0, 3) | st.lists(st.integers(0, 3), max_size=2),
        lambda below: st.dictionaries(KEYS, below, max_size=3),
        max_leaves=6,
    ),
    max_size=4,
)


def leaves(value: object, path: TomlPath = ()) -> Iterator[tuple[TomlPath, object]]:
    if isinstance(value, dict):
        for key, below in value.items():
            yield from leaves(below, (*path, key))
    else:
        yield path, value


@given(st.lists(TABLES, min_size=1, max_size=3))
def test_every_value_is_the_one_that_stands_at_its_place(
    tmp_path_factory: pytest.TempPathFactory, tables: list[dict[str, object]]
) -> None:
    folder = tmp_path_factory.mktemp("box")
    game, *mods = (tomli_w.dumps(table) for table in tables)
    wishes = ('after = ["a"]', 'after = ["b"]')
    named = zip("bc", mods, wishes, strict=False)
    both, findings = layered(folder, {mod: (text, (wish,)) for mod, text, wish in named}, game)

    table = both.get("cards.toml", USE)

    assert table
    assert told(findings) == []
    found = dict(leaves(table.data))
    for path, value in found.items():
        assert table.origin(path).at(path) == value
        assert table.span(path).file == table.origin(path).source.path
        later = [each for each in table.layers if each.file.at(path) is not None]
        assert table.layer(path) is later[-1]
    last = dict(leaves(tables[-1]))
    assert last.items() <= found.items()
