"""Checks of several packs at once, without duplicate findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import attrs

from coloma.output import USAGE, CommandError
from coloma.packs import (
    PackSummary,
    Selection,
    compatible,
    home_of,
    homeless,
    introduce,
    nearly,
    pack_folder,
    pack_of,
    packs_around,
    packs_at,
    usual_folder,
)
from rulesdsl.check.clean_cache import lint_if_changed
from rulesdsl.packs.folder import MANIFEST
from rulesdsl.source.diagnostics import Diagnostic, Report
from rulesdsl.source.span import SourceFile, Span

_Key = tuple[str, Span, str]
_Lint = Callable[[Path, Sequence[Path]], Report]


@attrs.frozen
class Checks:
    """Findings without duplicates, their sources, and notes on packs that cannot be checked."""

    findings: tuple[Diagnostic, ...]
    sources: Mapping[str, SourceFile]
    notes: tuple[str, ...]


def folders_of(paths: Sequence[Path]) -> list[Path]:
    """Return the folders of the packs that `check_all` checks for these paths."""
    return [pack.folder for path in paths or [usual_folder()] for pack in _packs_at(path)]


def check_all(paths: Sequence[Path], mods: Sequence[str], lint: _Lint | None = None) -> Checks:
    """Check the packs at the paths; a file means the pack that contains it.

    Without paths, check the pack in the working folder or the bundled one, with its mods. `mods`
    are applied to the game that is checked and to its mods; if several games are checked, each mod
    is applied only to its own game. `lint` checks a game with mods.
    """
    over = [introduce(pack_folder(each)) for each in mods]
    checker = _Checker(over, lint or lint_if_changed)
    groups = {path: _packs_at(path) for path in paths or [usual_folder()]}
    checker.check(groups)
    return checker.result()


def promise(findings: Iterable[Diagnostic], paths: Sequence[Path], mods: Sequence[str]) -> str:
    """Return a note on the number of findings that `coloma lint --fix` would fix, if any.

    The fixes are tried out, since not every fix on offer removes its finding.
    """
    if not any(fix.safe for each in findings for fix in each.fixes):
        return ""
    from coloma.fixing import fix_packs

    count = fix_packs(paths, mods, unsafe=False).count
    return f"coloma: `coloma lint --fix` fixes {count} of these" if count else ""


class _Checker:
    def __init__(self, with_mods: Sequence[PackSummary], lint: _Lint) -> None:
        self._with_mods = with_mods
        self._lint = lint
        self._games: set[str] = set()
        self._reports: dict[Selection, Report] = {}
        self._found: dict[_Key, Diagnostic] = {}
        self._sources: dict[str, SourceFile] = {}
        self._notes: dict[str, None] = {}

    def result(self) -> Checks:
        found = sorted(self._found.values(), key=lambda each: (each.span, each.code))
        return Checks(tuple(found), self._sources, tuple(self._notes))

    def check(self, groups: Mapping[Path, Sequence[PackSummary]]) -> None:
        """Check the packs at each path; all of them can refer to one another."""
        named = {pack.folder.resolve(): pack for packs in groups.values() for pack in packs}
        self._games = {pack.for_game if pack.is_mod else pack.id for pack in named.values()}
        homes: dict[Path, list[tuple[PackSummary, Selection]]] = {}
        unchecked = {*named}
        for path, packs in groups.items():
            known = [*packs_around(path, named.values()), *packs]
            for pack in packs:
                folder = pack.folder.resolve()
                if folder not in unchecked:
                    continue  # below two of the paths
                unchecked.remove(folder)
                home = home_of(pack, known) if pack.is_mod else None
                if home is None:
                    self._take(Selection(pack.folder).with_mods(self._mods_for(pack.id)), ())
                    if pack.is_mod:
                        self._notes[homeless(pack, known)] = None
                else:
                    self._check_mod(pack, home)
                    homes.setdefault(home.game.resolve(), []).append((pack, home))
        for mods in homes.values():
            self._check_together(mods)

    def _check_mod(self, mod: PackSummary, home: Selection) -> None:
        self._take(self._on_its_game(mod, home), [home])
        if self._report(home).errors:
            packs = [str(folder) for folder in (home.game, *home.mods)]
            self._notes[
                f"{mod.folder} cannot be checked while {' with '.join(packs)} has errors:"
                f" coloma lint {' '.join(packs)}"
            ] = None

    def _check_together(self, mods: Sequence[tuple[PackSummary, Selection]]) -> None:
        """Check the mods for one game together, except those that exclude each other."""
        fitting = compatible(mod for mod, _ in mods)
        together = [each for each in mods if each[0] in fitting]
        if len(together) > 1:
            alone = [self._on_its_game(*each) for each in together]
            every = (folder for each in alone for folder in each.mods)
            self._take(Selection(alone[0].game).with_mods(every), alone)

    def _on_its_game(self, mod: PackSummary, home: Selection) -> Selection:
        return home.with_mods([mod.folder, *self._mods_for(mod.for_game)])

    def _mods_for(self, game: str) -> list[Path]:
        others = self._games - {game}
        return [each.folder for each in self._with_mods if each.for_game not in others]

    def _take(self, selection: Selection, without: Iterable[Selection]) -> None:
        hidden = {key for each in without for key in _keys(self._report(each))}
        report = self._report(selection)
        for key, finding in zip(_keys(report), report.diagnostics, strict=True):
            if key not in hidden:
                self._found.setdefault(key, finding)
        self._sources.update(report.sources)

    def _report(self, selection: Selection) -> Report:
        if selection not in self._reports:
            self._reports[selection] = self._lint(selection.game, selection.mods)
        return self._reports[selection]


def _keys(report: Report) -> Iterator[_Key]:
    return ((each.code, each.span, each.message) for each in report.diagnostics)


def _packs_at(path: Path) -> list[PackSummary]:
    if not path.exists():
        raise CommandError(f"there is no {path}", USAGE)
    if path.is_file():
        home = pack_of(path)
        if home is None:
            raise CommandError(
                f"{path} does not belong to a pack: there is no {MANIFEST} above it", USAGE
            )
        return [introduce(home)]
    packs = packs_at(path)
    if not packs:
        raise CommandError(
            f"there is no pack in {path}: no {MANIFEST} in it or below{nearly(path)}", USAGE
        )
    return packs
