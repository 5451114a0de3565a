"""Generator of well-typed phrases and statements over the names in scope."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import attrs

from soak.drawing.box import SEATS
from soak.drawing.productions import GRAMMAR, LEVEL, PHRASES, Hole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from soak.drawing.box import Box, Noun, Proc, Value
    from soak.drawing.productions import Production

ATOM, OF, AT, IN = LEVEL["ATOM"], LEVEL["OF"], LEVEL["AT"], LEVEL["IN"]
DEEP, DEEPEST = 3, 4  # limits of nesting: phrases, statements
TRIES = 8
LOOPS = {  # bindings of each sort; a repeated one is more likely
    "things": "lying lying lying kind seats list ends",
    "differing": "lying,single,printed lying,single,printed kind seats list",
    "chosen": "lying,single,printed lying,single,printed kind seats list",
    "looped": "lying,single,printed lying,single,printed kind number list",
    "choosable": "kind kind number player lying,one,printed",
    "type": "kind kind,option number yes-no seat piece,printed piece,single",
}


@attrs.frozen
class Text:
    """Generated phrase or statement with its precedence level."""

    text: str
    level: int = 0
    of: str = ""  # the type, for a phrase whose value may be none
    risky: bool = False
    still: bool = False

    def at(self, level: int) -> str:
        """Return the text for a precedence level, in brackets if it binds less tightly."""
        return self.text if self.level <= level else f"({self.text})"


@attrs.frozen
class Things:
    """Subject of a production: singular, plural, element type and place."""

    one: str
    many: str
    element: str
    place: Text | None = None
    noun: Noun | None = None
    phrase: Text | None = None

    @classmethod
    def of(cls, noun: Noun) -> Things:
        """Return all members of a kind."""
        family = "piece" if noun.role == "piece" else "entry"
        return cls(noun.name, noun.plural, f"{family}:{noun.name}", noun=noun)

    @property
    def text(self) -> Text:
        """Phrase for all members."""
        return self.phrase or Text(self.many + self.inside, IN if self.place else 0)

    @property
    def inside(self) -> str:
        """Words for the place of the members, if any."""
        return f" in {self.place.at(AT)}" if self.place else ""

    @property
    def choice(self) -> str:
        """Phrase for one member, without an article."""
        return self.one + self.inside

    @property
    def option(self) -> Text | None:
        """Name of the option, if the subject is one."""
        return Text(self.one) if self.noun and self.noun.role == "option" else None


@attrs.define
class Scope:
    """Names in scope at a point in the rules, and the constructs allowed there."""

    me: str | None = None  # seat or player
    it: str | None = None  # type of the candidate
    names: dict[str, str] = attrs.Factory(dict)  # locals and their types
    values: int = 10_000  # values with a smaller position may be used
    procs: int = 10_000  # procedures with a smaller position may be called
    effects: int = 10_000  # effects of fields with a smaller position may be done
    fields: bool = True  # effects of entries may be done
    formulas: bool = True  # formulas of entries may be evaluated
    chooses: bool = False  # decisions of a player are allowed
    draws: bool = False  # randomness is allowed
    flow: bool = False  # in a step, where everything must be possible
    dirty: bool = False  # an earlier statement may have changed something
    auto: bool = False  # no decisions are allowed in called procedures
    ending: bool = False  # scores may be read
    inside: str = ""  # the procedure that contains this point
    beneath: Value | None = None  # the value whose original may be used, in a hook on it
    plain: bool = False  # no new names may be bound
    depth: int = 0
    kind: str = ""  # the kind of production
    bound: dict[str, Things] = attrs.Factory(dict)  # the subjects of the production
    given: dict[str, str] = attrs.Factory(dict)  # the new names in it

    @property
    def nobody(self) -> bool:
        """True if no player is acting and decisions are allowed."""
        return self.me is None and not self.auto

    def block(self, deeper: int = 1, **changes: object) -> Scope:
        """Return the scope of a nested block."""
        return attrs.evolve(self, names=dict(self.names), depth=self.depth + deeper, **changes)  # type: ignore[arg-type]


def fits(have: str, want: str) -> bool:
    """Return True if a value of one type can be used as another."""
    return have == want or (want == "seat" and have == "player")


def indented(lines: Iterable[str]) -> list[str]:
    """Indent lines by one level."""
    return [f"    {line}" for line in lines]


class Drawer:
    """Generator of phrases and statements over the declarations of a box.

    The method `_on_X` fills a hole named X; `_bind_X` generates a binding named X.
    """

    def __init__(self, box: Box) -> None:
        self.box = box
        self.chance = box.chance
        self.one_in = box.chance.one_in
        self._fresh = 0

    def fresh(self, base: str = "x") -> str:
        """Return an unused name for a local."""
        self._fresh += 1
        return f"{base}{self._fresh}"

    # ---------------------------------------------------------------- productions
    def draw(self, kind: str, s: Scope, about: Things | None = None) -> Text | None:
        """Generate productions of a kind until one succeeds; return None if all fail."""
        left = [each for each in GRAMMAR[kind] if self._possible(each, kind, s)]
        # sometimes, all productions are equally likely, at any depth
        odd = kind in {"line", "block"} and self.one_in(8)
        while left:
            weights = [1.0 if odd else each.weight for each in left]
            one = self.chance.choices(left, weights)[0]
            left.remove(one)
            found = self._made(one, kind, s, about)
            if found is not None:
                return found
        return None

    def _possible(self, one: Production, kind: str, s: Scope) -> bool:
        deep = kind in PHRASES and s.depth > DEEP and "leaf" not in one.words
        named = s.plain and "names" in one.words
        return not deep and not named and all(getattr(s, each) for each in one.needs)

    def _made(self, one: Production, kind: str, s: Scope, about: Things | None) -> Text | None:
        bound = {"K": about} if about else {}
        here = s.block(int(kind in PHRASES), kind=kind, bound=bound, given={})
        for name, binding in one.binds:
            things = self.bind(binding.split(","), here)
            if things is None:
                return None
            bound[name] = things
        here.draws = here.draws and kind not in PHRASES
        parts = self._filled(one.parts, here)
        if parts is None or ("differ" in one.words and self._same(parts[0].text, parts[-1].text)):
            return None
        if "names" in one.words:
            s.names |= {here.given["n"]: bound["X"].element}
        return Text(
            "".join(each.text for each in parts),
            max(one.level, parts[0].level if len(parts) == 1 else 0),
            bound["X"].element if kind == "maybe" else "",
            "risky" in one.words or (kind in {"line", "sequence"} and any(e.risky for e in parts)),
            "still" in one.words,
        )

    def _same(self, *sides: str) -> bool:
        words = {each.removeprefix("my ").removesuffix(" of me") for each in sides}
        return len(words) == 1 or (" " not in "".join(words) and bool(words & {"it", "me"}))

    def _filled(self, parts: Iterable[str | Hole], s: Scope) -> list[Text] | None:
        """Fill the holes of a template; return None if one cannot be filled."""
        found: list[Text] = []
        for part in parts:
            if isinstance(part, str):
                found.append(Text(part))
            elif part.parts:
                found += (self.one_in(part.often) and self._filled(part.parts, s)) or []
            else:
                text = self._hole(part, s)
                if text is None or ("bare" in part.words and text.level > part.level):
                    return None
                found.append(attrs.evolve(text, text=text.at(part.level)))
        return found

    def _hole(self, hole: Hole, s: Scope) -> Text | None:
        if "|" in hole.name:
            return Text(self.chance.choice(hole.name.split("|")))
        if "+" in hole.name or ":=" in hole.name:
            name, of = re.split(r"\+|:=", hole.name)
            s.given[name] = self.fresh(name)
            s.names |= {s.given[name]: s.bound[of].element} if "+" in hole.name else {}
            return Text(s.given[name])
        if hole.name in s.given:
            return Text(s.given[hole.name])
        inner = self._changed(s, hole.words)
        if hole.name[0].isupper():
            return self._of_bound(hole.name, inner)
        if hole.name in self.box.words:
            return self._one(self.box.words[hole.name])
        fill: Callable[[Scope, Sequence[str]], Text | None] | None
        fill = getattr(self, f"_on_{hole.name}", None)
        about = s.bound.get(hole.words[0]) if hole.words else None
        text = fill(inner, hole.words) if fill else self.draw(hole.name, inner, about)
        several = text is not None and re.search(r"\n(?! |otherwise)", text.text)
        if text is None or ("alone" in hole.words and several):
            return None
        if "indent" not in hole.words:
            return text
        return attrs.evolve(text, text="\n".join(indented(text.text.split("\n"))))

    def _changed(self, s: Scope, words: Iterable[str]) -> Scope:
        """Return the scope with the changes that a hole's words request."""
        changes: dict[str, object] = {}
        for word in words:
            key, given, value = word.partition("=")
            if given:
                changes[key] = s.bound[value].element if value in s.bound else value
            elif word in {"try", "loop", "spends"}:
                changes |= {"dirty": word != "try", "flow": s.flow and word != "try"}
            elif word == "chooses":
                changes["chooses"] = not s.auto
            if word == "spends":
                changes |= {"procs": 0, "fields": False}
        if "me" in changes:
            changes = {"chooses": False, **changes}
        return attrs.evolve(s, **changes)  # type: ignore[arg-type]

    def _of_bound(self, words: str, s: Scope) -> Text | None:
        name, _, attribute = words.rstrip("!?").partition(".")
        things = s.bound[name]
        if words.endswith("!"):
            return self.thing(things.element, s)
        if words.endswith("?"):
            return self.local(things.element, s)
        if attribute == "entry":
            return self._one(things.noun.entries if things.noun else [])
        found = getattr(things, attribute or "text")
        return Text(found) if isinstance(found, str) else found

    def _one(self, words: Sequence[str]) -> Text | None:
        word = self.chance.pick(words)
        return None if word is None else Text(word)

    # ---------------------------------------------------------------- subjects of productions
    def bind(self, words: Sequence[str], s: Scope) -> Things | None:
        """Generate the subject for a binding; return None if nothing fits."""
        what, *styles = words
        if what in LOOPS:
            ways = (self.chance.choice(LOOPS[what].split()).split(",") for _ in range(TRIES))
            return next(filter(None, (self.bind(way, s) for way in ways)), None)
        binding: Callable[[Scope, Sequence[str]], Things | None] | None
        binding = getattr(self, f"_bind_{what}", None)
        return binding(s, styles) if binding else Things(what, f"{what}s", what)

    def _bind_kind(self, _: Scope, styles: Sequence[str]) -> Things:
        return Things.of(self.chance.choice(self.box.plain(options="option" in styles)))

    def _bind_column(self, _: Scope, styles: Sequence[str]) -> Things | None:
        kind, style = self.box.column
        return Things.of(self.box.nouns[kind]) if style in styles else None

    def _bind_seats(self, s: Scope, _: Sequence[str]) -> Things | None:
        return self.bind([self.chance.choice(SEATS)], s)

    def _bind_number(self, s: Scope, _: Sequence[str]) -> Things | None:
        most = self.draw("small", s)
        place = most and Text(f"{self.chance.choice('01')}..{most.at(AT)}")
        return Things("number", "numbers", "number", place)

    def _bind_list(self, s: Scope, _: Sequence[str]) -> Things | None:
        kind = self._bind_kind(s, ())
        place = self.draw("list", s, kind)
        return attrs.evolve(kind, place=place) if place else None

    def _bind_memory(self, s: Scope, styles: Sequence[str]) -> Things | None:
        memories = [each for each in self.box.nouns.values() if each.role == "memory"]
        if "hidden" in styles:
            memories = [each for each in memories if "seen by" in each.rest]
        memory = self.chance.pick(memories)
        if memory is None or memory.per not in (None, s.inside):
            return None
        place = self.indexed(memory.name, [self.box.thing(each) for each in memory.dims], s)
        return (
            attrs.evolve(Things.of(self.box.nouns[memory.style]), place=place) if place else None
        )

    def _bind_piece(self, _: Scope, styles: Sequence[str]) -> Things | None:
        found = self.box.pieces(*(each for each in styles if each not in {"one", "owned", "kept"}))
        if "owned" in styles:
            found = [each for each in found if each.per]
        if "kept" in styles:  # a kind whose pieces lie only in places with entries
            homes = [[each.name] for each in self.box.places() if each.dims == (each.name,)]
            found = [each for each in found if each.beside in homes]
        noun = self.chance.pick(found)
        return Things.of(noun) if noun else None

    def _bind_lying(self, s: Scope, styles: Sequence[str]) -> Things | None:
        """Generate pieces of a kind in a place; sometimes only those of an entry or the player."""
        things = self._bind_piece(s, styles)
        if things is None or things.noun is None:
            return None
        noun, one = things.noun, "one" in styles or self.one_in(2)
        place = self.place(self.box.nouns[self.chance.choice(noun.beside)], s, one=one)
        if place is None:
            return None
        if noun.style == "printed" and self.one_in(8):
            name = self.chance.choice(noun.entries)
            return attrs.evolve(things, one=name, many=name, place=place)
        theirs = " of " in place.text and not self.one_in(200)  # the place already names the owner
        own = noun.per and s.me and "one" not in styles and not theirs and self.one_in(2)
        mine = "my " if own else ""
        return attrs.evolve(things, many=mine + things.many, place=place)

    def _bind_stack(self, s: Scope, _: Sequence[str]) -> Things | None:
        printed = {each.name for each in self.box.pieces("printed")}
        found = [(each, printed & {*each.beside}) for each in self.box.places()]
        found = [pair for pair in found if pair[0].style == "stack" and len(pair[1]) == 1]
        stack, held = self.chance.pick(found) or (None, {""})
        place = self.place(stack, s) if stack else None
        return attrs.evolve(Things.of(self.box.nouns[held.pop()]), place=place) if place else None

    def _bind_ends(self, s: Scope, _: Sequence[str]) -> Things | None:
        stack = self._bind_stack(s, ())
        if stack is None or stack.place is None:
            return None
        end = f"{self.chance.choice(['top', 'bottom'])} {self.chance.choice('123')}"
        return attrs.evolve(stack, place=Text(f"({end} of {stack.place.at(OF)})"))

    def _bind_said(self, s: Scope, kinds: Sequence[str]) -> Things | None:
        found = self.draw(kinds[0], s)
        return Things("", "", found.of or kinds[0], phrase=found) if found else None

    def _bind_holder(self, s: Scope, styles: Sequence[str]) -> Things | None:
        """Generate the place that contains a piece, or the owner of that place."""
        piece = self._bind_piece(s, styles)
        found = self.thing(piece.element, s) if piece else None
        homes = piece.noun.beside if piece and piece.noun else []
        place = self.box.nouns[self.chance.choice(homes)] if len(homes) > 1 else None
        if not found or not place or place.dims not in {("seat",), ("player",), (place.name,)}:
            return None
        kind = f"entry:{place.name}" if place.entries else "seat"
        return Things(place.name, place.plural, kind, found)

    def _bind_rival(self, _: Scope, __: Sequence[str]) -> Things | None:
        rival = self.chance.pick(self.box.words["rival"])
        return Things(rival, rival, "seat") if rival else None

    # ---------------------------------------------------------------- phrases
    def thing(self, kind: str, s: Scope) -> Text | None:
        """Generate a phrase of a type whose value provably exists."""
        family, _, of = kind.partition(":")
        if not of:
            return self.draw(kind, s)
        noun = self.box.nouns[of]
        return self.draw(noun.style if family == "piece" else family, s, Things.of(noun))

    def local(self, kind: str, s: Scope) -> Text | None:
        """Return a local variable of a type, or the candidate."""
        fitting = [name for name, have in s.names.items() if fits(have, kind)]
        return self._one([*fitting, *(["it"] if s.it and fits(s.it, kind) else [])])

    def indexed(
        self, name: str, kinds: Sequence[str], s: Scope, *, own: bool = False
    ) -> Text | None:
        """Return a name with its indices: `N`, `my N`, `N of x`, `N of x at y`."""
        if s.depth > DEEP + 1 or not kinds:
            return None if kinds else Text(name)
        if len(kinds) == 1 and s.it and fits(s.it, kinds[0]) and self.one_in(3):
            return Text(name)
        mine = own or (kinds[0] in SEATS and s.me and fits(s.me, kinds[0]) and self.one_in(1.3))
        keys = [self.thing(each, s.block()) for each in kinds[bool(mine) :]]
        words = [each.at(OF) for each in keys if each]
        if len(words) < len(keys):
            return None
        head = f"my {name}" if mine else f"{name} of {words.pop(0)}"
        return Text(" at ".join([head, *words]), AT if words else 0 if mine else OF)

    def place(self, place: Noun, s: Scope, *, one: bool = True, own: bool = False) -> Text | None:
        """Return a phrase for a place of a kind, or sometimes for several places."""
        if not one and self.one_in(2):
            return Text(place.plural if place.dims else place.name)
        if place.dims == (place.name,):
            return self.thing(f"entry:{place.name}", s)
        dims = [self.box.thing(each) for each in place.dims]
        return self.indexed(place.name, dims, attrs.evolve(s, it=None), own=own)

    def _on_home(self, s: Scope, words: Sequence[str]) -> Text | None:
        """Return a phrase for a place that can hold a piece of the acting player."""
        piece = s.bound[words[0]].noun
        assert piece is not None
        owned = bool(piece.per) and not self.one_in(100)
        places = [
            (self.box.nouns[name], {*self.box.nouns[name].dims} & {*SEATS})
            for name in piece.beside
        ]
        places = [(e, whose) for e, whose in places if not (owned and whose) or e.dims[0] in SEATS]
        place, whose = self.chance.pick(places) or (None, set())
        if place is None or (owned and s.me is None):
            return None
        text = self.place(place, s, own=owned and bool(whose))
        if text and place.style == "stack" and "into" in words and self.one_in(2):
            return Text(f"{self.chance.choice(['top', 'bottom'])} of {text.at(OF)}", OF)
        return text

    def _on_local(self, s: Scope, _: Sequence[str]) -> Text | None:
        return self.local(s.bound["K"].element if "K" in s.bound else s.kind, s)

    def _on_me(self, s: Scope, _: Sequence[str]) -> Text | None:
        return Text("me") if s.me is not None and fits(s.me, s.kind) else None

    def _on_cell(self, s: Scope, words: Sequence[str]) -> Text | None:
        """Return a track or flag with indices; it must be active if it is to be `changed`."""
        role, *changed = words
        cell = self.chance.pick([each for each in self.box.nouns.values() if each.role == role])
        if cell is None or (changed and cell.per not in (None, s.inside) and not self.one_in(300)):
            return None
        return self.indexed(cell.name, [self.box.thing(each) for each in cell.dims], s)

    def _on_field(self, s: Scope, words: Sequence[str]) -> Text | None:
        about = s.bound.get("K")  # the index must exist
        kind = getattr(about, words[0][2:]) if about else words[0]
        found = [e for e in self.box.fields(kind) if not about or e[1].default or not e[1].per]
        if kind in {"effect", "automatic"}:
            found = [each for each in found if int(each[1].name[1:]) < s.effects]
        pair = self.chance.pick(found)
        if pair is None:
            return None
        kinds = [pair[0].name, *([pair[1].per] if pair[1].per else [])]
        return self.indexed(pair[1].name, [self.box.thing(each) for each in kinds], s)

    def _on_value(self, s: Scope, _: Sequence[str]) -> Text | None:
        kind = s.bound["K"].element if "K" in s.bound else s.kind
        values = [each for each in self.box.values if each.at < s.values and fits(each.type, kind)]
        if s.beneath is not None and fits(s.beneath.type, kind) and self.one_in(2):
            values = [s.beneath]
        value = self.chance.pick(values)
        return self.indexed(value.name, value.params, s) if value else None

    def _on_amount(self, s: Scope, words: Sequence[str]) -> Text | None:
        things = s.bound.get(words[0]) or self.bind(words, s)
        number = self.draw("small", s)
        if number is None or things is None:
            return None
        return Text(f"{number.at(ATOM)} {things.one if number.text == '1' else things.many}")

    def _on_single(self, s: Scope, _: Sequence[str]) -> Text | None:
        noun = s.bound["K"].noun
        assert noun is not None
        return self.indexed(noun.name, [noun.per] if noun.per else [], attrs.evolve(s, it=None))

    def _on_an(self, s: Scope, words: Sequence[str]) -> Text:
        one = s.bound[words[0]].one
        return Text(f"{'an' if one[0] in 'aeio' else 'a'} {one}")

    def _on_label(self, s: Scope, _: Sequence[str]) -> Text:
        return Text(self.label(s))

    def label(self, s: Scope) -> str:
        """Return a unique label."""
        value = self.chance.choice(["players", "1 + 1", *(["me"] if s.me else [])])
        told = f" for {{{value}}}" if self.one_in(9) else ""
        return f'"Do {self.fresh("w")}{told}"'

    # ---------------------------------------------------------------- statements
    def statement(self, s: Scope) -> list[str]:
        """Generate a statement; if it may be impossible, it is usually guarded."""
        names = dict(s.names)
        kind = "line" if s.depth >= DEEPEST or self.one_in(1.8) else "block"
        found = self.draw(kind, s) or Text("nothing", still=True)
        lines = found.text.split("\n")
        if found.risky and (s.flow or s.dirty) and not self.one_in(1000):
            s.names = names
            lines = self.put("may" if s.chooses and self.one_in(3) else "if able", lines)
        s.dirty = s.dirty or not found.still
        return lines

    def body(self, s: Scope, most: int = 3) -> list[str]:
        """Generate the statements of a body."""
        number = self.chance.choice((1, 1, 2, most))
        return [line for _ in range(number) for line in self.statement(s)]

    def put(self, head: str, lines: list[str]) -> list[str]:
        """Join a head and a body; a single statement may be on the line of the head."""
        alone = sum(not line.startswith(" ") for line in lines) == 1
        if alone and not lines[0].startswith(("if ", "menu", "choose one")) and self.one_in(2):
            return [f"{head}: {lines[0]}", *lines[1:]]
        return [f"{head}:", *indented(lines)]

    def _on_body(self, s: Scope, _: Sequence[str]) -> Text:
        return Text("\n".join(self.put("", self.body(s.block()))))

    def _on_call(self, s: Scope, _: Sequence[str]) -> Text | None:
        found = (e for e in self.box.procs if e.at < s.procs and (s.me is not None or not e.verb))
        proc = self.chance.pick([each for each in found if s.chooses or not each.asks or s.nobody])
        return self.call(proc, s) if proc else None

    def call(self, proc: Proc, s: Scope) -> Text | None:
        """Generate a call to a verb or step."""
        words, risky = [proc.name], proc.verb
        for param in proc.params:
            about = Things(param.one, param.many, param.type, noun=self.box.nouns.get(param.one))
            chosen = param.type.startswith(("entry", "player"))
            kind = "given-number" if param.many else "given" if chosen else param.type
            text = self.draw(kind, s, about) if kind != param.type else self.thing(kind, s)
            if text is None:
                return None
            words += [param.prep, text.at(LEVEL["OR"])] if param.prep else [text.at(LEVEL["OR"])]
        return Text(" ".join(words), risky=risky)

    def _on_plain(self, s: Scope, _: Sequence[str]) -> Text | None:
        return self.draw("line", attrs.evolve(s, plain=True))

    def _on_sure(self, s: Scope, _: Sequence[str]) -> Text:
        """Generate a line that is nearly always possible."""
        tried = (self._on_plain(s, ()) for _ in range(TRIES))
        sure = (each for each in tried if each and (not each.risky or self.one_in(80)))
        return attrs.evolve(next(sure, Text("nothing")), risky=False)

    def _on_cost(self, s: Scope, _: Sequence[str]) -> Text | None:
        """Generate a line that uses up a resource for good, so that loops terminate."""
        piece = self.bind(["piece", "counted"], s)
        if piece is None:
            return None
        s = attrs.evolve(s, bound={"X": piece})
        words = [each.at(AT) for _ in range(2) if (each := self._on_home(s, "X"))]
        places = {each.name for each in self.box.places()}
        kinds = [
            next((e for e in each.replace("(", "").split() if e in places), "") for each in words
        ]
        if len(kinds) < 2 or kinds[0] >= kinds[1]:
            return None
        return Text(f"move 1 {piece.one} from {words[0]} into {words[1]}")
