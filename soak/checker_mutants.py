"""What mutmut's operators can change in the checker: every mutant, and its text.

mutmut itself changes only what lies inside of functions; here the tables beside the kinds of nodes
are code too, so its operators are applied to whole modules. Annotations, decorators, imports and
docstrings are left alone.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import attrs
import libcst as cst
from mutmut.mutation.mutators import mutation_operators

_NOT_CODE = (cst.Annotation, cst.Decorator, cst.Import, cst.ImportFrom)


@attrs.frozen
class Mutant:
    """One change of one file: `before` and `after` are the lines that differ, the first is `line`.

    `number` is its place in the draw.
    """

    number: int
    path: str
    line: int
    operator: str
    before: str
    after: str
    source: str = attrs.field(repr=False)


def key_of(path: str, before: str, after: str, **_: object) -> str:
    """Return what a change is known by wherever its line ends up."""
    return f"{path}: {before} => {after}"


class Draw:
    """So many mutants of all Python files in some folders, drawn by chance."""

    def __init__(self, root: Path, folders: tuple[str, ...], count: int, seed: int) -> None:
        files = sorted(path for each in folders for path in (root / each).rglob("*.py"))
        self._modules = {each.relative_to(root).as_posix(): _Module(each) for each in files}
        places = [(path, at) for path, each in self._modules.items() for at in each.numbers]
        self._drawn = random.Random(seed).sample(places, min(count, len(places)))

    def __len__(self) -> int:
        return len(self._drawn)

    def mutant(self, number: int) -> Mutant:
        """Return the mutant with this number in the draw."""
        path, at = self._drawn[number]
        return self._modules[path].mutant(number, path, at)


class _Module:
    """A parsed file and all that can be changed in it."""

    def __init__(self, path: Path) -> None:
        self.text = path.read_text("utf-8")
        self.tree = cst.parse_module(self.text)
        collector = _Collector()
        self.tree.visit(collector)
        self.changes = collector.changes
        self.numbers = range(len(self.changes))

    def mutant(self, number: int, path: str, at: int) -> Mutant:
        node, changed, operator = self.changes[at]
        tree = self.tree.deep_replace(node, changed)
        assert isinstance(tree, cst.Module)
        return Mutant(number, path, *_difference(self.text, tree.code, operator), tree.code)


def _difference(old: str, new: str, operator: str) -> tuple[int, str, str, str]:
    """Return the line where two texts first differ, and what each has there."""
    a, b = old.splitlines(), new.splitlines()
    first = next((at for at, both in enumerate(zip(a, b, strict=False)) if len({*both}) > 1), 0)
    same = 0
    while same < min(len(a), len(b)) - first and a[-1 - same] == b[-1 - same]:
        same += 1
    before, after = a[first : len(a) - same], b[first : len(b) - same]
    return (
        first + 1,
        operator,
        " ".join(" ".join(before).split()),
        " ".join(" ".join(after).split()),
    )


class _Collector(cst.CSTVisitor):
    def __init__(self) -> None:
        super().__init__()
        self.changes: list[tuple[cst.CSTNode, cst.CSTNode, str]] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, _NOT_CODE) or _is_for_types(node):
            return False
        self.changes.extend((node, changed, name) for changed, name in _changes(node))
        return True


def _is_for_types(node: cst.CSTNode) -> bool:
    return (
        isinstance(node, cst.If) and isinstance(node.test, cst.Name) and "TYPE" in node.test.value
    )


def _changes(node: cst.CSTNode) -> Iterator[tuple[cst.CSTNode, str]]:
    for kind, operator in mutation_operators:
        if isinstance(node, kind):
            for changed in operator(node):
                yield changed, operator.__name__.removeprefix("operator_")
