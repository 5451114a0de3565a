from __future__ import annotations

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from editor.server.asked import asked
from editor.server.desk import Desk

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def _findings_after(desk: Desk, file: str, old: str, new: str) -> list[lsp.Diagnostic]:
    desk.client.diagnostics.pop(desk.uri(file), None)
    desk.typed(file, old, new)
    return await desk.findings(file)


@pytest.mark.parametrize(("file", "old", "new", "code", "words"), asked("findings"))
async def test_findings(desk: Desk, file: str, old: str, new: str, code: str, words: str) -> None:
    found = await _findings_after(desk, file, old, new)
    one = next(each for each in found if each.code == code)
    assert one.severity is lsp.DiagnosticSeverity.Error
    assert desk.text(file, one.range) == words
    assert one.code_description is not None
    assert code in one.code_description.href
    assert (await _findings_after(desk, file, "source", "source")) == []


async def test_a_finding_names_other_places(desk: Desk) -> None:
    found = await _findings_after(desk, "game.rules", "flag dusty per card", "flag fame per card")
    related = [each for one in found for each in one.related_information or ()]
    assert "game.rules: fame" in [desk.said(each.location) for each in related]


@pytest.mark.parametrize(("file", "old", "new"), asked("quick fixes"))
async def test_quick_fixes(desk: Desk, file: str, old: str, new: str) -> None:
    found = await _findings_after(desk, file, old, new)
    params = lsp.CodeActionParams(
        desk.document(file), found[0].range, lsp.CodeActionContext(list(found))
    )
    actions = await desk.client.text_document_code_action_async(params)
    fixes = [
        each
        for each in actions or ()
        if isinstance(each, lsp.CodeAction) and each.edit and each.title.startswith("Change")
    ]
    assert fixes
    assert fixes[0].edit is not None
    edits = (fixes[0].edit.changes or {})[desk.uri(file)]
    assert old in desk.changed(file, list(edits))


@pytest.mark.parametrize(("file", "words", "name", "files"), asked("rename"))
async def test_rename(desk: Desk, file: str, words: str, name: str, files: str) -> None:
    params = lsp.RenameParams(desk.document(file), desk.place(file, words), name)
    found = await desk.client.text_document_rename_async(params)
    assert found is not None
    changes = {uri: list(edits) for uri, edits in (found.changes or {}).items()}
    assert changes.keys() == {desk.uri(each) for each in files.split(", ")}
    assert all(name in each.new_text for edits in changes.values() for each in edits)


@pytest.mark.parametrize(("file", "words", "name", "why"), asked("rename that is refused"))
async def test_rename_refuses(desk: Desk, file: str, words: str, name: str, why: str) -> None:
    params = lsp.RenameParams(desk.document(file), desk.place(file, words), name)
    with pytest.raises(JsonRpcException, match=why):
        await desk.client.text_document_rename_async(params)


async def test_what_can_be_renamed_is_told_before(desk: Desk) -> None:
    for file, words, name in (
        ("game.rules", "b|uy card c", "buy"),
        ("cards.toml", "{ co|ins = 1", "coin"),
    ):
        params = lsp.PrepareRenameParams(desk.document(file), desk.place(file, words))
        found = await desk.client.text_document_prepare_rename_async(params)
        assert isinstance(found, lsp.PrepareRenamePlaceholder)
        assert found.placeholder == name


async def test_formatting(desk: Desk) -> None:
    desk.typed("game.rules", "verb draw-one: move top", "verb draw-one:   move  top")
    params = lsp.DocumentFormattingParams(
        desk.document("game.rules"), lsp.FormattingOptions(4, insert_spaces=True)
    )
    found = await desk.client.text_document_formatting_async(params)
    assert "verb draw-one: move top of my deck into my hand\n" in (found or ())[0].new_text
    desk.typed("game.rules", "verb draw-one: move top", "verb draw-one: move move move")
    assert not await desk.client.text_document_formatting_async(params)
