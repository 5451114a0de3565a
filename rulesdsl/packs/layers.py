"""A game and its mods as one: all rules in load order, and every table merged."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import attrs

from rulesdsl.packs import wording
from rulesdsl.packs.find import loaded_before, order_mods
from rulesdsl.packs.manifest import DEFAULT_PLAYERS, Players
from rulesdsl.packs.merge import Layer, MergedTable, merge
from rulesdsl.packs.pack_source import (
    PackSource,
    digest_of,
    read_pack,
    report_missing_table,
    table_path,
)
from rulesdsl.source.diagnostic import Findings, LintError, Related
from rulesdsl.source.facts import LoadAfter
from rulesdsl.source.files import DISK, Files
from rulesdsl.source.span import SourceFile, Span


@attrs.frozen(eq=False)
class Layered:
    """A game and, in the order in which they are loaded, its mods.

    A mod refers to a table of the game by a file of the same relative path in its own folder.
    `fits` says whether these packs can be loaded together; if not, that has been reported.
    `findings` are those of reading: tables are read, and reported, when they are `asked` for.
    """

    game: PackSource
    mods: tuple[PackSource, ...]
    fits: bool
    findings: Findings = attrs.field(repr=False)
    asked: dict[str, MergedTable | None] = attrs.field(factory=dict, init=False, repr=False)

    @property
    def packs(self) -> tuple[PackSource, ...]:
        """The game, and after it the mods."""
        return (self.game, *self.mods)

    @property
    def players(self) -> Players:
        """How many can play: what the last pack says that says anything."""
        said = [pack.manifest.players for pack in self.packs if pack.manifest.players]
        return said[-1] if said else DEFAULT_PLAYERS

    @property
    def complete(self) -> bool:
        """Whether everything could be read; what could not may have declared anything."""
        return all(pack.complete for pack in self.packs)

    @property
    def rules(self) -> tuple[SourceFile, ...]:
        """The rules of all packs, each pack's sorted by path."""
        return tuple(source for pack in self.packs for source in pack.rules)

    @property
    def sources(self) -> dict[str, SourceFile]:
        """All texts by the paths under which they are shown."""
        return {path: each for pack in self.packs for path, each in pack.sources.items()}

    @property
    def files(self) -> dict[str, str]:
        """The SHA-256 of every content file by its path; that of a mod begins with its id."""
        files = dict(self.game.files)
        for mod in self.mods:
            files |= {f"{mod.id}:{path}": digest for path, digest in mod.files.items()}
        return files

    @property
    def digest(self) -> str:
        """A SHA-256 that changes with every content file of any pack, and with the engine."""
        return digest_of(self.files)

    def get(self, path: str, span: Span) -> MergedTable | None:
        """Return a table with all that the mods change in it, read when it is first asked for.

        `None` where no pack has it, reported at `span` unless it may be among what could not be
        read, or none that can be read.
        """
        known = table_path(path)
        if not any(pack.has_toml(known) for pack in self.packs):
            if self.complete:
                existing = sorted({each for pack in self.packs for each in pack.toml_paths()})
                report_missing_table(path, tuple(existing), span, self.findings)
            return None
        if known not in self.asked:
            read = ((pack, pack.toml(known, span)) for pack in self.packs if pack.has_toml(known))
            layers = [Layer(pack, file) for pack, file in read if file]
            before = loaded_before(self.mods)
            self.asked[known] = merge(layers, before, self.findings) if layers else None
        return self.asked[known]

    def at(self, folder: str | Path | None) -> PackSource:
        """Return the pack that was read from a folder, the game for `None`; `KeyError` if none."""
        by_folder = {pack.folder: pack for pack in self.packs}
        return self.game if folder is None else by_folder[Path(folder)]

    def unread(self) -> tuple[tuple[PackSource, str], ...]:
        """Return the tables that nobody has asked for so far, by pack and path."""
        return tuple(
            (pack, path)
            for pack in self.packs
            for path in pack.toml_paths()
            if path not in self.asked
        )


def _check_players(mods: Sequence[PackSource], findings: Findings) -> None:
    """Report mods that set different numbers of players, where none comes after the other."""
    before = loaded_before(mods)
    setting = [each for each in mods if each.manifest.players]
    for first in setting[:-1]:
        second = setting[-1]
        if first.manifest.players != second.manifest.players and first.id not in before[second.id]:
            place, other = (
                each.manifest_file.index.key_span(("players",)) for each in (second, first)
            )
            said = wording.players_at_odds(first.id, second.id)
            related = [Related(other, f"set by `{first.id}` as well")]
            facts = LoadAfter(second.id, first.id)
            findings.report("E506", place, *said, related, facts=facts)


def layer(game: PackSource, mods: Sequence[PackSource], findings: Findings) -> Layered:
    """Put mods over a game, in their right order; those that do not fit are reported."""
    about_mods = Findings()
    ordered = order_mods(game, mods, about_mods)
    findings.extend(about_mods.sorted())
    _check_players(ordered, findings)
    return Layered(game, ordered, not about_mods.has_errors, findings)


def read_layers(path: str | Path, mods: Sequence[str | Path] = (), files: Files = DISK) -> Layered:
    """Read a game and its mods from their folders and put them in order.

    Raises LintError where one cannot be read, or where they cannot be loaded together.
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
    """Read a game and its mods from their folders; None, reported, for one that cannot be read."""
    return [
        read_pack(Path(each), findings, sources=sources, files=files) for each in (path, *mods)
    ]


def lay(packs: Sequence[PackSource | None], findings: Findings) -> Layered | None:
    """Lay packs over the first one; None, reported, where that is no game or one is missing."""
    game, *mods = packs
    if game is None or None in mods:
        return None
    if game.manifest.is_mod:
        wanted = game.manifest.for_game
        findings.report(
            "E501",
            game.manifest_file.index.span(("for_game",)),
            f"`{game.id}` is a mod for the game `{wanted}`, which is not loaded.",
            f"Load `{wanted}` together with this mod.",
        )
        return None
    return layer(game, [each for each in mods if each is not None], findings)
