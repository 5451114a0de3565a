"""Constructors of Python syntax nodes, with constant folding."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from functools import lru_cache

from rulesdsl.lower.flat.walk import computed

Code = list[ast.stmt]
WORDS = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)
LOAD = ast.Load()
STORE = ast.Store()
OPERATORS: dict[str, ast.operator] = {
    "+": ast.Add(),
    "-": ast.Sub(),
    "*": ast.Mult(),
    "/": ast.FloorDiv(),
    "%": ast.Mod(),
    "&": ast.BitAnd(),
    "|": ast.BitOr(),
    "^": ast.BitXor(),
}
COMPARISONS: dict[str, ast.cmpop] = {
    "=": ast.Eq(),
    "<>": ast.NotEq(),
    "<": ast.Lt(),
    "<=": ast.LtE(),
    ">": ast.Gt(),
    ">=": ast.GtE(),
    "in": ast.In(),
}


@lru_cache(16_384)  # room for every name of a game, so that all its settings share them
def identifier(name: str, prefix: str = "v_") -> str:
    """Map a name of the rules to a Python identifier; distinct names stay distinct."""
    if name == "me":
        return name
    return prefix + re.sub(
        r"[^a-z0-9]", lambda found: "_" if found[0] == "-" else f"X{ord(found[0]):x}X", name
    )


def name(text: str) -> ast.Name:
    """Return a name in a load context."""
    return ast.Name(text, LOAD)


def stored(text: str) -> ast.Name:
    """Return a name in store context."""
    return ast.Name(text, STORE)


def const(value: int | str | tuple[object, ...] | None) -> ast.Constant:
    """Return a constant."""
    return ast.Constant(value)  # type: ignore[arg-type]  # tuples of constants are constants too


def whole(node: ast.expr) -> int | None:
    """Return the value of an integer constant; None for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    return None


def attribute(owner: ast.expr, text: str) -> ast.Attribute:
    """Return an attribute in a load context."""
    return ast.Attribute(owner, text, LOAD)


def field(text: str) -> ast.Attribute:
    """Return a field of the state in a load context."""
    return attribute(name("st"), text)


def item(owner: ast.expr, at: ast.expr) -> ast.Subscript:
    """Return a subscript in a load context."""
    return ast.Subscript(owner, at, LOAD)


def call(function: str, *arguments: ast.expr) -> ast.Call:
    """Return a call to a global function."""
    return ast.Call(name(function), list(arguments), [])


def method(owner: ast.expr, text: str, *arguments: ast.expr) -> ast.Call:
    """Return a call to a method."""
    return ast.Call(attribute(owner, text), list(arguments), [])


HELD = "t_"  # a temporary for immediate reuse


def held(made: ast.expr) -> ast.expr:
    """Return an expression that also assigns its value to `HELD`."""
    return ast.NamedExpr(ast.Name(HELD, ast.Store()), made)


def compared(op: str, left: ast.expr, right: ast.expr) -> ast.expr:
    """Return a comparison, folded if both sides are constants."""
    a, b = whole(left), whole(right)
    if a is not None and b is not None:
        return const(bool(computed(op, a, b)))
    return ast.Compare(left, [COMPARISONS[op]], [right])


def negated(value: ast.expr) -> ast.expr:
    """Return the negation of a condition."""
    if isinstance(value, ast.Constant):
        return const(not value.value)
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not):
        return value.operand
    return ast.UnaryOp(ast.Not(), value)


def joined(op: str, parts: Sequence[ast.expr]) -> ast.expr:
    """Return a conjunction or disjunction, with constants folded."""
    neutral = op == "and"
    kept: list[ast.expr] = []
    for part in parts:
        if isinstance(part, ast.Constant):
            if bool(part.value) != neutral:
                return const(not neutral)
            continue
        kept.append(part)
    if not kept:
        return const(neutral)
    if len(kept) == 1:
        return kept[0]
    return ast.BoolOp(ast.And() if op == "and" else ast.Or(), kept)


def chosen(condition: ast.expr, yes: ast.expr, no: ast.expr) -> ast.expr:
    """Return a conditional expression, folded if its condition is constant."""
    if isinstance(condition, ast.Constant):
        return yes if condition.value else no
    return ast.IfExp(condition, yes, no)


def assign(target: ast.expr, value: ast.expr) -> ast.stmt:
    """Return an assignment to a target built in a load context."""
    return ast.Assign([_as_target(target)], value)


def _as_target(target: ast.expr) -> ast.Name | ast.Attribute | ast.Subscript:
    match target:
        case ast.Name():
            return ast.Name(target.id, STORE)
        case ast.Attribute():
            return ast.Attribute(target.value, target.attr, STORE)
        case ast.Subscript():
            return ast.Subscript(target.value, target.slice, STORE)
        case _:
            raise AssertionError(ast.dump(target))


def expression(value: ast.expr) -> ast.stmt:
    """Return an expression statement."""
    return ast.Expr(value)


def when(condition: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt]) -> list[ast.stmt]:
    """Return an if statement; a constant condition leaves only the taken branch."""
    if isinstance(condition, ast.Constant):
        return body if condition.value else orelse
    if not body and not orelse:
        return []
    if not body:
        return [ast.If(negated(condition), orelse, [])]
    return [ast.If(condition, body, orelse)]


def loop(target: str, over: ast.expr, body: list[ast.stmt]) -> ast.stmt:
    """Return a for loop."""
    return ast.For(stored(target), over, body or [ast.Pass()], [])


def function(text: str, params: Sequence[str], body: list[ast.stmt]) -> ast.FunctionDef:
    """Return a function definition."""
    arguments = ast.arguments(
        posonlyargs=[],
        args=[ast.arg(param) for param in params],
        kwonlyargs=[],
        kw_defaults=[],
        defaults=[],
    )
    return ast.FunctionDef(text, arguments, body or [ast.Pass()], [])


def generator(target: str, over: ast.expr, conditions: list[ast.expr]) -> ast.comprehension:
    """Return one `for` clause of a comprehension."""
    kept = [each for each in conditions if not (isinstance(each, ast.Constant) and each.value)]
    return ast.comprehension(stored(target), over, kept, 0)
