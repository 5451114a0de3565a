from __future__ import annotations

import ast
from pathlib import Path
from types import CodeType

import pytest

import rulesdsl
from packs_on_the_fly import loaded
from rulesdsl.check import typed as ty
from rulesdsl.check.symbols.types import YES_NO, piece
from rulesdsl.interpreter.compile import generate
from rulesdsl.interpreter.python.expressions import function_name
from rulesdsl.lower import flat as fl
from rulesdsl.lower.builder.values import value
from rulesdsl.lower.builder.writer import Shared, Writer
from rulesdsl.lower.flat.text import node_text
from rulesdsl.source.tree import walk

DRAWER = "stack drawer holds card"
GAMES = ["content", "content/sutters_mill", "content/classics/tic_tac_toe"]


def compiled(module: ast.Module) -> CodeType:
    """Return the code of a module as if all of it stood on one line."""
    for node in ast.walk(module):
        if isinstance(node, ast.stmt | ast.expr | ast.arg | ast.excepthandler):
            node.lineno = node.end_lineno = 1
            node.col_offset = node.end_col_offset = 0
    return compile(module, "code", "exec")


def same(one: CodeType, other: CodeType) -> bool:
    parts = [
        (code.co_code, code.co_names, code.co_varnames, code.co_freevars) for code in (one, other)
    ]
    if parts[0] != parts[1] or len(one.co_consts) != len(other.co_consts):
        return False
    return all(
        same(a, b) if isinstance(a, CodeType) and isinstance(b, CodeType) else repr(a) == repr(b)
        for a, b in zip(one.co_consts, other.co_consts, strict=True)
    )


@pytest.mark.parametrize("path", GAMES)
def test_code_that_is_printed_and_read_back_is_the_same(path: str) -> None:
    engine = rulesdsl.load(path).setting(2, {}, log=True).engine
    module = generate(engine.flat, engine.states)
    read = ast.parse(ast.unparse(module))

    assert same(compiled(read), compiled(module))


def test_a_question_about_a_thing_in_one_about_another_keeps_both_apart(tmp_path: Path) -> None:
    engine = loaded(tmp_path, "nothing", DRAWER).setting(2, {}, log=False).engine
    deck, drawer = (ty.Cells(each, ()) for each in ("deck", "drawer"))
    card = piece("card")
    top, below = (ty.EndOf("card", each, top=True, type=card) for each in (deck, drawer))
    same = ty.Comparison("=", ty.Local("d", type=card), ty.Local("c", type=card), type=YES_NO)
    inner = ty.Filtered(ty.Lying("card", drawer, element=card), "d", same, element=card)
    asked = ty.MemberOf(below, inner, type=YES_NO)
    outer = ty.Filtered(ty.Lying("card", deck, element=card), "c", asked, element=card)

    w = Writer(Shared(engine.layout, value))
    found = w.value(ty.MemberOf(top, outer, type=YES_NO))
    equal = [each for each in walk((*w.out, found)) if isinstance(each, fl.Op) and each.op == "="]
    cards = [each for each in equal if not isinstance(each.right, fl.Literal)]

    assert cards
    assert all(each.left != each.right for each in cards), [*map(node_text, equal)]


RIVAL = """
rival ghost "Ghost" without score when players = 1
verb work: raise my fame by 2
instead of work when me = ghost: nothing
value wage of seat: 2
instead of value wage of seat when me = ghost: 7
after act when any ghost: for ghost: work
"""


def test_hooks_of_a_rival_who_is_not_there_are_passed_over(tmp_path: Path) -> None:
    pack = loaded(tmp_path, "work\nraise my fame by my wage", RIVAL)
    engines = [pack.setting(players, {}, log=False).engine for players in (1, 2)]
    called = [each.names[function_name("do:act")].__code__.co_names for each in engines]

    work = function_name("do:work")
    assert [work in names for names in called] == [True, False]
