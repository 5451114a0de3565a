import asyncio

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from coloma.fixing import packs_of
from editor.server.asked import asked
from editor.server.desk import Desk
from rulesdsl.editor.server.requests import in_turn
from rulesdsl.editor.server.text_sync import Server
from rulesdsl.editor.symbols import TYPES
from some import some

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
        found = some(await desk.client.text_document_semantic_tokens_full_async(params))
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
    assert code in some(one.code_description).href
    assert (await _findings_after(desk, file, "source", "source")) == []


async def test_findings_of_a_deleted_file_go_away(desk: Desk) -> None:
    extra = desk.folder / "extra.rules"
    extra.write_text('source "house"\nverb extra: drow 1 card\n')
    found = []
    for kind in (lsp.FileChangeType.Created, lsp.FileChangeType.Deleted):
        desk.client.diagnostics.pop(desk.uri("extra.rules"), None)
        change = lsp.FileEvent(desk.uri("extra.rules"), kind)
        desk.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams([change]))
        found.append([each.code for each in await desk.findings("extra.rules")])
        extra.unlink(missing_ok=True)
    assert found == [["E204"], []]


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
    edits = (some(fixes[0].edit).changes or {})[desk.uri(file)]
    assert old in desk.changed(file, list(edits))


@pytest.mark.parametrize(("file", "words", "name", "files"), asked("rename"))
async def test_rename(desk: Desk, file: str, words: str, name: str, files: str) -> None:
    params = lsp.RenameParams(desk.document(file), desk.place(file, words), name)
    found = some(await desk.client.text_document_rename_async(params))
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


async def _hover(desk: Desk, file: str, words: str) -> str:
    place = desk.place(file, words)
    params = lsp.HoverParams(desk.document(file), place)
    found = some(await desk.client.text_document_hover_async(params))
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
    found = some(await desk.client.text_document_signature_help_async(params))
    assert found.signatures[0].label == text
    assert found.signatures[0].active_parameter == int(active)


@pytest.mark.parametrize(("file", "words", "callers", "called"), asked("calls"))
async def test_calls(desk: Desk, file: str, words: str, callers: str, called: str) -> None:
    place = desk.place(file, words)
    params = lsp.CallHierarchyPrepareParams(desk.document(file), place)
    found = some(await desk.client.text_document_prepare_call_hierarchy_async(params))
    into = lsp.CallHierarchyIncomingCallsParams(found[0])
    out = lsp.CallHierarchyOutgoingCallsParams(found[0])
    incoming = await desk.client.call_hierarchy_incoming_calls_async(into)
    outgoing = await desk.client.call_hierarchy_outgoing_calls_async(out)
    assert {each.from_.name for each in incoming or ()} == set(callers.split(", "))
    assert {each.to.name for each in outgoing or ()} == set(filter(None, called.split(", ")))


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
