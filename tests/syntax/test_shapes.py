from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import get_args

from rulesdsl.syntax import declarations as de
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax import statements as st
from rulesdsl.syntax.lexer import alternatives
from rulesdsl.syntax.node import FIELDS, SHAPES, GrammarRule

BY_HAND = {ex.Switch, st.Call, st.Sequence, st.Either, st.May, st.If}


def said(shape: GrammarRule) -> Iterator[str]:
    for slot in shape.slots:
        for part in slot.values() if isinstance(slot, Mapping) else (slot,):
            yield from part if isinstance(part, tuple) else [part] if part else []
    yield from shape.fixed
    yield from [shape.more] if shape.more else []


def test_every_kind_of_node_is_a_rule_of_the_grammar_or_made_by_hand() -> None:
    kinds = {*get_args(ex.Expr), *get_args(st.Stmt), *get_args(de.Decl)}

    assert kinds - {shape.kind for shape in SHAPES.values()} == BY_HAND
    assert SHAPES.keys() <= alternatives().keys()


def test_rules_say_all_that_their_nodes_have() -> None:
    found: dict[type, set[str]] = {}
    for shape in SHAPES.values():
        found.setdefault(shape.kind, set()).update(said(shape))

    assert found == {kind: set(FIELDS[kind]) for kind in found}
