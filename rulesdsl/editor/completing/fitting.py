"""Which names fit after which words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.panels import FORMS, WHENS
from rulesdsl.check.references import EYES, VERDICTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rulesdsl.check.world import ParamInfo
    from rulesdsl.editor.completing.nouns import Nouns
    from rulesdsl.syntax.accepts import Expected

Token = tuple[str, str]
_HOOKS = {"BEFORE", "AFTER", "INSTEAD_OF", "ADD_TO_MENU", "ADD_TO_CHOICES", "INSTEAD_OF_TEXT"}
_CHOOSING = {"A", "AN", "RANDOM", "THE", "THE_ONLY", "THE_FIRST", "EACH"}
_PREPOSITIONS = {"FROM", "INTO", "ON", "WITH"}
_STATEMENT_ENDS = {
    "_NL",
    "_INDENT",
    "_DEDENT",
    "COLON",
    "COMMA",
    "TO",
    "OR_ELSE",
    "MAY",
    "CONFIRM",
}
_DECLARATIONS = {"KIND", "PIECE", "PLACE", "STACK", "TRACK", "FLAG"}


def fitting(expected: Expected, nouns: Nouns, given: Mapping[str, str]) -> set[str]:
    """Return the names that fit after the tokens of a text.

    `given` are the names that the declaration gives itself, each with its kind.
    """
    tokens = expected.tokens
    last = tokens[-1] if tokens else ("", "")
    if "MOVE" in expected.terminals:
        return set(nouns.world.procs)
    head = _head(tokens)
    if head is not None:
        return _in_head(head, tokens, nouns)
    found = _behind(last, tokens, nouns, given)
    return found if found is not None else _value(nouns, given)


def _head(tokens: Sequence[Token]) -> str | None:
    """Return the word that begins the declaration, where its head is not finished."""
    if not tokens:
        return ""
    if any(kind == "COLON" for kind, _ in tokens) and tokens[0][0] not in _DECLARATIONS | {
        "PANEL"
    }:
        return "NAME" if _in_entry(tokens) else None
    known = _DECLARATIONS | _HOOKS | {"VERB", "STEP", "VALUE", "INSTEAD_OF_VALUE", "PANEL"}
    kind = tokens[0][0]
    if any(each in {"WHEN", "EQUAL"} for each, _ in tokens):
        return None
    return kind if kind in known | {"NAME", "VERDICT"} else None


def _in_entry(tokens: Sequence[Token]) -> bool:
    return (
        [kind for kind, _ in tokens[:2]] == ["NAME", "NAME"]
        and tokens[-1][0] in {"_INDENT", "_NL", "_DEDENT"}
        and len(tokens) > 2  # noqa: PLR2004 - after its head
    )


def _in_head(head: str, tokens: Sequence[Token], nouns: Nouns) -> set[str]:
    """Return what fits in the head of a declaration."""
    last, world = tokens[-1][0] if tokens else "", nouns.world
    if head in {"", "NAME"}:
        return _of_entry(tokens, nouns)
    if len(tokens) == 1 and head in _HOOKS:
        return set(world.procs)
    if len(tokens) == 1:
        values = set(world.values) | set(world.constants)
        first = {"INSTEAD_OF_VALUE": values, "VERDICT": set(VERDICTS)}
        return first.get(head, set(world.kinds) if head in _DECLARATIONS else set())
    if head == "PANEL":
        return _in_panel(tokens[-1], tokens, nouns)
    if head not in _DECLARATIONS:
        is_text = head == "INSTEAD_OF_TEXT" and last == "OF"
        return set(world.procs) if is_text else nouns.param_kinds | nouns.counted
    return _in_declaration(head, last, tokens, nouns)


def _of_entry(tokens: Sequence[Token], nouns: Nouns) -> set[str]:
    """Return what fits in an entry that is written in the rules: its kind, its name, a field."""
    if _in_entry(tokens):
        kind = nouns.world.kinds.get(tokens[0][1])
        return set(kind.fields) if kind else set()
    return nouns.entries(tokens[0][1]) if len(tokens) == 1 else set(nouns.world.kinds)


def _in_declaration(head: str, last: str, tokens: Sequence[Token], nouns: Nouns) -> set[str]:
    world = nouns.world
    match last:
        case "DURING":
            return set(world.procs)
        case "PER":
            return set(world.kinds) | set(world.pieces) | {"seat", "player"}
        case "BY":
            return {*EYES, "all"}
        case "IN":
            return nouns.places
        case "COLON":
            return nouns.types
        case "EQUAL":
            return nouns.entries(tokens[-2][1]) | set(world.constants)
        case _:
            holds = last == "HOLDS" or (last == "COMMA" and head in {"PLACE", "STACK"})
            return set(world.pieces) if holds else set(world.constants)


def _in_panel(last: Token, tokens: Sequence[Token], nouns: Nouns) -> set[str]:
    world = nouns.world
    if last[0] == "STRING" and len(tokens) == 2:  # noqa: PLR2004 - right after its title
        return set(WHENS)
    if last[0] == "AS":
        return set(FORMS)
    if last[0] == "PER":
        return set(world.kinds) | {"seat", "player"}
    if last[0] == "OF":
        return {"me", *world.rivals}
    fields = {name for kind in world.kinds.values() for name in kind.fields}
    if last[0] in {"BY", "AND", "ALONG"}:
        return fields | set(world.kinds)
    shown = nouns.places | nouns.counted | set(world.values) | set(world.flags)
    return nouns.places if last[0] == "IN" else shown | fields


def _behind(  # noqa: C901, PLR0912 - one case for each word
    last: Token, tokens: Sequence[Token], nouns: Nouns, given: Mapping[str, str]
) -> set[str] | None:
    """Return what fits after a word that leaves little choice, None after any other."""
    world = nouns.world
    before = tokens[-2] if len(tokens) > 1 else ("", "")
    match last[0]:
        case "MY":
            if before[0] in {"IN", "INTO", "FROM"}:
                return nouns.own_places
            if before[0] in {"RAISE", "LOWER"}:
                return {
                    name for name in nouns.mine if world.counter(name) in world.tracks.values()
                }
            if before[0] in {"MARK", "CLEAR"}:
                return nouns.mine & set(world.flags)
            return nouns.mine
        case "OF":
            return _owner(before, nouns, given)
        case "INTO" | "FROM" | "IN" | "ON" | "WITH":
            verb = _verb(tokens)
            if verb is not None and last[0] in _PREPOSITIONS:
                return _params(verb, last[1], nouns, given)
            kinds = {name for name, kind in given.items() if kind in world.places}
            if last[0] != "IN":
                return nouns.places | kinds
            lists = nouns.fields_of_type(frozenset(each.plural for each in world.kinds.values()))
            return nouns.places | kinds | lists
        case "AT":
            return _key(tokens, nouns, given)
        case "COMPARE":
            return _compared(tokens, nouns, given)
        case "DO":
            return nouns.effects
        case "MARK" | "CLEAR":
            return set(world.flags)
        case "RAISE" | "LOWER":
            return set(world.tracks) | given.keys()
        case "SHUFFLE" | "LOOK_AT":
            return nouns.stacks | nouns.several
        case "ANY" | "NO" | "ALL":
            return nouns.asked | given.keys()
        case "NUMBER" | "RPAR":
            return nouns.counted | nouns.pieces
        case "PER":
            return nouns.counted | nouns.several | nouns.pieces
        case "A" | "AN" | "RANDOM" | "THE" | "THE_ONLY" | "THE_FIRST" | "EACH":
            return nouns.kinds | nouns.pieces
        case "FOR":
            return set(world.rivals) | given.keys()
        case "NAME":
            return _behind_name(last, tokens, nouns, given)
        case _:
            return None


def _owner(before: Token, nouns: Nouns, given: Mapping[str, str]) -> set[str]:
    """Return what can be after `foo of`."""
    if before[0] in {"TOP", "BOTTOM", "NUMBER"}:
        return nouns.stacks
    kinds = nouns.owners_of(before[1])
    seats = {"seat", "player"}
    wanted = kinds | (seats if kinds & seats else set())
    things = {name for name, kind in given.items() if kind in wanted or not kind}
    things |= {name for kind in kinds for name in nouns.entries(kind)}
    if not kinds:
        return _value(nouns, given)
    more = nouns.attributes if kinds - seats else set()
    return things | (set(nouns.world.rivals) if kinds & seats else set()) | more


def _key(tokens: Sequence[Token], nouns: Nouns, given: Mapping[str, str]) -> set[str]:
    """Return what can be after `X at` or `X of y at`."""
    names = [text for kind, text in tokens[:-1] if kind in {"NAME", "OF", "IT", "ME"}]
    at = -3 if len(names) > 2 and names[-2] == "of" else -1  # noqa: PLR2004 - X of Y
    kinds = nouns.key_of(names[at]) if names else set()
    entries = {name for kind in kinds for name in nouns.entries(kind)}
    return entries | {
        name for name, kind in given.items() if kind in kinds or not kinds or not kind
    }


def _compared(tokens: Sequence[Token], nouns: Nouns, given: Mapping[str, str]) -> set[str]:
    """Return what can be after `X =`: entries where X is one, else any value."""
    names = [text for kind, text in tokens[:-1] if kind in {"NAME", "OF", "IT", "ME", "AT"}]
    word = names[-1] if names else ""
    if len(names) > 2 and names[-2] in {"of", "at"}:  # noqa: PLR2004 - X of Y
        word = names[-3]
    kinds = nouns.value_kind(word) | ({given[word]} if given.get(word) else set())
    if tokens[-2][0] == "IT" and word in {"it", "of"}:
        kinds = set(nouns.world.kinds)
    entries = {name for kind in kinds for name in nouns.entries(kind)}
    same = {name for name, kind in given.items() if kind in kinds}
    return entries | same if entries else _value(nouns, given)


def _verb(tokens: Sequence[Token]) -> str | None:
    """Return the verb of the statement that a text ends in, None in any other statement."""
    at = len(tokens) - 1
    while at >= 0 and tokens[at][0] not in _STATEMENT_ENDS:
        at -= 1
    first = tokens[at + 1] if at + 1 < len(tokens) else ("", "")
    return first[1] if first[0] == "NAME" and at >= 0 else None


def _params(
    verb: str, preposition: str | None, nouns: Nouns, given: Mapping[str, str]
) -> set[str]:
    """Return what can be given to a verb after a preposition, or first of all."""
    found: set[str] = set()
    for proc in nouns.world.procs.get(verb, ()):
        for param in proc.params:
            if param.preposition == preposition:
                found |= _for_param(param, nouns, given)
    return found or _value(nouns, given)


def _for_param(param: ParamInfo, nouns: Nouns, given: Mapping[str, str]) -> set[str]:
    world, kind = nouns.world, param.type.of or param.type.family
    same = {name for name, each in given.items() if each in {kind, ""}}
    if param.noun is not None:
        return {param.noun, world.plural(param.noun), *given, *world.constants, *nouns.attributes}
    if kind in {"seat", "player"}:
        return same | {"seat", "player"} | set(world.rivals)
    if kind in {"number", "bundle"}:
        return _value(nouns, given)
    return same | nouns.entries(kind) | {kind}


def _behind_name(
    last: Token, tokens: Sequence[Token], nouns: Nouns, given: Mapping[str, str]
) -> set[str] | None:
    """Return what fits after a name: what a verb is done to, or what there is so much of."""
    if _verb(tokens) == last[1] and last[1] in nouns.world.procs:
        return _params(last[1], None, nouns, given)
    before = tokens[-2][0] if len(tokens) > 1 else ""
    if before in _CHOOSING:
        return set()  # a name is given
    return nouns.counted | nouns.pieces


def _value(nouns: Nouns, given: Mapping[str, str]) -> set[str]:
    """Return what can stand for a value."""
    return nouns.alone | given.keys() | nouns.attributes | nouns.several
