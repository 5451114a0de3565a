"""What can be written at a place, the likeliest first."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.completion import expected_after as names_after
from rulesdsl.check.declare.procedures import header_text
from rulesdsl.check.types import SEAT_WORDS
from rulesdsl.editor.completing.habits import habits_of, token_before
from rulesdsl.editor.completing.item import COULD, FITS, Item
from rulesdsl.editor.completing.tables import EFFECT, FORMULA, TEXT, offered_in
from rulesdsl.editor.completing.within import (
    Rules,
    beginning_of,
    rules_at,
    slot_in,
    toml_at,
)
from rulesdsl.packs.folder import RULEBOOK
from rulesdsl.syntax.accepts import expected_after

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rulesdsl.check.types import Type
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
    if slot is None:
        yield from _after(view, where.start, where.text, where.narrow)
    else:
        yield from _after(view, where.start, where.text, where.narrow)


def _in_string(view: View, said: str, start: str, above: tuple[str, ...] = ()) -> Iterator[Item]:
    """Yield what fits into a string; an effect may go on from the strings above it."""
    text = said.lstrip()
    slot = slot_in(text)
    if start == TEXT or (text.count('"') % 2 and slot is not None):
        if slot is not None:
            yield from _after(view, FORMULA, slot)
        return
    whole = "\n".join([*above, said]) if start == EFFECT else text
    yield from _after(view, start, whole, text, text.rpartition("\n")[2].lstrip())


def _in_page(view: View, source: SourceFile, before: str) -> Iterator[Item]:
    slot = slot_in(before)
    if f"/{RULEBOOK}/" in source.path and slot is not None:
        yield from _in_string(view, slot.removeprefix("if "), FORMULA)


def _after(view: View, start: str, *texts: str) -> Iterator[Item]:
    """Yield words and names that may come after the first of some texts that can be read."""
    for text in texts:
        accepted = expected_after(text, start)
        if accepted is not None:
            yield from _items(view.world, accepted, text, start)
            return


def _items(world: World, accepted: Expected, text: str, start: str) -> Iterator[Item]:
    """Yield words of the language that are accepted, and names, those that fit marked."""
    at_start = "MOVE" in accepted.terminals or not accepted.tokens
    for word in accepted.words:
        snippet = SNIPPETS.get(word, "") if at_start else ""
        yield Item(word, "word", "a word of the language", snippet)
    if not accepted.name:
        return
    expected = names_after(text, start, world)
    for name in sorted(expected.names):
        yield attrs.evolve(named(world, name, expected.locals), rank=FITS)
    if "MOVE" not in accepted.terminals:
        for name in sorted(_every_name(world, expected.locals) - expected.names):
            yield attrs.evolve(named(world, name, expected.locals), rank=COULD)


def _every_name(world: World, known: Mapping[str, Type]) -> set[str]:
    tables = (
        world.constants, world.options, world.rivals, world.values, world.owners, world.tracks,
        world.flags, world.kinds, world.pieces, world.places, world.plurals, world.procs, known,
    )  # fmt: skip
    fields = {name for kind in world.kinds.values() for name in kind.fields}
    return fields.union(SEAT_WORDS, *tables)


def named(world: World, name: str, known: Mapping[str, Type]) -> Item:
    """Return a name with what it is."""
    if name in known:
        return Item(name, "local", known[name].of or known[name].family)
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
