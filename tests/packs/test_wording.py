"""Reports by a template fill all its places."""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator
from pathlib import Path

from rulesdsl.check.symbols import wording as of_declarations
from rulesdsl.packs import wording as of_packs
from rulesdsl.source.diagnostics import Wording

ROOT = Path(__file__).parent.parent.parent / "rulesdsl"
FILLED = {  # places that functions fill by themselves
    "report": set[str](),
    "_report": set[str](),
    "report_twice": {"name"},
    "report_order": {"first", "mod"},
    "_report_order": {"mods", "name"},
    "_refuse": {"name", "form"},
    "one_of": {"name"},
    "unknown": {"key"},
    "_not_fixed": set[str](),
    "_nothing_to_hook": {"name"},
    "InvalidValueError": {"key"},
    "whole": {"found", "most"},
}


def places(said: Wording, *, with_advice: bool) -> set[str]:
    text = said.message + (said.advice if with_advice else "")
    return {field for _, field, *_ in string.Formatter().parse(text) if field}


def calls(tree: ast.Module) -> Iterator[tuple[str, str, ast.Call]]:
    """Yield the template and the function of each call that reports one."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else ast.unparse(function)
        owner = [function.value] if isinstance(function, ast.Attribute) else []
        for part in (*owner, *node.args):
            word = ast.unparse(part)
            if word.startswith("wording.") and word.removeprefix("wording.").isupper():
                yield word.removeprefix("wording."), name, node


def test_all_places_of_a_template_are_filled() -> None:
    missing, seen = [], 0
    # those of the resolver: tests/check/test_wording.py
    for path in {*ROOT.rglob("*.py")} - {*ROOT.glob("check/resolve/*.py")}:
        for template, name, call in calls(ast.parse(path.read_text(encoding="utf-8"))):
            said = getattr(of_packs, template, None) or getattr(of_declarations, template, None)
            if not isinstance(said, Wording):
                continue
            given = {each.arg for each in call.keywords} | FILLED[name]
            seen += 1
            if None not in given:
                lacking = places(said, with_advice="advice" not in given) - given
                missing += [f"{path.name}:{call.lineno} {template} {each}" for each in lacking]

    assert missing == []
    assert seen > 50
