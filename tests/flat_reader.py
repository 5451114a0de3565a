"""Prints whole flat programs and reads them back: passes are tested with text in and out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TypeVar

import attrs

from rulesdsl.lower import flat as fl
from rulesdsl.lower.flat.text import function_text, machine_text

T = TypeVar("T")
SIGN = re.compile(
    r"\s+|(-?\d+(?![\w.]))|(:=|\.\.|[+*-]\.(?=\s)|<>|<=|>=|[-+*/%=<>&|^?:](?=\s))"
    r"|([()\[\]{},@$&%#])|([A-Za-z_][^\s()\[\]{},]*)"
)


def program_text(flat: fl.Flat) -> str:
    lines = [_array_text(each) for each in flat.arrays.values()]
    lines += [f"table {name} {_numbers(cells)}" for name, cells in flat.tables.items()]
    lines += [f"list {at} {_numbers(row)}" for at, row in enumerate(flat.lists)]
    lines += [f"choices {name} {' '.join(names)}" for name, names in flat.choices.items()]
    lines += [_decision_text(at, each) for at, each in enumerate(flat.decisions)]
    lines += [function_text(each) for each in flat.functions.values()]
    lines += [machine_text(each) for each in flat.machines.values()]
    return "\n".join(each.rstrip() for each in lines) + "\n"


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _array_text(array: fl.Array) -> str:
    single = " single" if array.single else ""
    blocks = "".join(
        f" block {each.first} {'x'.join(map(str, each.dims))}" for each in array.blocks
    )
    sets = array.sets
    words = "" if sets is None else f" sets {sets.of} {sets.words} {sets.bits}"
    return f"array {array.name} {array.size}{single}{blocks}{words}"


def _decision_text(at: int, decision: fl.DecisionTargets) -> str:
    kind = "sealed" if decision.sealed else "thing" if decision.plain else "lines"
    targets = " ".join(map(str, decision.targets))
    lines = " ".join(
        f"{variable or '-'}{' once' if once else ''}"
        for variable, once in zip(decision.variables, decision.once, strict=True)
    )
    who = "all" if decision.who is None else decision.who
    head = f"decision {at} {kind} {decision.machine} {decision.block}"
    return f"{head} of {who} into {decision.slot or '-'} then {targets} by {lines}"


def read(text: str) -> fl.Flat:
    flat = fl.Flat()
    lines = [(len(each) - len(each.lstrip()), each.split()) for each in text.splitlines()]
    every = [(margin, words) for margin, words in lines if words]
    least = min(margin for margin, _ in every)
    at = 0
    while at < len(every):
        end = at + 1
        while end < len(every) and every[end][0] > least:
            end += 1
        _declare(flat, every[at][1], every[at + 1 : end])
        at = end
    return flat


Lines = list[tuple[int, list[str]]]


def _declare(flat: fl.Flat, words: list[str], inside: Lines) -> None:
    kind, name, *rest = words
    match kind:
        case "array":
            flat.arrays[name] = _array(name, rest)
        case "table":
            flat.tables[name] = tuple(map(int, rest))
        case "list":
            flat.lists.append(tuple(map(int, rest)))
        case "choices":
            flat.choices[name] = tuple(rest)
        case "decision":
            flat.decisions.append(_decision(rest))
        case "function" | "machine":
            _procedure(flat, kind, " ".join([name, *rest]), inside)
        case _:
            raise AssertionError(kind)


def _array(name: str, rest: list[str]) -> fl.Array:
    found = fl.Array(name, int(rest[0]), "single" in rest)
    for at, word in enumerate(rest):
        if word == "block":
            dims = tuple(map(int, rest[at + 2].split("x")))
            block = fl.ArrayBlock(int(rest[at + 1]), dims)
            found = attrs.evolve(found, blocks=(*found.blocks, block))
        elif word == "sets":
            found = attrs.evolve(found, sets=fl.BitSets(*rest[at + 1 : at + 4]))
    return found


def _decision(rest: list[str]) -> fl.DecisionTargets:
    kind, machine, block, _, who, _, slot, _, *more = rest
    by = more.index("by")
    lines = " ".join(more[by + 1 :]).replace(" once", "+once").split()
    return fl.DecisionTargets(
        machine,
        int(block),
        kind != "lines",
        tuple(map(int, more[:by])),
        None if slot == "-" else slot,
        None if who == "all" else int(who) if who.lstrip("-").isdigit() else who,
        tuple(None if each[0] == "-" else each.removesuffix("+once") for each in lines),
        tuple(each.endswith("+once") for each in lines),
        tuple(None for _ in lines),
        sealed=kind == "sealed",
    )


def _procedure(flat: fl.Flat, kind: str, head: str, inside: Lines) -> None:
    name, _, told = head.partition("(")
    params = tuple(each.strip() for each in told.rstrip(")").split(",") if each.strip())
    slots, buffers, left = [*params], [], []
    for margin, words in inside:
        if words[0] == "slot":
            slots.append(words[1])
        elif words[0] == "buffer":
            buffer, _, most = words[1].rstrip("]").partition("[")
            buffers.append((buffer, int(most)))
        else:
            left.append((margin, words))
    if kind == "function":
        flat.functions[name] = fl.Function(name, params, _body(left), tuple(buffers))
        return
    starts = [at for at, (_, words) in enumerate(left) if words[0] == "block"]
    ends = [*starts[1:], len(left)]
    blocks = tuple(_body(left[a + 1 : b]) for a, b in zip(starts, ends, strict=True))
    flat.machines[name] = fl.Machine(name, params, tuple(slots), blocks, tuple(buffers))


def _body(lines: Lines) -> fl.Body:
    found: list[fl.Stmt] = []
    at = 0
    while at < len(lines):
        margin, words = lines[at]
        end = at + 1
        while end < len(lines) and lines[end][0] > margin:
            end += 1
        inside = _body(lines[at + 1 : end])
        if words == ["else"]:
            test = found.pop()
            assert isinstance(test, fl.Conditional)
            found.append(attrs.evolve(test, no=inside))
        else:
            found.append(_Reader(" ".join(words)).stmt(inside))
        at = end
    return tuple(found)


class _Reader:
    """Reads one line."""

    def __init__(self, text: str) -> None:
        self.signs: list[str] = []
        at = 0
        while at < len(text):
            found = SIGN.match(text, at)
            assert found, text[at:]
            if not found[0].isspace():
                self.signs.append(found[0])
            at = found.end()
        self.text = text

    @property
    def next(self) -> str:
        return self.signs[0] if self.signs else ""

    def take(self, *signs: str) -> str:
        assert not signs or self.next in signs, f"{self.text}: {self.next} is not {signs}"
        return self.signs.pop(0)

    def number(self) -> int:
        return int(self.take())

    # ---------------------------------------------------------------- statements
    def stmt(self, inside: fl.Body) -> fl.Stmt:
        known: dict[str, Callable[[], fl.Stmt]] = {
            "fill": lambda: fl.Fill(self._named("@"), self.number()),
            "break": fl.Break,
            "finish": fl.FinishGame,
            "leave": fl.Leave,
            "return": lambda: fl.Return(self.expr() if self.next else None),
            "do": lambda: fl.RunFunction(*self._called()),
            "clear": lambda: fl.Clear(self.buffer(), self._many()),
            "push": lambda: fl.Push(self.buffer(), self.expr()),
            "distinct": self._distinct,
            "draw": lambda: fl.Draw(self.take(), self._after("from", self.buffer)),
            "place": self._place,
            "shuffle": lambda: fl.PermutePile("shuffle", self._pile()),
            "shift": self._shift,
            "note": lambda: fl.Note(self.number(), self._each(self._noted)),
            "goto": lambda: fl.Goto(self.number()),
            "enter": self._enter,
            "ask": lambda: fl.Ask(self.number()),
            "if": lambda: fl.Conditional(self.expr(), inside),
            "for": lambda: fl.For(self.take(), self._after("in", self.source), inside),
        }
        if self.next == "@":
            array = self._named("@")
            index = self._index()
            made: fl.Stmt = fl.Store(array, index, self._after(":=", self.expr))
        elif self.signs[1:2] == [":="]:
            made = fl.Set(self.take(), self._after(":=", self.expr))
        else:
            made = known[self.take()]()
        assert not self.signs, self.text
        return made

    def _named(self, sign: str) -> str:
        self.take(sign)
        return self.take()

    def _after(self, sign: str, what: Callable[[], T]) -> T:
        self.take(sign)
        return what()

    def _many(self) -> int | None:
        return int(self.take("x") and self.take()) if self.next == "x" else None

    def _distinct(self) -> fl.Stmt:
        piece, buffer = self.take(), self.buffer()
        self.take("by")
        prints, *rest = self.signs
        self.signs = []
        marks = [each.split("/") for each in rest if each != "where"]
        told = tuple((array, table, int(width)) for array, table, width in marks)
        return fl.Distinct(buffer, piece, prints, "where" in rest, told)

    def _place(self) -> fl.Stmt:
        piece, thing = self.take(), self.expr()
        top = self.take("top", "bottom") == "top"
        return fl.PlacePiece(piece, thing, self.expr(), top)

    def _shift(self) -> fl.Stmt:
        piece, thing, by = self.take(), self.expr(), self.expr()
        self.take("(")
        old = self.take()
        self.take(",")
        new = self.take()
        self.take(")")
        return fl.Shift(piece, thing, by, old, new)

    def _enter(self) -> fl.Stmt:
        name, arguments, index = self._called()
        self.take("then")
        return fl.Enter(name, arguments, self.number(), index)

    # ---------------------------------------------------------------- expressions
    def expr(self) -> fl.Expr:
        sign = self.next
        if sign.lstrip("-").isdigit():
            return fl.Literal(self.number())
        if sign in {"&", "%", "#"}:
            return fl.ListItem(self.list(), self._index())
        known: dict[str, Callable[[], fl.Expr]] = {
            "@": lambda: fl.Load(self._named("@"), self._index()),
            "$": lambda: fl.TableCell(self._named("$"), self._index()),
            "length": lambda: fl.Length(self._after("length", self.list)),
            "not": lambda: fl.Negate(self._after("not", self.expr)),
            "(": self._in_brackets,
        }
        if sign in known:
            return known[sign]()
        if self.signs[1:2] == ["("] or self._is_choice():
            name, arguments, index = self._called()
            return fl.CallFunction(name, arguments, index)
        return fl.LocalVar(self.take())

    def _is_choice(self) -> bool:
        return self.signs[1:2] == ["["] and self.next.startswith("c") and self.next[1:].isdigit()

    def _in_brackets(self) -> fl.Expr:
        self.take("(")
        first = self.expr()
        word = self.take()
        if word == "in":
            made: fl.Expr = fl.Contains(self.list(), first)
        elif word == "?":
            yes = self.expr()
            made = fl.Select(first, yes, self._after(":", self.expr))
        elif word in {"and", "or"}:
            parts = [first, self.expr()]
            while self.next == word:
                parts.append(self._after(word, self.expr))
            made = fl.ShortCircuit(word, tuple(parts))
        else:
            made = fl.Op(word, first, self.expr())
        self.take(")")
        return made

    def _index(self) -> fl.Expr:
        self.take("[")
        found = self.expr()
        self.take("]")
        return found

    def _called(self) -> tuple[str, tuple[fl.Expr, ...], fl.Expr | None]:
        name = self.take()
        index = self._index() if self.next == "[" else None
        return name, self._listed(), index

    def _listed(self) -> tuple[fl.Expr, ...]:
        return self._each(self.expr)

    def _noted(self) -> fl.Expr | fl.Buffer:
        whole = self.next == "&" and self.signs[2] in {",", ")"}
        return self.buffer() if whole else self.expr()

    def _each(self, read: Callable[[], T]) -> tuple[T, ...]:
        self.take("(")
        found: list[T] = []
        while self.next != ")":
            if found:
                self.take(",")
            found.append(read())
        self.take(")")
        return tuple(found)

    # ---------------------------------------------------------------- lists
    def source(self) -> fl.Source:
        if self.next == "bits":
            return fl.Bits(self._after("bits", self.expr))
        if self.next in {"&", "%", "#"}:
            return self.list()
        low = self.expr()
        return fl.IntRange(low, self._after("..", self.expr))

    def list(self) -> fl.List:
        if self.next == "&":
            return self.buffer()
        if self.next == "%":
            return fl.ConstRow(self._after("%", self.expr))
        return self._pile()

    def buffer(self) -> fl.Buffer:
        name = self._named("&")
        if self.next != "{":
            return fl.Buffer(name)
        self.take("{")
        found = fl.Buffer(name, self.expr())
        self.take("}")
        return found

    def _pile(self) -> fl.Pile:
        return fl.Pile(self._named("#"), self._index())
