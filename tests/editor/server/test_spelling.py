from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types as lsp

from coloma.fixing import packs_of
from editor.server.desk import Desk
from rulesdsl.editor.server.lsp_convert import file_of
from rulesdsl.editor.server.text_sync import Workspace

WRONG = 'source "house"\nafter take-turn: gain 1 coyn\n'


def _spelled(folder: Path, way: str) -> str:
    if way == "a link":
        link = folder.parent / f"{folder.name} links"
        if not link.exists():
            link.symlink_to(folder)
        return (link / "mods/rich/rich.rules").as_uri()
    file = {
        "an escaped letter": "mods/rich/%72ich.rules",
        "a folder and back": "mods/../mods/rich/rich.rules",
        "this folder": "mods/./rich/rich.rules",
        "its path": "mods/rich/rich.rules",
    }[way]
    return f"{folder.as_uri()}/{file}"


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize(
    "way", ["its path", "an escaped letter", "a folder and back", "this folder", "a link"]
)
async def test_findings_come_under_the_uri_of_the_client(desk: Desk, way: str) -> None:
    client, uri = desk.client, _spelled(desk.folder, way)
    client.diagnostics.pop(uri, None)
    item = lsp.TextDocumentItem(uri, "rules", 1, WRONG)
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
    found = await desk.told(uri)
    place = lsp.DefinitionParams(lsp.TextDocumentIdentifier(uri), lsp.Position(1, 8))
    where = await client.text_document_definition_async(place)
    closed = lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(uri))
    client.diagnostics.pop(uri, None)
    client.text_document_did_close(closed)

    assert "E201" in [each.code for each in found]
    assert isinstance(where, list | tuple)
    assert [desk.said(each) for each in where if isinstance(each, lsp.Location)] == [
        "game.rules: take-turn"
    ]
    assert await desk.told(uri) == []


def test_files_of_a_folder_are_spelled_as_the_folder(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    workspace, uri = Workspace(packs_of), (tmp_path / "link").as_uri()
    workspace.open_folder(uri)
    file = file_of(f"{uri}/a%20game.rules")
    assert file == (tmp_path / "real/a game.rules").as_posix()
    assert workspace.uri_of(file) == f"{uri}/a%20game.rules"
