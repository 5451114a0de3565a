"""Names of entities and options: labels for people, ids for programs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from functools import cached_property
from typing import Any

from rulesdsl.check import typed as ty
from rulesdsl.check.symbols.symbol_table import (
    EntryInfo,
    FieldInfo,
    FlagInfo,
    KindInfo,
    MemoryInfo,
    SymbolTable,
    TrackInfo,
)
from rulesdsl.check.symbols.types import NUMBER, Type, piece
from rulesdsl.check.symbols.types import entry as entry_type
from rulesdsl.check.symbols.words import counted, effect_in_words, in_words, text_of
from rulesdsl.interpreter.decision_points import DecisionPoint, Offer, offers_of
from rulesdsl.interpreter.engine import Engine
from rulesdsl.interpreter.state import cells_of
from rulesdsl.lower.layout import SEATS
from rulesdsl.source.english import ARTICLE, Verbatim, a_or_an, number_in, opening, ordinal, spoken
from rulesdsl.syntax.printer import print_expression


def slug(text: str) -> str:
    """Return a string as lower-case words joined by hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def numbered(names: Iterable[str]) -> list[str]:
    """Return names with the second and later of equal ones numbered: `juggle`, `juggle-2`."""
    times: Counter[str] = Counter()
    distinct = []
    for name in names:
        times[name] += 1
        distinct.append(name if times[name] == 1 else f"{name}-{times[name]}")
    return distinct


_FIRST_WORD = re.compile(r" ([\w.-]*\w)")
_ARTICLE = re.compile(r"\b(the|a|an) $", re.IGNORECASE)
_POSSESSIVE = re.compile(r"(?:\b(?:your|their|its)|'s) $", re.IGNORECASE)
_SENTENCES = re.compile(r"(?<=[.:?!]) ")
_AMOUNT = re.compile(r"\bsome\b")  # label of an unknown amount
_AMOUNT_ASIDE = re.compile(r" \([^()]*\bsome\b[^()]*\)")
_SENTENCE_BEFORE = re.compile(r"[.?!]\W*\s\S")
# what follows the first words tells a statement from a question, and so does "{n} ... left"
_STATEMENT = re.compile(
    r"(?!.*\b(?:which|whom?|what|how|where)\b)"
    r"(?:(?:you|we|they|it|there|this|that|these|those)"
    r"(?:'re|'ve|'s| (?:are|is|have|has|had|can|may|must|need|get|still|now)\b)"
    r"|_ .*\b(?:left|remain|remaining)\W*$)",
    re.IGNORECASE,
)


def hidden_from_actor(words: ty.MessageText) -> list[int]:
    """Return the indexes of values in a question that the chooser can never know."""
    return [
        at
        for at, seen in enumerate(words.seen)
        if seen == "nobody" and not (words.faces[at] or words.piles[at])
    ]


def _asking(words: ty.MessageText, text: str) -> str:
    """Return a prompt with final punctuation: `.` for statements and several sentences, or `?`.

    Only the fixed words count: an interpolated name may contain a full stop.
    """
    if text.endswith((".", "?", "!", ":")):
        return text
    fixed = "_".join(words.said)
    is_told = _SENTENCE_BEFORE.search(fixed) or _STATEMENT.match(fixed)
    return f"{text}." if is_told else f"{text}?"


class Labels:
    """Labels and ids of one compiled setting; `names` has player names in seat order."""

    def __init__(self, engine: Engine, names: tuple[str, ...] = ()) -> None:
        self.engine = engine
        self.names = names
        self.layout = engine.layout
        self.world = engine.layout.world
        self.program = engine.layout.program

    @cached_property
    def seats(self) -> tuple[str, ...]:
        """The names of the seats."""
        return (*map(Verbatim, self.names), *self.layout.seat_names()[len(self.names) :])

    @cached_property
    def offers(self) -> dict[int, Offer]:
        """The option numbers of each question, by question number."""
        return offers_of(self.engine.asks, self.layout)

    @cached_property
    def criteria(self) -> tuple[str, ...]:
        """The labels of the ranking criteria."""
        compared = [each.value for each in self.world.ranking]
        sources = (re.sub(r"\bmy ", "", print_expression(each)) for each in compared)
        told = (in_words(self.world, each) for each in sources)
        return tuple(each.replace(" + ", " and ") for each in told) or ("score",)

    @cached_property
    def question_ids(self) -> dict[int, str]:
        """The id of each question, by block number: its procedure, and what it offers.

        `juggle:ball` is asked by `juggle` and offers balls; a question that offers several effects
        has the name of its procedure alone. Duplicates are numbered: `juggle:ball-2`.
        """
        names: dict[int, str] = {}
        for block, ask in sorted(self.engine.asks.items()):
            name = ask.proc.partition("/")[0]
            if isinstance(ask.end, ty.Secretly) or len(ask.end.lines) == 1:
                line, domain = ask.line(0), ask.domain(0)
                if domain is not None:
                    name += f":{domain.element.of or domain.element.family}"
                elif line is not None:
                    name += f":{slug(line.text)}"
            names[block] = name
        return dict(zip(names, numbered(names.values()), strict=True))

    # ---------------------------------------------------------------- entities
    def printed(self, piece: str, at: int) -> EntryInfo:
        """Return the entry that is printed on a piece."""
        return self.world.kinds[piece].entries[self.layout.instances(piece)[at][0]]

    def entry(self, kind: Type, value: int) -> EntryInfo | None:
        """Return an entity as an entry, or the entry printed on a piece; None for others."""
        if kind.of not in self.world.kinds or kind.family not in {"entry", "piece"}:
            return None
        if kind.family == "piece":
            return self.printed(kind.of, value)
        return self.world.kinds[kind.of].entries[value]

    def single(self, piece: str, owner: int) -> str:
        """Return the label of a single piece, with its owner if each seat has such a piece."""
        info = self.world.pieces[piece]
        return f"{info.title} of {self.seats[owner]}" if info.owned else info.title

    def thing(self, kind: Type, value: int) -> str:
        """Return the label of an entity or a number."""
        if kind.family == "number":
            return (
                f"{ordinal(value)} {self.world.pieces[kind.of].title}" if kind.of else str(value)
            )
        if value < 0:
            return "none"
        if kind.family == "yes-no":
            return "yes" if value else "no"
        if kind.family in SEATS:
            return self.seats[value]
        if kind.family == "piece" and self.world.pieces[kind.of].style == "single":
            return self.single(kind.of, value)
        entry = self.entry(kind, value)
        return str(value) if entry is None else entry.title

    def kept(self, info: TrackInfo | FlagInfo, value: int) -> str:
        """Return the label of the value of a track, memory or flag."""
        if isinstance(info, MemoryInfo):
            return self.thing(info.type, value)
        return str(value) if isinstance(info, TrackInfo) else ("yes" if value else "no")

    def shown(self, kind: Type, value: Any) -> str:  # noqa: ANN401 - of any type
        """Return the label of a value: an entity, a number, a list, a price or text."""
        match kind.family:
            case "text":
                return "none" if value == -1 else str(value)
            case "list":
                return ", ".join(self.thing(entry_type(kind.of), each) for each in value) or "none"
            case "bundle":
                priced = zip(self.world.bundle_nouns, value, strict=True)
                said = [self.counted(noun, count) for noun, count in priced if count]
                return ", ".join(said) or "nothing"
            case _:
                return self.thing(kind, value)

    def back(self, piece: str, at: int) -> str:
        """Return the text on the back of a piece; empty if its back is plain."""
        entry = self.printed(piece, at)
        said: list[str] = []
        for field in self.world.kinds[piece].fields.values():
            value = entry.values.get((field.name, None))
            if not field.back or value is None:
                continue
            if field.type in self.world.kinds:
                said.append(self.world.kinds[field.type].entries[int(str(value))].title)
            elif field.type == "yes-no":
                said.append(field.name if value else f"not {field.name}")
            else:
                said.append(str(value))
        return ", ".join(said)

    def whose(self, piece: str, at: int, *codes: int) -> str:
        """Return ` of <owner>` if the piece has an owner that none of its cells implies."""
        if not self.world.pieces[piece].owned:
            return ""
        places = (self.layout.place_of(piece, code)[0] for code in codes)
        if all(place.owner_dim is not None for place in places):
            return ""
        return f" of {self.seats[self.layout.instances(piece)[at][1]]}"

    def named(self, dim: str, at: int) -> str:
        """Return the label of an entity by its index along a dimension."""
        if dim in SEATS:
            return self.seats[at]
        if dim in self.world.pieces:
            return self.thing(piece(dim), at)
        return self.world.kinds[dim].entries[at].title

    def in_sentence(self, dim: str, at: int) -> str:
        """Return the label of an entity along a dimension, with the article of its title."""
        if dim in SEATS:
            return self.seats[at]
        if dim not in self.world.pieces:
            entry = self.world.kinds[dim].entries[at]
        elif self.world.pieces[dim].style == "printed":
            entry = self.printed(dim, at)
        else:
            return self.named(dim, at)
        return entry.article + entry.title

    def thing_id(self, kind: Type, value: int) -> str:
        """Return the id of an entity or a number: `gem:ruby`, `player:2`, `3`."""
        if kind.family in SEATS:
            return f"player:{value + 1}"
        if kind.family == "piece" and self.world.pieces[kind.of].style == "single":
            return f"{kind.of}:{value + 1}"
        entry = self.entry(kind, value)
        if entry is None:
            return f"{kind.of}:{value}" if kind.of else str(value)
        return f"{kind.of}:{entry.id}"

    def cell(self, piece: str, code: int, *, whose: bool = True) -> str:
        """Return the label of a cell, with its owner unless `whose` is False."""
        place, dims = self.layout.place_of(piece, code)
        names: list[str] = []
        owner = ""
        for dim, at in zip(place.dims, dims, strict=False):
            if dim in SEATS:
                owner = f"{self.seats[at]}'s " if whose else ""
            else:
                names.append(self.world.kinds[dim].entries[at].title)
        if place.table:
            return owner + names[0]
        title = owner + place.title
        return f"{title} ({', '.join(names)})" if names else title

    # ---------------------------------------------------------------- words
    def heading(self, words: ty.MessageText) -> str:
        """Return the text up to its colon; without one, with values redacted."""
        first, colon, _ = words.said[0].partition(":")
        return first if colon else self.without_amounts(words) or self.say(words, None)

    def without_amounts(self, words: ty.MessageText) -> str:
        """Return text with values redacted, up to its question, without sentences of amounts."""
        sentences = _SENTENCES.split(_AMOUNT_ASIDE.sub("", self.say(words, None)))
        asked = next((at for at, text in enumerate(sentences) if text.endswith("?")), None)
        until = sentences if asked is None else sentences[: asked + 1]
        kept = " ".join(text for text in until if not _AMOUNT.search(text))
        return f"{kept[:-1]}?" if kept.endswith(":") else kept

    def numbers_in(self, value: ty.Value) -> int:
        """Return how many numbers make up a value in a text: one, or one for each good."""
        return len(self.world.bundle_nouns) if value.type.family == "bundle" else 1

    def say(
        self,
        words: ty.MessageText,
        numbers: Sequence[int | None] | None,
        veiled: Container[int] = (),
    ) -> str:
        """Return text with its values interpolated.

        A value that is None or `veiled` is replaced by the name of its kind, as are all values if
        there are no `numbers`.
        """
        left = list(numbers or ())
        text = words.said[0]
        for at, (value, noun) in enumerate(zip(words.values, words.nouns, strict=True)):
            wide = self.numbers_in(value)
            own, left = left[:wide], left[wide:]
            sure = [each for each in own if each is not None]
            if own and len(sure) == len(own) and at not in veiled:
                text += self._worded(value.type, noun, sure)
            else:
                unknown = self._unknown(value.type, noun)
                if _POSSESSIVE.search(text):
                    unknown = ARTICLE.sub("", unknown)
                text = _ARTICLE.sub("", text) + unknown
            is_one = sure == [1] and value.type == NUMBER and not noun
            text += self._singular(words.said[at + 1]) if is_one else words.said[at + 1]
        return Verbatim(text) if text.startswith(self.names) else text

    def _singular(self, text: str) -> str:
        """Return the words after `1`, of which the first may be a declared plural."""
        word = _FIRST_WORD.match(text)
        one = self.world.plurals.get(word[1]) if word else None
        return text if word is None or one is None else f" {spoken(one)}{text[word.end() :]}"

    def _worded(self, kind: Type, noun: str, numbers: list[int]) -> str:
        if noun:
            return self.counted(noun, numbers[0])
        if kind.family == "bundle":
            return self.shown(kind, numbers)
        return self.shown(kind, self.engine.shown(kind, numbers[0]))

    def _unknown(self, kind: Type, noun: str) -> str:
        if noun:
            return f"some {self.world.nouns_in_words[noun][1]}"
        if kind.family in {"seat", "player"}:
            return "someone"
        title = self.world.title_of(kind.of)
        return a_or_an(title) if title else "some"

    def counted(self, noun: str, count: int) -> str:
        """Return an amount with its noun: `1 Coin`, `2 Coins`."""
        return counted(self.world, noun, count)

    # ---------------------------------------------------------------- decisions
    def prompt(self, ask: DecisionPoint, numbers: Sequence[int | None]) -> str:
        """Return a decision's question; `numbers` are the values in its text."""
        words = ask.end.prompt
        assert words is not None  # the resolver gives every question a prompt
        return _asking(words, self.say(words, numbers, hidden_from_actor(words)))

    def known_values(
        self, ask: DecisionPoint, numbers: Sequence[int | None]
    ) -> tuple[int | None, ...]:
        """Return the values in a question; None for those that `prompt` redacts."""
        words = ask.end.prompt
        assert words is not None  # as in `prompt`
        veiled, left, found = hidden_from_actor(words), list(numbers), list[int | None]()
        for at, value in enumerate(words.values):
            wide = self.numbers_in(value)
            own, left = left[:wide], left[wide:]
            found += [None] * wide if at in veiled else own
        return tuple(found)

    def option(
        self,
        ask: DecisionPoint,
        option: int,
        detail: tuple[int, int] | None,
        numbers: Sequence[int | None] | None = None,
    ) -> tuple[str, str]:
        """Return the id and the label of an option; `numbers` are the values in its label."""
        said = ask.label(option)
        label = "" if said is None else self.say(said, numbers, hidden_from_actor(said))
        if ask.plain:
            name, title = self._thing_option(ask, option)
            return name, label or title
        line = ask.line(option)
        assert isinstance(ask.end, ty.Decide)
        if line is None:
            return slug(ask.end.stop or ""), ask.end.stop or ""
        if ask.end.stop == ty.DECLINE:
            return "yes", "Yes"
        if line.domain is None:
            does = self.effect_text(line, detail) or opening(line.words)
            return slug(line.text), label or does
        name, title = self._line_about(line, line.domain.element, ask.thing(option), detail)
        known = said is not None and said.values and numbers is not None
        return name, label if known else title

    def former_id(self, ask: DecisionPoint, option: int) -> str:
        """Return the id of an option in language 0.1, which came from its label if it had one."""
        line = ask.line(option)
        if ask.plain or line is None or ask.stop == ty.DECLINE:
            return self.option(ask, option, None)[0]
        name = slug(line.former)
        if line.domain is None:
            return name
        return f"{name}:{self.thing_id(line.domain.element, ask.thing(option)).split(':')[-1]}"

    def _thing_option(self, ask: DecisionPoint, option: int) -> tuple[str, str]:
        domain = ask.domain(option)
        assert domain is not None
        kind, base = domain.element, domain.unfiltered
        label = self.thing(kind, option)
        if isinstance(base, ty.Lying) and kind.of in self.world.kinds:
            label += self.whose(kind.of, option, self.layout.base(kind.of, base.cells.place))
        return self.thing_id(kind, option), label

    def about(self, ask: DecisionPoint, option: Any) -> tuple[str, str, int | None]:  # noqa: ANN401
        """Return the id and the description of the entry that an option names, and its number.

        Only entries of kinds that are `numbered` have one.
        """
        domain, value = ask.domain(option), ask.thing(option)
        kind = None if domain is None else domain.element
        entry = None if kind is None or value < 0 else self.entry(kind, value)
        if kind is None or entry is None:
            return "", "", None
        info = self.world.kinds[kind.of]
        number = number_in(entry.title) if info.numbered else None
        return printed_id(info, entry), text_of(entry), number

    def where(self, ask: DecisionPoint, option: Any, st: Any) -> str:  # noqa: ANN401
        """Return, in parentheses, the cell of an option's piece if there are several cells."""
        if ask.sealed or not ask.plain:
            return ""
        domain = ask.domain(option)
        base = None if domain is None else domain.unfiltered
        if not isinstance(base, ty.Lying) or base.cells.one:
            return ""
        if self.world.pieces[base.piece].style != "printed":
            return ""
        code = cells_of(st, f"w:{base.piece}")[option]
        return f" ({self.cell(base.piece, code)})"

    def _line_about(
        self, line: ty.OptionLine, kind: Type, thing: int, detail: tuple[int, int] | None
    ) -> tuple[str, str]:
        effect, title = self.effect_text(line, detail), self.thing(kind, thing)
        verb = line.text.split()[0]
        head = "" if line.label is None else self._before(line.label, line.variable, title)
        if not head and effect is None and verb != "do":
            head = opening(spoken(verb))
        words = [head, "" if title in head else title, effect or ""]
        name = self.thing_id(kind, thing).split(":")[-1]
        return f"{slug(verb)}:{name}", ": ".join(filter(None, words))

    def _before(self, words: ty.MessageText, variable: str | None, title: str) -> str:
        """Return a label up to the first value that depends on the position."""
        text, before = words.said[0], words.said[0].rstrip(" :")
        for value, noun, after in zip(words.values, words.nouns, words.said[1:], strict=True):
            if isinstance(value, ty.Const):
                before = text + self._worded(value.type, noun, [value.value])
            elif isinstance(value, ty.Local) and value.name == variable:
                before = text + title
            else:
                return before
            text = before + after
        return text

    def may_ask(self, line: ty.OptionLine) -> bool:
        """Return whether the effect of an option may ask a question."""
        procs, effects = self.layout.schema.procs, self.program.effects.items()
        for step in ty.walk(line.block):
            if isinstance(step, ty.Decide | ty.Secretly):
                return True
            if isinstance(step, ty.Run) and procs[step.proc].decides:
                return True
            if isinstance(step, ty.DoField):
                field = step.kind, step.field
                if any(procs[proc].decides for key, proc in effects if key[:2] == field):
                    return True
        return False

    def effect_text(self, line: ty.OptionLine, detail: tuple[int, int] | None) -> str | None:
        """Return the text of the effect that a line would carry out."""
        if detail is None:
            return None
        step = next(each for each in line.block.steps if isinstance(each, ty.DoField))
        subject, key = detail
        entry = self.entry(step.subject.type, subject)
        assert entry is not None
        per = self.world.kinds[step.kind].fields[step.field].per
        column = None if per is None or key < 0 else self.world.kinds[per].entries[key].name
        return effect_in_words(self.world, entry, step.field, column) or None


# -------------------------------------------------------------------- entries
def printed_id(kind: KindInfo, entry: EntryInfo) -> str:
    """Return the id of an entry's printed text."""
    return f"{kind.name}:{entry.id}"


def said_of(field: FieldInfo, column: str | None, entry: EntryInfo, world: SymbolTable) -> str:
    """Return the value of an entry's field as text; empty if it has none."""
    at = (field.name, column)
    if text := effect_in_words(world, entry, *at):
        return text
    value = entry.values.get(at)
    match value:
        case None:
            return ""
        case dict():
            return ", ".join(counted(world, *each) for each in value.items()) or "nothing"
        case tuple() if field.type == "number":
            return ", ".join(f"{each} for {number}" for number, each in value)
        case tuple():
            entries = world.kinds[world.plurals[field.type]].entries
            return ", ".join(entries[each].title for each in value)
        case int() if field.type == "yes-no":
            return "yes" if value else "no"
        case int() if field.type in world.kinds:
            return world.kinds[field.type].entries[value].title
        case _:
            return str(value)
