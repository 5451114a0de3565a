"""Fixes in the manifest of a mod."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rulesdsl.packs.folder import MANIFEST
from rulesdsl.source.fix import Edit, Fix
from rulesdsl.source.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.quick_fixes.place import Place

_AFTER = re.compile(r'precedence, add to its pack\.toml: (after = \["[\w-]+"\])')
_OF_ITS_GAME = re.compile(r"^for_game *=")


def loaded_after(place: Place) -> Iterator[Fix]:
    """Yield a manifest that says which of two mods is loaded later, and so is heard."""
    found = _AFTER.search(place.finding.help)
    mod = place.quoted(of_help=True)[:1]
    for path, source in place.sources.items() if found and mod else ():
        lines = source.lines
        is_its = path.endswith(f"/{MANIFEST}") and f'id = "{mod[0]}"' in lines
        if found and is_its and not any(line.startswith("after") for line in lines):
            at = next((n for n, line in enumerate(lines, 1) if _OF_ITS_GAME.match(line)), 0)
            if at:
                edit = Edit(Span(path, at, 1, at, 1), f"{found[1]}\n")
                yield Fix(f"Load `{mod[0]}` later", (edit,))


def renamed_everywhere(place: Place) -> Iterator[Fix]:
    """Yield the name with the id of its own mod before the dot, wherever it is used."""
    said, shown = place.quoted(), place.quoted(of_help=True)
    if not (said and shown and place.text == said[0]):
        return
    word = re.compile(rf"(?<![\w.-]){re.escape(said[0])}(?![\w.-])")
    edits = [
        Edit(Span(path, at, found.start() + 1, at, found.end() + 1), shown[0])
        for path, source in place.sources.items()
        for at, line in enumerate(source.lines, 1)
        for found in word.finditer(line)
    ]
    yield Fix(f"Change `{said[0]}` to `{shown[0]}`", tuple(edits))
