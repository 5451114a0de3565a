"""The world and the program of a check whose reads are noted, and how a world differs.

A world is filled before any unit runs (see `replay`), so it is compared as a whole with that of
the check before.  What is compared is what units can see of a thing under its name: of a verb its
header, and not its body, which only its own unit is given.
"""

from __future__ import annotations

from operator import is_
from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.check.noted import Rows
from rulesdsl.check.program import PROGRAM_TABLES
from rulesdsl.check.rebodied import rebodied
from rulesdsl.check.replay import Trace
from rulesdsl.check.sameness import same
from rulesdsl.check.world import KindInfo, ProcInfo, ValueInfo, World

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulesdsl.check.pack_check import Checked
    from rulesdsl.packs.layers import Layered
    from rulesdsl.packs.merge import MergedTable
    from rulesdsl.source.diagnostic import Diagnostic, Findings
    from rulesdsl.syntax.declarations import Decl

_INFOS = ("kinds", "pieces", "places", "tracks", "flags", "options", "rivals", "values", "procs")
_TABLES = (
    *_INFOS,
    *("constants", "constant_spans", "plurals", "owners", "renamed", "retold"),
)
_ASIDE = (
    "packs",
    "after",
    "mods",
    "procs",
    "panels",
    "wins",
    "verdicts",
    "start",
    "constant_tables",
    "constants_used",
)
_SETS = ("broken", "lost")


MadeOf = tuple[list["Decl"], tuple[object, ...]]
"""What a world is filled from: declarations, each read only once, and all else by what it says."""


@attrs.frozen
class Filled:
    """A world that has been filled, of what, and what was reported meanwhile."""

    world: World
    made_of: MadeOf
    found: tuple[Diagnostic, ...]
    found_in_tables: tuple[Diagnostic, ...]
    tables: dict[str, MergedTable | None]

    def like(self, made_of: MadeOf) -> Filled | None:
        """Return this as it would be of other bodies; None where something else differs too."""
        (old, rest), (new, more) = self.made_of, made_of
        if rest != more:
            return None
        if len(old) == len(new) and all(map(is_, old, new)):
            return self
        world = rebodied(self.world, old, new)
        return None if world is None else attrs.evolve(self, world=world, made_of=made_of)

    def again(self, layers: Layered, findings: Findings) -> World:
        """Return the world; report once more what is wrong with what it was filled from."""
        findings.extend(self.found)
        layers.findings.extend(self.found_in_tables)
        layers.asked.update(self.tables)
        return self.world


@attrs.define
class Memory:
    """What the last check of some packs leaves for the next one of them."""

    filled: Filled | None = None
    _trace: Trace | None = None  # None: nothing that can be gone on from
    _world: World | None = None  # of that trace, as it was when it had been filled
    _noted: Checked | None = None  # what that trace came to, if it came to its end
    _found: tuple[Diagnostic, ...] = ()  # what was found after the world was filled
    _now: tuple[Trace, World] | None = None  # those of the check that goes on

    def checked(
        self, world: World, findings: Findings, check: Callable[[World], Checked]
    ) -> Checked:
        """Return what a check of a world comes to, of which only what has changed is done."""
        trace, before, noted = Trace(self._trace), self._trace, self._noted
        if self._world is not None and not _compare(self._world, world, trace):
            trace, noted = Trace(), None
        self._trace = self._world = self._noted = None
        self._now = trace, world
        if before is not None and noted is not None and not trace.changed:
            trace.take_over(before)
            noted.program.world.trace = trace
            findings.extend(self._found)
        else:
            start = len(findings)
            try:
                noted = check(_noted(world, trace))
            except BaseException:
                self._now = None
                raise
            self._found = findings.since(start)
        self._noted = noted if noted.complete else None
        if before is not None:
            before.close()
        return noted

    def like(self) -> Memory:
        """Return one for other packs that goes on from the last check of these."""
        return Memory(trace=self._trace, world=self._world)

    def kept(self, checked: Checked) -> Checked:
        """Keep what was done; return it in tables of its own, which nobody notes."""
        if self._now is None:
            return checked
        _, filled = self._now
        self.keep()
        noted = checked.program
        used = set(noted.world.constants_used)
        own: dict[str, Any] = {name: dict(getattr(filled, name)) for name in _TABLES}
        world = attrs.evolve(filled, constants_used=used, **own)
        tables: dict[str, Any] = {n: dict(getattr(noted, n)) for n in PROGRAM_TABLES}
        program = attrs.evolve(
            noted,
            world=world,
            **tables,
            failed=set(noted.failed),
            failed_values=set(noted.failed_values),
        )
        graph = checked.graph.of(program)
        return attrs.evolve(checked, program=program, graph=graph, bodies=dict(checked.bodies))

    def keep(self) -> None:
        """Keep what was done since, when it has been done to the end."""
        if self._now is None:
            return
        trace, world = self._now
        if trace.spoiled:
            self._noted = None
            trace.close()
        else:
            self._trace, self._world = trace, world
        trace.finish()
        self._now = None


KEPT_GAMES = 16  # a game alone, with each mod, with all: those that a session checks again


@attrs.define
class Memories:
    """The memories of all checks of a session: of a game alone, with some mods, with all.

    What was never checked goes on from what is most like it: a mod more is a change as any other.
    """

    _by_packs: dict[tuple[str, ...], Memory] = attrs.Factory(dict)

    def of(self, layers: Layered) -> Memory:
        """Return the memory of a game with these mods; that used longest ago is given up."""
        key = tuple(pack.id for pack in layers.packs)
        found = self._by_packs.pop(key, None) or self._most_alike(key)
        self._by_packs[key] = found
        while len(self._by_packs) > KEPT_GAMES:
            self._by_packs.pop(next(iter(self._by_packs)))
        return found

    def like(self) -> Memories:
        """Return memories that go on from the last checks of these, which stay as they are."""
        return Memories({key: each.like() for key, each in self._by_packs.items()})

    def _most_alike(self, key: tuple[str, ...]) -> Memory:
        alike = max(self._by_packs, key=lambda each: len({*each} & {*key}), default=None)
        return Memory() if alike is None else self._by_packs[alike].like()


def _compare(old: World, world: World, trace: Trace) -> bool:
    """Note how a world differs; False where it does so much that nothing can be gone on from."""
    if list(old.rivals) != list(world.rivals) or old.most_players != world.most_players:
        return False
    for name in _INFOS:
        _share(getattr(old, name), getattr(world, name))
    for name in _TABLES:
        like: Callable[[Any, Any], bool] = _LIKE.get(name, same)
        trace.compare(name, getattr(old, name), getattr(world, name), like)
    trace.compare("formulas", old.values, world.values, same)
    trace.compare("rows", _rows(old), _rows(world), same)
    for name in _ASIDE:
        if not same(getattr(old, name), getattr(world, name)):
            trace.change((f"all {name}", ""))
    for name in _SETS:
        for each in getattr(old, name) ^ getattr(world, name):
            trace.change((name, each))
    return True


def _share(old: dict[Any, Any], new: dict[Any, Any]) -> None:
    """Let what is the same as before be that of before: then it is seen at once to be the same."""
    for key in new.keys() & old.keys():
        if same(old[key], new[key]):
            new[key] = old[key]
        elif isinstance(new[key], list) and len(new[key]) == len(old[key]):
            new[key] = [b if same(b, a) else a for a, b in zip(new[key], old[key], strict=True)]


def _rows(world: World) -> dict[str, object]:
    return {name: kind.entries for name, kind in world.kinds.items()}


def _noted(world: World, trace: Trace) -> World:
    """Return a world that tells the trace what is read of it."""
    kinds = {
        name: attrs.evolve(kind, entries=Rows(name, trace, kind.entries))
        for name, kind in world.kinds.items()
    }
    noted: dict[str, Any] = {name: trace.table(name, getattr(world, name)) for name in _TABLES}
    noted |= {name: trace.marks(name, getattr(world, name)) for name in _SETS}
    noted["kinds"] = trace.table("kinds", kinds)
    trace.input("bundle nouns", world.nouns)
    found = attrs.evolve(world, **noted)
    found.constants_used = trace.marks("constants used", world.constants_used)
    found.trace = trace
    return found


def _like_kind(one: KindInfo, other: KindInfo) -> bool:
    return same(attrs.evolve(one, entries=[]), attrs.evolve(other, entries=[]))


def _like_procs(some: list[ProcInfo], others: list[ProcInfo]) -> bool:
    return same([*map(_header, some)], [*map(_header, others)])


def _header(proc: ProcInfo) -> tuple[object, ...]:
    hooks = tuple((each.time, each.params, each.span) for each in proc.hooks)
    return proc.key, proc.name, proc.verb, proc.span, proc.params, proc.quiet, hooks


def _like_value(one: ValueInfo, other: ValueInfo) -> bool:
    return same(_value_header(one), _value_header(other))


def _value_header(value: ValueInfo) -> tuple[object, ...]:
    hooks = tuple((each.params, each.span) for each in value.hooks)
    return value.name, value.span, value.params, hooks, value.score_title


_LIKE: dict[str, Callable[[Any, Any], bool]] = {
    "kinds": _like_kind,
    "procs": _like_procs,
    "values": _like_value,
}
