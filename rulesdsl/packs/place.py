"""Where a value of a TOML file is, and how what is wrong with it is said."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import attrs

from rulesdsl.source.english import and_list
from rulesdsl.source.facts import Lacking, NotWhole, UnknownName
from rulesdsl.source.suggest import similar

if TYPE_CHECKING:
    from rulesdsl.packs.merge import MergedTable
    from rulesdsl.packs.toml_spans import Path, TomlIndex
    from rulesdsl.source.diagnostic import Findings
    from rulesdsl.source.span import Span
    from rulesdsl.source.suggest import Advice


@attrs.frozen
class Place:
    """The way to one value while it is read, in one file or in several laid over each other.

    `wording` says of a path, of what should be there and of what does, that it is wrong: each
    kind of file speaks of its values in its own words.
    """

    file: TomlIndex | MergedTable
    path: Path
    findings: Findings
    wording: Callable[[Path, str, object], str]

    @property
    def span(self) -> Span:
        """Where the value is written."""
        return self.file.span(self.path)

    @property
    def key_span(self) -> Span:
        """Where its key is written."""
        return self.file.key_span(self.path)

    @property
    def string_map(self) -> tuple[tuple[int, int], ...]:
        """Where every character of the text is written."""
        return self.file.string_map(self.path)

    def below(self, *steps: str | int) -> Place:
        """Return the place of something in this table or list."""
        return Place(self.file, (*self.path, *steps), self.findings, self.wording)

    def wrong(self, wanted: str, value: object, *, whole: bool = False) -> None:
        """Report a value of the wrong kind; a `whole` number may be wanted."""
        facts = NotWhole() if whole else None
        self.report("E005", self.wording(self.path, wanted, value), facts=facts)

    def report(
        self, code: str, message: str, advice: str | Advice = "", *, facts: object = None
    ) -> None:
        """Report what is wrong with the value."""
        self.findings.report(code, self.span, message, advice, facts=facts)

    def unknown(self, message: str, known: Iterable[str], advice: str = "") -> None:
        """Report a key that means nothing here; the advice is for a key like no other."""
        known = list(known)
        there = [each for each in known if self.file.has((*self.path[:-1], each))]
        name = str(self.path[-1])
        help_text = similar(name, known, there)
        if help_text:
            self.findings.report("E004", self.key_span, message, help_text)
        else:
            facts = UnknownName(name)
            self.findings.report("E004", self.key_span, message, advice, facts=facts)

    def lacks(self, name: str, keys: Iterable[str]) -> None:
        """Report the keys, if any, that this table needs and has not."""
        lacking = list(keys)
        if lacking:
            message = f"{name} lacks {' and '.join(f'`{key}`' for key in lacking)}."
            help_text = f"Add {and_list([f'`{key} = ...`' for key in lacking])}."
            facts = Lacking(tuple((key, "") for key in lacking))
            self.findings.report("E006", self.key_span, message, help_text, facts=facts)
