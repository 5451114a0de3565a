"""Drafts of packs: checked aside, probed for scenarios, and moved into place."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

import rulesdsl
from coloma import loading
from coloma.files import MAX_BYTES, read_text, remove, write_whole
from coloma.output import CommandError
from coloma.packs import Selection
from coloma.scaffold.entry_text import inline
from coloma.simulation.games import GamePlan, outcomes
from coloma.simulation.work import Hands
from rulesdsl.scenarios import load_suite
from rulesdsl.schema import FOLDER, schemas_of
from rulesdsl.source.diagnostics import Diagnostic
from rulesdsl.source.files import copy_files, reason
from rulesdsl.source.render import render_text
from rulesdsl.syntax import expressions as ex

if TYPE_CHECKING:
    from rulesdsl.check.symbols.symbol_table import SymbolTable
    from rulesdsl.scenarios.binding import BoundScenario
    from rulesdsl.scenarios.suite import Suite


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """Provide a folder for a new pack, and move it into place on success.

    On any error, nothing is left behind.
    """
    if target.is_symlink() or target.exists():
        raise CommandError(f"{target} already exists: nothing was written")
    with _aside(target) as draft:
        draft.mkdir()
        yield draft
        try:
            draft.rename(target)
        except OSError as error:
            raise CommandError(f"cannot write {target}: {reason(error)}") from None


@contextmanager
def copy_of(folder: Path) -> Iterator[Path]:
    """Provide a temporary copy of a pack."""
    with _aside(folder) as draft:
        try:
            copy_files(folder, draft, MAX_BYTES)
        except OSError:
            raise CommandError(f"cannot copy {folder} to check the addition") from None
        yield draft


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Write all files of a pack, or none on an error."""
    before: dict[Path, str | None] = {}
    try:
        for name, text in files.items():
            path = folder / name
            before[path] = read_text(path, folder) if os.path.lexists(path) else None
            write_whole(path, text, folder)
    except (CommandError, OSError):
        for path, old in before.items():
            if old is not None:
                write_whole(path, old, folder)
            elif path.exists():
                remove(path, folder)
        raise


@contextmanager
def _aside(target: Path) -> Iterator[Path]:
    """Provide a path in the same file system, so that a finished folder can be renamed."""
    target = Path(os.path.realpath(target))  # `.` has no name
    try:
        home = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    except OSError as error:
        raise CommandError(f"cannot write {target}: {reason(error)}") from None
    try:
        yield home / target.name
    finally:
        shutil.rmtree(home, ignore_errors=True)


@attrs.frozen
class Trial:
    """A draft, its target folder, and the packs it is checked with.

    `before` are findings without the draft; `only` names its scenarios, which a bare draft may
    lack.
    """

    draft: Path
    target: Path
    selection: Selection
    before: tuple[Diagnostic, ...] = ()
    only: str | None = None
    bare: bool = False

    def check(self) -> None:
        """Raise `CommandError` with the findings if the draft is not sound."""
        self._lint()
        game, mods = self.selection.game, self.selection.mods
        report = load_suite(game, mods, of=self.draft, only=self.only).report()
        if not report.ok or not (report.results or self.bare):
            raise self._refusal("the scenarios of the new files would fail", str(report))
        self._play()

    def _lint(self) -> None:
        report = rulesdsl.lint(self.selection.game, self.selection.mods)
        known = {(each.code, each.message) for each in self.before}
        new = [each for each in report.diagnostics if (each.code, each.message) not in known]
        if new:
            found = render_text(new, report.sources)
            raise self._refusal("this does not fit what is already there", found)

    def _play(self) -> None:
        game, mods = self.selection.game, self.selection.mods
        least, most = loading.load_pack(game, mods).players
        players = min(max(2, least), most)
        for _ in outcomes(GamePlan(game, mods, {}, players, games=1, seed=1), Hands()):
            pass

    def _refusal(self, what: str, found: str) -> CommandError:
        shown = found.replace(self.draft.as_posix(), self.target.as_posix())
        return CommandError(f"{what}; nothing was written\n{shown.rstrip()}")


def with_schemas(draft: Path, selection: Selection, files: dict[str, str]) -> dict[str, str]:
    """Add schemas to the files of a draft, and schema lines to its TOML files.

    The draft's folder must contain the files already.
    """
    schemas = schemas_of(selection.game, selection.mods, of=draft)
    marked = {
        path: f"{line}\n{files[path]}" for path, line in schemas.unmarked.items() if path in files
    }
    return files | marked | {f"{FOLDER}/{path}": text for path, text in schemas.texts.items()}


def has_schemas(folder: Path) -> bool:
    """Return True if a pack contains schemas."""
    return (folder / FOLDER).is_dir()


PROBES = "scenarios/probes.toml"
_STILL = "nothing"
_MOST_ANSWERS = 4
_GIFT = 3
_ANY = 999  # a placeholder: expectations are only evaluated


@attrs.frozen
class Probe:
    """A statement to try, and its preparation."""

    play: str
    given: str = _STILL


@attrs.frozen
class ProbeResult:
    """A feasible probe, its answers, and the numbers it changes."""

    probe: Probe
    answers: tuple[str, ...]
    changes: dict[str, int]


def try_probes(
    draft: Path, selection: Selection, probes: Sequence[Probe], world: SymbolTable
) -> Iterator[ProbeResult]:
    """Yield the feasible probes, those that change something first.

    They are added to the draft as scenarios temporarily.
    """
    file = draft / PROBES
    numbers = list(_numbers(world))
    tables = [_table(number, probe, numbers) for number, probe in enumerate(probes)]
    write_whole(file, "\n".join(tables), draft)
    try:
        suite = load_suite(selection.game, selection.mods, of=draft, only=PROBES)
    finally:
        remove(file, draft)
    found = [each for each in _tried(suite, probes) if each is not None]
    yield from (each for each in found if each.changes)
    yield from (each for each in found if not each.changes)


def _tried(suite: Suite, probes: Sequence[Probe]) -> Iterator[ProbeResult | None]:
    by_name = {each.scenario.name: each for each in suite.scenarios}
    for number, probe in enumerate(probes):
        still = by_name.get(f"{number} before")
        bound = by_name.get(f"{number} after")
        if still is not None and bound is not None:
            yield _try(suite, probe, still, bound)


def _try(
    suite: Suite, probe: Probe, still: BoundScenario, bound: BoundScenario
) -> ProbeResult | None:
    before = suite.watch(still).values
    answers: list[str] = []
    for _ in range(_MOST_ANSWERS):
        seen = suite.watch(bound)
        if not seen.carried_out:
            return None
        if not seen.asked:
            changes = {name: now for name, now in seen.values.items() if now != before.get(name)}
            return ProbeResult(probe, tuple(answers), changes)
        (player, ids), *_ = seen.asked
        if not ids:
            return None  # it cannot be completed in this position
        answers.append(f"p{player} {ids[0]}")
        bound = _with_answer(bound, player, ids[0])
    return None


def _with_answer(bound: BoundScenario, player: int, option: str) -> BoundScenario:
    from rulesdsl.scenarios.scenario import ScriptedChoice as Pick

    scenario = bound.scenario
    pick = Pick(player, option, scenario.span)
    return attrs.evolve(bound, scenario=attrs.evolve(scenario, do=(*scenario.do, pick)))


def _table(number: int, probe: Probe, numbers: Sequence[str]) -> str:
    expect = inline([f"{each} = {_ANY}" for each in numbers])
    return "".join(
        f'[[scenario]]\nname = "{number} {when}"\ngiven = {inline([probe.given])}\n'
        f"play = {inline(play)}\nexpect = {expect}\n"
        for when, play in (("before", _STILL), ("after", probe.play))
    )


def with_gifts(probes: Sequence[Probe], world: SymbolTable) -> list[Probe]:
    """Return the probes, each preceded by a gift to the first player."""
    gifts = list(_gifts(world))
    return [attrs.evolve(probe, given=gift) for probe in probes for gift in gifts]


def home_of(piece: str, world: SymbolTable, whose: str) -> str:
    """Return the home of a kind of piece; one that is per seat with its owner.

    `whose` is a template for the name of the place: `my {}`, `{} of p1`.
    """
    home = world.pieces[piece].home
    assert isinstance(home, ex.Name), "every kind of piece has a home"
    place = world.places.get(home.name)
    owned = place is not None and place.owner_dim is not None
    return whose.format(home.name) if owned else home.name


def _gifts(world: SymbolTable) -> Iterator[str]:
    for track in world.tracks.values():
        if _is_of_seats(track.dims) and track.during is None:
            yield f"for p1: raise my {track.name} by {_GIFT}"
    for place in world.places.values():
        for name in place.holds if _is_of_seats(place.dims) else ():
            piece = world.pieces[name]
            home = home_of(name, world, "my {}")
            if piece.style == "counted" and home != f"my {place.name}":
                mine = "my " if piece.owned else ""
                what = f"{mine}{piece.plural} from {home} into my {place.name}"
                yield f"for p1: move up to {_GIFT} {what}"


def _is_of_seats(dims: Sequence[str]) -> bool:
    return len(dims) == 1 and dims[0] in {"seat", "player"}


def _numbers(world: SymbolTable) -> Iterator[str]:
    for track in world.tracks.values():
        if _is_of_seats(track.dims):
            yield f"{track.name} of p1"
    for place in world.places.values():
        if _is_of_seats(place.dims):
            for piece in place.holds:
                yield f"{world.pieces[piece].plural} in {place.name} of p1"
