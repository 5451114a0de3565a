"""Discovery of packs in a folder, and the load order of mods."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from pathlib import Path

from rulesdsl.packs import wording
from rulesdsl.packs.folder import MANIFEST
from rulesdsl.packs.pack_source import PackSource
from rulesdsl.source.diagnostics import Findings, Related, similar
from rulesdsl.source.span import Span


def packs_below(folder: Path) -> list[Path]:
    """Return the folders with a `pack.toml`, sorted: the folder itself, then those below it.

    Hidden folders are skipped, and links to folders are not followed.
    """
    found: list[Path] = []
    for path, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if MANIFEST in files:
            found.append(Path(path))
    return sorted(found)


def order_mods(
    game: PackSource, mods: Sequence[PackSource], findings: Findings
) -> tuple[PackSource, ...]:
    """Return the mods in load order, which does not depend on the order given.

    The mods are sorted topologically by their `requires` and `after`; ids break ties. Mods for
    other games and duplicates are reported and left out. Mods with any other problem are reported
    but not left out, so that the rest can be checked.
    """
    by_id: dict[str, PackSource] = {}
    for mod in mods:
        if _belongs(mod, game, findings) and not _is_twice(mod, [game, *by_id.values()], findings):
            by_id[mod.id] = mod
    loaded = {game.id: game, **by_id}
    for mod in by_id.values():
        _check_requirements(mod, loaded, findings)
    for pack in loaded.values():
        _check_exclusions(pack, loaded, findings)
    return tuple(by_id[each] for each in _sorted_ids(by_id, findings))


def loaded_before(mods: Sequence[PackSource]) -> dict[str, frozenset[str]]:
    """Return, for each mod, the ids of the mods after which it is explicitly loaded.

    The relation is transitive. The mods must be given in load order.
    """
    before: dict[str, frozenset[str]] = {}
    for mod in mods:
        direct = mod.manifest.loads_after & before.keys()
        before[mod.id] = direct.union(*(before[each] for each in direct))
    return before


def _belongs(mod: PackSource, game: PackSource, findings: Findings) -> bool:
    manifest = mod.manifest
    if not manifest.is_mod:
        wording.GAME_AS_MOD.report(findings, _place(mod, "kind"), pack=mod.id)
    elif manifest.for_game == game.id:
        return True
    elif manifest.for_game:  # else its manifest was reported
        meant, near = manifest.for_game, similar(manifest.for_game, [game.id])
        wording.OTHER_GAME.report(
            findings, _place(mod, "for_game"), advice=near, meant=meant, game=game.id
        )
    return False


def _is_twice(mod: PackSource, earlier: Sequence[PackSource], findings: Findings) -> bool:
    other = next((pack for pack in earlier if pack.id == mod.id), None)
    if other is not None:
        first = Related(_place(other, "id"), "the other one")
        wording.SAME_ID.report(findings, _place(mod, "id"), [first], pack=mod.id)
    return other is not None


def _check_requirements(
    mod: PackSource, loaded: Mapping[str, PackSource], findings: Findings
) -> None:
    for wanted in mod.manifest.requires:
        pack = loaded.get(wanted.id)
        if pack is None:
            near = similar(wanted.id, loaded.keys() - {mod.id})
            wording.MISSING_MOD.report(
                findings, wanted.span, advice=near, mod=mod.id, wanted=wanted, name=wanted.id
            )
        elif pack.manifest.version not in wanted.versions:
            related, version = (
                [Related(_place(pack, "version"), "its version")],
                pack.manifest.version,
            )
            wording.OTHER_VERSION.report(
                findings, wanted.span, related, mod=mod.id, wanted=wanted, version=version
            )


def _check_exclusions(
    pack: PackSource, loaded: Mapping[str, PackSource], findings: Findings
) -> None:
    for unwanted in pack.manifest.excludes:
        other = loaded.get(unwanted.id)
        if other is not None and other.manifest.version in unwanted.versions:
            related = [Related(_place(other, "id"), "the other one")]
            wording.EXCLUDED.report(findings, unwanted.span, related, pack=pack.id, other=other.id)


def _sorted_ids(mods: Mapping[str, PackSource], findings: Findings) -> list[str]:
    """Sort mods topologically, with ties broken by id; report cycles, then break them."""
    before = {each: mods[each].manifest.loads_after & mods.keys() for each in sorted(mods)}
    while True:
        sorter = TopologicalSorter({each: sorted(ids) for each, ids in before.items()})
        try:
            sorter.prepare()
        except CycleError as error:
            circle: list[str] = error.args[1]
            _report_circle([mods[each] for each in circle], findings)
            for first, second in pairwise(circle):
                before[second] -= {first}
        else:
            return list(_drain(sorter))


def _drain(sorter: TopologicalSorter[str]) -> Iterator[str]:
    ready: list[str] = []
    while sorter.is_active():
        ready = sorted([*ready, *sorter.get_ready()])
        first = ready.pop(0)
        yield first
        sorter.done(first)


def _report_circle(circle: Sequence[PackSource], findings: Findings) -> None:
    steps = [
        Related(ref.span, f"`{second.id}` comes after `{first.id}`")
        for first, second in pairwise(circle)
        for ref in (*second.manifest.requires, *second.manifest.after)
        if ref.id == first.id
    ]
    mods = ", ".join(f"`{each.id}`" for each in circle[:-1])
    wording.MOD_CYCLE.report(findings, steps[0].span, steps[1:], mods=mods)


def _place(pack: PackSource, key: str) -> Span:
    return pack.manifest_file.index.span((key,))
