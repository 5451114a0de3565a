"""Findings with their codes, and the fixes they offer: edits to source text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from functools import lru_cache
from string import Formatter
from typing import Any, Literal, NamedTuple, TypeAlias

import attrs

from rulesdsl.source.english import a_or_an, opening, or_list, plural_of
from rulesdsl.source.facts import UnknownName
from rulesdsl.source.span import SourceFile, Span


@attrs.frozen
class Edit:
    """A range in a file and its replacement; an edit to an empty range is an insertion.

    During a check, the text of an edit inside a TOML string is unescaped, and `word` is the word
    within the range to replace. In a report, the text is escaped and the range exact.
    """

    span: Span
    text: str
    word: str = ""


@attrs.frozen
class Fix:
    """Fix for a finding: a title and its edits.

    A fix is `safe`, and can be applied without asking, if the finding leaves no doubt about the
    author's intention; any other fix has to be reviewed.
    """

    title: str
    edits: tuple[Edit, ...]
    safe: bool = False


def replacing(span: Span, old: str, new: str, *, safe: bool) -> Fix:
    """Return the fix that replaces a word within a span."""
    return Fix(f"Change `{old}` to `{new}`", (Edit(span, new, old),), safe)


MOST_OFFERED = 3  # house: more suggestions do not help
MOST_LISTED = 8  # house: as many names as can be read at a glance
LETTERS_PER_TYPO = 4  # house: with more typos, many other words are as similar
CACHED_DISTANCES = 16_384  # house: a misspelt name is looked up at every use


@attrs.frozen
class Advice:
    """Advice about a word as `written`, and the words that may have been meant.

    `near` has all similar words; `meant` has those that could replace it without other changes.
    """

    text: str
    written: str = ""
    meant: tuple[str, ...] = ()
    near: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the text."""
        return self.text

    def __bool__(self) -> bool:
        """Return true if there is any text."""
        return bool(self.text)

    def fixes(self, span: Span) -> tuple[Fix, ...]:
        """Return the fixes that replace the word at a span; safe if only one word is plausible."""
        return tuple(
            replacing(span, self.written, each, safe=self._is_sure(each)) for each in self.meant
        )

    def _is_sure(self, word: str) -> bool:
        first, *others = self.meant
        return (
            word == first
            and is_slip(self.written, word)
            and all(_is_form(word, other, self.written) for other in others)
        )


def _is_form(word: str, other: str, written: str) -> bool:
    """Return true if `other` is the plural or singular of `word`, but farther from `written`."""
    is_other = other == f"{word}s" or word == f"{other}s"
    return is_other and distance(written, word) < distance(written, other)


def is_slip(written: str, meant: str) -> bool:
    """Return true if a word is so similar to another that it must be a misspelling of it."""
    return len(written) >= distance(written, meant) * LETTERS_PER_TYPO


def closest(name: str, candidates: Iterable[str], limit: int | None = None) -> list[str]:
    """Return the candidates within `limit` typos of `name`, sorted by distance, then by name.

    The default limit is a third of the name's length, but at least one.
    """
    allowed = max(1, len(name) // 3) if limit is None else limit
    near = (
        (distance(name, candidate), candidate)
        for candidate in set(candidates)
        if candidate != name and _may_be_near(name, candidate, allowed)
    )
    return [candidate for slips, candidate in sorted(near) if slips <= allowed]


def _may_be_near(one: str, other: str, allowed: int) -> bool:
    """Return false if the lengths or letters of two words show that they are too far apart.

    This is a hundred times faster than `distance`, and rejects most candidates.
    """
    return (
        abs(len(other) - len(one)) <= allowed
        and len(set(one).difference(other)) <= allowed
        and len(set(other).difference(one)) <= allowed
    )


def similar(
    name: str,
    candidates: Iterable[str],
    is_misfit: Callable[[str], bool] = lambda _: False,
) -> Advice:
    """Return advice with the most similar names; it is falsy if there are none.

    Misfits are suggested without a fix: they would require other changes as well.
    """
    words = [*candidates]
    singulars = [word for word in words if name[-1:] == "s" and plural_of(word) == name]
    best = tuple(dict.fromkeys([*singulars, *closest(name, words)]))[:MOST_OFFERED]
    fitting = tuple(word for word in best if not is_misfit(word))
    return Advice(_offer([f"`{word}`" for word in best]), name, fitting, best)


def among(name: str, candidates: Iterable[str]) -> Advice:
    """Return advice with the most similar names, or with all names if there are only a few."""
    known = list(dict.fromkeys(candidates))
    near = similar(name, known)
    if near or not 0 < len(known) <= MOST_LISTED:
        return near
    return Advice(f"Expected {or_list([f'`{each}`' for each in known])}.")


def did_you_mean(name: str, candidates: Iterable[str]) -> str:
    """Return the text of `similar`, for messages without a fix."""
    return similar(name, candidates).text


def _offer(names: list[str]) -> str:
    if len(names) == 1:
        return f"a similar name exists: {names[0]}"
    return f"similar names exist: {', '.join(names)}" if names else ""


@lru_cache(CACHED_DISTANCES)
def distance(one: str, other: str) -> int:
    """Return the edit distance between two words: insertions, deletions, substitutions, swaps.

    This is optimal string alignment: no substring is edited twice.
    """
    before_last: list[int] = []
    last = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        row = [i]
        for j, wanted in enumerate(other, start=1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                cost = min(cost, before_last[j - 2] + 1)
            row.append(cost)
        before_last, last = last, row
    return last[-1]


# Table of all codes: name, severity and title. Codes are never reused. `pages/<code>-<name>.md`
# explains each of them with an example and a fix. The letter and the first digit are the family:
#
# E0  reading: files, manifests, TOML
# E1  syntax
# E2  names
# E3  types
# E4  bounds, termination, decisions that can get stuck
# E5  mods and layers
# W6  warnings for the designer of a playable game


TABLE: dict[str, tuple[str, Literal["error", "warning"], str]] = {
    "E001": ("file-not-readable", "error", "A file cannot be read"),
    "E002": ("bad-toml", "error", "A file that is not valid TOML"),
    "E003": ("bad-manifest", "error", "A value in `pack.toml` that is not allowed"),
    "E004": ("unknown-key", "error", "A key that nothing declares"),
    "E005": ("wrong-value", "error", "A value of the wrong type"),
    "E006": ("missing-field", "error", "An entry lacks a field"),
    "E101": ("unexpected-word", "error", "An unexpected word"),
    "E102": ("unknown-sign", "error", "An unknown character"),
    "E103": ("bad-indentation", "error", "Indentation that cannot be read"),
    "E104": ("missing-body", "error", "Nothing follows a colon"),
    "E105": ("open-text", "error", "Text without a closing quotation mark"),
    "E201": ("unknown-name", "error", "A name that nothing declares"),
    "E202": ("name-twice", "error", "Two declarations with one name"),
    "E203": ("unclear-name", "error", "A name that could mean several things"),
    "E204": ("unknown-verb", "error", "A verb or step that nothing declares"),
    "E205": ("wrong-arguments", "error", "A verb is called with the wrong arguments"),
    "E206": ("wrong-prefix", "error", "A name with the id of another pack before it"),
    "E301": ("wrong-type", "error", "An expression of the wrong type"),
    "E302": ("may-be-none", "error", "A value that may be missing"),
    "E303": ("cannot-hold", "error", "A place that cannot hold a kind of piece"),
    "E304": ("nobody-acts", "error", "Nobody acts here"),
    "E305": ("misplaced-choice", "error", "A choice where none can be made"),
    "E401": ("can-get-stuck", "error", "A step that may turn out to be impossible"),
    "E402": ("endless", "error", "Something may go on forever"),
    "E403": ("ability-cycle", "error", "Effects that run each other in a cycle"),
    "E404": ("verb-recursion", "error", "A verb that calls itself"),
    "E405": ("decides", "error", "A choice where nobody may be asked"),
    "E406": ("outside-activation", "error", "A flag or track is used where it does not exist"),
    "E407": ("too-large", "error", "A number that is too large"),
    "E408": ("no-game", "error", "A game without `step game`"),
    "E409": ("conflicting-hooks", "error", "Two hooks that replace the same thing"),
    "E410": ("nothing-to-add-to", "error", "Lines for a menu or choice that does not exist"),
    "E413": ("word-of-the-language", "error", "A name that is a word of the language"),
    "E414": ("unreadable-value", "error", "Text with a value that nobody can know"),
    "E415": ("unknown-text", "error", "Text to replace that does not exist"),
    "E416": ("told-secret", "error", "Something hidden written where more players see it"),
    "E501": ("missing-pack", "error", "A mod requires a pack that is missing"),
    "E502": ("wrong-game", "error", "A mod is for another game"),
    "E503": ("excluded-pack", "error", "A pack that another one excludes"),
    "E504": ("mod-cycle", "error", "Mods that have to load after each other"),
    "E505": ("pack-twice", "error", "Two packs with the same id"),
    "E506": ("mod-conflict", "error", "Two mods that contradict each other"),
    "W601": ("unused", "warning", "A declaration that nothing uses"),
    "W602": ("never-used", "warning", "An effect that can never be carried out"),
    "W603": ("never-paid", "warning", "A price that nobody can ever pay"),
    "W604": ("no-effect", "warning", "An effect that does nothing"),
    "W605": ("text-differs", "warning", "Text that does not say what the effect does"),
    "W606": ("missing-source", "warning", "A number without a source"),
    "W607": ("same-title", "warning", "Two entries with the same title"),
    "W610": ("unreachable-verdict", "warning", "A verdict that is never reached"),
    "W611": ("negative-amount", "warning", "An amount below 0"),
    "W612": ("long-text", "warning", "Text that does not fit on one line"),
    "W613": ("text-leaves-out", "warning", "Text that does not mention what it is about"),
    "W614": ("hollow", "warning", "A cost or an offer that may do nothing"),
    "W615": ("unchosen-pieces", "warning", "Pieces that differ, moved without a word on which"),
    "W616": ("filter-read-once", "warning", "A filter of players that changes during the loop"),
    "W617": ("absent-position", "warning", "A position that is compared where it may be 0"),
    "W618": ("open-to-all", "warning", "A secret choice among the pieces of all players"),
    "W619": ("equal-copies", "warning", "Pieces that are compared, while copies count as equal"),
    "W620": ("shown-nowhere", "warning", "Places or tracks that no panel shows"),
    "W624": ("skipped-at-end", "warning", "A hook after the game that `end game` skips"),
    "W623": ("mixed-joins", "warning", "Conditions joined by `and` and `or` without brackets"),
    "W625": (
        "moved-again",
        "warning",
        "Pieces that move again by the next line, player or choice",
    ),
    "W622": ("same-for-all", "warning", "A condition in a filter that is the same for all"),
    "W621": ("hides-nothing", "warning", "A place that hides nothing from anybody"),
    "W630": ("telling-question", "warning", "A question that gives away something hidden"),
    "W631": ("announced-choice", "warning", "An announced choice of something hidden"),
    "W632": ("missing-words", "warning", "Rule source that players would read"),
    "W633": ("imperative-in-log", "warning", "A command as the words of the log"),
    "W634": ("reworded-twice", "warning", "Two mods that replace the same text"),
    "W635": ("public-number", "warning", "A number of hidden pieces that everybody sees"),
}


class Severity(StrEnum):
    """Severity of a finding: only an error prevents a pack from being played."""

    ERROR = "error"
    WARNING = "warning"


@attrs.frozen
class Related:
    """Note on a finding, with a reference to another span."""

    span: Span
    message: str


@attrs.frozen
class Diagnostic:
    """One finding: the problem, its span, and help.

    `fixes` are alternative edits that solve the problem, the best one first. `more` is the number
    of findings of the same kind that are not shown. `facts` are the data of the message, for code:
    messages are only for people.
    """

    code: str
    name: str
    severity: Severity
    span: Span
    message: str
    help: str = ""
    related: tuple[Related, ...] = ()
    fixes: tuple[Fix, ...] = ()
    more: int = 0
    facts: object = None


class Findings:
    """Collector of findings, so that one run reports all of them."""

    def __init__(self) -> None:
        self._found: list[Diagnostic] = []

    def add(self, diagnostic: Diagnostic) -> None:
        """Add one finding."""
        self._found.append(diagnostic)

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Add several findings."""
        self._found.extend(diagnostics)

    def __len__(self) -> int:
        return len(self._found)

    def since(self, number: int) -> tuple[Diagnostic, ...]:
        """Return the findings added after the first `number`."""
        return tuple(self._found[number:])

    def report(
        self,
        code: str,
        span: Span,
        message: str,
        help: str | Advice = "",
        related: Iterable[Related] = (),
        *,
        fixes: Iterable[Fix] = (),
        facts: object = None,
    ) -> None:
        """Create and add a finding; raise `KeyError` if the table has no such code.

        Advice that suggests other words for the text at the span provides fixes, and also the
        `facts` unless others are given.
        """
        name, severity, _title = TABLE[code]
        all_fixes, advice = tuple(fixes), help if isinstance(help, Advice) else None
        if advice is not None:
            all_fixes += advice.fixes(span)
            facts = facts or UnknownName(advice.written, advice.near)
        level, others = Severity(severity), tuple(related)
        self.add(
            Diagnostic(code, name, level, span, message, str(help), others, all_fixes, facts=facts)
        )

    def sorted(self) -> tuple[Diagnostic, ...]:
        """Return the findings in file order, at most one for each code and span."""
        first: dict[tuple[str, Span], Diagnostic] = {}
        for diagnostic in self._found:
            first.setdefault((diagnostic.code, diagnostic.span), diagnostic)
        return tuple(sorted(first.values(), key=lambda each: (each.span, each.code)))

    @property
    def has_errors(self) -> bool:
        """True if any finding is an error."""
        return any(each.severity is Severity.ERROR for each in self._found)


Detail: TypeAlias = Any  # a value for a placeholder of a template


class WordedFinding(NamedTuple):
    """Code, message and advice of one finding."""

    code: str
    message: str
    advice: str | Advice


@attrs.frozen
class Wording:
    """Code of a finding, with templates for its message and advice.

    `{name!a}` inserts a name with its indefinite article, `{dims!p}` a tuple as `per card per
    seat`, `{names!c}` a cycle as `a -> b -> a`. The first letter of a message is capitalised.
    """

    code: str
    message: str
    advice: str = ""

    def __call__(self, advice: str | Advice = "", **fields: Detail) -> WordedFinding:
        """Fill in the templates; `advice`, if given, replaces that of the template."""
        message = opening(_FORMATTER.vformat(self.message, (), fields))
        help_text = advice or _FORMATTER.vformat(self.advice, (), fields)
        return WordedFinding(self.code, message, help_text)

    def report(
        self,
        findings: Findings,
        span: Span,
        related: Iterable[Related] = (),
        *,
        advice: str | Advice = "",
        fixes: Iterable[Fix] = (),
        facts: object = None,
        **fields: Detail,
    ) -> None:
        """Fill in the templates and report the finding; see `__call__`."""
        code, message, help_text = self(advice, **fields)
        findings.report(code, span, message, help_text, related, fixes=fixes, facts=facts)


class _Formatter(Formatter):
    def convert_field(self, value: object, conversion: str | None) -> object:
        if conversion == "a":
            return a_or_an(str(value))
        if conversion == "p" and isinstance(value, tuple):
            return f"per {' per '.join(value)}"
        if conversion == "c" and isinstance(value, list):
            return " -> ".join(value)
        return super().convert_field(value, conversion)


_FORMATTER = _Formatter()


class LintError(Exception):
    """Error, with all findings, for content that cannot be played.

    `sources` has the text of each file that could be read, by path.
    """

    def __init__(
        self, diagnostics: Iterable[Diagnostic], sources: Mapping[str, SourceFile] | None = None
    ) -> None:
        self.diagnostics = tuple(diagnostics)
        self.sources = dict(sources or {})
        super().__init__(self.diagnostics, self.sources)

    def __str__(self) -> str:
        """Render all findings as text."""
        from rulesdsl.source.render import render_text as render  # noqa: PLC0415 - it imports this module

        return render(self.diagnostics, self.sources)


def stretch_of(text: str, span: Span) -> tuple[int, int]:
    """Return the start and end offsets of a span; raise ValueError if it is outside the text."""
    starts = _starts(text)
    start, end = (
        _offset(starts, line, column)
        for line, column in ((span.line, span.column), (span.end_line, span.end_column))
    )
    if end < start:
        raise ValueError(f"{span} ends before it begins")
    return start, end


@lru_cache(maxsize=2)  # house: consecutive calls are about the same file
def _starts(text: str) -> list[int]:
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    return starts


def edited(text: str, edits: Iterable[Edit]) -> str:
    """Apply edits to source text; raise ValueError if they overlap or are outside the text."""
    placed = sorted((*stretch_of(text, each.span), each.text) for each in edits)
    parts, done = [], 0
    for start, end, new in placed:
        if start < done:
            raise ValueError("two edits overlap")
        parts += [text[done:start], new]
        done = end
    return "".join([*parts, text[done:]])


def _offset(starts: list[int], line: int, column: int) -> int:
    if not 1 <= line < len(starts):
        raise ValueError(f"there is no line {line}")
    at = starts[line - 1] + column - 1
    if column < 1 or at >= starts[line]:
        raise ValueError(f"there is no column {column} in line {line}")
    return at


@attrs.frozen
class Report:
    """Result of a lint: the findings in file order, and the source files."""

    diagnostics: tuple[Diagnostic, ...]
    sources: dict[str, SourceFile] = attrs.field(repr=False)

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The findings that prevent the pack from being played."""
        return tuple(each for each in self.diagnostics if each.severity is Severity.ERROR)
