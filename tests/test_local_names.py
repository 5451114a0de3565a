"""Local names that say nothing are forbidden in functions of more than twelve lines.

`vague_names.txt` lists the functions that still have some, file by file. The list only shrinks: an
exception without such a name fails the test. After renaming, take the functions out of the list
with `pytest -n 0 --update-golden tests/test_local_names.py`, which never adds any.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDERS = ("rulesdsl", "cli/coloma", "soak")
EXCEPTIONS = Path(__file__).with_name("vague_names.txt")
MOST_LINES = 12
VAGUE = {
    *("each", "found", "said", "known", "asked", "left", "given", "told", "made", "done", "kept"),
    *("seen", "shown", "wanted", "written", "meant", "taken", "named", "whole", "here", "there"),
    *("own", "every", "many", "some", "one", "e", "things", "what"),
}
"""One in seven bindings was one of these words when the test was written."""


def vague_names() -> dict[str, set[str]]:
    """Return the functions with vague local names, by file."""
    functions: dict[str, set[str]] = defaultdict(set)
    for folder in FOLDERS:
        for path in sorted(ROOT.glob(f"{folder}/**/*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            for name, function in functions_in(tree):
                if length(function) > MOST_LINES and VAGUE & {*bindings(function)}:
                    functions[path.relative_to(ROOT).as_posix()].add(name)
    return functions


def functions_in(
    tree: ast.AST, around: str = ""
) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    parts = ("body", "orelse", "finalbody", "handlers", "cases")
    for node in (node for part in parts for node in getattr(tree, part, ())):
        inside = around
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inside = f"{around}.{node.name}".strip(".")
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield inside, node
        yield from functions_in(node, inside)


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (function.end_lineno or 0) - function.lineno + 1


def bindings(function: ast.AST) -> Iterator[str]:
    """Yield the parameters and locals of a function, without those of functions inside it."""
    nodes = [*ast.iter_child_nodes(function)]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.MatchAs | ast.MatchStar | ast.ExceptHandler) and node.name:
            yield node.name
        nodes += ast.iter_child_nodes(node)


def recorded() -> dict[str, set[str]]:
    """Return the exceptions: a line for each file, with its functions."""
    lines = EXCEPTIONS.read_text(encoding="utf-8").splitlines()
    parts = (line.partition(": ") for line in lines)
    return {path: {*names.split(", ")} for path, _, names in parts}


def test_local_names_say_what_they_hold(update_golden: bool) -> None:
    now, excepted = vague_names(), recorded()
    if update_golden:
        remaining = {path: names & now.get(path, set()) for path, names in excepted.items()}
        lines = [
            f"{path}: {', '.join(sorted(names))}\n" for path, names in remaining.items() if names
        ]
        EXCEPTIONS.write_text("".join(lines), encoding="utf-8")
        excepted = recorded()
    new = {path: names - excepted.get(path, set()) for path, names in now.items()}
    stale = {path: names - now.get(path, set()) for path, names in excepted.items()}
    assert not any(new.values()), f"rename locals such as `each` and `found`: {_listed(new)}"
    assert not any(stale.values()), f"renamed, so run `--update-golden`: {_listed(stale)}"


def _listed(functions: dict[str, set[str]]) -> str:
    return "; ".join(
        f"{path}: {', '.join(sorted(names))}" for path, names in functions.items() if names
    )


def test_bindings_of_a_function_are_its_own() -> None:
    tree = ast.parse(
        "def outer(a, *b):\n    c = [d for d in a]\n    def inner(e): f = e\n"
        "    match a:\n        case [g, *h]: pass\n"
    )
    found = {name: sorted(bindings(function)) for name, function in functions_in(tree)}
    assert found == {"outer": ["a", "b", "c", "d", "g", "h"], "outer.inner": ["e", "f"]}
