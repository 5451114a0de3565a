"""Changing content in small ways: whatever then comes to something else was to be run again.

For each change all scenarios are run, and those with another outcome have to be among the ones
that the record of the unchanged content says are touched.
"""

from __future__ import annotations

import gc
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import attrs

from rulesdsl.packs.folder import MAX_BYTES
from rulesdsl.packs.layers import read_layers
from rulesdsl.scenarios import Suite
from rulesdsl.scenarios.changed import Record
from rulesdsl.scenarios.mutation.choosing import choose_mutants
from rulesdsl.scenarios.mutation.mutant import Mutant
from rulesdsl.scenarios.parsing import ParsedScenario, parse_scenarios
from rulesdsl.scenarios.reading import read_scenarios
from rulesdsl.scenarios.rerun import parts_of
from rulesdsl.scenarios.suite import build_suite, declarations
from rulesdsl.source.diagnostic import Findings, LintError
from rulesdsl.source.files import copy_files


@attrs.frozen
class Outcome:
    """What a change came to: how many scenarios are touched, and those that were overlooked."""

    mutant: Mutant
    scenarios: int
    touched: int
    changed: int
    missed: tuple[str, ...]


def outcomes(folder: Path, number: int, seed: int, only: Sequence[str] = ()) -> Iterator[Outcome]:
    """Change a game in so many ways, one after the other; changes that lint refuses are left out.

    `only` are files of the game: no other one is changed.
    """
    with tempfile.TemporaryDirectory(prefix="changed-") as copy:
        pack = Path(copy) / "pack"
        copy_files(folder, pack, MAX_BYTES)
        parsed = _parsed(pack)
        before = _suite(pack, parsed)
        came_to = _came_to(before)
        record = before.record
        layers, world = before.layers, before.checked.program.world
        for mutant in choose_mutants(layers, layers.game, world, number, seed, only):
            file = pack / mutant.path
            whole = file.read_bytes()
            file.write_bytes(mutant.apply(whole.decode("utf-8-sig")).encode())
            try:
                yield _outcome(mutant, pack, parsed, record, came_to)
            except LintError:
                continue
            finally:
                file.write_bytes(whole)
                gc.collect(1)  # what has come since: all that there is takes long


def run(folder: Path, number: int, seed: int) -> int:
    """Print what was overlooked; return the exit status."""
    found: list[Outcome] = []
    for each in outcomes(folder, number, seed):
        found.append(each)
        said = f"overlooked {', '.join(each.missed)}" if each.missed else "nothing overlooked"
        print(f"{each.mutant}: {each.touched} touched, {each.changed} changed, {said}", flush=True)
    missed = [each for each in found if each.missed]
    shares = sorted(each.touched for each in found)
    every = found[0].scenarios if found else 0
    middle = shares[len(shares) // 2] if shares else 0
    print(
        f"{len(found)} changes that lint allows: {len(missed)} overlook something;"
        f" {middle} of {every} scenarios are touched in the median, {sum(shares)} in all,"
        f" {sum(each.changed for each in found)} came to something else"
    )
    return int(bool(missed))


def _outcome(
    mutant: Mutant,
    pack: Path,
    parsed: Sequence[ParsedScenario],
    record: Record,
    came_to: dict[str, object],
) -> Outcome:
    parts = parts_of(read_layers(pack))
    touched = {each.name for each in record.touched([e.scenario for e in parsed], parts)}
    now = _came_to(_suite(pack, parsed))
    differs = {name for name, each in came_to.items() if now.get(name) != each}
    missed = tuple(sorted(differs - touched))
    return Outcome(mutant, len(parsed), len(touched), len(differs), missed)


def _parsed(pack: Path) -> tuple[ParsedScenario, ...]:
    layers = read_layers(pack)
    findings = Findings()
    scenarios = read_scenarios(layers.game.scenarios(findings), layers.players, findings)
    return parse_scenarios(scenarios, findings)


def _suite(pack: Path, parsed: Sequence[ParsedScenario]) -> Suite:
    layers = read_layers(pack)
    return build_suite(layers, layers.game, parsed, declarations(layers), Findings())


def _came_to(suite: Suite) -> dict[str, object]:
    """Return what is wrong with each scenario that can be run."""
    return {each.scenario.name: each.failures for each in suite.results()}
