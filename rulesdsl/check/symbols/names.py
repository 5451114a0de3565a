"""Names mentioned by syntax nodes, and evaluation of constant numbers."""

from __future__ import annotations

from collections.abc import Iterator

from rulesdsl.check.symbols.symbol_table import SymbolTable
from rulesdsl.source.tree import walk
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax import statements as st
from rulesdsl.syntax.node import MAX_NUMBER, Identifier


def mentions(node: object) -> frozenset[str]:
    """Return all names in a node."""
    return frozenset(word.text for word in words_in(node))


def words_in(node: object) -> Iterator[Identifier]:
    """Yield all names in a node with their spans."""
    for each in walk(node):
        if isinstance(each, Identifier):
            yield each
        elif isinstance(each, ex.Name | ex.My):
            yield Identifier(each.name, span=each.span)


DONE = {"effect", "automatic"}  # types of fields that `do` carries out


def declared_word(decl: de.Decl) -> Identifier | None:
    """Return the name that a declaration introduces or hooks, if any."""
    for part in ("names", "header", "name"):
        found = getattr(decl, part, None)
        if found is not None:
            word = getattr(found, "singular", None) or getattr(found, "name", None) or found
            return word if isinstance(word, Identifier) else None
    return None


def calls(node: object, verb: str) -> bool:
    """Return whether a node contains a call to a verb or step with a given name."""
    return any(isinstance(each, st.Call) and each.verb.text == verb for each in walk(node))


def constant_number(expr: ex.Expr, world: SymbolTable) -> int | None:
    """Evaluate a constant expression; return None if it is not constant."""
    if isinstance(expr, ex.Number):
        return expr.value
    if isinstance(expr, ex.Name):
        number = world.constants.get(expr.name)
        if number is not None and isinstance(number.value, int):
            number.used = True
            return number.value
    if isinstance(expr, ex.Arithmetic):
        left = constant_number(expr.left, world)
        right = constant_number(expr.right, world)
        if left is not None and right is not None:
            found = compute(expr.op, left, right)
            return None if found is None or abs(found) > MAX_NUMBER else found
    return None


def compute(op: str, left: int, right: int) -> int | None:
    """Return the result of an operation on constants; None for division by zero."""
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case _:
            return left // right if right else None
