import ast
import inspect
import re
from collections import Counter
from collections.abc import Iterable
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TREES = {
    path: ast.parse(path.read_text(encoding="utf-8"))
    for path in sorted([*ROOT.glob("rulesdsl/**/*.py"), *ROOT.glob("cli/coloma/**/*.py")])
}
MOST_LINES = 600
MOST_FILES = 15
MOST_ANCESTORS = 2
# classes named as the library expects: gymnasium.Env and pettingzoo's, pyspiel.Game
AS_THE_LIBRARY = {"Env", "Game"}
NO_BEGINNING = ("What", "Which", "Who", "Whether", "Where", "How", "From")
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


def test_no_import_cycles_even_of_types() -> None:
    modules = {module(path) for path in TREES}
    graph = {
        module(path): imports([*tree.body, *typed_only(tree)], modules) - {module(path)}
        for path, tree in TREES.items()
    }
    TopologicalSorter(graph).prepare()  # raises CycleError


def typed_only(tree: ast.Module) -> list[ast.stmt]:
    """Return the statements that only the type checker executes."""
    return [
        each
        for node in tree.body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for each in node.body
    ]


def test_no_class_of_ours_has_many_ancestors() -> None:
    names = {module(path) for path in TREES if path.stem != "__main__"}  # it would run
    modules = [import_module(each) for each in names]
    classes = {cls for module in modules for _, cls in inspect.getmembers(module, inspect.isclass)}
    deep = {cls for cls in classes if is_ours(cls) and len(ancestors(cls)) > MOST_ANCESTORS}
    assert {cls.__qualname__ for cls in deep} == set()


def test_no_method_is_left_to_those_who_inherit() -> None:
    stubs = [file for file in TREES if "NotImplementedError" in file.read_text(encoding="utf-8")]
    assert stubs == []


def ancestors(cls: type) -> list[type]:
    return [each for each in cls.__mro__[1:] if is_ours(each)]


def is_ours(cls: type) -> bool:
    return cls.__module__.split(".")[0] in {"rulesdsl", "coloma"}


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
