from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TREES = {
    path: ast.parse(path.read_text(encoding="utf-8"))
    for path in sorted([*ROOT.glob("rulesdsl/**/*.py"), *ROOT.glob("cli/coloma/**/*.py")])
}
MOST_LINES = 600
MOST_FILES = 15
# classes named as the library expects: gymnasium.Env and pettingzoo's, pyspiel.Game
AS_THE_LIBRARY = {"Env", "Game"}
NO_BEGINNING = ("What", "Which", "Who", "Whether", "Where", "How", "From")
MOST_PAIRS = 5
ONE_CONCEPT: dict[frozenset[str], str] = {}
"""Files whose classes are one concept and name each other's types, with the reason."""
TEMPORARY = {
    frozenset(
        {
            f"rulesdsl.packs.{name}"
            for name in ("find", "folder", "manifest", "overlay", "pack_source", "shapes")
        }
    ),
    frozenset({"rulesdsl.syntax.recovery", "rulesdsl.syntax.unreadable_lines"}),
    frozenset(
        {"rulesdsl.check.typed", "rulesdsl.check.typed.steps", "rulesdsl.check.typed.values"}
    ),
    frozenset(
        {
            "rulesdsl.check.analysis.call_graph",
            "rulesdsl.check.analysis.intervals",
            "rulesdsl.check.analysis.prover",
            "rulesdsl.check.program",
            "rulesdsl.check.resolve.scope",
            "rulesdsl.check.symbols.declare",
            "rulesdsl.check.symbols.declare_procedures",
            "rulesdsl.check.symbols.names",
            "rulesdsl.check.symbols.symbol_table",
            "rulesdsl.check.typed.traits",
        }
    ),
    frozenset(
        {
            f"rulesdsl.check.resolve.{name}"
            for name in (
                *("attributes", "calls", "expressions", "holes", "operators", "resolver"),
                *("selections", "statements"),
            )
        }
    ),
    frozenset({"rulesdsl.lower.builder.machines", "rulesdsl.lower.builder.questions"}),
    frozenset({"rulesdsl.editor.project", "rulesdsl.editor.references"}),
}
"""Cycles that are being broken: files that may be in one cycle with each other."""
GLOSSARY = ROOT / "rulesdsl" / "GLOSSARY.md"


def module(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[parts[0] == "cli" :]).removesuffix(".__init__")


def public_classes() -> Counter[str]:
    return Counter(
        node.name
        for tree in TREES.values()
        for node in tree.body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )


def imports(body: Iterable[ast.stmt], modules: set[str]) -> set[str]:
    """Return the modules that statements import."""
    found = set()
    for node in body:
        if isinstance(node, ast.ImportFrom) and node.module:
            whole = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= whole & modules or {node.module} & modules
    return found


@pytest.mark.parametrize("folder", sorted({path.parent for path in TREES}), ids=str)
def test_folders_and_files_are_small(folder: Path) -> None:
    files = [path for path in TREES if path.parent == folder]
    long = [
        path.name for path in files if len(path.read_text("utf-8").split("\n")) > MOST_LINES + 1
    ]

    assert len(files) <= MOST_FILES + 1  # and `__init__`
    assert long == []


def test_a_public_class_has_a_name_of_its_own() -> None:
    assert {name for name, count in public_classes().items() if count > 1} == AS_THE_LIBRARY


def test_the_glossary_lists_every_public_class_once() -> None:
    listed = re.findall(r"^- `(\w+)`", GLOSSARY.read_text(encoding="utf-8"), re.MULTILINE)

    assert sorted(listed) == sorted(public_classes())


def test_no_file_imports_itself_through_others() -> None:
    modules = {module(path) for path in TREES}
    graph: dict[str, set[str]] = defaultdict(set)
    for path, tree in TREES.items():
        graph[module(path)] = imports(tree.body, modules) - {module(path)}

    TopologicalSorter(graph).prepare()  # raises CycleError


def test_types_know_each_other_only_if_they_are_one_concept() -> None:
    modules = {module(path) for path in TREES}
    graph = {
        module(path): imports([*tree.body, *typed_only(tree)], modules) - {module(path)}
        for path, tree in TREES.items()
    }
    allowed = (*ONE_CONCEPT, *TEMPORARY)

    assert len(ONE_CONCEPT) <= MOST_PAIRS
    assert [each for each in components(graph) if not any(each <= some for some in allowed)] == []


def typed_only(tree: ast.Module) -> list[ast.stmt]:
    """Return the statements that only the type checker reads."""
    return [
        each
        for node in tree.body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for each in node.body
    ]


def components(graph: dict[str, set[str]]) -> Iterator[set[str]]:
    """Yield the strongly connected components of more than one file."""
    reached = {each: reachable(graph, each) for each in graph}
    seen: set[str] = set()
    for one in graph:
        if one not in seen and one in reached[one]:
            found = {other for other in reached[one] if one in reached[other]}
            seen |= found
            yield found


def reachable(graph: dict[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    left = [*graph[start]]
    while left:
        each = left.pop()
        if each not in found:
            found.add(each)
            left += graph[each]
    return found


def test_docstrings_begin_with_a_noun_or_a_verb() -> None:
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    wrong = [
        f"{path.relative_to(ROOT)}: {doc.splitlines()[0]}"
        for path, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, kinds) and (doc := ast.get_docstring(node))
        if doc.startswith(tuple(f"{word} " for word in NO_BEGINNING))
    ]

    assert wrong == []
