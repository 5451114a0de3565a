"""Examples of the language reference: each section with examples is a small pack.

A fenced block is a file of the pack, named after the language of the fence. The blocks of the
first section are the stock game, and those of any other section are added to it. Comments hold
what readers need not see: `<!-- with` more rules that use the example, `<!-- check` the body of a
scenario. A block with a code after its file name is wrong on purpose, and is checked alone.
"""

import re
from pathlib import Path

import attrs

REFERENCE = Path(__file__).parents[2] / "rulesdsl" / "README.md"
STOCK = "A complete small game"
MANIFEST_OF_MOD = {
    "pack.toml": """\
id = "guide"
name = "Guide"
version = "1"
kind = "mod"
for_game = "lanterns"
language = "0.2"
"""
}

_HEADING = re.compile(r"^##+ (.*)$", re.MULTILINE)
_BLOCK = re.compile(r"^```\w+ +(\S+)(?: +([EW]\d{3}))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_HIDDEN = re.compile(r"^<!-- (with|check)\n(.*?)-->$", re.MULTILINE | re.DOTALL)


@attrs.frozen
class Section:
    """The examples under one heading."""

    title: str
    files: dict[str, str]
    wrong: tuple[tuple[str, str, str], ...]  # file, code, text
    hooks: str
    checks: tuple[str, ...]
    of_mod: bool  # its blocks are the files of a mod

    def write(self, folder: Path) -> tuple[Path, list[Path]]:
        """Write the examples; return the folders of the game and of its mods."""
        if self.of_mod:
            game = _written(folder / "game", stock())
            return game, [_written(folder / "mod", MANIFEST_OF_MOD | self._with_checks())]
        _written(folder, stock() | self._with_checks())
        return folder, [folder / each for each in self._mods]

    def _with_checks(self) -> dict[str, str]:
        files = dict(self.files)
        if self.hooks:
            files["with.rules"] = self.hooks
        if self.checks:
            place = self._mods[0] + "/" if self._mods else ""
            files[place + "scenarios/checks.toml"] = "\n".join(
                f'[[scenario]]\nname = "check {number}"\n{check}'
                for number, check in enumerate(self.checks)
            )
        return files

    @property
    def _mods(self) -> list[str]:
        return [str(Path(path).parent) for path in self.files if path.endswith("/pack.toml")]

    def write_wrong(self, folder: Path, number: int) -> Path:
        path, _, text = self.wrong[number]
        return _written(folder, stock() | {path: text})


def sections(page: Path = REFERENCE) -> list[Section]:
    text = page.read_text(encoding="utf-8")
    blanked = _FENCED.sub(lambda found: re.sub(r"(?m)^#", "\0", found[0]), text)
    parts = _HEADING.split(blanked)
    pairs = zip(parts[1::2], parts[2::2], strict=True)
    found = [_section(title, body.replace("\0", "#"), page) for title, body in pairs]
    return [each for each in found if each.files or each.wrong]


def stock() -> dict[str, str]:
    return next(each.files for each in sections() if each.title == STOCK)


def _section(title: str, body: str, page: Path) -> Section:
    blocks = _BLOCK.findall(body)
    hidden = _HIDDEN.findall(body)
    return Section(
        title,
        {path: text for path, code, text in blocks if not code},
        tuple((path, code, text) for path, code, text in blocks if code),
        "\n".join(text for kind, text in hidden if kind == "with"),
        tuple(text for kind, text in hidden if kind == "check"),
        page != REFERENCE,
    )


def _written(folder: Path, files: dict[str, str]) -> Path:
    for path, text in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    return folder
