"""Which folders are loaded together: a game, and over it mods."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import attrs

from coloma.catalogue import (
    Listed,
    bundled_packs,
    introduce,
    note_of,
    pack_folder,
    packs_below,
    packs_meant,
    usual_folder,
)
from coloma.errors import CommandError
from coloma.output import say
from rulesdsl.packs.folder import MANIFEST
from rulesdsl.source.suggest import did_you_mean


@attrs.frozen
class Selection:
    """A game and the mods that are laid over it; the engine puts the mods in order."""

    game: Path
    mods: tuple[Path, ...] = ()

    def with_mods(self, more: Iterable[Path]) -> Selection:
        """Return the same game with further mods, each folder once."""
        folders = {each.resolve(): each for each in (*self.mods, *more)}
        return Selection(self.game, tuple(folders.values()))


def select(pack: str | None, mods: Sequence[str]) -> Selection:
    """Return the folders for what was asked for: names of bundled packs, or paths.

    A mod in the place of the game stands for its game with what it requires and itself over it.
    Where no path is given, and what is meant is not an installed one, that is said on stderr.
    """
    chosen = introduce(pack_folder(pack))
    by_path = pack is not None and (Path(pack) / MANIFEST).is_file()
    if not by_path and (note := note_of(chosen.folder)):
        say(note, err=True)
    return _loaded_for(chosen).with_mods(map(pack_folder, mods))


def select_each(wanted: str | None, mods: Sequence[str]) -> dict[Path, Selection]:
    """Return the packs that a path or a name stands for, each with what is loaded for it.

    Where mods are named it is one pack, and they are laid over it.
    """
    if mods:
        return {pack_folder(wanted): select(wanted, mods)}
    if wanted is None and (note := note_of(usual_folder())):
        say(note, err=True)
    first, *below = packs_meant(wanted)
    packs = [first, *(each for each in below if each.kind)]  # lint says what is wrong with others
    return {each.folder: _loaded_for(each, packs) for each in packs}


def _loaded_for(pack: Listed, beside: Sequence[Listed] = ()) -> Selection:
    """Return a game, or a mod on its game with what it requires; CommandError without a game."""
    if not pack.is_mod:
        return Selection(pack.folder)
    known = [*packs_around(pack.folder), *beside]
    home = home_of(pack, known)
    if home is None:
        raise CommandError(homeless(pack, known))
    return home.with_mods([pack.folder])


def home_of(mod: Listed, known: Iterable[Listed]) -> Selection | None:
    """Return the game that a mod is for, with the mods that it requires; `None` without a game.

    Of two packs with one id, the one that is listed last is meant.
    """
    by_id = {each.id: each for each in known}
    game = by_id.get(mod.for_game)
    if game is None or game.is_mod:
        return None
    return Selection(game.folder, tuple(by_id[each].folder for each in _required(mod, by_id)))


def homeless(mod: Listed, known: Iterable[Listed]) -> str:
    """Return what to say of a mod whose game is not to be found."""
    games = {each.id for each in known if not each.is_mod}
    near = did_you_mean(mod.for_game, games)
    return (
        f"{mod.folder} is a mod for {mod.for_game or 'no game'}: no such game among the bundled"
        f" packs, beside it or around it{f' ({near})' if near else ''}"
    )


def packs_around(path: Path) -> list[Listed]:
    """Return the packs that a mod at a path can mean, the likeliest last.

    They are the bundled ones, those that it lies in with all that they hold, and those beside it.
    """
    above = path.absolute().parents
    around = [each for each in reversed(above) if (each / MANIFEST).is_file()]
    beside = [each.parent for each in above[0].glob(f"*/{MANIFEST}")] if above else []
    return [
        *bundled_packs(),
        *(pack for each in around for pack in packs_below(each)),
        *map(introduce, sorted(beside)),
    ]


def _required(mod: Listed, known: Mapping[str, Listed]) -> list[str]:
    """Return the ids of all mods that a mod needs, directly or not, as far as there are any."""
    needed: list[str] = []
    left = list(mod.requires)
    while left:
        each = left.pop()
        if each in known and known[each].is_mod and each not in needed and each != mod.id:
            needed.append(each)
            left += known[each].requires
    return sorted(needed)
