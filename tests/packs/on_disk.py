"""Packs written to a test folder and read back, and their findings as text."""

from collections.abc import Mapping
from pathlib import Path

from rulesdsl.packs.overlay import Layered, layer
from rulesdsl.packs.pack_source import PackSource, read_pack
from rulesdsl.source.diagnostics import Findings
from rulesdsl.source.span import SourceFile, Span
from some import some

Files = dict[str, str | bytes]

GAME = """\
id = "coins"
name = "Coins"
version = "1.2.0"
kind = "game"
players = { least = 2, most = 4 }
"""


def manifest_of_mod(name: str, *lines: str) -> str:
    head = (f'id = "{name}"', f'name = "{name}"', 'version = "1.0"', 'kind = "mod"')
    return "\n".join([*head, 'for_game = "coins"', *lines, ""])


PACK: Files = {
    "pack.toml": GAME,
    "game.rules": "place heap holds coin\n",
    "a/end.rules": "# the end\n",
    "cards.toml": "[joker]\nworth = 3\n",
    "a/map.toml": "[town]\n",
    "scenarios/b.toml": "seed = 1\n",
    "scenarios/deep/a.toml": "seed = 2\n",
    "notes.txt": "not content",
    ".hidden/x.rules": "hidden",
    ".x.rules": "hidden",
    "mods/hats/pack.toml": manifest_of_mod("hats"),
    "mods/hats/hats.rules": "# of the mod\n",
    "mods/common.toml": "[shared]\n",
}

CARDS = """\
source = "rulebook"

[joker]
name = "Joker"
worth = 3
price = { coins = 2, tokens = 1 }
effect.day = "gain 2 coins"
effect.night = ["gain 1 coin", "nothing"]

[queen]
worth = 9
source = "house"
"""

USE = Span("game.rules", 3, 20, 3, 32)


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def must_read(folder: Path, findings: Findings | None = None) -> PackSource:
    """Read a pack, which must have no findings unless the caller collects them."""
    found = Findings() if findings is None else findings
    pack = some(read_pack(folder, found, folder))
    if findings is None:
        assert found.sorted() == ()
    return pack


def told(findings: Findings) -> list[str]:
    """Return the findings as `CODE file:line:column`."""
    return [
        f"{each.code} {each.span.file}:{each.span.line}:{each.span.column}"
        for each in findings.sorted()
    ]


def marked(text: str, span: Span) -> str:
    """Return the text of a span within one line."""
    return SourceFile("", text).line(span.line)[span.column - 1 : span.end_column - 1]


def written(folder: Path, span: Span) -> str:
    return marked((folder / span.file).read_text(), span)


def layered(
    folder: Path, mods: Mapping[str, tuple[str, tuple[str, ...]]], cards: str = CARDS
) -> tuple[Layered, Findings]:
    """Apply mods to a game; a mod is given as its cards and further lines of its manifest."""
    write(folder, {"pack.toml": GAME, "cards.toml": cards, "game.rules": "# game\n"})
    findings = Findings()
    game = read_pack(folder, findings, folder)
    read = []
    for mod, (text, lines) in mods.items():
        files = {"pack.toml": manifest_of_mod(mod, *lines), "cards.toml": text}
        files[f"{mod}.rules"] = f"# {mod}\n"
        read.append(read_pack(write(folder / "mods" / mod, files), findings, folder))
    assert game
    return layer(game, [pack for pack in read if pack], findings), findings
