from __future__ import annotations

import pytest
from lsprotocol import types as lsp

from editor.server.desk import Desk
from rulesdsl.editor.symbols import TYPES

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_outlines(desk: Desk) -> None:
    names = {}
    for file in ("game.rules", "cards.toml", "scenarios/coins.toml"):
        desk.open(file)
        params = lsp.DocumentSymbolParams(desk.document(file))
        found = await desk.client.text_document_document_symbol_async(params)
        names[file] = [each.name for each in found or ()]
    assert names["cards.toml"] == ["comb", "drum", "kite"]
    assert names["scenarios/coins.toml"] == ["A coin is gained", "A kite is bought"]
    assert {"coin", "buy card c", "riches", "deck"} <= set(names["game.rules"])


async def test_things_are_found_by_name(desk: Desk) -> None:
    for query, name in (("kte", "kite"), ("draw", "draw-one"), ("first", "first-coins")):
        found = await desk.client.workspace_symbol_async(lsp.WorkspaceSymbolParams(query))
        assert name in [each.name for each in found or ()]


async def test_folding(desk: Desk) -> None:
    starts = {}
    for file in ("game.rules", "cards.toml"):
        desk.open(file)
        params = lsp.FoldingRangeParams(desk.document(file))
        found = await desk.client.text_document_folding_range_async(params)
        starts[file] = {(each.start_line, each.end_line) for each in found or ()}
    buy = desk.place("game.rules", "|verb buy card c").line
    assert (buy, buy + 5) in starts["game.rules"]
    kite = desk.place("cards.toml", "|[kite]").line
    assert (kite, kite + 4) in starts["cards.toml"]


async def test_names_are_coloured_by_what_they_mean(desk: Desk) -> None:
    wanted = {
        "game.rules": {("buy", "function"), ("coin", "class"), ("purse", "namespace")},
        "cards.toml": {("gain", "function"), ("moon", "enumMember"), ("worth", "property")},
    }  # fmt: skip
    for file, expected in wanted.items():
        text = desk.open(file).split("\n")
        params = lsp.SemanticTokensParams(desk.document(file))
        found = await desk.client.text_document_semantic_tokens_full_async(params)
        assert found is not None
        line = column = 0
        told = set()
        for at in range(0, len(found.data), 5):
            down, right, length, kind, _ = found.data[at : at + 5]
            line, column = line + down, right if down else column + right
            word = text[line].encode("utf-16-le")[column * 2 : (column + length) * 2]
            told.add((word.decode("utf-16-le"), TYPES[kind]))
        assert expected <= told


async def test_hints_say_what_is_left_out(desk: Desk) -> None:
    text = desk.open("game.rules")
    whole = lsp.Range(lsp.Position(0, 0), lsp.Position(text.count("\n"), 0))
    params = lsp.InlayHintParams(desk.document("game.rules"), whole)
    found = await desk.client.text_document_inlay_hint_async(params)
    shuffled = desk.place("game.rules", "shuffle my| deck")
    candidate = desk.place("game.rules", "suit-of of it| = moon")
    told = {(each.position.line, each.position.character): each.label for each in found or ()}
    assert told[shuffled.line, shuffled.character] == "(p)"
    assert told[candidate.line, candidate.character] == "(card)"


async def test_lenses(desk: Desk) -> None:
    told = {}
    for file in ("game.rules", "scenarios/coins.toml"):
        desk.open(file)
        params = lsp.CodeLensParams(desk.document(file))
        found = await desk.client.text_document_code_lens_async(params)
        told[file] = {
            (each.range.start.line, each.command.title) for each in found or () if each.command
        }
    gain = desk.place("game.rules", "verb g|ain").line
    turn = desk.place("game.rules", "verb t|ake-turn").line
    assert {(gain, "2 scenarios"), (gain, "covers COIN-01"), (turn, "hooked by 1 mod")} <= told[
        "game.rules"
    ]
    assert {(0, "run"), (0, "covers COIN-01"), (6, "run")} <= told["scenarios/coins.toml"]


async def test_commands(desk: Desk) -> None:
    file = str(desk.folder / "scenarios/coins.toml")

    async def done(command: str, *arguments: str) -> str:
        params = lsp.ExecuteCommandParams(command, list(arguments))
        return str(await desk.client.workspace_execute_command_async(params))

    assert await done("coloma.runScenarios", file, "A coin is gained") == "1 passed, 0 failed"
    assert (await done("coloma.explain", "E201")).startswith("# E201")
    assert await done("coloma.play", file) == f"coloma play --pack {desk.folder}"
    mod = str(desk.folder / "mods/rich/rich.rules")
    assert f"--mod {desk.folder}/mods/rich" in await done("coloma.play", mod)
