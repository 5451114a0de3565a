"""What can be written at a place, the likeliest first."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.declare.procedures import header_text
from rulesdsl.editor.completing.fitting import fitting
from rulesdsl.editor.completing.habits import habits_of, token_before
from rulesdsl.editor.completing.item import COULD, FITS, Item
from rulesdsl.editor.completing.locals import locals_in
from rulesdsl.editor.completing.nouns import Nouns
from rulesdsl.editor.completing.tables import EFFECT, FORMULA, TEXT, offered_in
from rulesdsl.editor.completing.within import (
    Rules,
    beginning_of,
    rules_at,
    slot_in,
    toml_at,
)
from rulesdsl.packs.folder import RULEBOOK
from rulesdsl.packs.manifest_fields import MAX_PLAYERS
from rulesdsl.syntax.accepts import expected_after

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.world import ProcInfo, World
    from rulesdsl.editor.view import Spot, View
    from rulesdsl.source.span import SourceFile
    from rulesdsl.syntax.accepts import Expected

_IS_KEY = re.compile(r"^\s*\[*[\w.'-]*$")
_MOST = 200  # house: what is further down is never looked at; more letters bring it up

SNIPPETS = {
    "move": "move ${1:1 piece} from ${2:place} into ${3:place}",
    "for": "for each ${1:thing} ${2:x} in ${3:place}:\n    $0",
    "if": "if ${1:condition}:\n    $0",
    "if able": "if able: $0",
    "repeat": "repeat ${1:3} times:\n    $0",
    "choose": "choose one:\n    $0",
    "menu": "menu:\n    once: $0",
    "let": "let ${1:x} = $0",
    "may": "may $0",
    "needs": "needs $0",
    "raise": "raise ${1:track} by ${2:1}",
    "lower": "lower ${1:track} by ${2:1}",
    "shuffle": "shuffle ${1:stack}",
    "look at": "look at ${1:top 1 of stack}",
    "say": 'say "$0"',
    "verb": "verb ${1:name}:\n    $0",
    "step": "step ${1:name}:\n    $0",
    "kind": "kind ${1:name}: ${2:first}, ${3:second}",
    "piece": 'piece ${1:name} "${2:Name}" ${3:1} in ${4:place}',
    "place": 'place ${1:name} "${2:Name}" holds ${3:piece}',
    "stack": 'stack ${1:name} "${2:Name}" holds ${3:piece}',
    "track": 'track ${1:name} "${2:Name}" per player',
    "flag": "flag ${1:name} per ${2:player}",
    "value": "value ${1:name}: $0",
    "option": 'option ${1:name} "${2:Question}": off',
    "score": 'score ${1:name} "${2:Title}": $0',
    "before": "before ${1:verb}: $0",
    "after": "after ${1:verb}: $0",
    "instead of": "instead of ${1:verb}: $0",
}


def complete(view: View, source: SourceFile, spot: Spot) -> tuple[Item, ...]:
    """Return what can be written at a place of a text, which may be newer than the check."""
    line = source.line(spot.line)[: spot.column - 1]
    beginning = beginning_of(line)
    before = line[: len(line) - len(beginning)]
    if source.path.endswith(".rules"):
        if "#" in before and before.count('"') % 2 == 0:
            return ()
        where = rules_at(source, spot.line, before)
        slot = slot_in(before) if before.count('"') % 2 else None
        if before.count('"') % 2 and slot is None:
            return ()
        items = [*_in_rules(view, where, slot)]
    elif source.path.endswith(".toml"):
        if _IS_KEY.match(line):  # `price.red`: what comes after a dot is a word of its own
            beginning = line.rpartition(".")[2].strip(" [")
            before = line[: len(line) - len(beginning)]
        place = toml_at(source, spot.line, before)
        table = offered_in(view, source.path, place)
        items = list(table.items)
        if table.start:
            items += _in_string(view, place.said, table.start, place.above)
    else:
        items = [*_in_page(view, source, before)]
    return _ranked(view, source, before, beginning, items)


# -------------------------------------------------------------------- the language
def _in_rules(view: View, where: Rules, slot: str | None) -> Iterator[Item]:
    if slot is not None:
        whole = expected_after(slot, FORMULA)
        above = expected_after(where.narrow.rpartition("\n")[0] + "\n", where.start)
        tokens = above.tokens if above else ()
        if whole is not None:
            yield from _items(view, whole, locals_in(tokens, view.world))
        return
    expected = expected_after(where.text, where.start) or expected_after(where.narrow, where.start)
    if expected is not None:
        yield from _items(view, expected, locals_in(expected.tokens, view.world))


def _in_string(view: View, said: str, start: str, above: tuple[str, ...] = ()) -> Iterator[Item]:
    """Yield what fits into a string; an effect may go on from the strings above it."""
    text = said.lstrip()
    slot = slot_in(text)
    given = {f"p{number + 1}": "player" for number in range(MAX_PLAYERS)}
    if start == TEXT or (text.count('"') % 2 and slot is not None):
        text, start = slot or "", FORMULA
        if slot is None:
            return
    whole = "\n".join([*above, said]) if start == EFFECT else text
    last = text.rpartition("\n")[2].lstrip()
    expected = (
        expected_after(whole, start) or expected_after(text, start) or expected_after(last, start)
    )
    if expected is not None:
        yield from _items(view, expected, given | locals_in(expected.tokens, view.world))


def _in_page(view: View, source: SourceFile, before: str) -> Iterator[Item]:
    slot = slot_in(before)
    if f"/{RULEBOOK}/" in source.path and slot is not None:
        yield from _in_string(view, slot.removeprefix("if "), FORMULA)


def _items(view: View, expected: Expected, given: dict[str, str]) -> Iterator[Item]:
    """Yield words of the language that are accepted, and names, those that fit marked."""
    world, at_start = view.world, "MOVE" in expected.terminals or not expected.tokens
    for word in expected.words:
        snippet = SNIPPETS.get(word, "") if at_start else ""
        yield Item(word, "word", "a word of the language", snippet)
    if not expected.name:
        return
    nouns = Nouns(world)
    fits = fitting(expected, nouns, given)
    for name in sorted(fits):
        yield attrs.evolve(named(world, name, given), rank=FITS)
    if "MOVE" not in expected.terminals:
        others = nouns.alone | nouns.attributes | nouns.kinds | nouns.several | nouns.places
        for name in sorted((others | nouns.counted | given.keys() | world.procs.keys()) - fits):
            yield attrs.evolve(named(world, name, given), rank=COULD)


def named(world: World, name: str, given: dict[str, str]) -> Item:
    """Return a name with what it is."""
    if name in given:
        return Item(name, "local", given[name])
    if name in world.procs:
        return _verb(world, world.procs[name])
    singular = world.singular(name)
    named = world.pieces.get(singular) or world.places.get(singular) or world.kinds.get(singular)
    if named is not None:
        return Item(name, _sort(world, singular), named.title)
    if singular in world.tracks:
        return Item(name, "track", world.tracks[singular].title)
    sorts = {
        "flag": world.flags.keys(),
        "value": world.values.keys(),
        "number": world.constants.keys(),
        "option": world.options.keys(),
        "rival": world.rivals.keys(),
    }
    for sort, table in sorts.items():
        if name in table:
            return Item(name, sort)
    if name in world.owners:
        return Item(name, "entry", " or ".join(world.owners[name]))
    fields = [kind for kind in world.kinds.values() if name in kind.fields]
    if fields:
        return Item(name, "field", f"{fields[0].fields[name].type} of {fields[0].name}")
    return Item(name, "word")


def _sort(world: World, name: str) -> str:
    return "piece" if name in world.pieces else "place" if name in world.places else "kind"


def _verb(world: World, forms: list[ProcInfo]) -> Item:
    first = forms[0]
    detail = " or ".join(header_text(each, world) for each in forms)
    sort = "verb" if first.verb else "step"
    if len(forms) > 1 or not first.params:
        return Item(first.name, sort, detail)
    stops = [first.name]
    for at, param in enumerate(first.params, 1):
        words = f"${{{at}:{param.name}}}"
        if param.noun:
            words += f" {world.plural(param.noun)}"
        stops.append(f"{param.preposition} {words}" if param.preposition else words)
    return Item(first.name, sort, detail, " ".join(stops))


# -------------------------------------------------------------------- the likeliest first
def _ranked(
    view: View, source: SourceFile, before: str, beginning: str, items: list[Item]
) -> tuple[Item, ...]:
    """Return the items that begin as the word does, each once, by what fits and what is said."""
    habits = habits_of(_spoken(view, source))
    behind = token_before(before)
    unique: dict[str, Item] = {}
    for each in items:
        if each.word.startswith(beginning) and (
            each.word not in unique or each.rank < unique[each.word].rank
        ):
            unique[each.word] = each
    ordered = sorted(
        unique.values(),
        key=lambda each: (each.rank, -habits.weight(behind, each.word), each.word),
    )
    return tuple(ordered[:_MOST])


def _spoken(view: View, source: SourceFile) -> Iterator[SourceFile]:
    """Yield the texts of the game, this one as it is now."""
    yield source
    yield from (each for path, each in view.sources.items() if path != source.path)
