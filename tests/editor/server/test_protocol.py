from __future__ import annotations

import json
import os
import subprocess
from typing import Any

from editor.server.conftest import COMMAND, PATHS

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
