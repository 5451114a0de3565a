"""`python -m soak renames`: every declared word gets another name, one after the other.

After each, lint is clean, and every other name means what it meant. After some of them, and at the
end, the scenarios of the game and of its mods pass, and random games go as before. All that was
renamed stays so: the last game has no word of the first.
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
from rulesdsl.scenarios import run_scenarios
from soak.completion import views

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.editor.view import View

GAMES = 20
ALL = slice(None)
_LETTERS = "bdfgklmnprtvz"
_SHOWN = 50  # words between two lines that say how far it is


@attrs.define
class Tally:
    """What has been tried."""

    renamed: int = 0
    edits: int = 0
    places: int = 0
    scenarios: int = 0
    seconds: list[float] = attrs.Factory(list)
    failures: list[str] = attrs.Factory(list)

    def fail(self, what: str) -> None:
        """Note that something went wrong, and say so at once."""
        self.failures.append(what)
        print(f"FAILED {what}", flush=True)


def run(folder: str, every: int, seed: int, most: int | None, part: slice = ALL) -> int:
    """Rename everything, print a table, return the exit status.

    Scenarios of mods run and games are played after so many names. `most` is how many are changed.
    `part` says which words of a game are: several processes can share them.
    """
    tally = Tally()
    for view in views(Path(folder)):
        try_renames(view, every, seed, most, tally, part=part)
    times = sorted(tally.seconds)
    print(f"words renamed      {tally.renamed:>6}")
    print(f"edits              {tally.edits:>6}")
    print(f"scenarios run      {tally.scenarios:>6}")
    print(f"scenarios, games   {tally.places:>6} times")
    if times:
        middle, late = times[len(times) // 2], times[int(len(times) * 0.95)]
        print(f"CPU seconds each: median {middle:.2f}, 95% {late:.2f}")
    print(f"{len(tally.failures)} failed")
    return 1 if tally.failures else 0


def try_renames(
    view: View,
    every: int,
    seed: int,
    most: int | None,
    tally: Tally,
    games: int = GAMES,
    part: slice = ALL,
) -> None:
    """Rename the words of a game one after the other, and note what went wrong."""
    chance = random.Random(seed)
    things = sorted(declared_things(view), key=lambda each: (each.sort, each.of, each.name))
    chance.shuffle(things)
    with tempfile.TemporaryDirectory() as folder:
        copy = _Copy(view, Path(folder), games)
        _try_renames(view, copy, things[part][:most], every, chance, tally)


def _try_renames(
    view: View, copy: _Copy, things: list[Thing], every: int, chance: random.Random, tally: Tally
) -> None:
    since: list[str] = []
    moved: dict[Thing, Thing] = {}
    began = time.monotonic()
    for number, thing in enumerate(things, 1):
        name = _fresh(chance)
        thing_now = _now(view, thing, moved)
        if thing_now is None:
            tally.fail(f"{thing}: it is not there any more")
            continue
        start = time.process_time()
        try:
            edits, after = renaming(view, thing_now, name)
        except Refused as refused:
            tally.fail(f"{thing_now} -> {name}: {refused}")
            continue
        tally.seconds.append(time.process_time() - start)
        changed = {each.span.file for each in edits}
        for file in changed:
            source = after.source(file)
            assert source is not None
            copy.write(file, source.text)
        view = after
        tally.renamed += 1
        tally.edits += len(edits)
        prefix = thing_now.name.rpartition(".")
        moved[thing] = attrs.evolve(thing_now, name=f"{prefix[0]}{prefix[1]}{name}")
        said = f"{thing_now.sort} {thing_now.of} {thing_now.name} -> {name}"
        since.append(said)
        for wrong in copy.findings(None):
            tally.fail(f"{said}: {wrong}")
        if len(since) == every or number == len(things):
            tally.places += 1
            for wrong in copy.unlike(tally):
                tally.fail(f"{wrong}, after {since}")
            since = []
        if number % _SHOWN == 0:
            print(f"{number} of {len(things)}, {time.monotonic() - began:.0f} s", flush=True)


def _fresh(chance: random.Random) -> str:
    return "".join(chance.choices(_LETTERS, k=4)) + "o" + "".join(chance.choices(_LETTERS, k=3))


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


class _Copy:
    """A game with its mods on the disk as they are by now, and how its random games go."""

    def __init__(self, view: View, folder: Path, games: int) -> None:
        self._from = view.layers.game.folder
        self.game = folder / "game"
        shutil.copytree(self._from, self.game)
        mods = [self.game / each.folder.relative_to(self._from) for each in view.layers.mods]
        self._before = games_of(self.game, games)
        self._packs = [None, *mods]
        self._known: set[str] = set()  # what is wrong and was told

    def write(self, file: str, text: str) -> None:
        """Let a file be as it is in the view."""
        path = self.game / Path(file).relative_to(self._from)
        path.write_text(text, encoding="utf-8", newline="")

    def findings(self, of: Path | None) -> Iterator[str]:
        """Yield what the lint of the game, or of a mod over it, has come to find."""
        report = rulesdsl.lint(self.game, [of] if of else [])
        yield from self._new(
            {f"{each.span} {each.code}": f"lint: {each.message}" for each in report.diagnostics}
        )

    def scenarios(self, of: Path | None, tally: Tally) -> Iterator[str]:
        """Yield the scenarios of the game, or of a mod over it, that have come to fail."""
        ran = run_scenarios(self.game, [of] if of else [], of=of)
        tally.scenarios += len(ran.results)
        wrong = {f"{each.span} {each.code}": f"scenario: {each.message}" for each in ran.findings}
        wrong |= {each.scenario.name: f"scenario: {each}" for each in ran.failed}
        yield from self._new(wrong)

    def _new(self, wrong: dict[str, str]) -> Iterator[str]:
        for name, said in wrong.items():
            if name not in self._known:
                self._known.add(name)
                yield f"{name}: {said}"

    def unlike(self, tally: Tally) -> Iterator[str]:
        """Yield what is not as it was in the scenarios and in games."""
        for each in self._packs:
            yield from self.findings(each)
            if not rulesdsl.lint(self.game, [each] if each else []).errors:
                yield from self.scenarios(each, tally)
        if rulesdsl.lint(self.game).errors:
            return
        now = games_of(self.game, len(self._before))
        for number, (one, other) in enumerate(zip(self._before, now, strict=True)):
            if one != other:
                yield f"game {number} goes another way"


def games_of(game: Path, count: int) -> list[str]:
    """Return how random games of a pack go."""
    pack = rulesdsl.load(game)
    return [_traced(pack, number) for number in range(count)]


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
