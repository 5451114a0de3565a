from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from packs.on_disk import CARDS, USE, layered, told
from rulesdsl.source.span import Span


def conflicts(
    folder: Path, *mods: str, after: Mapping[str, str] | None = None, cards: str = CARDS
) -> list[str]:
    """Return the findings about mods called a, b, c with these cards, as text."""
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


def test_two_mods_that_change_one_value_are_in_conflict(tmp_path: Path) -> None:
    both, findings = layered(
        tmp_path, {"b": ("joker.worth = 1\n", ()), "a": ("[joker]\nworth = 2\n", ())}
    )

    both.get("cards.toml", USE)

    (found,) = findings.sorted()
    assert found.code == "E506"
    assert found.message == "These mods each change `joker.worth`: `a`, `b`."
    assert 'after = ["a"]' in found.help
    assert found.span == Span("mods/b/cards.toml", 1, 7, 1, 12)
    assert [each.span for each in found.related] == [Span("mods/a/cards.toml", 2, 1, 2, 6)]


def test_two_mods_that_bring_the_same_entry_are_in_conflict(tmp_path: Path) -> None:
    entry = "[king]\nworth = {}\ntags = ['{}']\n".replace("{}", "%d")

    assert conflicts(tmp_path, entry % (1, 1), entry % (2, 1)) == ["`a` and `b` each add `king`."]


def test_two_mods_that_bring_one_name_are_in_conflict_whatever_they_say_of_it(
    tmp_path: Path,
) -> None:
    both, findings = layered(
        tmp_path, {"b": ("[king]\nworth = 1\n", ()), "a": ("[king]\ntags = ['x']\n", ())}
    )

    both.get("cards.toml", USE)

    (found,) = findings.sorted()
    assert "[b.king]" in found.help
    assert 'after = ["a"]' in found.help
    assert found.span.file == "mods/b/cards.toml"
    assert [each.span.file for each in found.related] == ["mods/a/cards.toml"]


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
def test_mods_that_do_not_disturb_each_other_are_in_no_conflict(
    tmp_path: Path, first: str, second: str
) -> None:
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
        ("joker.effect.night = ['nothing']\n", "joker.effect.night = 'nothing'\n"),
    ],
)
def test_values_that_only_look_alike_are_in_conflict(
    tmp_path: Path, first: str, second: str
) -> None:
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

    table = both.get("cards.toml", USE)

    assert table
    assert table.data["joker"]["worth"] == 3  # type: ignore[index]
    assert told(findings) == []


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


@given(TABLES, TABLES)
def test_a_conflict_is_found_whichever_mod_comes_last(
    tmp_path_factory: pytest.TempPathFactory, first: dict[str, object], second: dict[str, object]
) -> None:
    one, two = tomli_w.dumps(first), tomli_w.dumps(second)

    def found(*mods: str) -> bool:
        return bool(conflicts(tmp_path_factory.mktemp("box"), *mods, cards="x = 1\n"))

    assert found(one, two) == found(two, one)
