"""Templates of findings: all of them are used, and every use fills all places in its text."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from string import Formatter
from typing import NamedTuple

import rulesdsl
from rulesdsl.source.diagnostics import Wording

ROOT = Path(rulesdsl.__file__).parent
FILLED = {  # places that functions fill by themselves
    "report_twice": {"name"},
    "report_order": {"first", "mod", "mods"},
    "_check_odds": {"first", "mod", "mods", "what"},
    "_report_order": {"mods", "name"},
    "report_unknown": {"name", "what"},
    "evolve": {"name", "role", "what"},  # in `report_unknown`
    "_refuse": {"name", "form"},
    "one_of": {"name"},
    "unknown": {"key"},
    "_nothing_to_hook": {"name"},
    "refuse": {"key"},
    "whole": {"found", "most"},
    "word": {"found", "listed"},
    "_is_habit": {"written"},
}


class Module(NamedTuple):
    """Module that may report findings using templates."""

    name: str
    names: Mapping[str, object]
    tree: ast.Module


@cache
def modules() -> list[Module]:
    paths = [
        path for path in ROOT.rglob("*.py") if "wording" in f"{path} {path.read_text('utf-8')}"
    ]
    dotted = [".".join(path.relative_to(ROOT.parent).with_suffix("").parts) for path in paths]
    trees = [ast.parse(path.read_text("utf-8")) for path in paths]
    found = zip(dotted, trees, strict=True)
    return [Module(name, vars(import_module(name)), tree) for name, tree in found]


def templates(node: ast.AST, names: Mapping[str, object]) -> Iterator[Wording]:
    """Yield the template of `wording.A` or `A`, and those of `A if ... else B`."""
    match node:
        case ast.IfExp():
            yield from templates(node.body, names)
            yield from templates(node.orelse, names)
        case ast.Attribute(value=ast.Name("wording")) if isinstance(
            found := getattr(names.get("wording"), node.attr, None), Wording
        ):
            yield found
        case ast.Name() if isinstance(found := names.get(node.id), Wording):
            yield found


def assigned(function: ast.FunctionDef, names: Mapping[str, object]) -> dict[str, list[Wording]]:
    """Return the templates, keyed by the local variables that stand for them."""
    local: dict[str, list[Wording]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            target, value = node.targets[0], node.value
            pairs = [(target, value)]
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                pairs = [*zip(target.elts, value.elts, strict=True)]
            for name, each in pairs:
                local.setdefault(ast.unparse(name), []).extend(templates(each, names))
    return local


def reports(module: Module) -> Iterator[tuple[Wording, str, ast.Call]]:
    """Yield each template reported, with the name of the function called, and the call."""
    functions = [each for each in ast.walk(module.tree) if isinstance(each, ast.FunctionDef)]
    for function in functions:
        local = assigned(function, module.names)
        for node in ast.walk(function):
            if isinstance(node, ast.Call):
                called, name = node.func, ast.unparse(node.func).rpartition(".")[2]
                owner = [called.value] if isinstance(called, ast.Attribute) else []
                for part in (called, *owner, *node.args):
                    for each in templates(part, module.names):
                        yield each, name, node
                    for each in local.get(ast.unparse(part), ()):
                        yield each, name, node


def places(template: Wording) -> set[str]:
    fields = Formatter().parse(template.message + template.advice)
    return {name.partition(".")[0].partition("[")[0] for _, name, _, _ in fields if name}


def test_every_place_of_a_template_is_filled() -> None:
    missing, seen = [], 0
    for module in modules():
        for template, name, call in reports(module):
            given = {each.arg for each in call.keywords} | FILLED.get(name, set())
            seen += 1
            if None not in given:
                lacking = sorted(places(template) - given)
                missing += [(module.name, call.lineno, name, each) for each in lacking]

    assert missing == []
    assert seen > 250


def test_every_template_is_used() -> None:
    declared = {
        id(each): f"{module.name}.{name}"
        for module in modules()
        if module.name.endswith(".wording")
        for name, each in module.names.items()
        if isinstance(each, Wording)
    }
    for module in modules():
        used = module.tree.body
        if module.name.endswith(".wording"):  # templates made of others are no use of them
            used = [each for each in used if isinstance(each, ast.FunctionDef)]
        for node in (each for part in used for each in ast.walk(part)):
            for template in templates(node, module.names):
                declared.pop(id(template), None)

    assert [*declared.values()] == []
