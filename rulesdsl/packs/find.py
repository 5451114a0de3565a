"""Discovery of packs below a folder, and load order of mods."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from pathlib import Path

from rulesdsl.packs import wording
from rulesdsl.packs.folder import MANIFEST
from rulesdsl.packs.pack_source import PackSource
from rulesdsl.source.diagnostics import Findings, Related
from rulesdsl.source.span import Span


def packs_below(folder: Path) -> list[Path]:
    """Return the folders with a `pack.toml`, sorted: the folder itself first, then those below.

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
    """Return the mods in load order, regardless of their given order.

    A mod comes after the mods in its `requires` and `after`; ties go by id (a topological sort).
    Mods that do not fit this game, or come twice, are reported and left out. Other problems are
    reported without leaving a mod out, so that the rest can be checked.
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
    """Return, for each mod, the ids of the mods that it explicitly loads after.

    The relation is transitive. The mods are given in load order.
    """
    before: dict[str, frozenset[str]] = {}
    for mod in mods:
        direct = mod.manifest.loads_after & before.keys()
        before[mod.id] = direct.union(*(before[each] for each in direct))
    return before


def _belongs(mod: PackSource, game: PackSource, findings: Findings) -> bool:
    manifest = mod.manifest
    if not manifest.is_mod:
        findings.report("E502", _place(mod, "kind"), *wording.game_as_mod(mod.id))
        return False
    if manifest.for_game != game.id:
        if manifest.for_game:  # else its manifest was reported
            said = wording.other_game(manifest.for_game, game.id)
            findings.report("E502", _place(mod, "for_game"), *said)
        return False
    return True


def _is_twice(mod: PackSource, earlier: Sequence[PackSource], findings: Findings) -> bool:
    for pack in earlier:
        if pack.id == mod.id:
            first = Related(_place(pack, "id"), "the other one")
            findings.report("E505", _place(mod, "id"), *wording.same_id(mod.id), [first])
            return True
    return False


def _check_requirements(
    mod: PackSource, loaded: Mapping[str, PackSource], findings: Findings
) -> None:
    for wanted in mod.manifest.requires:
        pack = loaded.get(wanted.id)
        if pack is None:
            said = wording.missing_mod(mod.id, wanted, wanted.id, loaded.keys() - {mod.id})
            findings.report("E501", wanted.span, *said)
        elif pack.manifest.version not in wanted.versions:
            said = wording.other_version(mod.id, wanted, pack.manifest.version)
            found = Related(_place(pack, "version"), "its version")
            findings.report("E501", wanted.span, *said, [found])


def _check_exclusions(
    pack: PackSource, loaded: Mapping[str, PackSource], findings: Findings
) -> None:
    for unwanted in pack.manifest.excludes:
        other = loaded.get(unwanted.id)
        if other is not None and other.manifest.version in unwanted.versions:
            related = [Related(_place(other, "id"), "the other one")]
            findings.report("E503", unwanted.span, *wording.excluded(pack.id, other.id), related)


def _sorted_ids(mods: Mapping[str, PackSource], findings: Findings) -> list[str]:
    """Sort topologically, ties by id; a cycle is reported, then broken."""
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
    """Report a dependency cycle; the last mod equals the first."""
    steps = [
        Related(ref.span, f"`{second.id}` comes after `{first.id}`")
        for first, second in pairwise(circle)
        for ref in (*second.manifest.requires, *second.manifest.after)
        if ref.id == first.id
    ]
    said = wording.circle_of_mods(each.id for each in circle[:-1])
    findings.report("E504", steps[0].span, *said, steps[1:])


def _place(pack: PackSource, key: str) -> Span:
    return pack.manifest_file.index.span((key,))
