"""Changes of the text that put a finding right, as plain data: any editor can carry them out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from rulesdsl.source.span import Span


@attrs.frozen
class Edit:
    """One stretch of a file, and the text that takes its place; an empty stretch inserts.

    While a pack is checked, an edit inside a string of a TOML file says what the string is to
    say, and a `word` means only that word of the stretch. In a report it says what the file is
    to say, with quotes and backslashes escaped, and the stretch is exact.
    """

    span: Span
    text: str
    word: str = ""


@attrs.frozen
class Fix:
    """One way to put a finding right, in a few words, with the edits that do it.

    It is `safe` where the finding leaves no doubt about what was meant: it can be made without
    asking. Whoever makes any other has to look at the result.
    """

    title: str
    edits: tuple[Edit, ...]
    safe: bool = False


def replacing(span: Span, old: str, new: str, *, safe: bool) -> Fix:
    """Return the fix that puts another word in the place of one within a stretch."""
    return Fix(f"Change `{old}` to `{new}`", (Edit(span, new, old),), safe)
