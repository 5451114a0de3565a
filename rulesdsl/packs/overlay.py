"""A game with its mods as layers, and the merging of their tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

import attrs

from rulesdsl.packs import wording
from rulesdsl.packs.find import loaded_before, order_mods
from rulesdsl.packs.manifest import DEFAULT_PLAYERS, Players
from rulesdsl.packs.pack_source import (
    PackSource,
    digest_of,
    read_pack,
    table_path,
)
from rulesdsl.packs.toml_document import KeyPath, TomlFile, TomlTable
from rulesdsl.source.diagnostics import Findings, LintError, Related, similar
from rulesdsl.source.files import DISK, Files
from rulesdsl.source.span import SourceFile, Span

# The keys that cite the origin of the numbers in the same file; they never conflict.
_SOURCE, _SOURCES = "source", "sources"
# The keys of what only players read: there, the mod that is loaded last wins.
_READ = {"name", "text", "title"}


@attrs.frozen(eq=False)
class Layer:
    """One pack's version of a table."""

    pack: PackSource
    file: TomlFile

    def related(self, path: KeyPath, how: str) -> Related:
        """Return a note that refers to this pack's entry at a path."""
        return Related(self.key_span(path), f"{how} by `{self.pack.id}` as well")

    def key_span(self, path: KeyPath) -> Span:
        """Return the span of a key."""
        return self.file.index.key_span(path)


@attrs.frozen(eq=False)
class MergedTable:
    """One table of a game, merged with those of its mods.

    A query for a missing path is answered for the nearest enclosing table.
    """

    data: TomlTable = attrs.field(repr=False)
    layers: tuple[Layer, ...]
    _origins: Mapping[KeyPath, Layer] = attrs.field(repr=False)

    def layer(self, path: KeyPath) -> Layer:
        """Return the layer that sets a value; for a nested table, the bottom one that has it."""
        while path not in self._origins:
            path = path[:-1]
        return self._origins[path]

    def origin(self, path: KeyPath) -> TomlFile:
        """Return the file of the layer that sets a value; see `layer`."""
        return self.layer(path).file

    def span(self, path: KeyPath) -> Span:
        """Return the span of a value."""
        return self.origin(path).index.span(path)

    def key_span(self, path: KeyPath) -> Span:
        """Return the span of a key."""
        return self.origin(path).index.key_span(path)

    def source_of(self, path: KeyPath) -> str | None:
        """Return the source that is cited for a value in the file that sets it.

        The innermost citation counts: the entry in `sources` of the enclosing table, then its
        `source`, then those of the next enclosing table.
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
    """Merge the layers of a table: at least one, in load order.

    A mod adds or replaces single values or whole lists; all other values remain. `before` has, for
    each mod, the ids of the mods after which it is explicitly loaded. It is a conflict (E506) if
    unordered mods set a value differently or introduce the same table; the last mod then wins.
    """
    if len(layers) == 1:
        return MergedTable(layers[0].file.data, tuple(layers), {(): layers[0]})
    merging = _Merging()
    for layer in layers:
        merging.lay((), merging.data, layer.file.data, layer)
    both: list[KeyPath] = []
    for path, first, layer in merging.reintroduced:
        if first.pack.id not in before.get(layer.pack.id, frozenset()):
            both.append(path)
            _report_both(path, first, layer, findings)
    for path, setters in merging.setters.items():
        if any(path[: len(each)] == each for each in both):
            continue  # already reported
        if path[-1] != _SOURCE and _SOURCES not in path:
            _check_conflict(path, setters, before, findings)
    return MergedTable(merging.data, tuple(layers), merging.origins)


class _Merging:
    """A merge in progress.

    `setters` has the layers that set a value, in load order; `reintroduced` has the tables that
    two mods introduce.
    """

    def __init__(self) -> None:
        self.data: TomlTable = {}
        self.origins: dict[KeyPath, Layer] = {}
        self.setters: dict[KeyPath, list[Layer]] = {}
        self.reintroduced: list[tuple[KeyPath, Layer, Layer]] = []

    def lay(self, path: KeyPath, into: TomlTable, values: TomlTable, layer: Layer) -> None:
        """Merge one table over those merged so far."""
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
                self._reintroduce(here, old, value, layer)
                self.lay(here, old, value, layer)
            else:
                if key in into:
                    self._set(here, layer)
                below: TomlTable = {}
                into[key] = below
                self.lay(here, below, value, layer)

    def _reintroduce(self, path: KeyPath, old: TomlTable, new: TomlTable, layer: Layer) -> None:
        """Record a table if two mods introduce it, that is, both set values directly in it."""
        first = self.origins[path]
        if (
            first.pack.manifest.is_mod
            and _SOURCES not in path
            and _has_values(old)
            and _has_values(new)
        ):
            self.reintroduced.append((path, first, layer))

    def _set(self, path: KeyPath, layer: Layer) -> None:
        self.setters.setdefault(path, []).append(layer)
        self.origins[path] = layer

    def _forget_below(self, path: KeyPath) -> None:
        """Replace a table with a value; layers that set values in the table conflict with this."""
        earlier = self.setters.setdefault(path, [])
        for below in [each for each in self.origins if each[: len(path)] == path]:
            setters = [self.origins.pop(below)]
            if below != path:
                setters += self.setters.pop(below, [])
            earlier += [each for each in setters if each not in earlier]


def _check_conflict(
    path: KeyPath,
    setters: Sequence[Layer],
    before: Mapping[str, frozenset[str]],
    findings: Findings,
) -> None:
    """Report the mods whose value the last one overrides without being ordered after them."""
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
    mods = [each.pack.id for each in (*rivals, last)]
    related = [each.related(path, "set") for each in rivals]
    said = wording.TEXTS_AT_ODDS if path[-1] in _READ else wording.VALUES_AT_ODDS
    wording.report_order(said, findings, last.key_span(path), related, mods, what=f"`{name}`")


def _report_both(path: KeyPath, first: Layer, layer: Layer, findings: Findings) -> None:
    """Report two mods that introduce tables with the same name, which would merge into one."""
    name = ".".join(str(step) for step in path)
    own = ".".join([*(str(step) for step in path[:-1]), layer.pack.id, str(path[-1])])
    related, mods = [first.related(path, "added")], (first.pack.id, layer.pack.id)
    wording.SAME_THING.report(
        findings, layer.key_span(path), related, name=name, own=own, first=mods[0], mod=mods[1]
    )


def _has_values(table: TomlTable) -> bool:
    return any(
        not isinstance(value, dict) and key not in {_SOURCE, _SOURCES}
        for key, value in table.items()
    )


def _is_same(one: object, other: object) -> bool:
    return repr(one) == repr(other)  # `==` would equate `1` and `true`


@attrs.frozen(eq=False)
class Layered:
    """A game and its mods, in load order.

    A mod changes a table of the game with a file that has the same relative path in its own
    folder. `fits` is false if it has been reported that the packs cannot be loaded together.
    A table is read into `asked` on first access, and its errors are added to `findings`.
    """

    game: PackSource
    mods: tuple[PackSource, ...]
    fits: bool
    findings: Findings = attrs.field(repr=False)
    asked: dict[str, MergedTable | None] = attrs.field(factory=dict, init=False, repr=False)

    @property
    def packs(self) -> tuple[PackSource, ...]:
        """The game, then its mods."""
        return (self.game, *self.mods)

    @property
    def players(self) -> Players:
        """The player counts from the last pack that sets them."""
        said = [pack.manifest.players for pack in self.packs if pack.manifest.players]
        return said[-1] if said else DEFAULT_PLAYERS

    @property
    def complete(self) -> bool:
        """True if all files could be read; an unreadable one may declare anything."""
        return all(pack.complete for pack in self.packs)

    @property
    def rules(self) -> tuple[SourceFile, ...]:
        """The rules files of all packs in load order, sorted by path in each pack."""
        return tuple(source for pack in self.packs for source in pack.rules)

    @property
    def sources(self) -> dict[str, SourceFile]:
        """All source files by display path."""
        return {path: each for pack in self.packs for path, each in pack.sources.items()}

    @property
    def files(self) -> dict[str, str]:
        """The SHA-256 of every content file by path; paths of a mod are prefixed with its id."""
        files = dict(self.game.files)
        for mod in self.mods:
            files |= {f"{mod.id}:{path}": digest for path, digest in mod.files.items()}
        return files

    @property
    def digest(self) -> str:
        """One SHA-256 for all content files of all packs and the engine version."""
        return digest_of(self.files)

    def get(self, path: str, span: Span) -> MergedTable | None:
        """Return a merged table, read on first access; `None` if no pack has a valid one.

        If no pack has the table at all, report that at `span`, unless it may be one of the
        unreadable files.
        """
        known = table_path(path)
        if not any(pack.has_toml(known) for pack in self.packs):
            if self.complete:
                existing = sorted({each for pack in self.packs for each in pack.toml_paths()})
                _report_missing_table(path, tuple(existing), span, self.findings)
            return None
        if known not in self.asked:
            read = ((pack, pack.toml(known)) for pack in self.packs if pack.has_toml(known))
            layers = [Layer(pack, file) for pack, file in read if file]
            before = loaded_before(self.mods)
            self.asked[known] = merge(layers, before, self.findings) if layers else None
        return self.asked[known]

    def at(self, folder: str | Path | None) -> PackSource:
        """Return the pack in a folder, or the game for `None`; raise `KeyError` for any other."""
        by_folder = {pack.folder: pack for pack in self.packs}
        return self.game if folder is None else by_folder[Path(folder)]

    def unread(self) -> tuple[tuple[PackSource, str], ...]:
        """Return the pack and path of each table not accessed so far."""
        return tuple(
            (pack, path)
            for pack in self.packs
            for path in pack.toml_paths()
            if path not in self.asked
        )


def _report_missing_table(
    path: str, existing: tuple[str, ...], span: Span, findings: Findings
) -> None:
    pure = PurePosixPath(path)
    if pure.is_absolute() or ".." in pure.parts or "\\" in path or ":" in path:
        wording.TABLE_OUTSIDE.report(findings, span, path=path)
    else:
        listed = (
            f"Existing tables: {', '.join(f'`{each}`' for each in existing[:8])}."
            if existing
            else ""
        )
        near = similar(table_path(path), existing)
        wording.NO_TABLE.report(findings, span, advice=near, path=path, listed=listed)


def _check_players(mods: Sequence[PackSource], findings: Findings) -> None:
    """Report unordered mods that set different player counts."""
    before = loaded_before(mods)
    setting = [each for each in mods if each.manifest.players]
    for first in setting[:-1]:
        second = setting[-1]
        if first.manifest.players != second.manifest.players and first.id not in before[second.id]:
            place, other = (
                each.manifest_file.index.key_span(("players",)) for each in (second, first)
            )
            related = [Related(other, f"set by `{first.id}` as well")]
            both = [first.id, second.id]
            wording.report_order(wording.PLAYERS_AT_ODDS, findings, place, related, both)


def layer(game: PackSource, mods: Sequence[PackSource], findings: Findings) -> Layered:
    """Layer mods over a game in load order; report those that do not fit."""
    about_mods = Findings()
    ordered = order_mods(game, mods, about_mods)
    findings.extend(about_mods.sorted())
    _check_players(ordered, findings)
    return Layered(game, ordered, not about_mods.has_errors, findings)


def read_layers(path: str | Path, mods: Sequence[str | Path] = (), files: Files = DISK) -> Layered:
    """Read a game and its mods from their folders and layer them.

    Raises LintError if one cannot be read, or if they cannot be loaded together.
    """
    findings = Findings()
    sources: dict[str, SourceFile] = {}
    layers = lay(read_packs(path, mods, findings, sources, files), findings)
    if layers is None or findings.has_errors:
        raise LintError(findings.sorted(), sources)
    return layers


def read_packs(
    path: str | Path,
    mods: Sequence[str | Path],
    findings: Findings,
    sources: dict[str, SourceFile],
    files: Files = DISK,
) -> list[PackSource | None]:
    """Read a game and its mods from their folders; report unreadable ones, which become None."""
    return [
        read_pack(Path(each), findings, sources=sources, files=files) for each in (path, *mods)
    ]


def lay(packs: Sequence[PackSource | None], findings: Findings) -> Layered | None:
    """Layer the mods in a list over the game at its beginning.

    Return None if a pack is missing or, after a report, if the first pack is not a game.
    """
    game, *mods = packs
    if game is None or None in mods:
        return None
    if game.manifest.is_mod:
        wanted = game.manifest.for_game
        span = game.manifest_file.index.span(("for_game",))
        wording.WITHOUT_GAME.report(findings, span, mod=game.id, game=wanted)
        return None
    return layer(game, [each for each in mods if each is not None], findings)
