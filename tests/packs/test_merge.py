from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from packs.on_disk import CARDS, USE, layered, manifest_of_mod, told, write, written
from rulesdsl.packs.manifest import Players
from rulesdsl.packs.overlay import MergedTable, layer
from rulesdsl.packs.pack_source import digest_of, read_pack
from rulesdsl.packs.toml_document import KeyPath as TomlPath
from some import some


def merged(folder: Path, *mods: str) -> MergedTable:
    """Return the cards after the mods are loaded in order; loading must not cause findings."""
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
def test_values_have_spans(tmp_path: Path, path: TomlPath, file: str, value: str) -> None:
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
    table = some(both.get("cards.toml", USE))
    assert table.source_of(("hand",)) == "rulebook"
    assert table.source_of(("limit",)) == "house"


def test_without_a_word_there_is_no_source(tmp_path: Path) -> None:
    both, _ = layered(tmp_path, {}, "hand = 5\nsources = 3\n[joker]\nsource = 4\nworth = 1\n")
    table = some(both.get("cards.toml", USE))
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

    table = some(both.get("cards.toml", USE))

    assert told(findings) == []
    found = dict(leaves(table.data))
    for path, value in found.items():
        assert table.origin(path).at(path) == value
        assert table.span(path).file == table.origin(path).source.path
        later = [each for each in table.layers if each.file.at(path) is not None]
        assert table.layer(path) is later[-1]
    last = dict(leaves(tables[-1]))
    assert last.items() <= found.items()


def test_a_game_without_mods_is_itself(tmp_path: Path) -> None:
    both, findings = layered(tmp_path, {})

    table = some(both.get("cards.toml", USE))

    assert both.packs == (both.game,)
    assert both.digest == digest_of(both.game.files)
    assert both.files == both.game.files
    assert table.data == both.game.toml("cards.toml").data  # type: ignore[union-attr]
    assert written(tmp_path, table.span(("joker", "worth"))) == "3"
    assert told(findings) == []


def test_a_table_that_only_a_mod_has_is_found(tmp_path: Path) -> None:
    both, findings = layered(tmp_path, {"a": ("", ())})
    hats = {"pack.toml": manifest_of_mod("b"), "hats.toml": "[bowler]\n"}
    mod = some(read_pack(write(tmp_path / "mods/b", hats), findings, tmp_path))
    both = layer(both.game, [*both.mods, mod], findings)

    table = some(both.get("hats.toml", USE))

    assert table.span(("bowler",)).file == "mods/b/hats.toml"
    unread = [(pack.id, path) for pack, path in both.unread()]
    assert unread == [("coins", "cards.toml"), ("a", "cards.toml")]
    assert told(findings) == []


def test_a_broken_table_of_a_mod_leaves_that_of_the_game(tmp_path: Path) -> None:
    both, findings = layered(tmp_path, {"a": ("[joker", ())})
    table = some(both.get("cards.toml", USE))
    assert table.data["joker"]["worth"] == 3  # type: ignore[index]
    assert table is both.get("./cards.toml", USE)
    assert told(findings) == ["E002 mods/a/cards.toml:1:7"]


def test_game_and_mods_are_one_pack(tmp_path: Path) -> None:
    mods = {"b": ("", ("players = { least = 1, most = 6 }",)), "a": ("", ())}
    both, findings = layered(tmp_path, mods)

    paths = [source.path for source in both.rules]
    assert paths == ["game.rules", "mods/a/a.rules", "mods/b/b.rules"]
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


def conflicts(
    folder: Path, *mods: str, after: Mapping[str, str] | None = None, cards: str = CARDS
) -> list[str]:
    """Return the messages about mods a, b and c, given the cards of each."""
    wishes = after or {}
    both, findings = layered(
        folder,
        {
            name: (text, (f'after = ["{wishes[name]}"]',) if name in wishes else ())
            for name, text in zip("abc", mods, strict=False)
        },
        cards,
    )
    assert both.get("cards.toml", USE)
    assert {each.code for each in findings.sorted()} <= {"E506"}
    return [each.message for each in findings.sorted()]


def test_a_mod_may_change_what_a_mod_before_it_brings(tmp_path: Path) -> None:
    entry = "[king]\nworth = 1\n"
    assert conflicts(tmp_path, entry, entry, after={"b": "a"}) == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("joker.worth = 4\n", "joker.worth = 4\n"),
        ("joker.worth = 4\n", "joker.price.coins = 4\n"),
        ("joker.price.coins = 3\n", "joker.price.tokens = 4\n"),
        ("[king]\nworth = 1\n", "[knave]\nworth = 2\n"),
        ("source = 'house'\n", "source = 'derived'\n"),
        ("joker.source = 'house'\n", "joker.source = 'derived'\n"),
        ("joker.sources.worth = 'house'\n", "joker.sources.worth = 'derived'\n"),
    ],
)
def test_independent_mods_are_in_no_conflict(tmp_path: Path, first: str, second: str) -> None:
    assert conflicts(tmp_path, first, second) == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("joker.worth = 1\n", "joker.worth = true\n"),
        ("joker.worth = 1\n", "joker.worth = 1.0\n"),
        ("joker.worth = 4\n", "joker.worth.day = 4\n"),
        ("joker.price = 4\n", "joker.price.coins = 3\n"),
        ("joker.price.coins = 3\n", "joker.price = 4\n"),
        ("king = 1\n", "king.worth = 1\n"),
        ("[king]\nworth = 1\n", "[king]\ntags = ['x']\n"),
        ("joker.effect.night = ['nothing']\n", "joker.effect.night = 'nothing'\n"),
    ],
)
def test_similar_values_are_in_conflict(tmp_path: Path, first: str, second: str) -> None:
    assert len(conflicts(tmp_path, first, second)) == 1


def test_what_comes_after_wins_without_a_conflict(tmp_path: Path) -> None:
    one, two, three = (f"joker.worth = {n}\n" for n in (1, 2, 3))

    assert conflicts(tmp_path / "1", one, two, after={"b": "a"}) == []
    assert conflicts(tmp_path / "2", one, two, after={"a": "b"}) == []
    assert conflicts(tmp_path / "3", one, two, three, after={"b": "a", "c": "b"}) == []
    assert conflicts(tmp_path / "4", one, "", three, after={"b": "a", "c": "b"}) == []
    assert conflicts(tmp_path / "5", one, two, three, after={"c": "b"}) == [
        "These mods each change `joker.worth`: `a`, `c`."
    ]


def test_a_third_mod_can_settle_a_conflict(tmp_path: Path) -> None:
    both, findings = layered(
        tmp_path,
        {
            "a": ("joker.worth = 1\n", ()),
            "b": ("joker.worth = 2\n", ()),
            "c": ("joker.worth = 3\n", ('requires = ["a", "b"]',)),
        },
    )

    table = some(both.get("cards.toml", USE))

    assert table.data["joker"]["worth"] == 3  # type: ignore[index]
    assert told(findings) == []


@given(TABLES, TABLES)
def test_a_conflict_is_found_whichever_mod_comes_last(
    tmp_path_factory: pytest.TempPathFactory, first: dict[str, object], second: dict[str, object]
) -> None:
    one, two = tomli_w.dumps(first), tomli_w.dumps(second)

    def found(*mods: str) -> bool:
        return bool(conflicts(tmp_path_factory.mktemp("box"), *mods, cards="x = 1\n"))

    assert found(one, two) == found(two, one)
