from __future__ import annotations

import pytest
from lsprotocol import types as lsp

from editor.server.asked import asked
from editor.server.desk import Desk

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def _offered(desk: Desk, file: str, old: str, new: str) -> list[lsp.CompletionItem]:
    place = desk.typed(file, old, new)
    params = lsp.CompletionParams(desk.document(file), place)
    found = await desk.client.text_document_completion_async(params)
    assert isinstance(found, lsp.CompletionList)
    return list(found.items)


@pytest.mark.parametrize(("file", "old", "new", "first"), asked("completion"))
async def test_completion(desk: Desk, file: str, old: str, new: str, first: str) -> None:
    items = await _offered(desk, file, old, new)
    assert first in [each.label for each in items[:5]]


async def test_only_what_fits_comes_first(desk: Desk) -> None:
    items = await _offered(desk, "game.rules", "suit-of of it = moon", "suit-of of it = |")
    assert {each.label for each in items[:3]} >= {"sun", "moon"}


async def test_a_verb_brings_its_parameters(desk: Desk) -> None:
    items = await _offered(desk, "game.rules", "    pay cost of c\n", "    gai|\n")
    assert items[0].label == "gain"
    assert items[0].detail == "gain n coins"
    assert items[0].insert_text_format is lsp.InsertTextFormat.Snippet
    assert isinstance(items[0].text_edit, lsp.TextEdit)
    assert items[0].text_edit.new_text == "gain ${1:n} coins"
    assert desk.text("game.rules", items[0].text_edit.range) == "gai"


async def test_nothing_is_offered_in_comments_and_texts(desk: Desk) -> None:
    for new in ("# Takes the t|op card", "# T|akes"):
        items = await _offered(desk, "game.rules", "# Takes the top card of the deck.", new)
        assert items == []
    assert await _offered(desk, "game.rules", '"🏮 What now?"', '"🏮 W|hat"') == []
