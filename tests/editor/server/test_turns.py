from __future__ import annotations

import asyncio

import pytest

from coloma.fixing import packs_of
from rulesdsl.editor.server.requests import in_turn
from rulesdsl.editor.server.text_sync import Server

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_what_is_cancelled_before_its_turn_is_not_done() -> None:
    done: list[str] = []
    server = Server(packs_of)
    answer = in_turn(server, lambda _, params: done.append(params))
    async with server.turn:
        asked = [asyncio.ensure_future(answer(name)) for name in ("one", "two", "three")]
        await asyncio.sleep(0)
        assert done == []
        asked[1].cancel()
    await asyncio.gather(*asked, return_exceptions=True)
    assert asked[1].cancelled()
    assert done == ["one", "three"]
