"""Requests about a place: in rules, in fields of a table, in effects of a table."""

from __future__ import annotations

import pytest
from lsprotocol import types as lsp

from editor.server.desk import Desk

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def _hover(desk: Desk, file: str, words: str) -> str:
    place = desk.place(file, words)
    params = lsp.HoverParams(desk.document(file), place)
    found = await desk.client.text_document_hover_async(params)
    assert found is not None
    assert isinstance(found.contents, lsp.MarkupContent)
    return found.contents.value


@pytest.mark.parametrize(
    ("file", "words", "said"),
    [
        ("game.rules", "buy a ca|rd in my hand", "piece card"),
        ("game.rules", "verb b|uy card c", "Possible only when this can be done, or holds:\n- "),
        ("game.rules", "verb draw-o|ne: move", "Takes the top card of the deck."),
        ("game.rules", "verb draw-o|ne: move", "Changes where `card` is (deck, hand); `fame`."),
        ("game.rules", "gain first-co|ins coins", "`first-coins` is 3. Source: house"),
        ("game.rules", "move c| into my shelf", "`c`: a card"),
        ("game.rules", "suit-of of i|t = moon", "`it`: a card"),
        ("game.rules", "nee|ds any c", "a word of the language: "),
        ("game.rules", "any ti|me: buy", "**any time**, a word of the language: "),
        ("game.rules", '"🏮 What now?":\n        any time: bu|y', "verb buy card c"),
        ("cards.toml", "wo|rth = 3", "worth of c, where c is a card"),
        ("cards.toml", 'suit-of = "mo|on"', "suit: sun, moon"),
        ("cards.toml", 'power = "ga|in 1 coin"', "verb gain n coins"),
        ("cards.toml", "may pay 1 co|in to win", "There are 40."),
        ("scenarios/coins.toml", "for p1: ga|in 2 coins", "verb gain n coins"),
    ],
)
async def test_hover(desk: Desk, file: str, words: str, said: str) -> None:
    assert said in await _hover(desk, file, words)


async def test_nothing_is_said_where_nothing_is(desk: Desk) -> None:
    params = lsp.HoverParams(desk.document("game.rules"), desk.place("game.rules", "# 🏮 L|ant"))
    assert await desk.client.text_document_hover_async(params) is None


@pytest.mark.parametrize(
    ("file", "words", "where"),
    [
        ("game.rules", "gain first-coi|ns coins", ["numbers.toml: first-coins"]),
        ("game.rules", "do pow|er of c", ["game.rules: power"]),
        ("game.rules", "verb pay bundle b: p|ay coins", ["game.rules: pay", "game.rules: pay"]),
        ("game.rules", "do power of c|", ["game.rules: c"]),
        ("cards.toml", "cost = { co|ins = 2 }", ["game.rules: coin"]),
        ("cards.toml", 'suit-of = "moo|n"', ["game.rules: moon"]),
        ("cards.toml", 'power = "du|st"', ["game.rules: dust"]),
        ("cards.toml", "may pay 1 coin to w|in 1", ["game.rules: win"]),
        ("scenarios/coins.toml", "p1 card:ki|te", ["cards.toml: kite"]),
        ("mods/rich/rich.rules", "after take-t|urn", ["game.rules: take-turn"]),
    ],
)
async def test_definition(desk: Desk, file: str, words: str, where: list[str]) -> None:
    params = lsp.DefinitionParams(desk.document(file), desk.place(file, words))
    found = await desk.client.text_document_definition_async(params)
    assert isinstance(found, list | tuple)
    assert [desk.said(each) for each in found if isinstance(each, lsp.Location)] == where


@pytest.mark.parametrize(
    ("file", "words", "count", "among"),
    [
        ("game.rules", "verb d|ust", 2, "cards.toml: dust"),
        ("game.rules", "kind suit: sun, mo|on", 3, "cards.toml: moon"),
        ("cards.toml", "[ki|te]", 4, "scenarios/coins.toml: kite"),
        ("cards.toml", 'power = ["w|in 1', 5, "mods/rich/rich.rules: win"),
        ("scenarios/coins.toml", "for p1: ga|in 2", 6, "mods/rich/rich.rules: gain"),
    ],
)
async def test_references(desk: Desk, file: str, words: str, count: int, among: str) -> None:
    context = lsp.ReferenceContext(include_declaration=True)
    place = desk.place(file, words)
    params = lsp.ReferenceParams(context, desk.document(file), place)
    found = await desk.client.text_document_references_async(params)
    said = [desk.said(each) for each in found or ()]
    assert among in said
    assert len(said) == count, said


async def test_highlights_are_of_one_file(desk: Desk) -> None:
    for file, words, count in (("game.rules", "gain n co|ins", 11), ("cards.toml", '"du|st"', 1)):
        params = lsp.DocumentHighlightParams(desk.document(file), desk.place(file, words))
        found = await desk.client.text_document_document_highlight_async(params)
        assert len(found or ()) == count


@pytest.mark.parametrize(
    ("file", "words", "text", "active"),
    [
        ("game.rules", "    gain |first-coins coins", "gain n coins", 0),
        ("cards.toml", '"gain |1 coin"', "gain n coins", 0),
        ("cards.toml", "may pay |1 coin", "pay n coins", 0),
    ],
)
async def test_signature(desk: Desk, file: str, words: str, text: str, active: int) -> None:
    place = desk.place(file, words)
    params = lsp.SignatureHelpParams(desk.document(file), place)
    found = await desk.client.text_document_signature_help_async(params)
    assert found is not None
    assert found.signatures[0].label == text
    assert found.signatures[0].active_parameter == active


@pytest.mark.parametrize(
    ("file", "words", "callers", "called"),
    [
        ("game.rules", "verb win n f|ame", {"dust", "kite", "before draw-one"}, set()),
        ("game.rules", "verb take-t|urn", {"game", "after take-turn", "A kite is bought"},
         {"draw-one", "buy card c"}),
        ("cards.toml", 'power = "du|st"', {"drum"}, {"win n fame"}),
    ],
)  # fmt: skip
async def test_calls(
    desk: Desk, file: str, words: str, callers: set[str], called: set[str]
) -> None:
    place = desk.place(file, words)
    params = lsp.CallHierarchyPrepareParams(desk.document(file), place)
    found = await desk.client.text_document_prepare_call_hierarchy_async(params)
    assert found is not None
    into = lsp.CallHierarchyIncomingCallsParams(found[0])
    out = lsp.CallHierarchyOutgoingCallsParams(found[0])
    incoming = await desk.client.call_hierarchy_incoming_calls_async(into)
    outgoing = await desk.client.call_hierarchy_outgoing_calls_async(out)
    assert {each.from_.name for each in incoming or ()} == callers
    assert {each.to.name for each in outgoing or ()} == called
