"""Wording of the findings about declarations, tables, panels and rulebook pages.

A `Wording` is the template of one finding. The check passes the data as fields, so that the codes,
messages and advice of a phase are in one place. Advice that depends on the symbol table, such as
the role of a name, is composed by the functions at the end.
"""

from __future__ import annotations

from functools import partial
from typing import assert_never

import attrs

from rulesdsl.check.symbols import symbol_table as sy
from rulesdsl.check.symbols.symbol_table import SymbolTable
from rulesdsl.source.diagnostics import Advice, Detail, Findings, Related, Wording
from rulesdsl.source.english import a_or_an, opening
from rulesdsl.source.span import Span
from rulesdsl.syntax.node import Identifier

E004 = partial(Wording, "E004")
E005 = partial(Wording, "E005")
E006 = partial(Wording, "E006")
E101 = partial(Wording, "E101")
E102 = partial(Wording, "E102")
E104 = partial(Wording, "E104")
E105 = partial(Wording, "E105")
E201 = partial(Wording, "E201")
E202 = partial(Wording, "E202")
E204 = partial(Wording, "E204")
E205 = partial(Wording, "E205")
E206 = partial(Wording, "E206")
E301 = partial(Wording, "E301")
E407 = partial(Wording, "E407")
E408 = partial(Wording, "E408")
E409 = partial(Wording, "E409")
E415 = partial(Wording, "E415")
E506 = partial(Wording, "E506")

# -------------------------------------------------------------------- names
WRONG_PREFIX = E206(
    "`{name}` begins with `{prefix}`, but `{prefix}` is not the mod that declares it.",
    "Put the id of the declaring mod before the dot: `{own}`.",
)
DECLARED_TWICE = E202("`{name}` is declared twice.")
DECLARED_TWICE_FOR = E202("`{name}` is declared twice with the same parameters.")
NAMED_TWICE = E202("There are two numbers called `{name}`.")
LISTED_TWICE = E202("`{name}` is in this list twice.", "Remove one of them.")
NOTHING_NUMBERED = E301(
    "`{name}` has no entries whose titles could have numbers.",
    "`numbered` is for kinds and places with entries of their own; leave it out here.",
)
NO_NUMBER = E301(
    "The title `{title}` should have one number, since `{kind}` is declared `numbered`.",
    "Put the number that players type into the title, such as `{example}`; or leave `numbered`"
    " out of the declaration of `{kind}`.",
)
NUMBER_TWICE = E202(
    "The titles `{title}` and `{other}` have the same number, so that players could not tell which"
    " {kind} they type.",
    "Give each title a number of its own.",
)
FIELD_TWICE = E202("`{kind}` already has a field `{name}`.", "Give one of them another name.")
UNKNOWN = E201("There are no {what} called `{name}`.")
MISPLACED = E201("`{name}` is {role}, but {what} are needed here.")
UNKNOWN_KIND = E201("There is no kind of thing called `{name}`.")
UNKNOWN_NUMBER = E201("There is no number called `{name}`.")
UNKNOWN_VALUE = E201("There is no value called `{name}`.")
UNKNOWN_VERB = E204("There is no verb or step called `{name}`.")

# -------------------------------------------------------------------- constants
COUNT_NOT_FIXED = E301(
    "The number of pieces in the box must be fixed: a number or a named number.",
    "Write a number, or a name from a constants file.",
)
BAD_COUNT = E407("A kind cannot have {number} pieces.", "It can have 1 to {most}.")
BOUNDS_NOT_FIXED = E301(
    "The bounds of a track must be two fixed numbers, the lower one first.",
    "For example `from 0..20`.",
)
OPTION_NOT_FIXED = E301(
    "The default and bounds of an option must be fixed numbers, the default within the bounds.",
    "For example `3 in 2..4`.",
)
TOO_MANY_VALUES = E407("An option cannot have {number} values.", "It can have 1 to {most}.")

# -------------------------------------------------------------------- verbs and hooks
OTHER_PARAMETERS = E204(
    "`{name}` is not declared with these parameters.", "It is declared as {known}."
)
UNNAMED_AMOUNT = E204(
    "`{noun}` needs a name for the amount.", "Write it as it is declared: `{header}`."
)
OTHER_VALUE_PARAMETERS = E205(
    "`{name}` is not declared with these parameters.",
    "Use those of its declaration.",
)
NO_SUCH_TEXT = E415("`{name}` has {found} with `{text}`.", "It has {known}.")
NO_TEXT = E415(
    "`{name}` has {found} with `{text}`.", "It has no text: hook a verb or step that it calls."
)

GAME_TAKES_NOTHING = E408("`game` starts the game and takes no arguments.", "Write `step game:`.")
NO_GAME = E408(
    "There is no `step game`: nothing says how the game is played.",
    "Write `step game:`, and below it what happens, in order.",
)

# -------------------------------------------------------------------- references
OWNER_NO_SEAT = E201(
    "Pieces belong to a seat or a player, not to `{name}`.", "Write `per seat` or `per player`."
)
BAD_EYES = E201(
    "A place or track is seen by `owner`, `others` or `nobody`, not by `{name}`.",
    "If everybody sees it, leave `seen by` out.",
)
REMEMBERED = {
    "number": E301("A number to remember is a track: `track {name} per player`."),
    "yes-no": E301("A yes or no to remember is a flag: `flag {name} per player`."),
}
NOT_REMEMBERED = E301(
    "`{kind}` cannot be remembered.", "A memory holds an entry of a kind, a player or a seat."
)
PIECE_REMEMBERED = E301(
    "A memory holds an entry, a player or a seat, and `{kind}` is a kind of piece.",
    "Move the piece to a place of its own, or mark it with a flag `per {kind}`.",
)
TRACK_COUNTED = E101(
    "A hidden track never shows its number.",
    "Leave out `{words}`.",
)
MEMORY_NOTICED = E101(
    "All players notice that a memory is set or cleared: only what it holds is hidden.",
    "Leave out `{words}`. If nobody may notice, keep a number on a track that is `seen by owner`.",
)
NO_OWNER = E101(
    "This belongs to no player, so it has no owner.",
    "Declare it `per player`, so that each has one of their own. Or say that it is "
    "`seen by nobody`, and show pieces to those who may see them: `show c to p`.",
)
COUNTED_ANYWAY = E101(
    "Everybody sees how many pieces lie here anyway.",
    "Leave out `and counted by all`: it is only for a place `per player` and per something else"
    " that is `seen by owner`.",
)
BAD_BACK = E201(
    "A field can only be `seen by all`, not by `{name}`.",
    "Write `seen by all`, or leave it out: then the place of the piece decides who sees it.",
)
NOTHING_HAS_BACK = E201(
    "Only a field of a piece can be `seen by all`: nothing else has a back.",
    "Remove `seen by all`: everybody sees these fields.",
)
NOT_ON_BACK = E201(
    "`{type}` cannot be printed on a back.",
    "A back can show a single number, a yes or no, text or an entry.",
)
BAD_VERDICT = E201("A verdict must be won, drawn or lost, not `{name}`.")
VALUE_IN_VERDICT = E102(
    "Values in braces are not filled in here: the text of a verdict is fixed.",
    "Leave them out, or write several verdicts.",
)

# -------------------------------------------------------------------- conflicts
TWO_WINNERS = E202(
    "Two lines say who wins.", "Remove one. Tie-breaks go on the same line: `then most ...`."
)
TWO_TEXTS = E409("There are two replacements for {what}.", "Remove one.")
MODS_DISAGREE = E506("These mods disagree on {what}: `{first}`, `{mod}`.")
NUMBER_REPLACED = E506(
    "`{first}` sets `{name}`, and `{mod}` replaces it.",
    "Or use `{name}` in its replacement: it has the value set by `{first}`.",
)
TWO_HOOKS = E409(
    "Two hooks replace `{name}` completely.",
    "Remove one, or let it call the original by its own name.",
)
MODS_REPLACE = E506(
    "These mods each replace `{name}`: `{first}`, `{mod}`.",
    "Or let one of them call the original by its own name.",
)

# -------------------------------------------------------------------- entries
NO_ENTRIES = E006(
    "This file contains no {plural}.",
    "Begin one with a line such as `[first-{kind}]`, and put its fields below.",
)
TOO_LARGE = E407("{found} is too large.", "Numbers go up to {most}.")
TOO_MANY_COPIES = E407("An entry cannot have {found} copies.", "It can have 1 to {most}.")
UNKNOWN_SECTION = E004("No kind called `{key}` is read from this file.", "Expected {listed}.")
BAD_ENTRY_NAME = E005(
    "`{name}` cannot be the name of {a_kind}.",
    "A name consists of lower-case letters, digits and hyphens. "
    'The text shown to players goes into the entry: `name = "..."`.',
)
ENTRY_TWICE = E202("There is already {a_kind} `{name}`.")
ID_TWICE = E202("`{name}` already has the id `{id}`.", "Give one of them another id.")
NO_COPIES = E004("{a_kind} is not a piece: there are no copies of it.", "Remove the line.")
BAD_SOURCE = E005("A source must be {known}.")
NO_SOURCED = E004("There is no `{key}` here that could have a source.")
UNKNOWN_FIELD = E004("{a_kind} has no field `{name}`.", "Declare it in the kind, or remove it.")
SET_TWICE = E202("`{entry}` sets its `{field}` twice.", "Remove one of them.")
NOT_EFFECT = E005("`{name}` is declared as `{type}`.", "Write `{name} = ...`.")
OTHER_TYPE = E005("`{name}` of {a_kind} is declared as `{type}`.", "Write a value of that kind.")
UNKNOWN_ENTRY = E201("There is no {kind} `{name}`.")
UNKNOWN_COLUMN = E004("There is no {kind} `{key}`.")
UNKNOWN_TABLE_FIELD = E004(
    "{a_kind} has no field `{key}`.", "Declare it in the rules, or remove the line."
)
NO_PART_OF_EFFECT = E004(
    "An effect in a table has no `{key}`.", "Its keys are `title` and `does`."
)
UNQUOTED = 'A key with a dot needs quotation marks: `"{name}" = ...`.'
UNKNOWN_PRICE = E004("There is nothing called `{key}` that can be paid.")
SET_NOWHERE = E006(
    "None of the {plural} sets its `{field}`.",
    "Set it in each of them, or give the field a default.",
)
OTHER_DEFAULT = E005(
    "`{name}` is declared as `{type}`, but its default has another type.",
    "Write a default of the field's type.",
)
LACKS_FIELD = E006(
    "`{name}` lacks {fields}.", "Set it, or give the field a default in its declaration."
)
LACKS_FIELDS = E006(
    "`{name}` lacks {fields}.", "Set them, or give the fields defaults in their declaration."
)

# -------------------------------------------------------------------- panels
TITLE_TWICE = E202(
    "There are two panels with the title {title}.",
    "Give one of them another title, or show everything in one of them.",
)
BAD_WHEN = E201("A panel must be shown `always` or only `apart`, not `{name}`.")
DRAWN_ONCE = E201(
    "A panel shown as a {form} is drawn once, not once per `{name}`.",
    "Leave `per` out, or use `as table`.",
)
TABLE_OF_WHAT = E201(
    "This table does not say what its rows are.",
    "Write `as table per player`, or per another kind of thing.",
)
ONLY_MAP_ALONG = E201("Only a map takes `along`.", "Write `as map along`.")
ONLY_GRID_BY = E201(
    "Only a grid or a map is laid out by rows and columns.",
    "Write `as grid by`, or leave `by` out.",
)
NO_PLACES = E201("A {form} shows places, and `{name}` is not a place.", "Name the places to show.")
GRID_BY_WHAT = E201(
    "This grid does not say what its rows and columns are.",
    "Write `as grid by row and column`: fields of the places, or the two kinds after `per` "
    "in their declaration.",
)
ONE_KIND = E201(
    "A grid shows one kind of place, and what each of them has.",
    "Show a field of the places here, or a track or flag per place; others in another panel.",
)
ONE_GRID_EACH = E201(
    "Each {per} has `{name}` of their own, at the same rows and columns.",
    "Write `per {per}` for a grid for each, or `of me` for the one of the viewer.",
)
MAP_ALONG_WHAT = E201(
    "This map does not say what connects its places.",
    "Write `as map along`, and a field that lists them in order.",
)
NO_WAYS = E201(
    "No kind has a field `{name}` that lists {plural}.", "Declare it as `{name}: {plural}`."
)
NO_OWN_TABLE = E201("The places on a map must have their own table.")
NO_COORDINATE = E201(
    "`{name}` is {type}: it cannot number rows or columns.",
    "Rows and columns are numbers, or things of a kind.",
)
NO_ROOM = E201(
    "A panel cannot show the field `{name}`.",
    "It can show a number, a yes or no, text, an entry or an effect on each line.",
)
SEVERAL_PIECES = E201(
    "A panel can say where a single piece is, but there are several {name}.",
    "Name the place, or count them there: `{plural} in ...`.",
)
SAME_FOR_ALL = E201(
    "There is no separate `{name}` per {per}: it would be the same for all of them.",
    "Show it in a panel of its own.",
)
NEVER_THERE = E201("No {plural} are ever in `{place}`.", "Name pieces that it `holds`.")
OF_WHICH = E205(
    "`{name}` is a value of {of}: this panel cannot tell which one.",
    "Write `per player` to show it for each player. Without `per`, only a value of the "
    "whole game can be shown.",
)

# -------------------------------------------------------------------- pages of the rulebook
LONE_BRACE = E105(
    "This brace has no match.",
    "Put a value in braces, on one line: {{price of kite}}. A brace itself is \\{{ or \\}}.",
)
NO_TITLE = E006("A page of the rulebook begins with its title.", "For example: # The end")
NO_END = E104("This part has no end.", "Close it: {{end}}")
NO_END_BEFORE = E101(
    "The part before this one has no end.",
    "Close it with a line {{end}}; these parts cannot be nested.",
)
NOTHING_TO_END = E101(
    "There is nothing to end here.",
    "A conditional part begins with a line such as {{if players = 2}}.",
)
OF_WHOM = E301(
    "The rulebook cannot say whose this is: that depends on the game.", "Name an entry."
)
PAGE_TOO_LONG = E407(
    "This page has more than {most} lines, including repeated ones.",
    "Repeat it for fewer entries, or split the page.",
)
UNKNOWN_PAGE_KIND = E201("There is no kind `{name}`.")


# -------------------------------------------------------------------- advice
def report_twice(
    said: Wording,
    findings: Findings,
    span: Span,
    first: Related,
    world: SymbolTable,
    *,
    name: str,
    facts: object = None,
    **fields: Detail,
) -> None:
    """Report a second declaration of a name."""
    pack = world.pack_of(span)
    advice = "give one of them another name."
    if pack in world.mods and pack != world.pack_of(first.span) and "." not in name:
        advice = f"put the id of the mod before this one: `{pack}.{name}`."
    if said is DECLARED_TWICE and name in world.kinds:
        extended = f"To add fields to it, write `kind {name}:` and put them below."
        advice = f"{extended} To declare something else, {advice}"
    advice = opening(advice)
    said.report(findings, span, [first], advice=advice, facts=facts, name=name, **fields)


def report_unknown(
    said: Wording,
    what: str,
    word: Identifier,
    world: SymbolTable,
    findings: Findings,
    advice: str | Advice = "",
) -> None:
    """Report a word that is undeclared, or not a symbol of the required role."""
    role = sort_of(word.text, world)
    template = attrs.evolve(MISPLACED, code=said.code) if role else said
    template.report(findings, word.span, advice=advice, name=word.text, what=what, role=role)


def help_to_hook(name: str, world: SymbolTable) -> str:
    """Return advice for a hook on a field or price, which cannot have hooks; otherwise ""."""
    if name in world.constants:
        return (
            f"`{name}` is a price or a chart; hooks change only single numbers. To "
            "change it for everybody, change it in a table in the mod; to change it only in some "
            "cases, hook the verb that uses it."
        )
    field = world.field(name)
    if field is None:
        return ""
    kind = world.kinds[field.kind]
    where = f"in a table `{kind.table}` in the mod" if kind.table else f"with `{kind.name} ...:`"
    return (
        f"`{name}` is a field of {kind.name}, and hooks do not change fields. To change it "
        f"for everybody, change it {where}; to change it only in some cases, hook the verb that "
        "uses it, or one that it calls."
    )


def help_to_use(name: str, world: SymbolTable) -> str:
    """Return advice on the notation of a field, or "" if no field has the name."""
    field = world.field(name)
    return "" if field is None else " ".join(_field_use(field))


def _field_use(field: sy.FieldInfo) -> tuple[str, str]:
    use = f"{field.name} of ..." + (" at ..." if field.per else "")
    if field.type in {"effect", "automatic"}:
        use = f"do {use}"
    return f"`{field.name}` is a field of {field.kind}.", f"Say which: `{use}`."


def sort_of(name: str, world: SymbolTable) -> str | None:
    """Return the role of a declared name, such as `a place`; None if undeclared."""
    found = world.find(name)
    return None if found is None else _role(found, world)


_ROLES: dict[type, str] = {
    sy.PlaceInfo: "a place",
    sy.PieceInfo: "a piece",
    sy.TrackInfo: "a track",
    sy.MemoryInfo: "a memory",
    sy.FlagInfo: "a flag",
    sy.ValueInfo: "a value",
    sy.OptionSymbol: "an option",
    sy.NumberInfo: "a named number",
    sy.KindInfo: "a kind of thing",
    sy.RivalInfo: "a rival",
}


def _role(found: sy.Declared, world: SymbolTable) -> str:
    match found:
        case sy.ProcInfo(verb=verb):
            return "a verb" if verb else "a step"
        case sy.EntryInfo(kind=kind) if world.kinds[kind].role == "piece":
            return f"a type of {kind}"
        case sy.EntryInfo(kind=kind):
            return f"one of the {world.kinds[kind].plural}"
        case sy.FieldInfo(kind=kind):
            return f"a field of {kind}"
        case _:
            return _ROLES[type(found)]


def known_as(  # noqa: C901, PLR0912 - one case per class
    name: str, world: SymbolTable
) -> tuple[str, str] | None:
    """Return a message and advice for a declared name in the wrong context; None for others."""
    found = world.find(name)
    by_itself = f"Write `{name}` by itself."
    if found is None:
        return None
    said = f"`{name}` is {_role(found, world)}"
    match found:
        case sy.PlaceInfo(dims=dims):
            whose = "my " if dims in {("seat",), ("player",)} else ""
            advice = f"Ask what is there, for example `any ... in {whose}{name}`."
            return f"{said}, not a value.", advice
        case sy.PieceInfo(plural=plural):
            return f"`{name}` could be anywhere.", f"Say where they are: `{plural} in ...`."
        case sy.TrackInfo(dims=dims) | sy.FlagInfo(dims=dims) if dims:
            per = f"There is a separate `{name}` per {' per '.join(dims)}."
            return per, f"Say whose it is: `my {name}`, or `{name} of ...`."
        case sy.TrackInfo() | sy.FlagInfo():
            return f"There is only one `{name}`.", by_itself
        case sy.ValueInfo(params=params) if params:
            wanted = " and ".join(str(param.type) for param in params)
            return f"{said} of {wanted}.", f"Say which: `{name} of ...`."
        case sy.ValueInfo():
            return f"`{name}` is a single value.", by_itself
        case sy.NumberInfo():
            return f"`{name}` is a number or a table: it does not belong to anything.", by_itself
        case sy.OptionSymbol() | sy.RivalInfo():
            return f"{said}: it does not belong to anything.", by_itself
        case sy.KindInfo(name=kind):
            return f"{said}.", f"Name one of them, or ask for `a {kind}`."
        case sy.ProcInfo():
            return f"{said}.", "It can only be the first word of a statement."
        case sy.EntryInfo(kind=kind) if world.kinds[kind].role == "piece":
            one = f"`{a_or_an(kind)} in ... where it = {name}`"
            return f"{said}.", f"Write `{kind}` for all types, or ask for one: {one}."
        case sy.EntryInfo():
            return f"{said}.", ""
        case sy.FieldInfo():
            return _field_use(found)
        case _:
            assert_never(found)
