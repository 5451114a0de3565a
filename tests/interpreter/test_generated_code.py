"""The generated code is Python that can be printed, read, and read back to the same code."""

from __future__ import annotations

import ast
from types import CodeType

import pytest

import rulesdsl
from rulesdsl.interpreter.compile import Compiler
from rulesdsl.interpreter.straight.compile import StraightCompiler

GAMES = ["content", "content/sutters_mill", "bench/packs/tic_tac_toe"]


def compiled(module: ast.Module) -> CodeType:
    """Return the code of a module as if all of it stood on one line."""
    for node in ast.walk(module):
        if isinstance(node, ast.stmt | ast.expr | ast.arg | ast.excepthandler):
            node.lineno = node.end_lineno = 1
            node.col_offset = node.end_col_offset = 0
    return compile(module, "code", "exec")


def same(one: CodeType, other: CodeType) -> bool:
    """Whether two pieces of code do the same, wherever their lines come from."""
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
    for compiler in (
        Compiler(engine.form, engine.layout, logging=True),
        StraightCompiler(engine.form, engine.layout),
    ):
        module = compiler.module(engine.states)
        read = ast.parse(ast.unparse(module))

        assert same(compiled(read), compiled(module))
