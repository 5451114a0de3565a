"""Makes mutants that know the language: phrases of one type, statements and cards are exchanged.

One to three changes at once. What they give is mostly read without a slip, and often lints clean:
the types are those of the checker, and a statement goes where statements are.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING

import attrs

from rulesdsl.syntax.lexemes import Sort, lexemes
from soak.shrinking import Node, parsed, printed

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

INDENT = 4
COMMON = frozenset(
    (
        "a",
        "an",
        "all",
        "any",
        "no",
        "the",
        "only",
        "first",
        "random",
        "most",
        "least",
        "then",
        "in",
        "of",
        "at",
        "on",
        "my",
        "me",
        "where",
        "with",
        "per",
        "and",
        "or",
        "not",
        "top",
        "bottom",
        "before",
        "after",
        "players",
        "seats",
        "player",
        "seat",
        "position",
        "owner",
        "number",
    )
)
TRIES = 12
BODIES = re.compile(r"(verb|step|before|after|instead of(?! value))\b.*:$")
ROW = re.compile(r"^([\w.-]+)( = )(.+)$")
WRAPS = (
    "if {condition}",
    "if able",
    "may",
    'may "Or not"',
    "for each player",
    "for each seat",
    "repeat 2 times",
    "repeat {number} times",
    "may up to 2 times",
    "may any number of times",
    "for each player where {condition}",
    "all choose secretly a player",
    "for me",
)
Files = dict[str, str]


@attrs.frozen(order=True)
class Phrase:
    """Where a value is in the files, on one line, and of which type it is."""

    path: str
    line: int
    start: int
    end: int
    type: str


@attrs.define(slots=False)
class Mutator:
    """Makes mutants of one pack."""

    files: Files
    phrases: list[Phrase]
    names: frozenset[str]  # what means the same anywhere

    @cached_property
    def by_type(self) -> dict[str, list[str]]:
        """The phrases of each type, as they are written."""
        found: dict[str, set[str]] = defaultdict(set)
        for phrase in self.phrases:
            found[phrase.type].add(self._text(phrase))
        return {kind: sorted(texts) for kind, texts in found.items()}

    def _text(self, phrase: Phrase) -> str:
        line = self.files[phrase.path].splitlines()[phrase.line - 1]
        return line[phrase.start - 1 : phrase.end - 1]

    @cached_property
    def rules(self) -> dict[str, str]:
        """The files of rules."""
        return {name: text for name, text in self.files.items() if name.endswith(".rules")}

    @cached_property
    def tables(self) -> list[str]:
        """The names of tables."""
        names = [name for name in self.files if name.endswith(".toml")]
        return [name for name in names if not name.endswith("pack.toml")]

    @cached_property
    def statements(self) -> list[str]:
        """The statements of all bodies, each with what is below it, at the margin."""
        found = []
        for text in self.rules.values():
            for body in bodies(parsed(text)):
                found += [
                    _at_margin(node)
                    for node in body.level
                    if not node.line.lstrip().startswith("otherwise")
                ]
        return sorted(set(found))

    # ---------------------------------------------------------------- mutants
    def mutant(self, chance: random.Random) -> Files:
        """Return the files of a mutant, with one to three changes."""
        files = dict(self.files)
        number = chance.choice((1, 1, 2, 3))
        done = 0
        # phrases first: their places are those of the files as they were
        ways = sorted(chance.choices(WAYS, WEIGHTS, k=number), key=lambda way: way.__name__)
        touched: set[str] = set()
        for way in ways:
            for _ in range(TRIES):
                path = way(self, files, chance, touched)
                if path is not None:
                    touched.add(path)
                    done += 1
                    break
        return files

    def _pick(self, names: list[str], files: Files, chance: random.Random) -> str | None:
        if not names:
            return None
        return chance.choices(names, [len(files[name]) + 1 for name in names])[0]

    def exchange(self, files: Files, chance: random.Random, touched: set[str]) -> str | None:
        """Put another phrase of its type in the place of a phrase."""
        phrase = chance.choice(self.phrases)
        others = self.by_type[phrase.type]
        if phrase.path in touched or len(others) < 2:  # noqa: PLR2004 - itself and another
            return None
        lines = files[phrase.path].split("\n")
        here = around(lines, phrase.line - 1)
        known = [
            text for text in chance.sample(others, min(len(others), 9)) if self._fits(text, here)
        ]
        if not known:
            return None
        new = known[0]
        line = lines[phrase.line - 1]
        old = line[phrase.start - 1 : phrase.end - 1]
        if new == old:
            return None
        if " " in new and not (old.startswith(("a ", "an ")) or old[:1] == "("):
            new = f"({new})"
        lines[phrase.line - 1] = line[: phrase.start - 1] + new + line[phrase.end - 1 :]
        files[phrase.path] = "\n".join(lines)
        return phrase.path

    def _fits(self, text: str, here: str) -> bool:
        """Whether what a phrase names is likely known in a declaration."""
        return _names_in(text) - self.names - COMMON <= _names_in(here)

    def statement(self, files: Files, chance: random.Random, _touched: set[str]) -> str | None:
        """Wrap, move, splice, double, lift or delete a statement."""
        path = self._pick([*self.rules], files, chance)
        if path is None:
            return None
        tree = parsed(files[path])
        levels = bodies(tree)
        if not levels:
            return None
        body = chance.choice(levels)
        change: Callable[[Body, list[Body], random.Random], bool] = chance.choice(
            (self._wrap, self._wrap, self._splice, self._splice, self._move, _delete, _lift)
        )
        if not change(body, levels, chance):
            return None
        files[path] = printed(tree)
        return path

    def _wrap(self, body: Body, _: list[Body], chance: random.Random) -> bool:
        at = _whole(body, chance)
        if at is None:
            return False
        node = body.level[at]
        head = chance.choice(WRAPS).format(
            condition=self._known("yes-no:", body, chance) or "1 = 1",
            number=self._known("number:", body, chance) or "2",
        )
        body.level[at] = Node(f"{' ' * margin_of(node)}{head}:", [_shifted(node, INDENT)])
        return True

    def _known(self, kind: str, body: Body, chance: random.Random) -> str | None:
        """Return a phrase of a type that names nothing unknown in a body."""
        texts = self.by_type.get(kind, [])
        tried = chance.sample(texts, min(len(texts), 9))
        return next((each for each in tried if self._fits(each, body.around)), None)

    def _splice(self, body: Body, _: list[Body], chance: random.Random) -> bool:
        at = _whole(body, chance)
        texts = chance.sample(self.statements, min(len(self.statements), 9))
        text = next((each for each in texts if self._fits(each, body.around)), None)
        if at is None or text is None:
            return False
        new = _shifted(parsed(text)[0], margin_of(body.level[at]))
        if chance.random() < 1 / 2:
            body.level[at] = new
        else:
            body.level.insert(at, new)
        return True

    def _move(self, body: Body, bodies_: list[Body], chance: random.Random) -> bool:
        to, at = chance.choice(bodies_), _whole(body, chance)
        there = _whole(to, chance)
        if at is None or there is None or (to is body and len(body.level) < 2):  # noqa: PLR2004
            return False
        node = body.level[at]
        if not self._fits("\n".join(node.lines()), to.around) and chance.random() < 1 / 2:
            return False
        to.level.insert(there, _shifted(node, margin_of(to.level[0]) - margin_of(node)))
        body.level.remove(node)
        if not body.level:
            body.level.append(Node(" " * margin_of(node) + "nothing"))
        return True

    def card(self, files: Files, chance: random.Random, _touched: set[str]) -> str | None:
        """Exchange what two entries of a table say under one key, or drop a line of one."""
        path = self._pick(self.tables, files, chance)
        if path is None:
            return None
        lines = files[path].split("\n")
        rows = [(at, found) for at, line in enumerate(lines) if (found := ROW.match(line))]
        if not rows:
            return None
        at, row = chance.choice(rows)
        alike = [other for _, other in rows if other[1].split(".")[0] == row[1].split(".")[0]]
        if chance.random() < 1 / 8:
            del lines[at]
        else:
            other = chance.choice(alike)
            if other[3] == row[3]:
                return None
            lines[at] = row[1] + row[2] + _spliced(row[3], other[3], chance)
        files[path] = "\n".join(lines)
        return path


def _names_in(text: str) -> set[str]:
    return {each.text for each in lexemes(text) if each.sort is Sort.NAME}


def _spliced(own: str, other: str, chance: random.Random) -> str:
    """Return one row, or two effects one after the other."""
    plain = own[:1] == other[:1] == '"' and own.count('"') == other.count('"') == 2  # noqa: PLR2004
    if plain and chance.random() < 1 / 4:
        return f"[{own}, {other}]"
    return other


WAYS = (Mutator.exchange, Mutator.statement, Mutator.card)
WEIGHTS = (5, 5, 2)


# -------------------------------------------------------------------- bodies of rules
@attrs.define
class Body:
    """The statements of a body, and the lines around it."""

    level: list[Node]
    around: str


def bodies(tree: list[Node]) -> list[Body]:
    """Return the bodies of a text: what is below each line that ends with a colon."""
    found = []
    todo = [(node, node) for node in tree if BODIES.match(node.line)]
    while todo:
        node, root = todo.pop()
        if node.below:
            if not node.line.lstrip().startswith(("menu", "choose one")):
                found.append(Body(node.below, "\n".join(root.lines())))
            todo += [(each, root) for each in node.below]
    return found


def _whole(body: Body, chance: random.Random) -> int | None:
    """Return the place of a statement that is no part of an `if` with an `otherwise`."""
    ends = [each.line.lstrip().startswith("otherwise") for each in body.level]
    whole = [at for at, end in enumerate(ends) if not end and not any(ends[at + 1 : at + 2])]
    return chance.choice(whole) if whole else None


def margin_of(node: Node) -> int:
    """Return how far in a line is."""
    return len(node.line) - len(node.line.lstrip())


def _delete(body: Body, _: list[Body], chance: random.Random) -> bool:
    at = _whole(body, chance)
    if at is None or len(body.level) < 2:  # noqa: PLR2004 - something is left
        return False
    del body.level[at]
    return True


def _lift(body: Body, _: list[Body], chance: random.Random) -> bool:
    at = _whole(body, chance)
    if at is None:
        return False
    node = body.level[at]
    if not node.below or node.line.lstrip().startswith(("menu", "choose")):
        return False
    body.level[at : at + 1] = [_shifted(each, -INDENT) for each in node.below]
    return True


def _shifted(node: Node, by: int) -> Node:
    line = " " * max(margin_of(node) + by, 0) + node.line.lstrip()
    return Node(line, [_shifted(each, by) for each in node.below])


def _at_margin(node: Node) -> str:
    return printed([_shifted(node, -margin_of(node))])


def around(lines: list[str], at: int) -> str:
    """Return the declaration, or the table, around a line."""
    first = last = at
    while first > 0 and (lines[first][:1] in {" ", "#", ""} or "=" in lines[first][:20]):
        first -= 1
    while last + 1 < len(lines) and lines[last + 1][:1] in {" ", "#", ""}:
        last += 1
    return "\n".join(lines[first : last + 1])
