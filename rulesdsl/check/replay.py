"""Checks again only what may have changed: every piece of work notes what it reads and does.

The technique is that of build systems and of compilers in editors: a check is cut into units (the
body of a verb, the guard of a procedure, ...).  While a unit runs, a `Trace` notes each entry of a
table that it reads, each entry that it sets, and what it reports.  The next check has a trace of
its own that knows the one before: a unit whose input and whose reads are what they were is not run
again; what it did is done once more, findings included.

What a unit sets is compared with what it set before.  Where that is the same, down to the last
place in a file, the old value stays, and nothing that reads it has to run.

Units of one kind are a stage: stages come one after the other, and a stage is closed when all its
units have run.  Without a trace before it, and where nobody wants to go on from a check, a trace
is `None` and nothing is noted.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from operator import is_
from typing import TYPE_CHECKING, Any, TypeVar

import attrs

from rulesdsl.check.noted import ALL, NAMES, Marks, Rows, Table
from rulesdsl.check.sameness import same

if TYPE_CHECKING:
    from rulesdsl.source.diagnostic import Diagnostic, Findings

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")
Read = tuple[str, Hashable]  # a table, and a key in it
UnitKey = tuple[Any, ...]  # its stage, and which of that stage

_NOTHING = object()


@attrs.define
class _Unit:
    """What a unit was given, what it read, set, reported and returned."""

    given: tuple[object, ...]
    reads: frozenset[Read]
    own: tuple[tuple[Read, bool], ...]  # reads of tables that its stage fills: was there anything?
    sets: dict[Read, object]
    found: tuple[Diagnostic, ...]
    returned: Any


@attrs.define
class _Past:
    """What a check leaves for the next one, by stage and by name."""

    units: dict[str, dict[UnitKey, _Unit]] = attrs.Factory(dict)
    names: dict[str, dict[str, list[Any]]] = attrs.Factory(dict)  # the keys of the tables it fills
    missed: dict[str, frozenset[Read]] = attrs.Factory(dict)  # what changed since the stage ran
    inputs: dict[str, Any] = attrs.Factory(dict)
    marked: dict[str, frozenset[Any]] = attrs.Factory(dict)


class Trace:
    """The units of one check; `changed` is what differs from the check before.

    A unit that has stages of its own reads what their units read.
    """

    def __init__(self, before: Trace | None = None) -> None:
        self.changed: set[Read] = set()
        self.ran = 0  # units that had to run
        self.spoiled = False
        self.rows: list[Rows[Any]] = []
        self.running = False  # whether a unit runs, and it is worth while to say what it reads
        self.past = _Past()
        self._before = _Past() if before is None else before.past
        self.tables: dict[str, Table[Any, Any] | Marks[Any]] = {}
        self._own: frozenset[str] = frozenset()
        self._reads: dict[Read, bool] | None = None  # of the unit that runs
        self._sets: dict[Read, object] = {}
        self._theirs: list[tuple[int, int]] = []  # which findings are of units within this one
        self._within: dict[Read, bool] | None = (
            None  # what a unit reads that has stages of its own
        )

    # ---------------------------------------------------------------- tables
    def table(self, name: str, content: dict[K, V] | None = None) -> Table[K, V]:
        """Return a table that notes what is read and set in it."""
        found: Table[K, V] = Table(name, self, content or {})
        self.tables[name] = found
        return found

    def marks(self, name: str, content: Iterable[V] = ()) -> Marks[V]:
        """Return a set that notes what is asked of it and added to it."""
        found = Marks(name, self, content)
        self.tables[name] = found
        return found

    def input(self, name: str, content: object) -> None:
        """Take in something that was made before any unit, to be read by `read(name)`."""
        self.past.inputs[name] = content
        if not same(self._before.inputs.get(name, _NOTHING), content):
            self.change((name, ""))

    def inputs(self, name: str, content: dict[str, object]) -> None:
        """Take in several things that were made before any unit, to be read by their keys."""
        self.past.inputs[name] = content
        old = self._before.inputs.get(name, {})
        if content != old:
            for key in content.keys() | old.keys():
                if old.get(key) != content.get(key):
                    self.change((name, key))

    def compare(
        self, name: str, old: dict[Any, Any], new: dict[Any, Any], like: Callable[[Any, Any], bool]
    ) -> None:
        """Note what differs between two tables that were filled before any unit."""
        if list(old) != list(new):
            self.change((name, NAMES))
        for key in old.keys() | new.keys():
            if key not in old or key not in new or not like(old[key], new[key]):
                self.change((name, key))

    def compare_marks(self, name: str) -> None:
        """Compare marks with what they came to in the check before: not only units set them."""
        now = self.past.marked[name] = frozenset(self.tables[name])
        for each in now ^ self._before.marked.get(name, frozenset()):
            self.change((name, each))

    def change(self, what: Read) -> None:
        """Note that something differs from the check before."""
        self.changed.add(what)
        self.changed.add((what[0], ALL))

    def read(self, table: str, key: Hashable = "", *, there: bool = True) -> None:
        """Note that the unit that runs reads something."""
        if self._reads is not None and (table, key) not in self._sets:
            self._reads.setdefault((table, key), there)

    def set(self, table: str, key: Hashable, value: object) -> None:
        """Note that the unit that runs sets something."""
        if self._reads is not None:
            self._sets[table, key] = value

    # ---------------------------------------------------------------- the end
    def spoil(self) -> None:
        """Say that nothing can go on from this check: it depends on more than is noted."""
        self.spoiled = True

    def finish(self) -> None:
        """Forget the check before this one, but for the stages that this one did not come to.

        Of those is kept what has changed since they ran.
        """
        before, past = self._before, self.past
        for stage in before.units.keys() - past.units.keys():
            past.units[stage] = before.units[stage]
            past.names[stage] = before.names.get(stage, {})
            past.missed[stage] = before.missed.get(stage, frozenset()) | self.changed
        past.inputs = before.inputs | past.inputs
        past.marked = before.marked | past.marked
        self._before = _Past()

    def take_over(self, before: Trace) -> None:
        """Go on with the tables of the check before: nothing that they come from has changed."""
        self.tables, self.rows = before.tables, before.rows
        before.tables, before.rows = {}, []
        for table in (*self.tables.values(), *self.rows):
            table.trace = self

    def close(self) -> None:
        """Let go of the tables: else they and this are a circle, which waits for a collection."""
        for table in (*self.tables.values(), *self.rows):
            table.trace = NO_TRACE

    def forget(self, *stages: str) -> None:
        """Forget the units of stages that were not run to their end."""
        for stage in stages:
            self.past.units[stage] = {}

    # ---------------------------------------------------------------- units
    @contextmanager
    def stage(self, name: str, *tables: str) -> Iterator[None]:
        """Run the units of a stage, which fill these tables and nothing else."""
        outer = self._own, self._within
        self._own, self._within = frozenset(tables), self._reads
        ran = self.past.units.setdefault(name, {})
        try:
            yield
        finally:
            self._own, self._within = outer
        for key, unit in self._before.units.get(name, {}).items():
            if key not in ran:
                for what in unit.sets:
                    self.change(what)
        names = self.past.names[name] = {table: [*self.tables[table]] for table in tables}
        old = self._before.names.get(name, {})
        for table, keys in names.items():
            if keys != old.get(table):
                self.change((table, NAMES))

    def returned(self, key: UnitKey) -> Any:  # noqa: ANN401
        """Return what a unit returned the last time; None where it did not run."""
        old = self._before.units.get(key[0], {}).get(key)
        return None if old is None else old.returned

    def unit(
        self,
        key: UnitKey,
        given: tuple[object, ...],
        findings: Findings | None,
        run: Callable[[], T],
    ) -> T:
        """Run a unit, or do again what it did the last time; `key` begins with its stage."""
        stage, start = key[0], 0 if findings is None else len(findings)
        old = self._before.units.get(stage, {}).get(key)
        if old is not None and self._holds(stage, old, given):
            self.past.units.setdefault(stage, {})[key] = old
            for (table, at), value in old.sets.items():
                self.tables[table].put(at, value)
            if findings is not None:
                findings.extend(old.found)
        else:
            old = self._run(key, given, findings, run, old)
        if self._within is not None:
            self._within.update(dict.fromkeys(old.reads, True))
        elif findings is not None:
            self._theirs.append((start, len(findings)))
        returned: T = old.returned
        return returned

    def _holds(self, stage: str, old: _Unit, given: tuple[object, ...]) -> bool:
        missed = self._before.missed.get(stage)
        reads = old.reads
        if not self.changed.isdisjoint(reads) or not (missed is None or missed.isdisjoint(reads)):
            return False
        for (table, at), there in old.own:
            if self.tables[table].has(at) != there:
                return False
        before = old.given
        return (len(before) == len(given) and all(map(is_, before, given))) or same(before, given)

    def _run(
        self,
        key: UnitKey,
        given: tuple[object, ...],
        findings: Findings | None,
        run: Callable[[], T],
        old: _Unit | None,
    ) -> _Unit:
        self.ran += 1
        outer = self._reads, self._sets
        reads: dict[Read, bool] = {}
        sets: dict[Read, object] = {}
        self._reads, self._sets, self.running = reads, sets, True
        theirs, self._theirs = self._theirs, []
        start = 0 if findings is None else len(findings)
        try:
            returned = run()
            found = () if findings is None else self._found(findings, start)
        finally:
            self._reads, self._sets, self._theirs = *outer, theirs
            self.running = outer[0] is not None
        own = tuple((each, there) for each, there in reads.items() if each[0] in self._own)
        unit = _Unit(given, frozenset(reads), own, sets, found, returned)
        self.past.units.setdefault(key[0], {})[key] = unit
        before = {} if old is None else old.sets
        for what, value in sets.items():
            kept = before.get(what, _NOTHING)
            if kept is value:
                continue
            if kept is not _NOTHING and same(kept, value):
                sets[what] = kept
                self.tables[what[0]].put(what[1], kept)
            else:
                self.change(what)
        for what in before.keys() - sets.keys():
            self.change(what)
        return unit

    def _found(self, findings: Findings, start: int) -> tuple[Diagnostic, ...]:
        """Return what a unit has reported, but for what units reported that it came to."""
        found: list[Diagnostic] = []
        for first, last in [*self._theirs, (len(findings), 0)]:
            found += findings.since(start)[: first - start]
            start = last
        return tuple(found)


@attrs.frozen
class NoTrace:
    """What takes the place of a trace where nobody goes on from a check: it notes nothing."""

    running = False

    def table(self, _: str, content: dict[K, V] | None = None) -> dict[K, V]:
        """Return a plain dictionary."""
        return {} if content is None else content

    def marks(self, _: str, content: Iterable[V] = ()) -> set[V]:
        """Return a plain set."""
        return set(content)

    def input(self, name: str, content: object) -> None:
        """Do nothing."""

    def inputs(self, name: str, content: dict[str, object]) -> None:
        """Do nothing."""

    def read(self, table: str, key: Hashable = "", *, there: bool = True) -> None:
        """Do nothing."""

    def set(self, table: str, key: Hashable, value: object) -> None:
        """Do nothing."""

    def compare_marks(self, name: str) -> None:
        """Do nothing."""

    def spoil(self) -> None:
        """Do nothing."""

    def forget(self, *stages: str) -> None:
        """Do nothing."""

    def stage(self, *_: str) -> AbstractContextManager[None]:
        """Return a stage of nothing."""
        return nullcontext()

    def returned(self, _: UnitKey) -> Any:  # noqa: ANN401
        """Return None: nothing ran before."""
        return None

    def unit(
        self,
        key: UnitKey,  # noqa: ARG002 - as that of a trace
        given: tuple[object, ...],  # noqa: ARG002
        findings: Findings | None,  # noqa: ARG002
        run: Callable[[], T],
    ) -> T:
        """Run a unit."""
        return run()


NO_TRACE = NoTrace()
