"""The way from a folder to a pack, and to what can be said about one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.source.diagnostic import Findings, LintError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from coloma.engine.pack import Pack, Report, SourceLine
    from rulesdsl import Vocabulary
    from rulesdsl.packs.layers import Layered
    from rulesdsl.source.span import SourceFile


def load_pack(path: Path, mods: Sequence[Path] = ()) -> Pack:
    """Read and check a pack; `LintError` if it cannot be played."""
    import rulesdsl

    return rulesdsl.load(path, mods)


def usual_players(pack: Pack) -> int:
    """Return how many play where nobody says: two, or as near to it as the game goes."""
    least, most = pack.players
    return min(max(2, least), most)


def layers_of(path: Path, mods: Sequence[Path] = ()) -> Layered:
    """Read a game and its mods and put them in order; `LintError` if that cannot be done."""
    from rulesdsl.check.read import read_layers

    findings = Findings()
    sources: dict[str, SourceFile] = {}
    layers = read_layers(path, mods, findings, sources)
    if layers is None or findings.has_errors:
        raise LintError(findings.sorted(), sources)
    return layers


def lint_pack(path: Path, mods: Sequence[Path] = ()) -> Report:
    """Read and check a pack, whatever is wrong with it."""
    import rulesdsl

    return rulesdsl.lint(path, mods)


def sources_of(path: Path, mods: Sequence[Path] = ()) -> Mapping[str, SourceFile]:
    """Return the texts of a pack by the paths under which they are shown."""
    return lint_pack(path, mods).sources


def words_of(path: Path, mods: Sequence[Path] = ()) -> Vocabulary:
    """Return what a game and its mods declare; `LintError` if it cannot be read."""
    import rulesdsl

    return rulesdsl.vocabulary(path, mods)


def numbers_of(path: Path, mods: Sequence[Path] = ()) -> Sequence[SourceLine]:
    """Return the numbers of a pack that are not the rulebook's; `LintError` if it is broken."""
    import rulesdsl

    return rulesdsl.sources(path, mods)
