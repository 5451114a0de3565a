from __future__ import annotations

from pathlib import Path

import pytest

from lanterns import write_lanterns
from rulesdsl.check.completion import expected_after
from rulesdsl.check.frontend import check_pack
from rulesdsl.check.symbols.symbol_table import SymbolTable

VERBS = {"take-turn", "draw-one", "buy", "gain", "pay", "win", "dust", "game"}
PLACES = {"bank", "purse", "deck", "hand", "shelf"}
SUITS = {"sun", "moon"}
NOUNS = {"coin", "coins", "fame", "card", "cards"}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> SymbolTable:
    folder: Path = write_lanterns(tmp_path_factory.mktemp("lanterns"))
    checked = check_pack(folder)[1]
    assert checked is not None
    return checked.program.world


@pytest.mark.parametrize(
    ("text", "names", "others"),
    [
        ("verb x:\n    ", VERBS, PLACES),
        ("verb x: for each player p: ", VERBS, {"p"}),
        ("verb x card c: move c into ", PLACES, VERBS | {"c", "worth"}),
        ("verb x: move 2 coins from my ", {"purse", "hand"}, {"bank", "fame"}),
        ("verb x: move 1 ", {"coin", "coins", "kite"}, PLACES),
        ("verb x: move top of ", {"deck"}, {"hand", "coin"}),
        ("verb x: shuffle my ", {"deck"}, {"fame"}),
        ("verb x: raise ", {"fame"}, {"dusty", "coin"}),
        ("verb x card c: mark ", {"dusty"}, {"fame", "c"}),
        ("verb x card c: do ", {"power"}, {"worth", "dusty"}),
        ("verb x card c: do power of ", {"c", "kite"}, {"fame"}),
        ("verb x card c: buy ", {"c", "kite", "card"}, {"fame", "purse"}),
        ("verb x: gain 2 ", {"coin", "coins"}, {"fame", "cards"}),
        ("verb x: if suit-of of kite = ", SUITS, {"kite", "fame"}),
        ("verb x: if any cards in my hand where suit-of = ", SUITS, {"kite", "fame"}),
        ("verb x: if any cards in ", PLACES, VERBS),
        ("verb x: for each ", {"card", "suit", "player", "seat"}, PLACES),
        ("verb x:\n    let c = a card in my hand\n    buy ", {"c"}, {"fame"}),
        ("verb x:\n    gain 1 coyn\n    buy this into that\n    win 1 ", {"fame"}, {"coin"}),
        ('verb x: say "You have {my ', {"fame", "purse"}, {"bank"}),
        ("value x of card c: worth of ", {"c", "kite"}, {"fame"}),
        ("before ", VERBS, PLACES),
        ("after buy card c: move ", {"c"}, VERBS),
        ("verb x n ", NOUNS, SUITS),
        ("verb ", set(), VERBS),
        ("verb x card ", set(), NOUNS),
        ("track x per ", {"player", "seat", "card", "suit"}, {"fame"}),
        ("place x holds ", {"card", "coin"}, {"suit", "fame"}),
        ("flag x during ", VERBS, PLACES),
        ("kind x:\n    best: ", {"number", "effect", "suit"}, {"fame"}),
        ("piece x in ", PLACES, {"coin"}),
        ('panel "x" as ', {"grid", "table", "map"}, PLACES),
        ('panel "x": ', {"hand", "fame"}, VERBS),
        ("card kite:\n    ", {"worth", "power", "suit-of"}, VERBS),
        ("card kite:\n    suit-of = ", SUITS, {"worth"}),
        ("win with most ", {"fame", "riches", "score"}, VERBS),
        ("instead of value ", {"riches", "first-coins"}, {"fame"}),
    ],
)  # fmt: skip
def test_names_in_rules(world: SymbolTable, text: str, names: set[str], others: set[str]) -> None:
    found = expected_after(text, "file", world).names
    assert names <= found, names - found
    assert not others & found


@pytest.mark.parametrize(
    ("text", "start", "names"),
    [
        ("gain 1 ", "effect", {"coin", "coins"}),
        ("for ", "effect", {"p1", "p2", "player"}),
        ("fame of ", "formula_text", {"p1", "p2"}),
    ],
)
def test_names_in_strings(world: SymbolTable, text: str, start: str, names: set[str]) -> None:
    assert names <= expected_after(text, start, world).names


def test_names_in_scope_have_their_types(world: SymbolTable) -> None:
    found = expected_after("verb x card c: for each player p: buy ", "file", world)
    assert {name: str(kind) for name, kind in found.locals.items()} == {
        "c": "a card", "p": "a player",
    }  # fmt: skip


def test_a_text_that_cannot_be_read_expects_nothing(world: SymbolTable) -> None:
    assert expected_after("verb x: move move ) ", "file", world).names == frozenset()
