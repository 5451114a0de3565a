from __future__ import annotations

import pytest

from bench import table
from bench.timing import Spread


def test_columns_line_up_under_their_heads() -> None:
    text = table.render("Coins", ["name", "worth"], [["penny", "1"], ["pound", "1,000,000"]])

    assert text == (
        "Coins\n=====\nname       worth\n-----  ---------\npenny          1\npound  1,000,000"
    )


@pytest.mark.parametrize(
    ("value", "text"), [(12345.6, "12,346"), (45.64, "45.6"), (0.07891, "0.079"), (0, "0.000")]
)
def test_numbers_keep_the_digits_that_mean_something(value: float, text: str) -> None:
    assert table.number(value) == text


def test_a_ratio_shows_its_quartiles() -> None:
    assert table.ratio(Spread(0.914, 0.9, 0.931)) == "0.91 (0.90-0.93)"
