"""Hooks on procedures and values."""

from __future__ import annotations

from pathlib import Path

import pytest

from packs_on_the_fly import played

VERB = "verb work:\n    raise my fame by 2\n"
HOOKS: dict[str, tuple[str, int]] = {
    "before": ("before work: lower my fame by 20\n", 2),
    "after": ("after work: lower my fame by 1\n", 2),
    "instead": ("instead of work: raise my fame by 9\n", 10),
    "instead, with what lies beneath": (
        "instead of work:\n    raise my fame by 4\n    work\n",
        7,
    ),
    "two instead: the later one lies on top": (
        (
            "instead of work:\n    raise my fame by 4\n    work\n"
            "instead of work:\n    work\n    work\n"
        ),
        13,
    ),
    "not when its condition fails": ("after work when my fame > 9: lower my fame by 20\n", 3),
    "in the order they stand": (
        "after work: raise my fame by 20\nafter work: lower my fame by 5\n",
        15,
    ),
    "instead only when": ("instead of work when my fame > 5: nothing\n", 3),
}


@pytest.mark.parametrize("name", sorted(HOOKS))
def test_what_a_hook_does(name: str, tmp_path: Path) -> None:
    hooks, wanted = HOOKS[name]

    assert played(tmp_path, "raise my fame by 1\nwork", more=VERB + hooks).fame() == wanted


def test_a_hook_knows_the_parameters(tmp_path: Path) -> None:
    more = "after gain n coins: raise my fame by n\n"

    assert played(tmp_path, "gain 3 coins", more=more).fame() == 3


VALUE = "value pay of seat: 2\n"
VALUE_HOOKS: dict[str, tuple[str, int]] = {
    "replaced": ("instead of value pay of seat: 5\n", 5),
    "with what lies beneath": ("instead of value pay of seat: pay of me + 1\n", 3),
    "twice": (
        (
            "instead of value pay of seat: pay of me + 1\n"
            "instead of value pay of seat: pay of me * 2\n"
        ),
        6,
    ),
    "not when its condition fails": ("instead of value pay of seat when my fame > 1: 9\n", 2),
}


@pytest.mark.parametrize("name", sorted(VALUE_HOOKS))
def test_what_a_hook_on_a_value_does(name: str, tmp_path: Path) -> None:
    hooks, wanted = VALUE_HOOKS[name]
    more = VALUE.replace("pay", "wage") + hooks.replace("pay", "wage")

    assert played(tmp_path, "raise my fame by my wage", more=more).fame() == wanted
