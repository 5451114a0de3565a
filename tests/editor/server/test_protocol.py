import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp

from coloma.fixing import packs_of
from editor.server.conftest import COMMAND, PATHS
from editor.server.desk import Desk
from rulesdsl.editor.server.lsp_convert import file_of
from rulesdsl.editor.server.text_sync import Workspace

HOVER = "textDocument/hover"


def _message(header: str, number: int, method: str, params: dict[str, Any]) -> bytes:
    said = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    body = json.dumps(said).encode()
    return f"{header}: {len(body)}\r\n\r\n".encode() + body


def _place(line: int, character: int) -> dict[str, Any]:
    position = {"line": line, "character": character}
    return {"textDocument": {"uri": "file:///nowhere/game.rules"}, "position": position}


def test_every_request_has_an_answer() -> None:
    asked = [
        _message("Content-Length", 1, "initialize", {"processId": None, "capabilities": {}}),
        _message("content-length", 2, HOVER, _place(-1, 0)),
        _message("content-LENGTH", 3, HOVER, _place(0, 2**31)),
        _message("content-length", 4, HOVER, _place(0, 0)),
        _message("Content-Length", 5, "shutdown", {}),
    ]
    end = b'Content-Length: 33\r\n\r\n{"jsonrpc":"2.0","method":"exit"}'

    ran = subprocess.run(
        COMMAND,
        input=b"".join(asked) + end,
        env={**os.environ, "PYTHONPATH": PATHS},
        capture_output=True,
        check=False,
        timeout=60,
    )

    answers = [
        json.loads(each[: each.rindex("}") + 1])
        for each in ran.stdout.decode().split("\r\n\r\n")[1:]
    ]
    by_number = {each["id"]: each for each in answers if "id" in each}
    assert [*by_number] == [1, 2, 3, 4, 5]
    assert by_number[2]["error"]["code"] == by_number[3]["error"]["code"] == -32602
    assert by_number[4]["result"] is None


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
