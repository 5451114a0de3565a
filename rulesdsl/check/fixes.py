"""Fixes for findings, made from their facts and the source text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from typing import Any

import attrs

from rulesdsl.check.symbols.symbol_table import Reference, ReferenceRole, SymbolTable
from rulesdsl.check.text_place import STEP, FindingPlace
from rulesdsl.packs.folder import MANIFEST
from rulesdsl.source import facts as fa
from rulesdsl.source.diagnostics import Diagnostic, Edit, Fix
from rulesdsl.source.english import a_or_an, plural_of
from rulesdsl.source.span import SourceFile, Span, indent_of
from rulesdsl.syntax.lexer import begins, is_word
from rulesdsl.syntax.unreadable_lines import habit_as_name, uses_as_name

ENOUGH_USES = 2  # one typo in the declaration is more likely than the same typo in two uses


def with_renamings(
    found: Iterable[Diagnostic], world: SymbolTable, mentions: Iterable[Reference]
) -> Iterator[Diagnostic]:
    """Extend findings about unknown names with fixes that rename a declaration.

    The declared name is similar and unused, and either its title spells the unknown name or the
    unknown name is used more than once. Where either name may be right, no fix is marked safe.
    """
    pairs = [(each, _pair(each, world)) for each in found]
    uses = Counter[tuple[str, str] | None]()
    for each, pair in pairs:
        uses[pair] += 1 + each.more
    declared = dict(_declared(world))
    used = {each.thing.name for each in mentions if each.role is not ReferenceRole.DECLARES}
    for each, pair in pairs:
        if pair is None or pair[1] not in declared or (pair[1] in used and not is_word(pair[1])):
            yield each
            continue
        name, near = pair
        span, title = declared[near]
        fixes = each.fixes
        if is_word(near):  # it may be intended
            fixes = tuple(attrs.evolve(fix, safe=False) for fix in fixes)
        elif uses[pair] >= ENOUGH_USES or _slug(title) == name:
            edit = Edit(span, name, near)
            fixes = (Fix(f"Call it `{name}` where it is declared", (edit,), safe=True), *fixes)
        elif _slug(title) != near:  # either may be right
            fixes = tuple(attrs.evolve(fix, safe=False) for fix in fixes)
        yield attrs.evolve(each, fixes=fixes)


def _pair(finding: Diagnostic, world: SymbolTable) -> tuple[str, str] | None:
    """Return the unknown name of a finding and the most similar name, both in the singular."""
    facts = finding.facts
    if not isinstance(facts, fa.UnknownName) or not facts.near:
        return None
    name, near = facts.name, facts.near[0]
    if near in world.plurals:
        near = world.plurals[near]
        singular = name.removesuffix("s")
        return (singular, near) if plural_of(singular) == name else None
    return name, near


def _declared(world: SymbolTable) -> Iterator[tuple[str, tuple[Span, str]]]:
    titled = (world.kinds, world.pieces, world.places, world.tracks, world.options, world.rivals)
    for table in titled:
        for name, info in table.items():
            yield name, (info.span, info.title)
    for untitled in (world.flags, world.values):
        for name, plain in untitled.items():
            yield name, (plain.span, "")
    for name, overloads in world.procs.items():
        if len(overloads) == 1:
            yield name, (overloads[0].span, "")
    for kind in world.kinds.values():
        for name, field in kind.fields.items():
            yield name, (field.span, "")


def _slug(title: str) -> str:
    return "-".join(title.lower().split())


UNKNOWN_NAMES = {"E201", "E204"}

_STATEMENT = re.compile(r"(?!let\b)[a-z][\w-]* .*[^:]")
_NAME = re.compile(r"[a-z][\w-]*")
_ARTICLE = re.compile(r"\ban? (?=[a-z])")
_AMOUNT = re.compile(r"(\S+) [a-z][\w-]*")
_BOUNDS = re.compile(r"(\d+)\.\.(\d+)")
_AGAIN = re.compile(r"\bany number of times\b")
_GUARDED = ("if ", "for ", "may", "repeat ", "choose ", "menu", "all ", "let ", "otherwise")
_KEY = re.compile(r"\s*[\w.'\"-]+\s*=\s*\S+\s*(?:#.*)?$")
# Placeholder values for fields, by type; prices can only be written in tables.
_IN_TABLE = {"number": "0", "yes-no": "false", "bundle": "{}"}
_IN_RULES = {"number": "0", "yes-no": "off"}
_HEADER = re.compile(r"\s*\[[^\[\]]+\]\s*(?:#.*)?$")
_NUMBER = re.compile(r"""["'](\d+)["']|(\d+)\.0+""")
_IN_WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
_MOVE = re.compile(r"move (up to )?(.+) \S+ from (.+) into (.+)")
_OF_ITS_GAME = re.compile(r"^for_game *=")


def at_home(found: Iterable[Diagnostic], packs: Iterable[Container[str]]) -> Iterator[Diagnostic]:
    """Drop fixes that edit a pack other than the one with the finding.

    The author of a mod cannot change its game.
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


# Fixes that need the source text: checks report facts, and this module deals with lines,
# indentation and quotes. `offer` looks up the type of a finding's facts, else its code, in a table
# of functions that take its `FindingPlace` and yield fixes. A finding to which a check has
# attached fixes, such as a similar name, gets no others.
def offer(found: Iterable[Diagnostic], sources: Mapping[str, SourceFile]) -> Iterator[Diagnostic]:
    """Add the fixes suggested by facts and source text to the findings without fixes."""
    for each in found:
        source = sources.get(each.span.file)
        if source is None or isinstance(each.facts, fa.BlamedOnMod):
            yield each
            continue
        place = FindingPlace(each, source, sources)
        habit = habit_as_name(place.line, each.span.column) if each.code in UNKNOWN_NAMES else None
        if habit is not None and not (each.help and (habit.text.isalpha() or _of_a_mod(each))):
            yield attrs.evolve(each, help=habit.habit.says, fixes=tuple(_fixes(place)))
        else:
            yield attrs.evolve(each, fixes=each.fixes or tuple(_fixes(place)))


def _of_a_mod(finding: Diagnostic) -> bool:
    """Return whether an unknown name is similar to a name with a mod's prefix."""
    facts = finding.facts
    return isinstance(facts, fa.UnknownName) and any("." in each for each in facts.near)


def _fixes(place: FindingPlace) -> Iterable[Fix]:
    facts, code = place.finding.facts, place.finding.code
    finder = _BY_FACTS.get(type(facts)) or _BY_CODE.get(code)
    return finder(place, facts) if finder else ()


# ---------------------------------------------------------------- statements
def _without_back(place: FindingPlace, _: object) -> Iterator[Fix]:
    """Remove `seen by` from a field."""
    if place.before.endswith(" seen by "):
        start = len(place.before) - len(" seen by ")
        yield place.change(start, place.span.end_column - 1, "", "Remove it", safe=True)


def _unknown_name(place: FindingPlace, _: object) -> Iterator[Fix]:
    """Fix an unknown name that is a doubled word, or a word habitual in another language."""
    text = place.text
    if text in begins("arg") and place.before.endswith(f" {text} "):
        start, title = len(place.before) - len(text) - 1, f"Write `{text}` once"
        yield place.change(start, place.span.end_column - 1, text, title, safe=True)
    else:
        yield from _habit_named(place)


def _habit_named(place: FindingPlace) -> Iterator[Fix]:
    written = habit_as_name(place.line, place.span.column)
    for start, end, new in written.changes(place.line, 0) if written else ():
        if place.line[start:end] != new:
            sure = written is not None and written.habit.sure
            yield place.change(start, end, new, safe=sure)
            return


def _asked_first(place: FindingPlace, facts: fa.UncheckedNone) -> Iterator[Fix]:
    """Insert a test for none before a statement."""
    line = place.line.strip()
    if place.in_rules and place.indent and ":" not in line and not line.startswith(_GUARDED):
        guard, at = f"if any {facts.name}:", place.indent
        yield place.change(at, at, f"{guard} ", f"Insert `{guard}`")


def _players_only(place: FindingPlace, _: object) -> Iterator[Fix]:
    """Change a loop over seats, in which rivals would have to decide, to one over players."""
    found = re.search(r"\bfor each seat\b(?=[^:]*: $)", place.before)
    if found:
        yield place.change(*found.span(), "for each player")


def _for_each_player(place: FindingPlace, _: object) -> Iterator[Fix]:
    """Wrap a statement without an acting seat in a loop over players."""
    if place.text.startswith(_GUARDED) or not _STATEMENT.fullmatch(place.text):
        return
    if place.before.rstrip().endswith(":") or not place.before.strip():
        yield place.insert("for each player: ")


def _if_able(place: FindingPlace, _: object) -> Iterator[Fix]:
    """Insert `if able:` before a statement that may be impossible."""
    text, before = place.text, place.before
    declares = place.in_rules and place.span.column == 1
    if declares or not _STATEMENT.fullmatch(text) or text.startswith(_GUARDED):
        return
    if not before.strip() or (not place.in_rules and before.rstrip().endswith(("'", '"'))):
        yield place.insert("if able: ")
    elif place.in_rules and before.rstrip().endswith(":"):
        new = f"\n{' ' * (place.indent + STEP)}if able: "
        yield place.change(len(before.rstrip()), len(before), new, "Insert `if able:`")


def _joined(place: FindingPlace, _: object) -> Iterator[Fix]:
    """Join a statement with `to` to the one above it."""
    number, text = place.span.line, place.text
    above = place.source.line(number - 1).rstrip() if number > 1 else ""
    same = indent_of(above) == place.indent and not place.before.strip() and place.in_rules
    if same and _is_simple(above.strip()) and _is_simple(text) and text == place.line.strip():
        joined = ", " if " to " in above else " to "
        span = Span(place.source.path, number - 1, len(above) + 1, number, place.span.column)
        yield Fix(f"Join it with `{joined.strip()}` to the line above", (Edit(span, joined),))


def _is_simple(text: str) -> bool:
    return bool(_STATEMENT.fullmatch(text)) and not text.startswith(_GUARDED) and "#" not in text


def _with_number(place: FindingPlace, _: object) -> Iterator[Fix]:
    """Change an article to the number 1."""
    new = _ARTICLE.sub("1 ", place.text, count=1)
    if new != place.text:
        yield place.replace(new)


def _without_noun(place: FindingPlace, _: object) -> Iterator[Fix]:
    """Reduce an amount to its number."""
    amount = _AMOUNT.fullmatch(place.text)
    if amount:
        yield place.replace(amount[1])


def _as_question(place: FindingPlace, _: object) -> Iterator[Fix]:
    """Insert `any` before a count used as a condition."""
    if re.match(r"[a-z][\w-]* in ", place.text):
        yield place.insert("any ")


def _sorted_bounds(place: FindingPlace, facts: fa.BadBounds | fa.EmptyRange) -> Iterator[Fix]:
    bounds = _BOUNDS.fullmatch(place.text)
    if bounds:
        low, high = sorted(bounds.groups(), key=int)
        yield place.replace(f"{low}..{high}", safe=isinstance(facts, fa.BadBounds))


def _with_owner(place: FindingPlace, facts: fa.MissingOwner) -> Iterator[Fix]:
    """Insert `my` before a track or flag, except where a place is expected."""
    if facts.meant.split()[1:] == [place.text] and not place.before.endswith(" in "):
        yield place.replace(facts.meant)


def _so_many_times(place: FindingPlace, _: object) -> Iterator[Fix]:
    """Limit an unbounded repetition."""
    start = len(place.before)
    found = _AGAIN.search(place.line, start)
    if found and "\n" not in place.text[: found.start() - start]:
        yield place.change(*found.span(), "up to 3 times", "Change it to `up to 3 times`")
    elif place.text.startswith("any time"):
        yield place.change(start, start + len("any time"), "once")


def _named_in_text(place: FindingPlace, facts: fa.MissingSubject) -> Iterator[Fix]:
    """Append a placeholder for the missing value to text."""
    if place.text.endswith('"'):
        yield place.replace(f'{place.text[:-1]} {facts.value}"')


def _removed_effect(place: FindingPlace, _: object) -> Iterator[Fix]:
    if not place.before.strip() and place.in_rules:
        yield from place.remove_lines(place.span.line, place.last_line())


def _chosen_pieces(place: FindingPlace, facts: fa.UnchosenPieces) -> Iterator[Fix]:
    """Rewrite a move of several pieces: from the top of a stack, by chance, or by choice."""
    match = _MOVE.fullmatch(place.text)
    if match is None:
        return
    up_to, amount, source, target = match.groups()
    there, several = f"{facts.plural} in {source}", amount != "1"
    enough = "" if up_to else f"needs {there} >= {amount}" if several else f"needs any {there}"
    if facts.ordered:
        count = f"{amount} " if several and amount.isdigit() else ""
        moved = f"move top {count}of {source} into {target}"
        times = amount if several and not count else ""
        yield from _rewritten(place, enough, times, moved, "Take them from the top")
        return
    times = amount if several else ""
    moved = f"move random {facts.piece} in {source} into {target}"
    yield from _rewritten(place, enough, times, moved, "Let chance choose")
    if facts.chooser:
        moved = f"move {a_or_an(facts.piece)} in {source} into {target}"
        if several or up_to:
            moved = f"if any {there}: {moved}"
        enough = enough if several else ""
        yield from _rewritten(place, enough, times, moved, "Let the player choose")


def _tested_in_turn(place: FindingPlace, _: object) -> Iterator[Fix]:
    """Move the filter of a loop over players into its body."""
    body = place.line[place.span.end_column - 1 :]
    if not (place.in_rules and place.before.endswith(" where ") and body.startswith(":")):
        return
    if place.span.line != place.span.end_line or re.search(r"\bit\b", place.text):
        return
    margin, first = " " * (place.indent + STEP), place.span.line
    lines = [f"{place.before.removesuffix(' where ')}:", f"{margin}if {place.text}{body}"]
    lines += [" " * STEP + line for line in place.source.lines[first : place.last_line()]]
    last = place.last_line()
    span = Span(place.source.path, first, 1, last, len(place.source.line(last)) + 1)
    yield Fix("Test it in each turn", (Edit(span, "\n".join(map(str.rstrip, lines))),))


def _seen_by_all(place: FindingPlace, _: object) -> Iterator[Fix]:
    """Remove `seen by` from a place."""
    seen = re.search(r" seen by [a-z]+", place.line)
    if place.in_rules and seen:
        yield place.change(*seen.span(), "", f"Remove `{seen[0].strip()}`")


def _whose_number(place: FindingPlace, _: object) -> Iterator[Fix]:
    """Add `only` or `and counted by all` to `seen by owner`."""
    seen = re.search(r" seen by owner", place.line)
    for words in ("only", "and counted by all") if place.in_rules and seen else ():
        assert seen is not None
        yield place.change(seen.end(), seen.end(), f" {words}", f"Write `seen by owner {words}`")


def _other_piece(place: FindingPlace, _: object) -> Iterator[Fix]:
    """Change `in P where it <> c` to `in P other than c`."""
    match = re.fullmatch(r"it <> ([\w.-]+)|([\w.-]+) <> it", place.text)
    after = place.line[place.span.end_column - 1 :]
    if match is None or not re.search(r" in [^,:]+ where $", place.before) or " or " in after:
        return
    start, end = len(place.before) - len(" where "), place.span.end_column - 1
    more = re.match(" and ", after)
    new = f" other than {match[1] or match[2]}{' where ' if more else ''}"
    yield place.change(start, end + (len(" and ") if more else 0), new)


def _own_pieces(place: FindingPlace, facts: fa.OpenToAll) -> Iterator[Fix]:
    """Restrict a simultaneous choice to the pieces of the player who chooses."""
    start = len(place.before)
    head = re.match(
        r"[\w-]+( (?!in\b|where\b)[a-z][\w-]*)?( in [\w-]+)?( where )?", place.line[start:]
    )
    own = " where " not in facts.meant
    if head is None or (head[3] and not own and " or " in place.line[start:]):
        return
    joined = (" where " if own else " and ") if head[3] else ""
    new = f"{facts.piece}{head[1] or ''} {facts.meant}{joined}"
    yield place.change(start, start + head.end(), new, "Let each choose among their own")


def _rewritten(
    place: FindingPlace, condition: str, times: str, move: str, title: str
) -> Iterator[Fix]:
    """Replace a statement with a condition and a move that may be repeated."""
    if not times and not move.startswith("if "):
        yield place.replace(", ".join(part for part in (condition, move) if part), title)
        return
    before, after = place.before, place.line[place.span.end_column - 1 :].partition("#")[0]
    if not place.in_rules or after.strip() or not (before.endswith(": ") or not before.strip()):
        return
    margin = " " * (place.indent + STEP * bool(before.strip()))
    lines = (
        [condition, f"repeat {times} times:", " " * STEP + move] if times else [condition, move]
    )
    text = f"\n{margin}".join(line for line in lines if line)
    start = len(before.rstrip()) if before.strip() else len(before)
    new = f"\n{margin}{text}" if before.strip() else text
    yield place.change(start, place.span.end_column - 1, new, title)


# ---------------------------------------------------------------- declarations
def _removed(place: FindingPlace, _: object) -> Iterator[Fix]:
    """Remove the declaration, field or number that a finding is about."""
    if place.in_rules and not (place.indent and place.before.strip()):
        yield from place.remove_lines(place.span.line, place.last_line())
    elif not place.in_rules and _KEY.fullmatch(place.line) and not place.before.strip():
        yield from place.remove_lines(place.span.line, place.span.line)


def _more_panels(place: FindingPlace, facts: fa.ShownNowhere) -> Iterator[Fix]:
    """Insert panels for what no panel shows."""
    lines = "".join(f"{panel}\n" for panel in facts.panels)
    yield place.insert(lines, "Show it in a panel", line=place.span.line)


def _removed_or_renamed(place: FindingPlace, _: object) -> Iterator[Fix]:
    """Rename or remove the second of two declarations with the same name."""
    name, facts = place.text, place.finding.facts
    first = place.finding.related[:1]
    if first and first[0].span.file != place.source.path:
        return  # either may be wrong
    if isinstance(facts, fa.InListTwice):
        yield from _without_member(place)
    elif re.fullmatch(r"[a-z][\w.-]*", name) and not place.before.strip() and place.indent:
        yield from _removed(place, None)
    elif isinstance(facts, fa.DeclaredTwice) and _NAME.fullmatch(name) and place.in_rules:
        yield place.replace(f"{name}-2")
        yield from _removed(place, None)
    elif not place.before.strip():
        yield from _removed(place, None)


def _renamed(place: FindingPlace, _: object) -> Iterator[Fix]:
    """Rename a declared name that is a word of the language, and its uses in the declaration."""
    word, path = place.text, place.source.path
    if not _NAME.fullmatch(word):
        return
    edits = [Edit(place.span, f"{word}-1")]
    first = place.span.line
    for at, line in enumerate(place.source.lines[first - 1 :], first):
        if at > first and line[:1].strip():
            break  # next declaration
        start = place.span.end_column - 1 if at == first else 0
        for found in uses_as_name(word).finditer(line, start) if place.in_rules else ():
            span = Span(path, at, found.start() + 1, at, found.start() + 1 + len(word))
            edits.append(Edit(span, f"{word}-1"))
    yield Fix(f"Call it `{word}-1`", tuple(edits))


def _without_member(place: FindingPlace) -> Iterator[Fix]:
    comma = re.search(r", *$", place.before)
    if comma:
        yield place.change(comma.start(), place.span.end_column - 1, "", "Remove it", safe=True)


# ---------------------------------------------------------------- entries
def _with_fields(place: FindingPlace, facts: fa.MissingFields) -> Iterator[Fix]:
    """Insert the missing fields of an entry with placeholder values."""
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
        yield place.insert("".join(lines), "Add the missing fields", line=place.span.line + 1)


def _with_source(place: FindingPlace, _: object) -> Iterator[Fix]:
    """Insert a `source` for the numbers in a file."""
    lines = place.source.lines
    first = next((n for n, line in enumerate(lines, 1) if line.strip()[:1] not in {"", "#"}), 1)
    title = 'Write `source = "house"` at the top of the file'
    yield place.insert('source = "house"\n\n', title, line=first)


def _as_plain_number(place: FindingPlace, _: object) -> Iterator[Fix]:
    """Remove quotation marks or a zero fraction from a number, or write it in digits."""
    found, word = _NUMBER.fullmatch(place.text), place.text.strip("\"'").lower()
    if found:
        yield place.replace(found[1] or found[2], safe=True)
    elif word in _IN_WORDS:
        yield place.replace(str(_IN_WORDS.index(word)), safe=True)


def _within_limits(place: FindingPlace, facts: fa.OutOfRange) -> Iterator[Fix]:
    """Replace a number with the nearest one in range."""
    if place.text.isdigit():
        beyond = len(place.text) > len(str(facts.most)) + 1  # may exceed Python's limit of digits
        number = facts.most if beyond else min(max(int(place.text), facts.least), facts.most)
        yield place.replace(str(number))


# ---------------------------------------------------------------- mods
def _loaded_after(place: FindingPlace, facts: fa.LoadAfter) -> Iterator[Fix]:
    """Insert the load order of two mods into one mod's manifest."""
    for path, source in place.sources.items():
        lines = source.lines
        is_its = path.endswith(f"/{MANIFEST}") and f'id = "{facts.mod}"' in lines
        if is_its and not any(line.startswith("after") for line in lines):
            at = next((n for n, line in enumerate(lines, 1) if _OF_ITS_GAME.match(line)), 0)
            if at:
                edit = Edit(Span(path, at, 1, at, 1), f'after = ["{facts.first}"]\n')
                yield Fix(f"Load `{facts.mod}` later", (edit,))


def _renamed_everywhere(place: FindingPlace, facts: fa.WrongPrefix) -> Iterator[Fix]:
    """Change the prefix of a name to the id of its own mod, in all uses."""
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


_Finder = Callable[[FindingPlace, Any], Iterable[Fix]]
_BY_FACTS: dict[type, _Finder] = {
    fa.AmountWithoutName: lambda place, _: [place.insert("n ", safe=True)],
    fa.NothingHasBack: _without_back,
    fa.UncheckedNone: _asked_first,
    fa.MayBeSkipped: _if_able,
    fa.MayBeJoined: _joined,
    fa.RivalDecides: _players_only,
    fa.SuperfluousIndex: lambda place, facts: [place.replace(facts.name)],
    fa.WrongArgument: _with_number,
    fa.InNeedsBrackets: lambda place, facts: [place.replace(facts.meant, safe=True)],
    fa.PlainNumberWanted: _without_noun,
    fa.YesNoWanted: _as_question,
    fa.DivisorMayBeZero: lambda place, _: [place.replace(f"({place.text} at least 1)")],
    fa.BadBounds: _sorted_bounds,
    fa.EmptyRange: _sorted_bounds,
    fa.SeveralPlaces: lambda place, f: [place.replace(f"my {place.text}")] if f.of_seats else [],
    fa.MissingOwner: _with_owner,
    fa.Ambiguous: lambda place, facts: [place.replace(facts.meant)],
    fa.MissingSubject: _named_in_text,
    fa.UnchosenPieces: _chosen_pieces,
    fa.HidesNothing: _seen_by_all,
    fa.PublicNumber: _whose_number,
    fa.OpenToAll: _own_pieces,
    fa.ShownNowhere: _more_panels,
    fa.EqualCopies: _other_piece,
    fa.FilterReadOnce: _tested_in_turn,
    fa.Unused: _removed,
    fa.MissingFields: _with_fields,
    fa.NotWhole: _as_plain_number,
    fa.OutOfRange: _within_limits,
    fa.LoadAfter: _loaded_after,
    fa.WrongPrefix: _renamed_everywhere,
}
_BY_CODE: dict[str, _Finder] = {
    "E201": _unknown_name,
    "E202": _removed_or_renamed,
    "E204": _unknown_name,
    "E304": _for_each_player,
    "E402": _so_many_times,
    "E409": _removed,
    "E413": _renamed,
    "E416": lambda place, _: [place.append(" shown")],
    "W604": _removed_effect,
    "W606": _with_source,
    "W610": _removed,
    "W623": lambda place, _: [place.replace(f"({place.text})", safe=True)],
}
