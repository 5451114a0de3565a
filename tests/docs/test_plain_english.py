import ast
import re
import tokenize
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

ROOT = Path(__file__).parents[2]

# What a native speaker would not write here, and what they would write.
PLAINER = {
    r"mend(s|ed|ing)?": "fix",
    r"anew": "again",
    r"reckon(s|ed|ing)?": "compute",
    r"(?<!under)st(and|ands|ood)(?! for\b|-in\b)": "is, is in, goes",
    r"(?<!rules )(?<!lines )(?<!left )behind": "after",
    r"lies beneath": "the original",
    r"of a sort": "of one kind",
    r"whereby|hence|thereof|therein|wherein|nought|unto|upon|whilst|thereby": "say it directly",
    r"save for": "except for",
    r"for ever": "forever",
    r"shall": "should, must, will",
    r"surely": "provably, always",
    r"(is|are) to be": "will be, changes",
    r"floors": "layers",
    r"by way of": "through",
}
WORDS = re.compile("|".join(rf"\b(?:{words})\b" for words in PLAINER), re.IGNORECASE)

# Lines that may say such a word: a word of the language or of a game, by file.
EXCEPTIONS: dict[str, tuple[str, ...]] = {
    "content/characters.md": ("wherever the Pioneer stands",),
    "cli/coloma/session/log_view.py": ("behind",),
    "rulesdsl/check/__init__.py": ("`surely`",),
    "rulesdsl/README.md": ("dummies-stand-here",),
}

PAGES = sorted(
    page
    for folder in ("rulesdsl", "cli", "content", "bench")
    for page in (ROOT / folder).rglob("*.md")
    if "rulebook" not in page.parts
)
PAGES += sorted(ROOT.glob("*.md"))
TEMPLATES = sorted(
    page
    for page in (ROOT / "cli/coloma/scaffold").rglob("*")
    if page.suffix in (".rules", ".toml")
)
MODULES = sorted(
    module for folder in ("rulesdsl", "cli") for module in (ROOT / folder).rglob("*.py")
)


def _said(path: Path) -> Iterator[tuple[int, str]]:
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        yield from enumerate(text.splitlines(), start=1)
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from enumerate(node.value.splitlines(), start=node.lineno)
    for token in tokenize.generate_tokens(StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def test_what_people_read_is_plain_english() -> None:
    found = []
    for path in [*PAGES, *TEMPLATES, *MODULES]:
        name = path.relative_to(ROOT).as_posix()
        allowed = EXCEPTIONS.get(name, ())
        found += [
            f"{name}:{number}: {hit[0]}: {line.strip()}"
            for number, line in _said(path)
            for hit in WORDS.finditer(line)
            if not any(each in line for each in allowed)
        ]

    assert not found, "\n".join(found)
