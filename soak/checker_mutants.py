"""What mutmut's operators can change in the checker: every mutant, and its text.

mutmut itself changes only what lies inside of functions; here the tables beside the kinds of nodes
are code too, so its operators are applied to whole modules. Annotations, decorators, imports and
docstrings are left alone.
"""

from __future__ import annotations

import difflib
import random
from collections.abc import Iterator
from pathlib import Path

import attrs
import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.mutators import mutation_operators

_NOT_CODE = (cst.Annotation, cst.Decorator, cst.Import, cst.ImportFrom)


@attrs.frozen
class Mutant:
    """One change of one file: `before` and `after` are the first line that differs."""

    path: str
    line: int
    operator: str
    before: str
    after: str
    source: str = attrs.field(repr=False)

    @property
    def name(self) -> str:
        """What this mutant is known by in what was found before."""
        return name_of(self.path, self.line, self.before, self.after)


def name_of(path: str, line: int, before: str, after: str, **_: object) -> str:
    """Return the name of a change."""
    return f"{key_of(path, before, after)} ({line})"


def key_of(path: str, before: str, after: str, **_: object) -> str:
    """Return what a change is known by wherever its line comes to stand."""
    return f"{path}: {before} => {after}"


def draw(root: Path, folders: tuple[str, ...], count: int, seed: int) -> list[Mutant]:
    """Return so many mutants of all Python files in some folders, in an order of chance."""
    files = sorted(path for each in folders for path in (root / each).rglob("*.py"))
    modules = {path: _Module(path.read_text("utf-8")) for path in files}
    places = [(path, at) for path in files for at in range(len(modules[path].changes))]
    drawn = random.Random(seed).sample(places, min(count, len(places)))
    return [modules[path].mutant(path.relative_to(root).as_posix(), at) for path, at in drawn]


class _Module:
    """A parsed file and all that can be changed in it."""

    def __init__(self, text: str) -> None:
        wrapper = MetadataWrapper(cst.parse_module(text))
        visitor = _Collector()
        wrapper.visit(visitor)
        self.text = text
        self.tree = wrapper.module
        self.changes = visitor.changes

    def mutant(self, path: str, at: int) -> Mutant:
        node, changed, operator = self.changes[at]
        tree = self.tree.deep_replace(node, changed)
        assert isinstance(tree, cst.Module)
        line, before, after = _difference(self.text, tree.code)
        return Mutant(path, line, operator, before, after, tree.code)


def _difference(old: str, new: str) -> tuple[int, str, str]:
    """Return the line where two texts first differ, and what each has from there on."""
    a, b = old.splitlines(), new.splitlines()
    for tag, i, j, k, m in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag != "equal":
            return i + 1, " ".join(" ".join(a[i:j]).split()), " ".join(" ".join(b[k:m]).split())
    return 0, "", ""


class _Collector(cst.CSTVisitor):
    METADATA_DEPENDENCIES = (PositionProvider,)

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
                if not changed.deep_equals(node):
                    yield changed, operator.__name__.removeprefix("operator_")
