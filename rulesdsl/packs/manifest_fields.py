"""Reading the fields of a manifest one by one, and reporting those that are missing or wrong."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from rulesdsl.packs.toml_file import TomlFile
from rulesdsl.packs.toml_spans import Path
from rulesdsl.source.diagnostic import Findings
from rulesdsl.source.span import Span
from rulesdsl.source.suggest import did_you_mean

MOST_LETTERS = 2000

_KIND_OF = {bool: "yes or no", int: "a number", float: "a broken number", str: "a text"}
_KIND_OF |= {list: "a list", dict: "a table"}


@attrs.frozen
class ManifestFields:
    """The fields of one manifest. What is missing or of the wrong kind reads as `None`."""

    file: TomlFile
    findings: Findings
    _missing: dict[Path, list[str]] = attrs.field(factory=dict, init=False)

    def peek(self, key: str) -> object | None:
        """Return a field as it stands, without a check."""
        return self.file.data.get(key)

    def refuse(self, path: Path, message: str, advice: str = "") -> None:
        """Report a value that is of the right kind and yet says something that cannot be."""
        self.findings.report("E003", self.file.index.value_span(path), message, advice)

    def report_missing(self) -> None:
        """Report the needed fields that were asked for and are not there."""
        for owner, keys in self._missing.items():
            whole = Span(self.file.source.path, 1, 1, 1, 1)
            span = self.file.index.key_span(owner) if owner else whole
            name = f"`{owner[-1]}`" if owner else "This manifest"
            listed = " and ".join(f"`{key}`" for key in keys)
            self.findings.report("E006", span, f"{name} lacks {listed}.")

    def refuse_unknown(
        self, shared: Sequence[str], own: Sequence[str], of_mods: Sequence[str]
    ) -> None:
        """Report the keys that stand in the manifest and mean nothing there."""
        for key in self.file.data:
            if key in shared or key in own:
                continue
            span = self.file.index.key_span((key,))
            if key in of_mods:
                advice = 'A pack that changes a game says `kind = "mod"`.'
                self.findings.report("E004", span, f"Only a mod has `{key}`.", advice)
            else:
                advice = did_you_mean(key, [*shared, *own])
                self.findings.report("E004", span, f"A manifest has no `{key}`.", advice)

    def text(self, key: str, *, needed: bool = False) -> str | None:
        """Return a text, which may have several lines."""
        value = self.peek(key)
        if value is None:
            if needed:
                self._lacks((), key)
            return None
        if not isinstance(value, str):
            self._wrong((key,), "a text")
            return None
        return value if self._is_shown((key,), value.replace("\n", "")) else None

    def line(self, key: str, *, needed: bool = False) -> str | None:
        """Return a text of one line that says something."""
        value = self.text(key, needed=needed)
        if value is None:
            return None
        if "\n" in value or not value.strip():
            self.refuse((key,), f"`{key}` must be one line of text.")
            return None
        return value

    def choice(self, key: str, allowed: Sequence[str]) -> str | None:
        """Return a needed field that is one of some words."""
        value = self.line(key, needed=True)
        if value is None or value in allowed:
            return value
        listed = " or ".join(f'"{each}"' for each in allowed)
        advice = did_you_mean(value, allowed) or f"Write {listed}."
        span = self.file.index.value_span((key,))
        self.findings.report("E005", span, f"`{key}` is {listed}, not `{value}`.", advice)
        return None

    def lines(self, key: str) -> list[tuple[int, str]]:
        """Return the texts of a list, each with its number in the list."""
        value = self.peek(key)
        if value is None:
            return []
        if not isinstance(value, list):
            self._wrong((key,), "a list of texts")
            return []
        found: list[tuple[int, str]] = []
        for number, each in enumerate(value):
            if not isinstance(each, str):
                self._wrong((key, number), "a text")
            elif self._is_shown((key, number), each):
                found.append((number, each))
        return found

    def table(self, key: str, keys: Sequence[str]) -> bool:
        """Return whether there is such a table; its keys are checked."""
        value = self.peek(key)
        if value is None:
            return False
        if not isinstance(value, dict):
            self._wrong((key,), f"a table with {' and '.join(f'`{each}`' for each in keys)}")
            return False
        for name in value:
            if name not in keys:
                span = self.file.index.key_span((key, name))
                advice = did_you_mean(name, keys)
                self.findings.report("E004", span, f"`{key}` has no `{name}`.", advice)
        return True

    def number(self, table: str, key: str) -> int | None:
        """Return a needed whole number from a table."""
        path = (table, key)
        value = self.file.at(path)
        if value is None:
            self._lacks((table,), key)
            return None
        if isinstance(value, bool) or not isinstance(value, int):
            self._wrong(path, "a whole number")
            return None
        return value

    def _lacks(self, owner: Path, key: str) -> None:
        self._missing.setdefault(owner, []).append(key)

    def _wrong(self, path: Path, wanted: str) -> None:
        value = self.file.at(path)
        found = _KIND_OF.get(type(value), "a date or a time")
        name = ".".join(step for step in path if isinstance(step, str))
        here = " in each place" if isinstance(path[-1], int) else ""
        message = f"`{name}` wants {wanted}{here}, and this is {found}."
        self.findings.report("E005", self.file.index.value_span(path), message)

    def _is_shown(self, path: Path, value: str) -> bool:
        """Refuse what would disturb a terminal: these texts are printed as they are."""
        if not value.isprintable():
            self.refuse(path, "This text has signs in it that cannot be printed.")
        elif len(value) > MOST_LETTERS:
            self.refuse(path, f"This text is longer than {MOST_LETTERS} letters.")
        else:
            return True
        return False
