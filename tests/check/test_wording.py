"""Wording of names and types: every use fills the fields of its text, and every text is used."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import rulesdsl.check.resolve
from rulesdsl.check.resolve import wording
from rulesdsl.source.diagnostics import Wording

FOLDER = Path(rulesdsl.check.resolve.__file__).parent
TREES = [ast.parse(path.read_text("utf-8")) for path in FOLDER.glob("*.py")]
NODES = [node for tree in TREES for node in ast.walk(tree)]


def fields(words: Wording) -> set[str]:
    parts = [*Formatter().parse(words.message), *Formatter().parse(words.advice)]
    return {name.partition(".")[0] for _, name, _, _ in parts if name}


def worded(node: ast.expr) -> list[Wording]:
    """Return the wordings of `wording.A`, or of `wording.A if ... else wording.B`."""
    if isinstance(node, ast.IfExp):
        return worded(node.body) + worded(node.orelse)
    name = node.attr if isinstance(node, ast.Attribute) else ""
    found = getattr(wording, name, None)
    return [found] if isinstance(found, Wording) else []


def calls() -> Iterator[tuple[Wording, ast.Call]]:
    """Yield the calls of wordings, directly or by the name `words`."""
    for tree in TREES:
        for function in ast.walk(tree):
            if not isinstance(function, ast.FunctionDef):
                continue
            inside = [*ast.walk(function)]
            named = [each.value for each in inside if isinstance(each, ast.Assign)]
            chosen = [words for each in named for words in worded(each)]
            for node in inside:
                if isinstance(node, ast.Call):
                    by_name = isinstance(node.func, ast.Name) and node.func.id == "words"
                    for words in chosen if by_name else worded(node.func):
                        yield words, node


def test_every_call_fills_the_fields() -> None:
    short = [
        (words.message, node.lineno)
        for words, node in calls()
        if not fields(words) <= {each.arg for each in node.keywords}
    ]

    assert short == []


def test_every_wording_is_used() -> None:
    used = {id(each) for node in NODES if isinstance(node, ast.expr) for each in worded(node)}
    unused = [name for name, each in vars(wording).items() if isinstance(each, Wording)]

    assert [name for name in unused if id(getattr(wording, name)) not in used] == []
