from __future__ import annotations

import pytest
from lsprotocol import types as lsp

from editor.server.asked import asked
from editor.server.desk import Desk

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def _hover(desk: Desk, file: str, words: str) -> str:
    place = desk.place(file, words)
    params = lsp.HoverParams(desk.document(file), place)
    found = await desk.client.text_document_hover_async(params)
    assert found is not None
    assert isinstance(found.contents, lsp.MarkupContent)
    return found.contents.value


@pytest.mark.parametrize(("file", "words", "said"), asked("hover"))
async def test_hover(desk: Desk, file: str, words: str, said: str) -> None:
    assert said in await _hover(desk, file, words)


async def test_nothing_is_said_where_nothing_is(desk: Desk) -> None:
    params = lsp.HoverParams(desk.document("game.rules"), desk.place("game.rules", "# 🏮 L|ant"))
    assert await desk.client.text_document_hover_async(params) is None


@pytest.mark.parametrize(("file", "words", "where"), asked("definition"))
async def test_definition(desk: Desk, file: str, words: str, where: str) -> None:
    params = lsp.DefinitionParams(desk.document(file), desk.place(file, words))
    found = await desk.client.text_document_definition_async(params)
    assert isinstance(found, list | tuple)
    assert [desk.said(each) for each in found if isinstance(each, lsp.Location)] == where.split(
        ", "
    )


@pytest.mark.parametrize(("file", "words", "count", "among"), asked("references"))
async def test_references(desk: Desk, file: str, words: str, count: str, among: str) -> None:
    context = lsp.ReferenceContext(include_declaration=True)
    place = desk.place(file, words)
    params = lsp.ReferenceParams(context, desk.document(file), place)
    found = await desk.client.text_document_references_async(params)
    said = [desk.said(each) for each in found or ()]
    assert among in said
    assert len(said) == int(count), said


async def test_highlights_are_of_one_file(desk: Desk) -> None:
    for file, words, count in (("game.rules", "gain n co|ins", 11), ("cards.toml", '"du|st"', 1)):
        params = lsp.DocumentHighlightParams(desk.document(file), desk.place(file, words))
        found = await desk.client.text_document_document_highlight_async(params)
        assert len(found or ()) == count


@pytest.mark.parametrize(("file", "words", "text", "active"), asked("signature"))
async def test_signature(desk: Desk, file: str, words: str, text: str, active: str) -> None:
    place = desk.place(file, words)
    params = lsp.SignatureHelpParams(desk.document(file), place)
    found = await desk.client.text_document_signature_help_async(params)
    assert found is not None
    assert found.signatures[0].label == text
    assert found.signatures[0].active_parameter == int(active)


@pytest.mark.parametrize(("file", "words", "callers", "called"), asked("calls"))
async def test_calls(desk: Desk, file: str, words: str, callers: str, called: str) -> None:
    place = desk.place(file, words)
    params = lsp.CallHierarchyPrepareParams(desk.document(file), place)
    found = await desk.client.text_document_prepare_call_hierarchy_async(params)
    assert found is not None
    into = lsp.CallHierarchyIncomingCallsParams(found[0])
    out = lsp.CallHierarchyOutgoingCallsParams(found[0])
    incoming = await desk.client.call_hierarchy_incoming_calls_async(into)
    outgoing = await desk.client.call_hierarchy_outgoing_calls_async(out)
    assert {each.from_.name for each in incoming or ()} == set(callers.split(", "))
    assert {each.to.name for each in outgoing or ()} == set(filter(None, called.split(", ")))
