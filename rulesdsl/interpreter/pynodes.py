"""Small makers of Python syntax nodes."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Any, TypeVar

from rulesdsl.check.depth import MANY_BRANCHES
from rulesdsl.check.proofs import holds

if TYPE_CHECKING:
    from collections.abc import Sequence

N = TypeVar("N", bound=ast.AST)
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


def identifier(name: str, prefix: str = "v_") -> str:
    """Return a Python name for a name of the rules; different names stay different."""
    if name == "me":
        return name
    return prefix + re.sub(
        r"[^a-z0-9]", lambda found: "_" if found[0] == "-" else f"X{ord(found[0]):x}X", name
    )


def name(text: str) -> ast.Name:
    """Return a name that is read."""
    return ast.Name(text, LOAD)


def stored(text: str) -> ast.Name:
    """Return a name that is written."""
    return ast.Name(text, STORE)


def const(value: int | str | tuple[object, ...] | None) -> ast.Constant:
    """Return a constant."""
    return ast.Constant(value)  # type: ignore[arg-type]  # tuples of constants are constants too


def whole(node: ast.expr) -> int | None:
    """Return the number of a constant, None for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    return None


def attribute(owner: ast.expr, text: str) -> ast.Attribute:
    """Return an attribute that is read."""
    return ast.Attribute(owner, text, LOAD)


def field(text: str) -> ast.Attribute:
    """Return a field of the state that is read."""
    return attribute(name("st"), text)


def item(owner: ast.expr, at: ast.expr) -> ast.Subscript:
    """Return an item that is read."""
    return ast.Subscript(owner, at, LOAD)


def call(function: str, *arguments: ast.expr) -> ast.Call:
    """Return a call of a global function."""
    return ast.Call(name(function), list(arguments), [])


def method(owner: ast.expr, text: str, *arguments: ast.expr) -> ast.Call:
    """Return a call of a method."""
    return ast.Call(attribute(owner, text), list(arguments), [])


def binary(op: str, left: ast.expr, right: ast.expr) -> ast.expr:
    """Return an arithmetic operation, computed where both sides are constants."""
    a, b = whole(left), whole(right)
    if a is not None and b is not None and (op not in "/%" or b):
        return const(computed(op, a, b))
    if op in "+-" and b == 0:
        return left
    if op == "+" and b is not None:
        match left:
            case ast.BinOp(left=inner, op=ast.Add(), right=ast.Constant(value=int(first))):
                return binary("+", inner, const(first + b))
            case _:
                pass
    if op == "+" and a is not None:
        return binary("+", right, left)
    if op == "*" and isinstance(right, ast.Constant) and right.value == 1:
        return left
    if op == "*" and isinstance(left, ast.Constant) and left.value == 1:
        return right
    return ast.BinOp(left, OPERATORS[op], right)


HELD = "t_"  # what is asked for again at once, and never later


def held(made: ast.expr) -> ast.expr:
    """Return an expression whose value can be asked for again as `HELD`."""
    return ast.NamedExpr(ast.Name(HELD, ast.Store()), made)


def computed(op: str, a: int, b: int) -> int:
    """Return what an arithmetic operation comes to."""
    match op:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "%":
            return a % b
        case _:
            return a // b


def compared(op: str, left: ast.expr, right: ast.expr) -> ast.expr:
    """Return a comparison, worked out where both sides are constants."""
    a, b = whole(left), whole(right)
    if a is not None and b is not None:
        return const(holds(op, a, b))
    return ast.Compare(left, [COMPARISONS[op]], [right])


def negated(value: ast.expr) -> ast.expr:
    """Return the opposite of a condition."""
    if isinstance(value, ast.Constant):
        return const(not value.value)
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not):
        return value.operand
    return ast.UnaryOp(ast.Not(), value)


def plain(condition: ast.expr) -> ast.expr:
    """Return a condition, which may be any truthy or falsy value, as a plain yes or no."""
    return condition if _is_plain(condition) else ast.UnaryOp(ast.Not(), negated(condition))


def _is_plain(condition: ast.expr) -> bool:
    match condition:
        case ast.Compare() | ast.UnaryOp(op=ast.Not()) | ast.Name() | ast.Constant():
            return True  # what stands under a name was made plain when it was kept
        case ast.BoolOp(values=values):
            return all(_is_plain(each) for each in values)
        case ast.Call(func=ast.Name() | ast.Subscript()):
            return True  # a search, a named value, a guard: they give plain ones
        case _:
            return False


def joined(op: str, parts: Sequence[ast.expr]) -> ast.expr:
    """Return `and` or `or` of conditions; constants are worked out."""
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
    """Return a conditional expression."""
    if isinstance(condition, ast.Constant):
        return yes if condition.value else no
    return ast.IfExp(condition, yes, no)


def assign(target: ast.expr, value: ast.expr) -> ast.stmt:
    """Return an assignment to a target that was built for reading."""
    return ast.Assign([_as_target(target)], value)


def augment(target: ast.expr, op: str, value: ast.expr) -> ast.stmt:
    """Return `target op= value`."""
    return ast.AugAssign(_as_target(target), OPERATORS[op], value)


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
    """Return an expression as a statement."""
    return ast.Expr(value)


def when(condition: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt]) -> list[ast.stmt]:
    """Return an if; a constant condition leaves only the branch that is taken."""
    if isinstance(condition, ast.Constant):
        return body if condition.value else orelse
    if not body and not orelse:
        return []
    if not body:
        return [ast.If(negated(condition), orelse, [])]
    return [ast.If(condition, body, orelse)]


def one_of(which: ast.expr, bodies: Sequence[list[ast.stmt]], first: int = 0) -> list[ast.stmt]:
    """Return one body of several, by its number: the last where it is none of the others."""
    if len(bodies) == 1:
        return bodies[0]
    if len(bodies) > MANY_BRANCHES:
        half = len(bodies) // 2
        lower = one_of(which, bodies[:half], first)
        upper = one_of(which, bodies[half:], first + half)
        return when(compared("<", which, const(first + half)), lower or [ast.Pass()], upper)
    rest = one_of(which, bodies[1:], first + 1)
    return [ast.If(compared("=", which, const(first)), bodies[0] or [ast.Pass()], rest)]


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


def comprehension(element: ast.expr, generators: list[ast.comprehension]) -> ast.ListComp:
    """Return a list comprehension."""
    return ast.ListComp(element, generators)


def generator(target: str, over: ast.expr, conditions: list[ast.expr]) -> ast.comprehension:
    """Return one `for` of a comprehension."""
    kept = [each for each in conditions if not (isinstance(each, ast.Constant) and each.value)]
    return ast.comprehension(stored(target), over, kept, 0)


def copied(nodes: list[N]) -> list[N]:
    """Return nodes again, with all that is in them: not as deep in calls as `copy.deepcopy`."""
    found: list[Any] = []
    for node in nodes:
        made = type(node).__new__(type(node))
        for key, part in vars(node).items():
            again: Any = part
            if isinstance(part, list):
                again = copied(part)
            elif isinstance(part, ast.AST) and not isinstance(part, WORDS):
                (again,) = copied([part])
            setattr(made, key, again)
        found.append(made)
    return found
