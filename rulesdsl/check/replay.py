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
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

import attrs

from rulesdsl.source.span import Span

if TYPE_CHECKING:
    from rulesdsl.source.diagnostic import Diagnostic, Findings

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")
Read = tuple[str, Hashable]  # a table, and a key in it
UnitKey = tuple[Any, ...]  # its stage, and which of that stage

NAMES = object()
"""In the place of a key: which keys a table has, and their order."""
ALL = object()
"""In the place of a key: all that a table holds."""
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
    inputs: dict[str, object] = attrs.Factory(dict)
    settled: dict[str, frozenset[Any]] = attrs.Factory(dict)


class Trace:
    """The units of one check; `changed` is what differs from the check before."""

    def __init__(self, before: Trace | None = None) -> None:
        self.changed: set[Read] = set()
        self.ran = 0  # units that had to run
        self.spoiled = False
        self.running = False  # whether a unit runs, so that it is worth while to say what it reads
        last = _Past() if before is None else before._past
        self._before = last
        self._past = _Past()
        self._tables: dict[str, Table[Any, Any] | Marks[Any]] = {}
        self._own: frozenset[str] = frozenset()
        self._reads: dict[Read, bool] | None = None  # of the unit that runs
        self._sets: dict[Read, object] = {}

    # ---------------------------------------------------------------- tables
    def table(self, name: str, content: dict[K, V] | None = None) -> Table[K, V]:
        """Return a table that notes what is read and set in it."""
        found: Table[K, V] = Table(name, self, content or {})
        self._tables[name] = found
        return found

    def marks(self, name: str, content: Iterable[V] = ()) -> Marks[V]:
        """Return a set that notes what is asked of it and added to it."""
        found = Marks(name, self, content)
        self._tables[name] = found
        return found

    def input(self, name: str, content: object) -> None:
        """Take in something that was made before any unit, to be read by `read(name)`."""
        self._past.inputs[name] = content
        if not same(self._before.inputs.get(name, _NOTHING), content):
            self.change((name, ""))

    def compare(
        self, name: str, old: dict[Any, Any], new: dict[Any, Any], like: Callable[[Any, Any], bool]
    ) -> None:
        """Note what differs between two tables that were filled before any unit."""
        if list(old) != list(new):
            self.change((name, NAMES))
        for key in old.keys() | new.keys():
            if key not in old or key not in new or not like(old[key], new[key]):
                self.change((name, key))

    def settle(self, name: str) -> None:
        """Compare marks with what they came to in the check before: not only units set them."""
        now = self._past.settled[name] = frozenset(self._tables[name])
        for each in now ^ self._before.settled.get(name, frozenset()):
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
        """Say that nothing can go on from this check: what it did depends on more than is noted."""
        self.spoiled = True

    def finish(self) -> None:
        """Forget the check before this one, but for the stages that this one did not come to.

        Of those is kept what has changed since they ran.
        """
        before, past = self._before, self._past
        for stage in before.units.keys() - past.units.keys():
            past.units[stage] = before.units[stage]
            past.names[stage] = before.names.get(stage, {})
            past.missed[stage] = before.missed.get(stage, frozenset()) | self.changed
        past.inputs = before.inputs | past.inputs
        past.settled = before.settled | past.settled
        self._before = _Past()

    def forget(self, *stages: str) -> None:
        """Forget the units of stages that were not run to their end."""
        for stage in stages:
            self._past.units[stage] = {}

    # ---------------------------------------------------------------- units
    @contextmanager
    def stage(self, name: str, *tables: str) -> Iterator[None]:
        """Run the units of a stage, which fill these tables and nothing else."""
        outer, self._own = self._own, frozenset(tables)
        ran = self._past.units.setdefault(name, {})
        try:
            yield
        finally:
            self._own = outer
        for key, unit in self._before.units.get(name, {}).items():
            if key not in ran:
                for what in unit.sets:
                    self.change(what)
        names = self._past.names[name] = {table: [*self._tables[table]] for table in tables}
        old = self._before.names.get(name, {})
        for table, keys in names.items():
            if keys != old.get(table):
                self.change((table, NAMES))

    def unit(
        self,
        key: UnitKey,
        given: tuple[object, ...],
        findings: Findings | None,
        run: Callable[[], T],
    ) -> T:
        """Run a unit, or do again what it did the last time; `key` begins with its stage."""
        stage = key[0]
        old = self._before.units.get(stage, {}).get(key)
        if old is not None and self._holds(stage, old, given):
            self._past.units.setdefault(stage, {})[key] = old
            for (table, at), value in old.sets.items():
                self._tables[table].put(at, value)
            if findings is not None:
                findings.extend(old.found)
            returned: T = old.returned
        else:
            returned = self._run(key, given, findings, run, old)
        return returned

    def _holds(self, stage: str, old: _Unit, given: tuple[object, ...]) -> bool:
        missed = self._before.missed.get(stage)
        return (
            self.changed.isdisjoint(old.reads)
            and (missed is None or missed.isdisjoint(old.reads))
            and all(self._tables[table].has(at) == there for (table, at), there in old.own)
            and same(old.given, given)
        )

    def _run(
        self,
        key: UnitKey,
        given: tuple[object, ...],
        findings: Findings | None,
        run: Callable[[], T],
        old: _Unit | None,
    ) -> T:
        self.ran += 1
        outer = self._reads, self._sets
        reads: dict[Read, bool] = {}
        sets: dict[Read, object] = {}
        self._reads, self._sets, self.running = reads, sets, True
        start = 0 if findings is None else len(findings)
        try:
            returned = run()
        finally:
            self._reads, self._sets = outer
            self.running = outer[0] is not None
        found = () if findings is None else findings.since(start)
        own = tuple((each, there) for each, there in reads.items() if each[0] in self._own)
        unit = _Unit(given, frozenset(reads), own, sets, found, returned)
        self._past.units.setdefault(key[0], {})[key] = unit
        before = {} if old is None else old.sets
        for what, value in sets.items():
            kept = before.get(what, _NOTHING)
            if kept is value:
                continue
            if kept is not _NOTHING and same(kept, value):
                sets[what] = kept
                self._tables[what[0]].put(what[1], kept)
            else:
                self.change(what)
        for what in before.keys() - sets.keys():
            self.change(what)
        return returned


class Table(dict[K, V]):
    """A dictionary that tells a trace what is read and set in it."""

    __slots__ = ("name", "trace")

    def __init__(self, name: str, trace: Trace, content: dict[K, V]) -> None:
        super().__init__(content)
        self.name = name
        self.trace = trace

    def has(self, key: object) -> bool:
        """Tell whether there is something, without noting that anybody asked."""
        return dict.__contains__(self, key)

    def put(self, key: Any, value: Any) -> None:  # noqa: ANN401
        """Set something that was noted before."""
        dict.__setitem__(self, key, value)

    def __getitem__(self, key: K) -> V:
        if self.trace.running:
            self.trace.read(self.name, key, there=dict.__contains__(self, key))
        return dict.__getitem__(self, key)

    def __setitem__(self, key: K, value: V) -> None:
        dict.__setitem__(self, key, value)
        self.trace.set(self.name, key, value)

    def get(self, key: Any, default: Any = None) -> Any:  # noqa: ANN401
        if self.trace.running:
            self.trace.read(self.name, key, there=dict.__contains__(self, key))
        return dict.get(self, key, default)

    def __contains__(self, key: object) -> bool:
        found = dict.__contains__(self, key)
        if self.trace.running:
            self.trace.read(self.name, key, there=found)
        return found

    def __iter__(self) -> Iterator[K]:
        self.trace.read(self.name, NAMES)
        return dict.__iter__(self)

    def __len__(self) -> int:
        self.trace.read(self.name, NAMES)
        return dict.__len__(self)

    def __bool__(self) -> bool:
        return len(self) > 0

    def keys(self) -> Any:  # noqa: ANN401
        self.trace.read(self.name, NAMES)
        return dict.keys(self)

    def values(self) -> Any:  # noqa: ANN401
        self.trace.read(self.name, NAMES)
        self.trace.read(self.name, ALL)
        return dict.values(self)

    def items(self) -> Any:  # noqa: ANN401
        self.trace.read(self.name, NAMES)
        self.trace.read(self.name, ALL)
        return dict.items(self)


class Rows(list[V]):
    """A list that tells a trace when its elements are read; how many there are is no secret."""

    __slots__ = ("name", "trace")

    def __init__(self, name: str, trace: Trace, content: Iterable[V]) -> None:
        super().__init__(content)
        self.name = name
        self.trace = trace

    def __getitem__(self, at: Any) -> Any:  # noqa: ANN401
        self.trace.read("rows", self.name)
        return list.__getitem__(self, at)

    def __iter__(self) -> Iterator[V]:
        self.trace.read("rows", self.name)
        return list.__iter__(self)


class Marks(set[V]):
    """A set that tells a trace what is asked of it and added to it."""

    __slots__ = ("name", "trace")

    def __init__(self, name: str, trace: Trace, content: Iterable[V] = ()) -> None:
        super().__init__(content)
        self.name = name
        self.trace = trace

    def has(self, key: object) -> bool:
        """Tell whether something is in it, without noting that anybody asked."""
        return set.__contains__(self, key)

    def put(self, key: V, _: object) -> None:
        """Add something that was noted before."""
        set.add(self, key)

    def add(self, key: V) -> None:
        set.add(self, key)
        self.trace.set(self.name, key, True)

    def update(self, *others: Iterable[V]) -> None:
        for each in others:
            for key in each:
                self.add(key)

    def __contains__(self, key: object) -> bool:
        found = set.__contains__(self, key)
        self.trace.read(self.name, key, there=found)
        return found


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

    def read(self, table: str, key: Hashable = "", *, there: bool = True) -> None:
        """Do nothing."""

    def settle(self, name: str) -> None:
        """Do nothing."""

    def spoil(self) -> None:
        """Do nothing."""

    def forget(self, *stages: str) -> None:
        """Do nothing."""

    def stage(self, *_: str) -> AbstractContextManager[None]:
        """Return a stage of nothing."""
        return nullcontext()

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


# -------------------------------------------------------------------- comparing
class _Parts(dict[type, "Callable[[Any], object] | None"]):
    """For each class what gets the values of its fields; None where it is no attrs class."""

    def __missing__(self, cls: type) -> Callable[[Any], object] | None:
        names = [each.name for each in attrs.fields(cls)] if attrs.has(cls) else []
        self[cls] = attrgetter(*names) if names else None
        return self[cls]


_PARTS = _Parts()


def same(one: Any, other: Any) -> bool:  # noqa: ANN401
    """Tell whether two values cannot be told apart: also places count, and order in tables."""
    if one is other:
        return True
    cls = one.__class__
    if cls is not other.__class__:
        return False
    parts = _PARTS[cls]
    if parts is not None:
        if cls is Span:
            return one == other  # type: ignore[no-any-return] # of spans
        return same(parts(one), parts(other))
    if cls in _IN_ORDER:
        return len(one) == len(other) and all(map(same, one, other))
    if cls in _BY_KEY:
        return list(one) == list(other) and all(map(same, one.values(), other.values()))
    return one == other  # type: ignore[no-any-return] # of plain values


_IN_ORDER = {tuple, list, Rows}
_BY_KEY = {dict, Table}
