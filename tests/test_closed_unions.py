"""Tests that every `match` over node kinds names all of them.

mypy enforces this (`exhaustive-match`), as long as no `case _` hides a missing kind. Optimiser
passes look for patterns and ignore other nodes; but if they name one terminator, one source of a
loop or one statement with a body, they must name them all.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.lower import flat as fl

ROOT = Path(__file__).parent.parent
FILES = sorted((ROOT / "rulesdsl").rglob("*.py"))
BASES = {f"ty.{each}" for each in ("Typed", "DomainNode", "StepNode", "ValueNode")}
TREES = {"ty", "fm", "st", "ex", "de"}
TYPED = ("steps", "values")
FEW = [{f"fl.{kind.__name__}" for kind in get_args(union)} for union in (fl.End, fl.Source)]
WITH_BODY = {
    f"fl.{kind.__name__}"
    for kind in get_args(fl.Stmt)
    if any(field.type == "Body" for field in attrs.fields(kind))
}
BODIES = {"yes", "no", "body"}


def test_no_match_over_kinds_of_nodes_passes_one_over() -> None:
    found = [(file, each) for file in FILES for each in _hiding(file.read_text(encoding="utf-8"))]
    assert found == []


def test_the_unions_hold_every_kind_of_node() -> None:
    folder = ROOT / "rulesdsl" / "check" / "typed"
    modules = [folder / f"{name}.py" for name in TYPED]
    trees = [ast.parse(module.read_text(encoding="utf-8")) for module in modules]
    classes = {each.name for tree in trees for each in tree.body if isinstance(each, ast.ClassDef)}
    bases = {each.removeprefix("ty.") for each in BASES}
    assert classes - bases == {kind.__name__ for kind in get_args(ty.Node)}


def _hiding(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Match) or not _is_over_kinds(node.cases):
            continue
        for case in node.cases:
            if _takes_anything(case.pattern) and not _is_assert_never(case.body):
                yield f"line {case.pattern.lineno}: {ast.unparse(case)}"


def _is_over_kinds(cases: list[ast.match_case]) -> bool:
    named = {name for case in cases for name in _kinds(case.pattern)}
    if any(name.split(".")[0] in TREES for name in named):
        return True
    taken = [each for case in cases for each in _taken(case.pattern)]
    kinds = {ast.unparse(each.cls) for each in taken}
    opened = {ast.unparse(each.cls) for each in taken if BODIES & set(each.kwd_attrs)} & WITH_BODY
    return any(kinds and kinds <= few for few in FEW) or (bool(opened) and not kinds >= WITH_BODY)


def _kinds(pattern: ast.pattern) -> set[str]:
    named = (each.cls for each in ast.walk(pattern) if isinstance(each, ast.MatchClass))
    return {ast.unparse(each) for each in named}


def _taken(pattern: ast.pattern) -> list[ast.MatchClass]:
    match pattern:
        case ast.MatchOr(patterns=either):
            return [each for inner in either for each in _taken(inner)]
        case ast.MatchAs(pattern=ast.pattern() as inner):
            return _taken(inner)
        case ast.MatchClass(kwd_patterns=parts) if not any(map(_kinds, parts)):
            return [pattern]
    return []


def _takes_anything(pattern: ast.pattern) -> bool:
    if isinstance(pattern, ast.MatchClass):
        return ast.unparse(pattern.cls) in BASES
    return isinstance(pattern, ast.MatchAs) and pattern.pattern is None


def _is_assert_never(body: list[ast.stmt]) -> bool:
    return len(body) == 1 and ast.unparse(body[0]).startswith("assert_never(")
