from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesdsl.source.diagnostics import closest, did_you_mean, distance, similar
from rulesdsl.source.span import Span


@pytest.mark.parametrize(
    ("one", "other", "slips"),
    [
        ("coin", "coin", 0),
        ("coin", "coins", 1),
        ("coin", "con", 1),
        ("coin", "corn", 1),
        ("coin", "cion", 1),
        ("ca", "abc", 3),  # true Damerau would say 2: it fixes inside what it has swapped
        ("", "card", 4),
        ("card", "", 4),
    ],
)
def test_slips_are_counted(one: str, other: str, slips: int) -> None:
    assert distance(one, other) == slips


@given(st.text("abc", max_size=6), st.text("abc", max_size=6))
def test_slips_count_the_same_both_ways(one: str, other: str) -> None:
    assert distance(one, other) == distance(other, one)
    assert (distance(one, other) == 0) == (one == other)


def test_the_nearest_comes_first_then_the_alphabet() -> None:
    names = ["tokems", "tokens", "takens", "deck"]

    assert closest("tokenz", names) == ["tokens", "takens", "tokems"]


@pytest.mark.parametrize(
    ("name", "found"), [("de", []), ("dek", ["deck"]), ("dk", []), ("hand", [])]
)
def test_a_third_of_the_name_may_be_wrong(name: str, found: list[str]) -> None:
    assert closest(name, ["deck"]) == found


def test_a_limit_can_be_given() -> None:
    assert closest("dk", ["deck"], 2) == ["deck"]


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("decc", "a similar name exists: `deck`"),
        ("car", "similar names exist: `card`, `cart`"),
        ("elephant", ""),
    ],
)
def test_the_advice_names_what_is_near(name: str, advice: str) -> None:
    assert did_you_mean(name, ["deck", "card", "cart"]) == advice


@pytest.mark.parametrize(
    ("name", "known", "safe"),
    [
        ("decc", ["deck"], [True]),
        ("dec", ["deck"], [False]),  # three letters may have been many words
        ("decc", ["deck", "decs"], [False, False]),
        ("tekanz", ["tokens"], []),
    ],
)
def test_a_word_is_changed_without_asking_only_where_it_is_sure(
    name: str, known: list[str], safe: list[bool]
) -> None:
    fixes = similar(name, known).fixes(Span("a.rules", 1, 1, 1, 1 + len(name)))

    assert [each.safe for each in fixes] == safe
