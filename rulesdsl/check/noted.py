"""Tables, lists and sets that tell a trace what is read in them and put into them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from rulesdsl.check.replay import NoTrace, Trace

K = TypeVar("K")
V = TypeVar("V")

NAMES = object()
"""In the place of a key: which keys a table has, and their order."""
ALL = object()
"""In the place of a key: all that a table holds."""


class Table(dict[K, V]):
    """A dictionary that tells a trace what is read and set in it."""

    __slots__ = ("name", "trace")

    def __init__(self, name: str, trace: Trace, content: dict[K, V]) -> None:
        super().__init__(content)
        self.name = name
        self.trace: Trace | NoTrace = trace

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
        """Return what is under a key, as that of a dictionary does."""
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
        """Return the keys: they are read, with their order, and nothing under them."""
        self.trace.read(self.name, NAMES)
        return dict.keys(self)

    def values(self) -> Any:  # noqa: ANN401
        """Return all that is in the table."""
        self.trace.read(self.name, NAMES)
        self.trace.read(self.name, ALL)
        return dict.values(self)

    def items(self) -> Any:  # noqa: ANN401
        """Return all that is in the table, with its keys."""
        self.trace.read(self.name, NAMES)
        self.trace.read(self.name, ALL)
        return dict.items(self)


class Rows(list[V]):
    """A list that tells a trace when its elements are read; how many there are is no secret."""

    __slots__ = ("name", "trace")

    def __init__(self, name: str, trace: Trace, content: Iterable[V]) -> None:
        super().__init__(content)
        self.name = name
        self.trace: Trace | NoTrace = trace
        trace.rows.append(self)

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
        self.trace: Trace | NoTrace = trace

    def has(self, key: object) -> bool:
        """Tell whether something is in it, without noting that anybody asked."""
        return set.__contains__(self, key)

    def put(self, key: V, _: object) -> None:
        """Add something that was noted before."""
        set.add(self, key)

    def add(self, key: V) -> None:
        """Add something."""
        set.add(self, key)
        self.trace.set(self.name, key, key)

    def update(self, *others: Iterable[V]) -> None:
        """Add all that is in others."""
        for each in others:
            for key in each:
                self.add(key)

    def __contains__(self, key: object) -> bool:
        found = set.__contains__(self, key)
        self.trace.read(self.name, key, there=found)
        return found
