"""Checking many packs: each game by itself, each mod together with the game that it is for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import attrs

from coloma import engine
from coloma.catalogue import (
    MANIFEST,
    Listed,
    bundled_folder,
    bundled_packs,
    introduce,
    pack_folder,
    packs_below,
)
from coloma.errors import USAGE, CommandError
from rulesdsl.source.diagnostic import Diagnostic
from rulesdsl.source.span import SourceFile


@attrs.frozen
class _Run:
    """A game and the mods that it is checked with."""

    game: Path
    mods: tuple[Path, ...] = ()


def check_all(
    paths: Sequence[Path], mods: Sequence[str]
) -> tuple[tuple[Diagnostic, ...], Mapping[str, SourceFile]]:
    """Return what is wrong with the packs in and below the folders, each thing once.

    Without folders it is the bundled packs. A file stands for the pack that it belongs to.
    """
    with_mods = tuple(map(pack_folder, mods))
    found: dict[Diagnostic, None] = {}
    sources: dict[str, SourceFile] = {}
    for run in dict.fromkeys(_runs(paths or [bundled_folder()], with_mods)):
        report = engine.lint_pack(run.game, run.mods)
        found.update(dict.fromkeys(report.diagnostics))
        sources.update(report.sources)
    return tuple(sorted(found, key=lambda each: (each.span, each.code))), sources


def _runs(paths: Iterable[Path], with_mods: tuple[Path, ...]) -> Iterator[_Run]:
    for path in paths:
        packs = _packs_at(path)
        known = _games_and_mods_by_id([*bundled_packs(), *_packs_around(path), *packs])
        for pack in packs:
            if not pack.is_mod:
                yield _Run(pack.folder, with_mods)
            elif pack.for_game not in known:
                where = f"in {path}, beside it or around it"
                raise CommandError(f"{pack.folder} is a mod for {pack.for_game}: no such {where}")
            else:
                others = [known[each].folder for each in _required(pack, known)]
                yield _Run(known[pack.for_game].folder, (*others, pack.folder))


def _packs_at(path: Path) -> list[Listed]:
    if not path.exists():
        raise CommandError(f"there is no {path}", USAGE)
    if path.is_file():
        home = next((each for each in path.absolute().parents if (each / MANIFEST).exists()), None)
        if home is None:
            raise CommandError(f"{path} belongs to no pack: no {MANIFEST} above it", USAGE)
        return [introduce(home)]
    packs = packs_below(path)
    if not packs:
        raise CommandError(f"there is no pack in {path}: no {MANIFEST} in it or below", USAGE)
    return packs


def _packs_around(path: Path) -> list[Listed]:
    """Return the packs that a mod can mean: those beside it, and the one that it lies in."""
    above = path.absolute().parents
    beside = [each.parent for each in above[0].glob(f"*/{MANIFEST}")]
    around = [each for each in above if (each / MANIFEST).is_file()]
    return [
        *map(introduce, sorted(beside)),
        *(pack for each in around for pack in packs_below(each)),
    ]


def _games_and_mods_by_id(packs: Iterable[Listed]) -> dict[str, Listed]:
    """Return packs by id; of two with the same, the one that was listed last."""
    return {each.id: each for each in packs}


def _required(pack: Listed, known: Mapping[str, Listed]) -> list[str]:
    """Return the ids of all mods that a mod needs, directly or not, as far as there are any."""
    needed: list[str] = []
    left = list(pack.requires)
    while left:
        each = left.pop()
        if each in known and known[each].is_mod and each not in needed and each != pack.id:
            needed.append(each)
            left += known[each].requires
    return sorted(needed)
