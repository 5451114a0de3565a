"""`python -m soak renames`: every declared word gets another name, one after the other.

After each, lint is clean, and every other name means what it meant. After some of them, and at
the end, all scenarios pass and random games go as before.
"""

from __future__ import annotations

import random
import shutil
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

import rulesdsl
from rulesdsl.check.naming import Sort, Thing
from rulesdsl.editor.rename import Refused, declared_things, renaming
from rulesdsl.editor.session import Session
from rulesdsl.scenarios import run_scenarios
from soak.completion import views

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.editor.view import View

GAMES = 20
_LETTERS = "bdfgklmnprtvz"
_SHOWN = 20


@attrs.define
class Tally:
    """What has been tried."""

    renamed: int = 0
    edits: int = 0
    places: int = 0
    seconds: list[float] = attrs.Factory(list)
    failures: list[str] = attrs.Factory(list)


def run(folder: str, every: int, seed: int, most: int | None) -> int:
    """Rename everything, print a table, return the exit status.

    Scenarios run and games are played after so many names. `most` is how many are changed.
    """
    tally = Tally()
    for view in views(Path(folder)):
        try_renames(view, every, seed, most, tally)
    times = sorted(tally.seconds)
    print(f"words renamed      {tally.renamed:>6}")
    print(f"edits              {tally.edits:>6}")
    print(f"scenarios, games   {tally.places:>6} times")
    if times:
        middle, late = times[len(times) // 2], times[int(len(times) * 0.95)]
        print(f"CPU seconds each: median {middle:.2f}, 95% {late:.2f}")
    for failure in tally.failures[:_SHOWN]:
        print(f"FAILED {failure}")
    print(f"{len(tally.failures)} failed")
    return 1 if tally.failures else 0


def try_renames(
    view: View, every: int, seed: int, most: int | None, tally: Tally, games: int = GAMES
) -> None:
    """Rename the words of a game one after the other, and note what went wrong."""
    chance = random.Random(seed)
    things = sorted(declared_things(view), key=lambda each: (each.sort, each.of, each.name))
    chance.shuffle(things)
    before = games_of(view, games)
    mods = [each.folder for each in view.layers.mods]
    trial = Session(view.layers.game.folder, mods)
    view = attrs.evolve(view, trial=trial)
    since: list[str] = []
    moved: dict[Thing, Thing] = {}
    for number, thing in enumerate(things[:most]):
        name = (
            "".join(chance.choices(_LETTERS, k=4)) + "o" + "".join(chance.choices(_LETTERS, k=3))
        )
        thing_now = _now(view, thing, moved)
        if thing_now is None:
            tally.failures.append(f"{thing}: it is not there any more")
            continue
        began = time.process_time()
        try:
            edits, after = renaming(view, thing_now, name)
        except Refused as refused:
            tally.failures.append(f"{thing_now} -> {name}: {refused}")
            continue
        tally.seconds.append(time.process_time() - began)
        for file in {each.span.file for each in edits}:  # the next one goes on from here
            source = after.source(file)
            assert source is not None
            trial.edit(Path(file), source.text)
        view = attrs.evolve(after, trial=trial)
        tally.renamed += 1
        tally.edits += len(edits)
        prefix = thing_now.name.rpartition(".")
        moved[thing] = attrs.evolve(thing_now, name=f"{prefix[0]}{prefix[1]}{name}")
        since.append(f"{thing_now.sort} {thing_now.of} {thing_now.name} -> {name}")
        if len(since) == every or number == len(things[:most]) - 1:
            tally.places += 1
            tally.failures.extend(f"{each}, after {since}" for each in _unlike(view, before))
            since = []


def _now(view: View, thing: Thing, moved: dict[Thing, Thing]) -> Thing | None:
    """Return a thing by the name that it, and what it belongs to, has by now."""
    if thing.sort is Sort.LOCAL:
        here = [each for each in view.index.things if each.sort is Sort.LOCAL]
        line = thing.of.rpartition(":")[0]
        alike = [each for each in here if each.name == thing.name]
        near = [each for each in alike if each.of.rpartition(":")[0] == line]
        return next(iter(near or alike), None)
    kind = next(
        (now for old, now in moved.items() if old.sort is Sort.NOUN and old.name == thing.of), None
    )
    found = attrs.evolve(thing, of=kind.name if kind else thing.of)
    return found if view.index.of_rules(found) else None


def _unlike(view: View, before: list[str]) -> Iterator[str]:
    """Yield what is not as it was: findings, scenarios, games."""
    with tempfile.TemporaryDirectory() as folder:
        game, mods = _written(view, Path(folder))
        report = rulesdsl.lint(game, mods)
        for each in report.diagnostics:
            yield f"lint: {each.code} {each.message} {each.span}"
        if report.errors:
            return
        for of in (None, *mods):
            ran = run_scenarios(game, [] if of is None else [of], of=of)
            for failed in ran.failed:
                yield f"scenario: {failed}"
            for found in ran.findings:
                yield f"scenario: {found.code} {found.message} {found.span}"
        pack = rulesdsl.load(game)
        now = [_traced(pack, number) for number in range(len(before))]
        for number, (one, other) in enumerate(zip(before, now, strict=True)):
            if one != other:
                yield f"game {number} goes another way"


def games_of(view: View, count: int) -> list[str]:
    """Return how random games of the pack on the disk go."""
    pack = rulesdsl.load(view.layers.game.folder)
    return [_traced(pack, number) for number in range(count)]


def _written(view: View, folder: Path) -> tuple[Path, list[Path]]:
    """Write the packs of a view into a folder as they are now."""
    root = view.layers.game.folder
    target = folder / "game"
    shutil.copytree(root, target)
    for file, source in (*view.sources.items(), *view.index.texts_beside.items()):
        path = target / Path(file).relative_to(root)
        path.write_text(source.text, encoding="utf-8", newline="")
    return target, [target / each.folder.relative_to(root) for each in view.layers.mods]


def _traced(pack: rulesdsl.Pack, seed: int) -> str:
    """Return how a random game goes, without any words: what was chosen of how many."""
    chance = random.Random(seed)
    least, most = pack.players
    game = pack.new_game(least + seed % (most - least + 1), seed)
    steps: list[tuple[int, int, int]] = []
    while game.decision is not None:
        chosen = chance.choice(game.decisions)
        index = chance.randrange(chosen.count)
        steps.append((chosen.player, chosen.count, index))
        game.choose(index, player=chosen.player)
    assert game.result is not None
    return repr((steps, game.result.scores, game.result.places))
