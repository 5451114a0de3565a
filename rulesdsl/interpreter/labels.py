"""How things and options are called: labels for people, ids for programs."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rulesdsl.check import typed as ty
from rulesdsl.check.types import a_or_an, piece
from rulesdsl.check.types import entry as entry_type
from rulesdsl.interpreter.printed import printed_id, text_of
from rulesdsl.interpreter.state import cells_of
from rulesdsl.lower.layout import SEATS
from rulesdsl.source.english import opening, so_many, spoken
from rulesdsl.syntax.printer import print_label

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from rulesdsl.interpreter.asks import Ask
    from rulesdsl.interpreter.compile import Engine
    from rulesdsl.lower.schema import EntryInfo, Type


def slug(text: str) -> str:
    """Return a text as one word with hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


_ARTICLE = re.compile(r"\b(the|a|an) $", re.IGNORECASE)
_SENTENCE_BEFORE = re.compile(r"[.?!]\W*\s\S")


def hidden_from_actor(words: ty.Words) -> list[int]:
    """Return which values of a question those who are asked do not know."""
    return [at for at, seen in enumerate(words.seen) if seen == "nobody" and not words.faces[at]]


def _asking(words: ty.Words, text: str) -> str:
    """Return a question with a sign at its end: a full stop where it is a sentence after another.

    What values say is not looked at: a name may hold a full stop.
    """
    if text.endswith((".", "?", "!", ":")):
        return text
    return f"{text}." if _SENTENCE_BEFORE.search("_".join(words.said)) else f"{text}?"


class Labels:
    """Labels and ids of one compiled setting; `names` are those of its first players."""

    def __init__(self, engine: Engine, names: tuple[str, ...] = ()) -> None:
        self.engine = engine
        self.names = names
        self.layout = engine.layout
        self.world = engine.layout.world
        self.program = engine.layout.program

    @cached_property
    def seats(self) -> tuple[str, ...]:
        """The names of the seats."""
        return (*self.names, *self.layout.seat_names()[len(self.names) :])

    # ---------------------------------------------------------------- things
    def printed(self, piece: str, at: int) -> EntryInfo:
        """Return the entry that is printed on a piece."""
        return self.world.kinds[piece].entries[self.layout.instances(piece)[at][0]]

    def entry(self, kind: Type, value: int) -> EntryInfo | None:
        """Return the entry of a thing: of a printed piece, what is printed on it."""
        if kind.of not in self.world.kinds or kind.family not in {"entry", "piece"}:
            return None
        if kind.family == "piece":
            return self.printed(kind.of, value)
        return self.world.kinds[kind.of].entries[value]

    def single(self, piece: str, owner: int) -> str:
        """Return what a person calls a piece that is the only one, or the only one of a seat."""
        info = self.world.pieces[piece]
        return f"{info.title} of {self.seats[owner]}" if info.owned else info.title

    def thing(self, kind: Type, value: int) -> str:
        """Return what a person calls a thing."""
        if kind.family == "number":
            return str(value)
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

    def shown(self, kind: Type, value: Any) -> str:  # noqa: ANN401 - of any type
        """Return what a person calls a value: a thing, several things, a price or a text."""
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
        """Return what is printed on the back of a piece, nothing where its back is plain."""
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
        """Return ` of ...` for a piece that lies, or lay, where its place does not say whose."""
        if not self.world.pieces[piece].owned:
            return ""
        places = (self.layout.place_of(piece, code)[0] for code in codes)
        if all(place.owner_dim is not None for place in places):
            return ""
        return f" of {self.seats[self.layout.instances(piece)[at][1]]}"

    def named(self, dim: str, at: int) -> str:
        """Return what a person calls a thing by its index along a dimension."""
        if dim in SEATS:
            return self.seats[at]
        if dim in self.world.pieces:
            return self.thing(piece(dim), at)
        return self.world.kinds[dim].entries[at].title

    def thing_id(self, kind: Type, value: int) -> str:
        """Return the id of a thing: `gem:ruby`, `player:2`, `3`."""
        if kind.family in SEATS:
            return f"player:{value + 1}"
        if kind.family == "piece" and self.world.pieces[kind.of].style == "single":
            return f"{kind.of}:{value + 1}"
        entry = self.entry(kind, value)
        return str(value) if entry is None else f"{kind.of}:{entry.id}"

    def cell(self, piece: str, code: int, *, whose: bool = True) -> str:
        """Return what a person calls a cell of a kind of pieces, and whose it is."""
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
    def heading(self, words: ty.Words) -> str:
        """Return words as far as they need no position: those before a colon, if there is one."""
        first, colon, _ = words.said[0].partition(":")
        return first if colon else self.say(words, None)

    def say(
        self, words: ty.Words, numbers: Sequence[int | None] | None, veiled: Container[int] = ()
    ) -> str:
        """Return words with their values.

        Of those that are veiled, or None, and of all without `numbers`, they say their sort.
        """
        left = list(numbers or ())
        text = words.said[0]
        for at, (value, noun) in enumerate(zip(words.values, words.nouns, strict=True)):
            wide = len(self.world.bundle_nouns) if value.type.family == "bundle" else 1
            own, left = left[:wide], left[wide:]
            sure = [each for each in own if each is not None]
            if own and len(sure) == len(own) and at not in veiled:
                text += self._told(value.type, noun, sure)
            else:
                text = _ARTICLE.sub("", text) + self._unknown(value.type, noun)
            text += words.said[at + 1]
        return text

    def _told(self, kind: Type, noun: str, numbers: list[int]) -> str:
        if noun:
            return self.counted(noun, numbers[0])
        if kind.family == "bundle":
            return self.shown(kind, numbers)
        return self.shown(kind, self.engine.shown(kind, numbers[0]))

    def _unknown(self, kind: Type, noun: str) -> str:
        """Return what is said of a value that is not known."""
        if noun:
            return f"some {self.counted(noun, 0).partition(' ')[2]}"
        known = self.world.pieces.get(kind.of) or self.world.kinds.get(kind.of)
        return "some" if known is None else a_or_an(known.title)

    def counted(self, noun: str, count: int) -> str:
        """Return so many of a noun: `1 coin`, `2 coins`; a title in capitals stays so."""
        info = self.world.pieces.get(noun) or self.world.tracks[noun]
        if info.title.isupper():
            return f"{count} {info.title}"
        return so_many(count, info.name, info.plural)

    # ---------------------------------------------------------------- decisions
    def prompt(self, ask: Ask, numbers: Sequence[int | None]) -> str:
        """Return the question of a decision; `numbers` are the values in its words."""
        words = ask.end.prompt
        assert words is not None  # it was written when the rules were read
        return _asking(words, self.say(words, numbers, hidden_from_actor(words)))

    def known_values(self, ask: Ask, numbers: Sequence[int | None]) -> tuple[int | None, ...]:
        """Return the values in the words of a question; None for those that `prompt` veils."""
        words = ask.end.prompt
        assert words is not None  # as in `prompt`
        veiled, left, found = hidden_from_actor(words), list(numbers), list[int | None]()
        for at, value in enumerate(words.values):
            wide = len(self.world.bundle_nouns) if value.type.family == "bundle" else 1
            own, left = left[:wide], left[wide:]
            found += [None] * wide if at in veiled else own
        return tuple(found)

    def option(
        self,
        ask: Ask,
        option: int,
        detail: tuple[int, int] | None,
        numbers: Sequence[int | None] | None = None,
    ) -> tuple[str, str]:
        """Return id and label of an option; `numbers` are the values in its words."""
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
            does = self.effect_text(line, detail) or opening(spoken(line.text))
            return slug(line.named or line.text), label or does
        name, title = self._line_about(line, line.domain.element, ask.thing(option), detail)
        known = said is not None and said.values and numbers is not None
        return name, label if known else title

    def _thing_option(self, ask: Ask, option: int) -> tuple[str, str]:
        domain = ask.domain(option)
        assert domain is not None
        kind, base = domain.element, domain.unfiltered
        label = self.thing(kind, option)
        if isinstance(base, ty.Lying) and kind.of in self.world.kinds:
            label += self.whose(kind.of, option, self.layout.base(kind.of, base.cells.place))
        return self.thing_id(kind, option), label

    def about(self, ask: Ask, option: Any) -> tuple[str, str]:  # noqa: ANN401
        """Return the id of the entry that an option names, and what it says about itself."""
        domain, value = ask.domain(option), ask.thing(option)
        if domain is None:
            return "", ""
        kind = domain.element
        entry = None if value < 0 else self.entry(kind, value)
        if entry is None:
            return "", ""
        return printed_id(self.world.kinds[kind.of], entry), text_of(entry)

    def where(self, ask: Ask, option: Any, st: Any) -> str:  # noqa: ANN401
        """Return where a piece lies that is chosen among several places, in brackets."""
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
        self, line: ty.Line, kind: Type, thing: int, detail: tuple[int, int] | None
    ) -> tuple[str, str]:
        """Return id and label of a line about a thing."""
        effect = self.effect_text(line, detail)
        verb = line.text.split()[0]
        fixed = None if line.label is None else line.label.fixed
        head = [fixed] if fixed else [opening(spoken(verb))] if effect is None else []
        words = [*head, self.thing(kind, thing), *([] if effect is None else [effect])]
        name = self.thing_id(kind, thing).split(":")[-1]
        return f"{slug(line.named or verb)}:{name}", ": ".join(words)

    def effect_text(self, line: ty.Line, detail: tuple[int, int] | None) -> str | None:
        """Return the text of the effect that a line would carry out."""
        if detail is None:
            return None
        step = next(each for each in line.block.steps if isinstance(each, ty.DoField))
        subject, key = detail
        entry = self.entry(step.subject.type, subject)
        assert entry is not None
        per = self.world.kinds[step.kind].fields[step.field].per
        column = None if per is None or key < 0 else self.world.kinds[per].entries[key].name
        body = entry.effects.get((step.field, column)) or entry.effects.get((step.field, None))
        return None if body is None else spoken(print_label(body))
