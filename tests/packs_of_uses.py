"""Every kind of piece or place, combined with every use of it in rules."""

import re
import textwrap
from pathlib import Path

import rulesdsl
from game_texts import texts
from packs_on_the_fly import MANIFEST

TABLES = texts("uses")
BOX = TABLES.pop("box.rules")
FOLDER = Path(__file__).parent / "interpreter"
# a word for one of them, where they are (nothing: all there are), and all of them
THINGS = {
    name: tuple(each.strip() for each in parts.split("|"))
    for name, parts in re.findall(
        r"(?m)^([^#\n:]+): (.*)$", (FOLDER / "things.txt").read_text("utf-8")
    )
}
USES = {
    name: text.rstrip("\n")
    for name, text in re.findall(
        r"(?ms)^=== ([^\n]+)\n(.*?)(?=^===|\Z)", (FOLDER / "uses.txt").read_text("utf-8")
    )
}
SECRET = "chosen in secret"
VALUES = {
    "a value of any kind": "value kept-one of seat: {all}",
    "a value": 'value told of seat: {all}\nscore told-score "Told": my told',
    "a yes": 'value asked of seat: any {all}\nverdict won "Won" when my asked',
    "shown": (
        "value seen of seat: {all}\nvalue some of seat: any {all}\n"
        'panel "Seen" per seat: seen, some'
    ),
}
EVERY_USE = (*USES, SECRET, *VALUES)


def pack_of(folder: Path, things: str, uses: tuple[str, ...]) -> dict[int, str]:
    word, inside, every = THINGS[things]
    where = f" in {inside}" if inside else ""
    names = {"word": word, "in": where, "all": every, "place": inside or every}
    names |= {"one": word + where, "a": f"a {word}{where}"}
    lines, owner = BOX.splitlines(), {}
    verbs: list[str] = []
    secret = "step flow: nothing"
    for use in uses:
        if use in VALUES:
            text = VALUES[use].format(**names)
        elif use == SECRET:
            secret = text = f"step flow:\n    all choose secretly {names['a']}: raise note by 1"
        else:
            verbs.append(f"use-{EVERY_USE.index(use)}")
            text = f"verb {verbs[-1]}:\n" + textwrap.indent(USES[use].format(**names), "    ")
        for line in text.splitlines():
            lines.append(line)
            owner[len(lines)] = use
    lines += [secret] if SECRET not in uses else []
    lines += ["verb act:", *(f"    if able: {each}" for each in verbs), "    raise note by 1"]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pack.toml").write_text(MANIFEST)
    for name, text in TABLES.items():
        (folder / name).write_text(text)
    (folder / "box.rules").write_text("\n".join(lines) + "\n")
    return owner


def refused(folder: Path, things: str, uses: tuple[str, ...]) -> dict[str, str]:
    owner = pack_of(folder, things, uses)
    errors = [each for each in rulesdsl.lint(folder).diagnostics if each.severity.value == "error"]
    found: dict[str, str] = {}
    for each in errors:
        # an error elsewhere comes from the step that the secret choice stands in
        found.setdefault(owner.get(each.span.line, SECRET), each.code)
    return found


def table(codes: dict[str, dict[str, str]]) -> str:
    """Return a line for each use: the code of its error with each sort of things, or `----`."""
    header = [f"# {at + 1}. {things}" for at, things in enumerate(codes)]
    rows = [
        " ".join([*(found.get(use, "----") for found in codes.values()), use]) for use in EVERY_USE
    ]
    return "\n".join([*header, *rows]) + "\n"


def accepted(text: str, things: str) -> tuple[str, ...]:
    """Return the uses of these things that have no error in a table."""
    lines = text.splitlines()
    column = next(at for at, line in enumerate(lines) if line.endswith(f". {things}"))
    rows = [line.split(" ", len(THINGS)) for line in lines if not line.startswith("#")]
    return tuple(row[-1] for row in rows if row[column] == "----")


def told(folder: Path, things: str) -> dict[str, str]:
    every = dict[str, str]()
    while found := refused(folder, things, tuple(u for u in EVERY_USE if u not in every)):
        assert not set(found) <= set(every), found
        every |= found
    return every
