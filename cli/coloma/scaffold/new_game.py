"""`coloma new game NAME`: a complete small game, to be changed into another one."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from coloma.catalogue import bundled_packs
from coloma.errors import USAGE, CommandError
from coloma.scaffold.drafts import new_folder, write_files
from coloma.scaffold.names import check_name, title_of
from coloma.scaffold.schemas import with_schemas
from coloma.scaffold.trials import Trial
from coloma.selection import Selection
from rulesdsl.packs.folder import MANIFEST

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_BARE = """\
# What happens in a game, in order. What can be said here: coloma explain language
step game: nothing
"""


def new_game(target: Path, *, bare: bool = False) -> list[Path]:
    """Write the game into a new folder, which names it; return its files.

    A bare game has nothing in it.
    """
    name = target.name
    check_name(name)
    for each in bundled_packs():
        if each.id == name:
            raise CommandError(f"there is already a pack {name}: choose another name", USAGE)
    written = {path: _named(path, text, name) for path, text in _template()}
    if bare:
        written = {MANIFEST: written[MANIFEST], "game.rules": _BARE}
    with new_folder(target) as draft:
        write_files(draft, written)
        written = with_schemas(draft, Selection(draft), written)
        write_files(draft, written)
        Trial(draft, target, Selection(draft), bare=bare).check()
    return [target / each for each in written]


def _template() -> Iterator[tuple[str, str]]:
    """Yield path and text of every file of the game that new ones are copied from."""
    yield from _files(files("coloma.scaffold") / "game", "")


def _files(folder: Traversable, above: str) -> Iterator[tuple[str, str]]:
    for each in sorted(folder.iterdir(), key=lambda one: one.name):
        if each.is_dir():
            yield from _files(each, f"{above}{each.name}/")
        else:
            yield f"{above}{each.name}", each.read_text(encoding="utf-8")


def _named(path: str, text: str, name: str) -> str:
    if path == MANIFEST:
        text = text.replace('id = "template"', f'id = "{name}"')
        text = text.replace('name = "Template"', f'name = "{title_of(name)}"')
    return text.replace("FOLDER", name)
