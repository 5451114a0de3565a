"""A table of a game with those of its mods laid over it, value by value.

What a mod says in a table is added, or takes the place of a single value; what it does not
mention stays. A list is one value. Every value keeps the file that it comes from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from rulesdsl.packs import wording
from rulesdsl.packs.pack_source import PackSource
from rulesdsl.packs.toml_file import TomlFile, TomlTable
from rulesdsl.packs.toml_spans import Path
from rulesdsl.source.diagnostic import Findings, Related
from rulesdsl.source.facts import LoadAfter
from rulesdsl.source.span import Span

# Where numbers come from is said for the file it is said in. Two mods that both say it are not
# at odds.
_SOURCE, _SOURCES = "source", "sources"


@attrs.frozen(eq=False)
class Layer:
    """What one pack says in a table."""

    pack: PackSource
    file: TomlFile

    def related(self, path: Path, how: str) -> Related:
        """Return where this pack says something that another one says as well."""
        return Related(self.file.index.key_span(path), f"{how} by `{self.pack.id}` as well")


@attrs.frozen(eq=False)
class MergedTable:
    """One table of a game and its mods.

    Where a path is asked for that no file has, the answer is that of the nearest table around it.
    """

    data: TomlTable = attrs.field(repr=False)
    layers: tuple[Layer, ...]
    _origins: Mapping[Path, Layer] = attrs.field(repr=False)

    def layer(self, path: Path) -> Layer:
        """Return who a value comes from; for a table, who begins it."""
        while path not in self._origins:
            path = path[:-1]
        return self._origins[path]

    def origin(self, path: Path) -> TomlFile:
        """Return the file that a value comes from; for a table, the one that begins it."""
        return self.layer(path).file

    def span(self, path: Path) -> Span:
        """Return where a value is."""
        return self.origin(path).index.span(path)

    def has(self, path: Path) -> bool:
        """Tell whether the file that says what is around a value has one at a path."""
        return self.origin(path).index.has(path)

    def key_span(self, path: Path) -> Span:
        """Return where a key is."""
        return self.origin(path).index.key_span(path)

    def string_map(self, path: Path) -> tuple[tuple[int, int], ...]:
        """Return line and column of every character of a string, and last of its end.

        They are positions in `span(path).file`. `KeyError` if there is no value.
        """
        return self.origin(path).index.string_map(path)

    def source_of(self, path: Path) -> str | None:
        """Return what the file of a value says about where the value comes from.

        The nearest word counts: `sources` of the table around the value, then its `source`, and
        so on outwards.
        """
        file = self.origin(path)
        for depth in range(len(path) - 1, -1, -1):
            table = file.at(path[:depth])
            if isinstance(table, dict):
                listed = table.get(_SOURCES)
                named = listed.get(path[depth]) if isinstance(listed, dict) else None
                for word in (named, table.get(_SOURCE)):
                    if isinstance(word, str):
                        return word
        return None


def merge(
    layers: Sequence[Layer], before: Mapping[str, frozenset[str]], findings: Findings
) -> MergedTable:
    """Lay tables over each other, at least one, in the order in which their packs are loaded.

    `before` has for each mod the ids of those that it wants to come after. Where two mods change
    one value and neither comes after the other, that is reported.
    """
    if len(layers) == 1:
        return MergedTable(layers[0].file.data, tuple(layers), {(): layers[0]})
    merging = _Merging()
    for layer in layers:
        merging.lay((), merging.data, layer.file.data, layer)
    both: list[Path] = []
    for path, first, layer in merging.brought:
        if first.pack.id not in before.get(layer.pack.id, frozenset()):
            both.append(path)
            _report_both(path, first, layer, findings)
    for path, setters in merging.setters.items():
        if any(path[: len(each)] == each for each in both):
            continue  # said already
        if path[-1] != _SOURCE and _SOURCES not in path:
            _check_conflict(path, setters, before, findings)
    return MergedTable(merging.data, tuple(layers), merging.origins)


class _Merging:
    """A table under way.

    `setters` are the layers that have set a value, in load order; `brought` are tables that one
    mod begins and another one brings as well.
    """

    def __init__(self) -> None:
        self.data: TomlTable = {}
        self.origins: dict[Path, Layer] = {}
        self.setters: dict[Path, list[Layer]] = {}
        self.brought: list[tuple[Path, Layer, Layer]] = []

    def lay(self, path: Path, into: TomlTable, values: TomlTable, layer: Layer) -> None:
        """Lay one table over what is there already."""
        self.origins.setdefault(path, layer)
        for key, value in values.items():
            here = (*path, key)
            old = into.get(key)
            if not isinstance(value, dict):
                if isinstance(old, dict):
                    self._forget_below(here)
                self._set(here, layer)
                into[key] = value
            elif isinstance(old, dict):
                self._bring_again(here, old, value, layer)
                self.lay(here, old, value, layer)
            else:
                if key in into:
                    self._set(here, layer)
                below: TomlTable = {}
                into[key] = below
                self.lay(here, below, value, layer)

    def _bring_again(self, path: Path, old: TomlTable, new: TomlTable, layer: Layer) -> None:
        """Note a table that two mods bring: each of them says something of it outright."""
        first = self.origins[path]
        if (
            first.pack.manifest.is_mod
            and _SOURCES not in path
            and _says_outright(old)
            and _says_outright(new)
        ):
            self.brought.append((path, first, layer))

    def _set(self, path: Path, layer: Layer) -> None:
        self.setters.setdefault(path, []).append(layer)
        self.origins[path] = layer

    def _forget_below(self, path: Path) -> None:
        """Make ready for a single value where a table was: who set in there has set the table."""
        earlier = self.setters.setdefault(path, [])
        for below in [each for each in self.origins if each[: len(path)] == path]:
            setters = [self.origins.pop(below)]
            if below != path:
                setters += self.setters.pop(below, [])
            earlier += [each for each in setters if each not in earlier]


def _check_conflict(
    path: Path,
    setters: Sequence[Layer],
    before: Mapping[str, frozenset[str]],
    findings: Findings,
) -> None:
    """Report mods whose value is lost although the last mod does not say it comes after them."""
    last = setters[-1]
    rivals = [
        each
        for each in setters[:-1]
        if each.pack.manifest.is_mod
        and each.pack.id not in before.get(last.pack.id, frozenset())
        and not _is_same(each.file.at(path), last.file.at(path))
    ]
    if not rivals:
        return
    name = ".".join(str(step) for step in path)
    said = wording.values_at_odds(name, [each.pack.id for each in (*rivals, last)])
    related = [each.related(path, "set") for each in rivals]
    facts = LoadAfter(last.pack.id, rivals[0].pack.id)
    findings.report("E506", last.file.index.key_span(path), *said, related, facts=facts)


def _report_both(path: Path, first: Layer, layer: Layer, findings: Findings) -> None:
    """Report two mods that bring things of one name, which would become one thing."""
    name = ".".join(str(step) for step in path)
    own = ".".join([*(str(step) for step in path[:-1]), layer.pack.id, str(path[-1])])
    said = wording.same_thing(name, own, layer.pack.id, first.pack.id)
    related = [first.related(path, "brought")]
    findings.report("E506", layer.file.index.key_span(path), *said, related)


def _says_outright(table: TomlTable) -> bool:
    return any(
        not isinstance(value, dict) and key not in {_SOURCE, _SOURCES}
        for key, value in table.items()
    )


def _is_same(one: object, other: object) -> bool:
    """Tell whether two values are written alike; `==` would take `1` for `true`."""
    return repr(one) == repr(other)
