from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
SHOW = {"rulesdsl/editor/server/lsp_convert.py", "rulesdsl/source/render.py"}
ADD_WORDS = {
    "rulesdsl/check/attribution.py",
    "rulesdsl/check/frontend.py",
    "rulesdsl/check/fixes.py",
}
TELL_APART = {  # whether two findings are the same one
    "cli/coloma/fixing.py",
    "cli/coloma/linting.py",
    "cli/coloma/scaffold/drafts.py",
    "rulesdsl/editor/fixing.py",
    "rulesdsl/editor/project.py",
}
WORDS = {"message", "help"}


def test_nobody_reads_a_message_but_what_shows_it() -> None:
    reading = {
        path.relative_to(ROOT).as_posix()
        for folder in ("rulesdsl", "cli")
        for path in (ROOT / folder).rglob("*.py")
        if _reads(ast.parse(path.read_text(encoding="utf-8")))
    }

    assert reading == SHOW | ADD_WORDS | TELL_APART


def test_nobody_takes_a_message_apart() -> None:
    for name in ADD_WORDS | TELL_APART:
        tree = ast.parse((ROOT / name).read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute | ast.Compare):
                assert not _reads_within(node), (name, ast.unparse(node))


def _reads(tree: ast.AST) -> bool:
    return any(
        isinstance(node, ast.Attribute)
        and node.attr in WORDS
        and not (isinstance(node.value, ast.Name) and node.value.id == "self")
        for node in ast.walk(tree)
    )


def _reads_within(node: ast.Attribute | ast.Compare) -> bool:
    """Tell if a method of a message is called, or its text is searched."""
    parts = [node.value] if isinstance(node, ast.Attribute) else [node.left, *node.comparators]
    return any(isinstance(each, ast.Attribute) and each.attr in WORDS for each in parts)
