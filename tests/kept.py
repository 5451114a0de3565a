"""What is costly and the same for many tests: kept for all tests of one worker.

`shipped_pack` is for tests that look at games. `packs_kept` and `files_read_once` put what is kept
under the product's own functions, for tests that go through a command or the checker.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import rulesdsl
from coloma.bundled import bundled_content
from rulesdsl.interpreter import loading
from rulesdsl.source.diagnostic import Diagnostic, Findings
from rulesdsl.syntax import parser

if TYPE_CHECKING:
    import pytest

    from rulesdsl.check.program import Program
    from rulesdsl.lower.form import Form
    from rulesdsl.packs.layers import Layered

_MOST_FILES = 400
_packs: dict[tuple[str, ...], rulesdsl.Pack] = {}
_pack_of = loading.pack_of
_parse_file = parser.parse_file


@cache
def shipped_pack(folder: Path, mods: tuple[Path, ...] = ()) -> rulesdsl.Pack:
    """Return a pack that we ship, with all that was compiled for other tests."""
    return rulesdsl.load(folder, mods)


def packs_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each load of shipped content return one pack, with what was compiled of it."""
    monkeypatch.setattr(loading, "pack_of", _kept_pack_of)


def _kept_pack_of(layers: Layered, program: Program, form: Form) -> rulesdsl.Pack:
    pack = _pack_of(layers, program, form)
    folders = [each.folder.resolve() for each in (layers.game, *layers.mods)]
    if not all(each.is_relative_to(bundled_content().resolve()) for each in folders):
        return pack
    return _packs.setdefault((layers.digest, *map(str, folders), *sorted(layers.sources)), pack)


def files_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the checker parse each text only once; for tests that check almost the same often."""
    for name, module in list(sys.modules.items()):
        if name.startswith("rulesdsl.") and getattr(module, "parse_file", None) is _parse_file:
            monkeypatch.setattr(module, "parse_file", _kept_parse_file)


def _kept_parse_file(text: str, path: str, findings: Findings) -> parser.Parsed:
    parsed, found = _parsed(text, path)
    for each in found:
        findings.add(each)
    return parsed


@lru_cache(_MOST_FILES)
def _parsed(text: str, path: str) -> tuple[parser.Parsed, Sequence[Diagnostic]]:
    findings = Findings()
    return _parse_file(text, path, findings), findings.sorted()
