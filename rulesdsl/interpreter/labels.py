"""How things and options are called: labels for people, ids for programs."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any, assert_never

from rulesdsl.check import typed as ty
from rulesdsl.check.types import entry as entry_type
from rulesdsl.check.types import piece
from rulesdsl.interpreter import pynodes as py
from rulesdsl.interpreter.asks import LINE_BITS, LINE_MASK
from rulesdsl.interpreter.layout import SEATS
from rulesdsl.interpreter.printed import printed_id, text_of
from rulesdsl.lower import form as fm
from rulesdsl.syntax.printer import print_label

if TYPE_CHECKING:
    from rulesdsl.check.types import Type
    from rulesdsl.interpreter.asks import Ask
    from rulesdsl.interpreter.compile import Engine


def slug(text: str) -> str:
    """Return a text as one word with hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def spoken(text: str) -> str:
    """Return the text of an effect as a person would say it."""
    words = text.replace("-", " ")
    return words[:1].upper() + words[1:]


class Labels:
    """Labels and ids of one compiled setting."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.layout = engine.layout
        self.world = engine.layout.world
        self.program = engine.layout.program

    @cached_property
    def seats(self) -> tuple[str, ...]:
        """The names of the seats."""
        return self.layout.seat_names()

    # ---------------------------------------------------------------- things
    def entry_index(self, kind: Type, value: int) -> int:
        """Return the entry of a thing: of a printed piece, what is printed on it."""
        if kind.family == "piece":
            return self.layout.instances(kind.of)[value][0]
        return value

    def thing(self, kind: Type, value: int) -> str:
        """Return what a person calls a thing."""
        if kind.family == "number":
            return str(value)
        if value < 0:
            return "none"
        if kind.family == "yes-no":
            return "yes" if value else "no"
        if kind.family in {"seat", "player"}:
            return self.seats[value]
        if kind.family == "piece" and self.world.pieces[kind.of].style == "single":
            title = self.world.pieces[kind.of].title
            return f"{title} of {self.seats[value]}" if self.world.pieces[kind.of].owned else title
        if kind.of in self.world.kinds and kind.family in {"entry", "piece"}:
            return self.world.kinds[kind.of].entries[self.entry_index(kind, value)].title
        return str(value)

    def shown(self, kind: Type, value: Any) -> str:  # noqa: ANN401 - of any type
        """Return what a person calls a value: a thing, several things, a price or a text."""
        match kind.family:
            case "text":
                return "none" if value == -1 else str(value)
            case "list":
                return ", ".join(self.thing(entry_type(kind.of), each) for each in value) or "none"
            case "bundle":
                priced = zip(self.world.bundle_nouns, value, strict=True)
                return ", ".join(f"{count} {noun}" for noun, count in priced if count) or "nothing"
            case _:
                return self.thing(kind, value)

    def back(self, piece: str, at: int) -> str:
        """Return what is printed on the back of a piece, nothing where its back is plain."""
        kind = self.world.kinds[piece]
        entry = kind.entries[self.layout.instances(piece)[at][0]]
        said: list[str] = []
        for field in kind.fields.values():
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
        if kind.family in {"seat", "player"}:
            return f"player:{value + 1}"
        if kind.family == "piece" and self.world.pieces[kind.of].style == "single":
            return f"{kind.of}:{value + 1}"
        if kind.of in self.world.kinds and kind.family in {"entry", "piece"}:
            entry = self.world.kinds[kind.of].entries[self.entry_index(kind, value)]
            return f"{kind.of}:{entry.id}"
        return str(value)

    def cell(self, piece: str, code: int) -> str:
        """Return what a person calls a cell of a kind of pieces."""
        place, dims = self.layout.place_of(piece, code)
        names: list[str] = []
        owner = ""
        for dim, at in zip(place.dims, dims, strict=False):
            if dim in {"seat", "player"}:
                owner = f"{self.seats[at]}'s "
            else:
                names.append(self.world.kinds[dim].entries[at].title)
        if place.table:
            return owner + names[0]
        title = owner + place.title
        return f"{title} ({', '.join(names)})" if names else title

    # ---------------------------------------------------------------- decisions
    def prompt(self, ask: Ask) -> str:
        """Return the question of a decision."""
        end = ask.end
        match end:
            case fm.AskOne():
                kind = end.domain.element
                title = self.kind_title(kind)
                return end.prompt or f"Choose: {title}."
            case fm.AskWay():
                return "Choose one."
            case fm.AskMay():
                return "Go on?" if end.again else "Do this?"
            case fm.AskMenu():
                return "What do you do?"
            case fm.AskSecret():
                return end.prompt
            case _:
                assert_never(end)

    def kind_title(self, kind: Type) -> str:
        """Return what a person calls a kind of things."""
        if kind.of in self.world.pieces:
            return self.world.pieces[kind.of].title
        if kind.of in self.world.kinds:
            return self.world.kinds[kind.of].title
        return kind.family

    def option(self, ask: Ask, option: Any, detail: tuple[int, int] | None) -> tuple[str, str]:  # noqa: ANN401
        """Return id and label of an option."""
        end = ask.end
        match end:
            case fm.AskOne() | fm.AskSecret():
                kind = end.domain.element
                label = self.thing(kind, option)
                base = end.domain.unfiltered
                if isinstance(base, ty.Lying) and kind.of in self.world.kinds:
                    label += self.whose(
                        kind.of, option, self.layout.base(kind.of, base.cells.place)
                    )
                return self.thing_id(kind, option), label
            case fm.AskWay():
                way = end.ways[option]
                text = self.effect_text(way.block, detail) or spoken(way.text)
                label = way.label or text
                return slug(way.label or way.text), label
            case fm.AskMay():
                if not option:
                    return "no", "No"
                return "yes", f"Yes: {self.effect_text(end.block, detail) or spoken(end.text)}"
            case fm.AskMenu():
                return self.menu_option(end, option, detail)
            case _:
                assert_never(end)

    def about(self, ask: Ask, option: Any) -> tuple[str, str]:  # noqa: ANN401
        """Return the id of the entry that an option names, and what it says about itself."""
        domain, value = None, option
        if isinstance(ask.end, fm.AskOne | fm.AskSecret):
            domain = ask.end.domain
        elif isinstance(ask.end, fm.AskMenu) and option >= 0:
            domain, value = ask.end.lines[option >> LINE_BITS].domain, (option & LINE_MASK) - 1
        if domain is None:
            return "", ""
        kind = domain.element
        info = self.world.kinds.get(kind.of)
        if info is None or value < 0 or kind.family not in {"entry", "piece"}:
            return "", ""
        entry = info.entries[self.entry_index(kind, value)]
        return printed_id(info, entry), text_of(entry)

    def where(self, ask: Ask, option: Any, st: Any) -> str:  # noqa: ANN401
        """Return where a piece lies that is chosen among several places, in brackets."""
        if not isinstance(ask.end, fm.AskOne):
            return ""
        base = ask.end.domain.unfiltered
        if not isinstance(base, ty.Lying) or base.cells.one:
            return ""
        if self.world.pieces[base.piece].style != "printed":
            return ""
        code = getattr(st, py.identifier(base.piece, "w_"))[option]
        return f" ({self.cell(base.piece, code)})"

    def menu_option(
        self, end: fm.AskMenu, option: int, detail: tuple[int, int] | None
    ) -> tuple[str, str]:
        """Return id and label of a line of a menu."""
        if option < 0:
            return "done", "Done"
        line = end.lines[option >> LINE_BITS]
        effect = self.effect_text(line.block, detail)
        if line.variable is None or line.domain is None:
            return slug(line.label or line.text), line.label or effect or spoken(line.text)
        value = (option & LINE_MASK) - 1
        kind = line.domain.element
        title = self.thing(kind, value)
        name = self.thing_id(kind, value).split(":")[-1]
        head = slug(line.label or line.text.split()[0])
        words = [title]
        if line.label:
            words.insert(0, line.label)
        elif effect is None:
            words.insert(0, spoken(line.text.split()[0]))
        if effect is not None:
            words.append(effect)
        return f"{head}:{name}", ": ".join(words)

    def effect_text(self, block: ty.Block, detail: tuple[int, int] | None) -> str | None:
        """Return the text of the effect that a line would carry out."""
        if detail is None:
            return None
        step = next(each for each in block.steps if isinstance(each, ty.DoField))
        subject, key = detail
        kind = self.world.kinds[step.kind]
        entry = kind.entries[self.entry_index(step.subject.type, subject)]
        per = kind.fields[step.field].per
        column = None if per is None or key < 0 else self.world.kinds[per].entries[key].name
        body = entry.effects.get((step.field, column)) or entry.effects.get((step.field, None))
        return None if body is None else print_label(body)
