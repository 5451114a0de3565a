"""Drafts of packs: checked in a temporary folder, probed for scenarios, and moved into place."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import attrs

import rulesdsl
from coloma import loading
from coloma.files import MAX_BYTES, read_text, remove, write_whole
from coloma.output import CommandError
from coloma.packs import Selection
from coloma.scaffold.entry_text import inline
from coloma.simulation.games import GamePlan, outcomes
from coloma.simulation.work import Hands
from rulesdsl.check.symbols.symbol_table import SymbolTable
from rulesdsl.scenarios import load_suite
from rulesdsl.scenarios.binding import BoundScenario
from rulesdsl.scenarios.scenario import ScriptedChoice
from rulesdsl.scenarios.suite import Suite
from rulesdsl.source.diagnostics import Diagnostic
from rulesdsl.source.files import read_inside, reason
from rulesdsl.source.render import render_text
from rulesdsl.syntax import expressions as ex


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """Provide a temporary folder for a new pack, and move it to `target` at the end.

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
            _copy_files(folder, draft)
        except OSError:
            raise CommandError(f"cannot copy {folder} to check the addition") from None
        yield draft


def _copy_files(folder: Path, target: Path) -> None:
    """Copy the readable files in a folder, except hidden ones and links out of the folder."""
    for path, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith((".", "__pycache__"))]
        here = target / Path(path).relative_to(folder)
        here.mkdir(parents=True)
        for name in names:
            if not name.startswith("."):
                with suppress(OSError):
                    here.joinpath(name).write_bytes(
                        read_inside(folder, Path(path, name), MAX_BYTES)
                    )


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Write files into a pack; on an error, restore the previous files."""
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
    """Provide a temporary path on the same file system, from which a folder can be moved."""
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
    """Check of a draft, with its target folder and the packs to load it with.

    `before` are the findings without the draft. `only` names the file of its scenarios; only a
    `bare` draft may have none.
    """

    draft: Path
    target: Path
    selection: Selection
    before: tuple[Diagnostic, ...] = ()
    only: str | None = None
    bare: bool = False

    def check(self) -> None:
        """Lint, test and play the draft; raise `CommandError` if anything fails."""
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
        players = loading.usual_players(loading.load_pack(game, mods))
        for _ in outcomes(GamePlan(game, mods, {}, players, games=1, seed=1), Hands()):
            pass

    def _refusal(self, what: str, found: str) -> CommandError:
        shown = found.replace(self.draft.as_posix(), self.target.as_posix())
        return CommandError(f"{what}; nothing was written\n{shown.rstrip()}")


PROBES = "scenarios/probes.toml"
_STILL = "nothing"
_MOST_ANSWERS = 4
_GIFT = 3
_ANY = 999  # a placeholder: expectations are evaluated but not compared


@attrs.frozen
class Probe:
    """Statement to try, and its preparation."""

    play: str
    given: str = _STILL


@attrs.frozen
class ProbeResult:
    """Probe that can be carried out, with the answers it needs and the numbers it changes."""

    probe: Probe
    answers: tuple[str, ...]
    changes: dict[str, int]


def try_probes(
    draft: Path, selection: Selection, probes: Sequence[Probe], world: SymbolTable
) -> Iterator[ProbeResult]:
    """Yield the results of feasible probes; those that change something come first.

    The probes are run as scenarios that are added to the draft temporarily.
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
            return None  # the statement cannot be completed in this position
        answers.append(f"p{player} {ids[0]}")
        scenario = bound.scenario
        choice = ScriptedChoice(player, ids[0], scenario.span)
        bound = attrs.evolve(bound, scenario=attrs.evolve(scenario, do=(*scenario.do, choice)))
    return None


def _table(number: int, probe: Probe, numbers: Sequence[str]) -> str:
    expect = inline([f"{each} = {_ANY}" for each in numbers])
    return "".join(
        f'[[scenario]]\nname = "{number} {when}"\ngiven = {inline([probe.given])}\n'
        f"play = {inline(play)}\nexpect = {expect}\n"
        for when, play in (("before", _STILL), ("after", probe.play))
    )


def with_gifts(probes: Sequence[Probe], world: SymbolTable) -> list[Probe]:
    """Return each probe once with each gift, which the first player gets beforehand."""
    gifts = list(_gifts(world))
    return [attrs.evolve(probe, given=gift) for probe in probes for gift in gifts]


def home_of(piece: str, world: SymbolTable, whose: str) -> str:
    """Return a phrase for the home of a kind of piece.

    `whose` is the template for a home that each seat has: `my {}`, `{} of p1`.
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
