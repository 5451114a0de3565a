"""Which packs belong together where somebody edits one of them."""

from __future__ import annotations

from pathlib import Path

from coloma.catalogue import Listed, introduce, packs_at
from coloma.selection import Selection, home_of, packs_around
from rulesdsl.editor.project import Packs


def packs_of(folder: Path) -> Packs:
    """Return the game of the pack in a folder, with the mods for it that lie around.

    All mods are loaded together that do not exclude one that comes before them.
    """
    pack, known = introduce(folder), packs_around(folder)
    home = home_of(pack, known) if pack.is_mod else Selection(folder)
    if home is None:
        return Packs(folder)
    game = home.game.absolute()
    every = {each.folder.absolute(): each for each in (*packs_at(game), pack)}
    mods = {
        path: (*found.mods, path)
        for path, each in every.items()
        if each.is_mod and (found := home_of(each, [*known, introduce(game)])) is not None
        if found.game.absolute() == game
    }
    return Packs(game, mods, tuple(_together([every[path] for path in mods])))


def _together(mods: list[Listed]) -> list[Path]:
    chosen: list[Listed] = []
    for each in mods:
        if not any(each.id in other.excludes or other.id in each.excludes for other in chosen):
            chosen.append(each)
    return [each.folder.absolute() for each in chosen]
