"""Cache of clean packs, so that unchanged content without findings is not checked again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rulesdsl.packs.overlay import Layered, read_layers
from rulesdsl.packs.pack_source import digest_of
from rulesdsl.source import cache
from rulesdsl.source.diagnostics import Findings, LintError, Report

_CLEAN = "clean"


def lint_if_changed(path: Path, mods: Sequence[Path] = ()) -> Report:
    """Check packs as `rulesdsl.lint` does, unless they are cached as clean."""
    try:
        layers = read_layers(path, mods)
    except LintError:
        layers = None
    key = "" if layers is None else _key_of(layers)
    if layers is not None and cache.read_cached(key) == _CLEAN:
        return Report((), layers.sources)
    from rulesdsl.check.frontend import lint  # noqa: PLC0415 - slow import

    report = lint(path, mods)
    if key and not report.diagnostics:
        cache.write_cached(key, _CLEAN)
    return report


def _key_of(layers: Layered) -> str:
    """Return the cache key of packs: digests of content and rulebooks, and the display paths."""
    pages = {
        source.path: source.text
        for pack in layers.packs
        for source in pack.pages(Findings()).values()
    }
    return "\0".join([_CLEAN, layers.digest, digest_of(pages), *sorted(layers.sources)])
