"""Fixes that go by the facts of a finding and by the text at its place.

A check says what is wrong; how a text is changed so that it is right is a matter of lines, blanks
and quotes, of which the checks know nothing. So these fixes are added when a report is made:
`offer` looks up the facts of a finding, else its code, in a table of functions, each of which
takes the `Place` of the finding and yields fixes. What the checks themselves can say, such as a
similar name, they report with the finding, and it is left as it is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.check.text_place import STEP, Place
from rulesdsl.packs.folder import MANIFEST
from rulesdsl.source import facts as fa
from rulesdsl.source.facts import (
    Ambiguous,
    AskFirst,
    DeclaredTwice,
    InListTwice,
    InNeedsBrackets,
    KeptPer,
    Lacking,
    LoadAfter,
    NothingToSay,
    OutOfRange,
    SaysTheSame,
    SeveralPlaces,
    UnknownName,
    WrongPrefix,
)
from rulesdsl.source.fix import Edit, Fix
from rulesdsl.source.span import Span
from rulesdsl.syntax.habits import habit_as_name, uses_as_name
from rulesdsl.syntax.token_words import NO_NAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping

    from rulesdsl.source.diagnostic import Diagnostic
    from rulesdsl.source.span import SourceFile

UNKNOWN_NAMES = {"E201", "E204"}

_STATEMENT = re.compile(r"(?!let\b)[a-z][\w-]* .*[^:]")
_ARTICLE = re.compile(r"\ban? (?=[a-z])")
_AMOUNT = re.compile(r"(\S+) [a-z][\w-]*")
_BOUNDS = re.compile(r"(\d+)\.\.(\d+)")
_AGAIN = re.compile(r"\bany number of times\b")
_GUARDED = ("if ", "for ", "may", "repeat ", "choose ", "menu", "all ", "let ", "otherwise")
_KEY = re.compile(r"\s*[\w.'\"-]+\s*=\s*\S+\s*(?:#.*)?$")
_COMMENT_OR_BLANK = re.compile(r"\s*(?:#.*)?$")
# What a field holds until somebody says better; prices can be written in tables only.
_IN_TABLE = {"number": "0", "yes-no": "false", "bundle": "{}"}
_IN_RULES = {"number": "0", "yes-no": "off"}
_HEADER = re.compile(r"\s*\[[^\[\]]+\]\s*(?:#.*)?$")
_NUMBER = re.compile(r"""["'](\d+)["']|(\d+)\.0+""")
_IN_WORDS = (  # as in the habits of the language
    *("zero", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
_OF_ITS_GAME = re.compile(r"^for_game *=")


def at_home(found: Iterable[Diagnostic], packs: Iterable[Container[str]]) -> Iterator[Diagnostic]:
    """Yield findings with the fixes that change nothing but the pack that they are in.

    Whoever writes a mod cannot change the game that it is for.
    """
    packs = list(packs)
    for each in found:
        homes = [pack for pack in packs if each.span.file in pack]
        kept = [
            fix
            for fix in each.fixes
            if all(any(edit.span.file in home for home in homes) for edit in fix.edits)
        ]
        yield each if len(kept) == len(each.fixes) else attrs.evolve(each, fixes=tuple(kept))


def offer(found: Iterable[Diagnostic], sources: Mapping[str, SourceFile]) -> Iterator[Diagnostic]:
    """Yield findings with the fixes that their facts and texts suggest, where they have none."""
    for each in found:
        source = sources.get(each.span.file)
        if source is None or isinstance(each.facts, fa.BlamedOnMod):
            yield each
            continue
        place = Place(each, source, sources)
        habit = habit_as_name(place.line, each.span.column) if each.code in UNKNOWN_NAMES else None
        if habit is not None and not (each.help and (habit.text.isalpha() or _of_a_mod(each))):
            yield attrs.evolve(each, help=habit.habit.says, fixes=tuple(_fixes(place)))
        else:
            yield attrs.evolve(each, fixes=each.fixes or tuple(_fixes(place)))


def _of_a_mod(finding: Diagnostic) -> bool:
    """Whether a name with a dot was probably meant to be one that a mod declares."""
    facts = finding.facts
    return isinstance(facts, UnknownName) and any("." in each for each in facts.near)


def _fixes(place: Place) -> Iterator[Fix]:
    facts, code = place.finding.facts, place.finding.code
    if type(facts) in _BY_FACTS:
        return _BY_FACTS[type(facts)](place, facts)
    return _BY_CODE[code](place) if code in _BY_CODE else iter(())


# ---------------------------------------------------------------- statements
def with_name_for_amount(place: Place) -> Iterator[Fix]:
    """Yield a name for how many in the head of a hook."""
    yield place.insert("n ", safe=True)


def without_back(place: Place) -> Iterator[Fix]:
    """Yield a field without `seen by`."""
    if place.before.endswith(" seen by "):
        start = place.span.column - len(" seen by ")
        span = attrs.evolve(place.span, column=start)
        yield Fix("Remove it", (Edit(span, ""),), safe=True)


def unknown_name(place: Place) -> Iterator[Fix]:
    """Yield what to write in place of a word that means nothing."""
    text = place.text
    if text in NO_NAMES and place.before.endswith(f" {text} "):
        span = attrs.evolve(place.span, column=place.span.column - len(text) - 1)
        yield Fix(f"Write `{text}` once", (Edit(span, text),), safe=True)
    else:
        yield from _habit_named(place)


def _habit_named(place: Place) -> Iterator[Fix]:
    written = habit_as_name(place.line, place.span.column)
    for start, end, new in written.changes(place.line, 0) if written else ():
        old = place.line[start:end]
        if old != new:
            line = place.span.line
            span = Span(place.source.path, line, start + 1, line, end + 1)
            sure = written is not None and written.habit.sure
            yield Fix(f"Change `{old.strip()}` to `{new.strip()}`", (Edit(span, new),), sure)
            return


def asked_first(place: Place, facts: AskFirst) -> Iterator[Fix]:
    """Yield the question whether a thing is there, before a statement that needs it."""
    if place.in_rules and place.indent and _is_statement(place.line.strip()):
        at, guard = place.span.line, f"if any {facts.name}:"
        span = Span(place.source.path, at, place.indent + 1, at, place.indent + 1)
        yield Fix(f"Insert `{guard}`", (Edit(span, f"{guard} "),))


def _is_statement(line: str) -> bool:
    """Whether a line is one statement, without lines of its own."""
    return ":" not in line and not line.startswith(_GUARDED)


def players_only(place: Place) -> Iterator[Fix]:
    """Yield a loop over players, where one over seats makes rivals choose."""
    found = re.search(r"\bfor each seat\b(?=[^:]*: $)", place.before)
    if found:
        at = place.span.line
        span = Span(place.source.path, at, found.start() + 1, at, found.end() + 1)
        yield Fix("Change `for each seat` to `for each player`", (Edit(span, "for each player"),))


def if_able(place: Place) -> Iterator[Fix]:
    """Yield `if able:` before a statement that may be impossible."""
    yield from _guarded(place, "if able: ")


def for_each_player(place: Place) -> Iterator[Fix]:
    """Yield a loop around a statement of a step, in which nobody acts."""
    if place.text.startswith(_GUARDED) or not _STATEMENT.fullmatch(place.text):
        return
    if place.before.rstrip().endswith(":") or not place.before.strip():
        yield place.insert("for each player: ")


def _guarded(place: Place, guard: str) -> Iterator[Fix]:
    text, before = place.text, place.before
    if not text or not _STATEMENT.fullmatch(text) or text.startswith(_GUARDED):
        return
    if not before.strip() or (not place.in_rules and before.rstrip().endswith(("'", '"'))):
        yield place.insert(guard)
    elif place.in_rules and before.rstrip().endswith(":"):
        start = len(before.rstrip()) + 1
        at = place.span.line
        gap = Span(place.source.path, at, start, at, place.span.column)
        margin = " " * (place.indent + STEP)
        yield Fix(f"Insert `{guard.strip()}`", (Edit(gap, f"\n{margin}{guard}"),))


def with_number(place: Place) -> Iterator[Fix]:
    """Yield a number in place of an article, where so many are wanted."""
    new = _ARTICLE.sub("1 ", place.text, count=1)
    if new != place.text:
        yield place.replace(new)


def by_itself(place: Place, facts: NothingToSay) -> Iterator[Fix]:
    """Yield the name of what is there once, by itself."""
    yield place.replace(facts.name)


def with_brackets(place: Place, facts: InNeedsBrackets) -> Iterator[Fix]:
    """Yield brackets around what an `in` is about."""
    yield place.replace(facts.meant, safe=True)


def without_noun(place: Place) -> Iterator[Fix]:
    """Yield the number of an amount."""
    amount = _AMOUNT.fullmatch(place.text)
    if amount:
        yield place.replace(amount[1])


def as_question(place: Place) -> Iterator[Fix]:
    """Yield the question whether there are any."""
    if re.match(r"[a-z][\w-]* in ", place.text):
        yield place.insert("any ")


def at_least_one(place: Place) -> Iterator[Fix]:
    """Yield a divisor that is never 0."""
    if place.text:
        yield place.replace(f"({place.text} at least 1)")


def sorted_bounds(place: Place) -> Iterator[Fix]:
    """Yield bounds with the lower one first."""
    bounds = _BOUNDS.fullmatch(place.text)
    if bounds:
        low, high = sorted(bounds.groups(), key=int)
        yield place.replace(f"{low}..{high}", safe=True)


def of_mine(place: Place, facts: SeveralPlaces) -> Iterator[Fix]:
    """Yield the place of whoever acts, of those that everybody has."""
    if facts.of_seats:
        yield place.replace(f"my {place.text}")


def with_owner(place: Place, facts: KeptPer) -> Iterator[Fix]:
    """Yield whose a track is, where it is not asked for as a place."""
    if facts.meant.split()[1:] == [place.text] and not place.before.endswith(" in "):
        yield place.replace(facts.meant)


def of_candidate(place: Place, facts: Ambiguous) -> Iterator[Fix]:
    """Yield the candidate's, of what could be the game's as well."""
    yield place.replace(facts.meant)


def so_many_times(place: Place) -> Iterator[Fix]:
    """Yield a bound for what may go on forever."""
    first = place.text.split("\n", maxsplit=1)[0]
    found = _AGAIN.search(first)
    if found:
        column, line = place.span.column + found.start(), place.span.line
        span = Span(place.source.path, line, column, line, column + len(found[0]))
        yield Fix("Change it to `up to 3 times`", (Edit(span, "up to 3 times"),))
    elif first.startswith("any time"):
        line, column = place.span.line, place.span.column
        span = Span(place.source.path, line, column, line, column + len("any time"))
        yield Fix("Change `any time` to `once`", (Edit(span, "once"),))


def named_in_text(place: Place, facts: SaysTheSame) -> Iterator[Fix]:
    """Yield a text that names what it is about."""
    if place.text.endswith('"'):
        yield place.replace(f'{place.text[:-1]} {facts.value}"')


def removed_effect(place: Place) -> Iterator[Fix]:
    """Yield what is left without a statement that does nothing."""
    if not place.before.strip() and place.in_rules:
        fix = place.remove_lines(place.span.line, place.last_line(), "Remove it")
        if fix is not None:
            yield fix


# ---------------------------------------------------------------- declarations
def removed(place: Place) -> Iterator[Fix]:
    """Yield the file without the declaration, field or number that a finding is about."""
    if place.in_rules and _is_whole(place):
        fix = place.remove_lines(place.span.line, place.last_line(), "Remove it")
        if fix is not None:
            yield fix
    elif not place.in_rules and _KEY.fullmatch(place.line) and not place.before.strip():
        fix = place.remove_lines(place.span.line, place.span.line, "Remove it")
        if fix is not None:
            yield fix


def _is_whole(place: Place) -> bool:
    """Whether the lines that begin here say nothing else: not a field that entries fill."""
    return not place.indent or not place.before.strip()


def removed_or_renamed(place: Place) -> Iterator[Fix]:
    """Yield what to do with the second of two things of one name: another name, or none."""
    name, facts = place.text, place.finding.facts
    first = place.finding.related[:1]
    if first and first[0].span.file != place.source.path:
        return  # which of the two is the wrong one, nobody knows
    if isinstance(facts, InListTwice):
        yield from _without_member(place)
    elif re.fullmatch(r"[a-z][\w.-]*", name) and not place.before.strip() and place.indent:
        yield from removed(place)
    elif (
        isinstance(facts, DeclaredTwice) and re.fullmatch(r"[a-z][\w-]*", name) and place.in_rules
    ):
        yield place.replace(f"{name}-2")
        yield from removed(place)
    elif not place.before.strip():
        yield from removed(place)


def renamed(place: Place) -> Iterator[Fix]:
    """Yield another name for what has the name of a word of the language, and for its uses."""
    word, path = place.text, place.source.path
    if not re.fullmatch(r"[a-z][\w-]*", word):
        return
    edits = [Edit(place.span, f"{word}-1")]
    first = place.span.line
    for at, line in enumerate(place.source.lines[first - 1 :], first):
        if at > first and line[:1].strip():
            break  # the next declaration
        start = place.span.end_column - 1 if at == first else 0
        for found in uses_as_name(word).finditer(line, start) if place.in_rules else ():
            span = Span(path, at, found.start() + 1, at, found.start() + 1 + len(word))
            edits.append(Edit(span, f"{word}-1"))
    yield Fix(f"Call it `{word}-1`", tuple(edits))


def _without_member(place: Place) -> Iterator[Fix]:
    comma = re.search(r", *$", place.before)
    if comma:
        at = place.span.line
        span = Span(place.source.path, at, comma.start() + 1, at, place.span.end_column)
        yield Fix("Remove it", (Edit(span, ""),), safe=True)


# ---------------------------------------------------------------- entries
def with_fields(place: Place, facts: Lacking) -> Iterator[Fix]:
    """Yield the fields that an entry lacks, with something to begin with."""
    values = _IN_RULES if place.in_rules else _IN_TABLE
    if not (place.in_rules or _HEADER.fullmatch(place.line)):
        return
    margin = " " * STEP if place.in_rules else ""
    lines: list[str] = []
    for name, kind in facts.fields:
        if kind not in values or (place.in_rules and "." in name):
            return
        lines.append(f"{margin}{name} = {values[kind]}\n")
    if place.span.line < len(place.source.lines):
        yield place.insert("".join(lines), "Add what is missing", line=place.span.line + 1)


def with_source(place: Place) -> Iterator[Fix]:
    """Yield the file with a word that says where its numbers come from."""
    lines = place.source.lines
    first = next((n for n, line in enumerate(lines, 1) if line.strip()[:1] not in {"", "#"}), 1)
    title = 'Write `source = "house"` at the top of the file'
    yield place.insert('source = "house"\n\n', title, line=first)


def as_plain_number(place: Place) -> Iterator[Fix]:
    """Yield a number without quotation marks, or without a fraction of zero."""
    found, word = _NUMBER.fullmatch(place.text), place.text.strip("\"'").lower()
    if found:
        yield place.replace(found[1] or found[2], safe=True)
    elif word in _IN_WORDS:
        yield place.replace(str(_IN_WORDS.index(word)), safe=True)


def within_limits(place: Place, facts: OutOfRange) -> Iterator[Fix]:
    """Yield the nearest number that is allowed."""
    if place.text.isdigit():
        beyond = len(place.text) > len(str(facts.most)) + 1  # longer ones than Python reads, too
        number = facts.most if beyond else min(max(int(place.text), facts.least), facts.most)
        yield place.replace(str(number))


# ---------------------------------------------------------------- mods
def loaded_after(place: Place, facts: LoadAfter) -> Iterator[Fix]:
    """Yield a manifest that says which of two mods is loaded later, and so is heard."""
    for path, source in place.sources.items():
        lines = source.lines
        is_its = path.endswith(f"/{MANIFEST}") and f'id = "{facts.mod}"' in lines
        if is_its and not any(line.startswith("after") for line in lines):
            at = next((n for n, line in enumerate(lines, 1) if _OF_ITS_GAME.match(line)), 0)
            if at:
                edit = Edit(Span(path, at, 1, at, 1), f'after = ["{facts.first}"]\n')
                yield Fix(f"Load `{facts.mod}` later", (edit,))


def renamed_everywhere(place: Place, facts: WrongPrefix) -> Iterator[Fix]:
    """Yield the name with the id of its own mod before the dot, wherever it is used."""
    if place.text != facts.name:
        return
    word = re.compile(rf"(?<![\w.-]){re.escape(facts.name)}(?![\w.-])")
    edits = [
        Edit(Span(path, at, found.start() + 1, at, found.end() + 1), facts.right)
        for path, source in place.sources.items()
        for at, line in enumerate(source.lines, 1)
        for found in word.finditer(line)
    ]
    yield Fix(f"Change `{facts.name}` to `{facts.right}`", tuple(edits))


def _alone(finder: Callable[[Place], Iterator[Fix]]) -> Callable[[Place, object], Iterator[Fix]]:
    """Return a finder that needs no more than the place for one that takes the facts, too."""
    return lambda place, _: finder(place)


_BY_FACTS: dict[type, Callable[[Place, Any], Iterator[Fix]]] = {
    fa.AmountWithoutName: _alone(with_name_for_amount),
    fa.NothingHasBack: _alone(without_back),
    AskFirst: asked_first,
    fa.RivalDecides: _alone(players_only),
    NothingToSay: by_itself,
    fa.WrongArgument: _alone(with_number),
    InNeedsBrackets: with_brackets,
    fa.PlainNumberWanted: _alone(without_noun),
    fa.YesNoWanted: _alone(as_question),
    fa.DivisorMayBeZero: _alone(at_least_one),
    fa.BadBounds: _alone(sorted_bounds),
    SeveralPlaces: of_mine,
    KeptPer: with_owner,
    Ambiguous: of_candidate,
    SaysTheSame: named_in_text,
    fa.Unused: _alone(removed),
    Lacking: with_fields,
    fa.NotWhole: _alone(as_plain_number),
    OutOfRange: within_limits,
    LoadAfter: loaded_after,
    WrongPrefix: renamed_everywhere,
}
_BY_CODE: dict[str, Callable[[Place], Iterator[Fix]]] = {
    "E201": unknown_name,
    "E202": removed_or_renamed,
    "E204": unknown_name,
    "E304": for_each_player,
    "E401": if_able,
    "E402": so_many_times,
    "E409": removed,
    "E413": renamed,
    "W604": removed_effect,
    "W606": with_source,
    "W610": removed,
}
