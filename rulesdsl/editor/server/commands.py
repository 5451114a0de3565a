"""What a click does: run scenarios, explain a code, show what becomes of a verb, play."""

from __future__ import annotations

import shlex
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from rulesdsl.editor import definition, jobs
from rulesdsl.editor.project import pack_of
from rulesdsl.editor.server.positions import uri_of
from rulesdsl.editor.view import Spot
from rulesdsl.source.codes import find_code

if TYPE_CHECKING:
    from rulesdsl.editor.server.server import Server

_REFUSED = -32803  # RequestFailed, of the protocol
_FIRST_LINES = 3


def refusal(message: str) -> JsonRpcException:
    """Return the answer to something that cannot be done."""
    return JsonRpcException(message, code=_REFUSED)


def _say(server: Server, message: str) -> None:
    params = lsp.ShowMessageParams(lsp.MessageType.Info, message)
    server.window_show_message(params)


def _folders(server: Server, file: str) -> list[str]:
    """Return the folders of a game and of the mods that are loaded for a file."""
    project, folder = server.desk.project(file), pack_of(Path(file))
    if project is None or folder is None:
        raise refusal(f"{file} belongs to no pack.")
    mods = project.packs.mods.get(folder, ())
    return [str(project.packs.game), *map(str, mods)]


async def _run_scenarios(server: Server, file: str, only: str = "") -> str:
    """Run the scenarios of a file, or those about something; of all, the summary is shown."""
    folders = _folders(server, file)
    wanted = only or Path(file).name
    said = await jobs.run(jobs.TEST, str(pack_of(Path(file))), wanted, *folders)
    _say(server, said[-500:])
    return said


async def _show_form(server: Server, file: str, name: str, stage: str = "form") -> str:
    """Return what becomes of a verb, step or value at a stage: tree, form, python or wat."""
    return await jobs.run(jobs.FORM, name, stage, *_folders(server, file))


async def _explain(server: Server, code: str) -> str:
    """Return the page of a code, and show it where the client can."""
    found = find_code(code)
    if found is None or not found.has_page:
        raise refusal(f"There is no page about {code}.")
    window = server.client_capabilities.window
    if found.path is not None and window is not None and window.show_document is not None:
        uri = uri_of(found.path.as_posix())
        server.window_show_document(lsp.ShowDocumentParams(uri, take_focus=True), _ignored)
    else:
        _say(server, "\n".join(found.page.split("\n\n")[:_FIRST_LINES]))
    return found.page


def _ignored(_: object) -> None:
    """Take the answer of a client that has shown something."""


async def _play(server: Server, file: str) -> str:
    """Return the line that plays the game of a file, for a terminal."""
    game, *mods = _folders(server, file)
    words = ["coloma", "play", "--pack", game]
    for each in mods:
        words += ["--mod", each]
    return shlex.join(words)


async def _show_references(server: Server, *place: Any) -> list[lsp.Location]:  # noqa: ANN401
    """Return where the thing at a place is named: file, line and column from 1."""
    if not place:
        return []
    file, line, column = place
    view = server.desk.view(str(file))
    spot = Spot(str(file), int(line), int(column))
    found = () if view is None else definition.references(view, spot)
    return [server.positions.location(each) for each in found]


Command = Callable[..., Awaitable[Any]]
COMMANDS: dict[str, Command] = {
    "coloma.runScenarios": _run_scenarios,
    "coloma.showForm": _show_form,
    "coloma.explain": _explain,
    "coloma.play": _play,
    "coloma.showReferences": _show_references,
}
