"""Broken packs as chunks of text, with each finding at the end of its line.

A chunk begins with `=== NAME`. The files that differ from the stock game follow, each under a
header; lines before the first header are the new file `extra.rules`:

- `--- PATH` is a new file. In a file of the stock game, `<<< TEXT` removes the next line with this
  text, and the lines below it are inserted there.
- `--- PATH +` appends its lines to a file; `--- PATH gone` removes the file.
- A mod in `mods/` has a default manifest, which `--- mods/NAME/pack.toml` replaces.

A finding is `  ### CODE COLUMNS message help [FILE:LINE:COLUMN related message]` after its line.
For a line that the chunk does not show, `### FILE:LINE` and the same text follow at the end.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from difflib import unified_diff
from pathlib import Path

import attrs
import pytest

from check.stock import STOCK
from rulesdsl.source.diagnostics import Diagnostic
from rulesdsl.source.span import Span

FOLDER = Path(__file__).parent / "broken"
_CHUNKS = re.compile(r"^=== (\S+)\n(.*?\n)(?=\n===|\Z)", re.MULTILINE | re.DOTALL)
_HEADER = re.compile(r"--- (\S+)(?: (\+|gone))?")
_REMOVED, _FINDING = "<<< ", "### "
_MANIFEST = """\
id = "{0}"
name = "{1}"
version = "1.0.0"
kind = "mod"
for_game = "coins"
language = "0.2"
"""


@attrs.frozen
class Chunk:
    """A broken pack: its files, and each of the chunk's lines with its place in them."""

    name: str
    text: str
    texts: dict[str, str]
    lines: tuple[tuple[str, tuple[str, int] | None], ...]

    def with_findings(self, findings: Iterable[tuple[Span, str]]) -> str:
        """Return the text of the chunk with the given findings in place of its own."""
        found = defaultdict(list)
        for span, said in findings:
            found[_file(span), span.line].append(said)
        written = [f"=== {self.name}"]
        for line, place in self.lines:
            here = found.pop(place, []) if place else []
            written.append("".join([line, *(f"  {_FINDING}{each}" for each in here)]))
        for (file, number), elsewhere in found.items():
            written += [f"{_FINDING}{file}:{number} {each}" for each in elsewhere]
        return "\n".join(written) + "\n"


def chunks(
    path: Path, stock: Mapping[str, str] = STOCK, first: str = "extra.rules"
) -> list[Chunk]:
    """Return the chunks in a file; a pack is the stock game with the changes in its chunk."""
    text = path.read_bytes().decode()
    return [_chunk(name, body, stock, first) for name, body in _CHUNKS.findall(text)]


def compare(
    file: Path, written: Sequence[str], now: Sequence[str], *, update_golden: bool
) -> None:
    """Fail with a diff of the chunks that differ, or update the file."""
    if update_golden:
        file.write_bytes("\n".join(now).encode())
        return
    differences = [
        "\n".join(
            unified_diff(was.split("\n"), new.split("\n"), "written", "found", n=99, lineterm="")
        )
        for was, new in zip(written, now, strict=True)
        if was != new
    ]
    if differences:
        pytest.fail("\n\n".join([file.name, *differences]), pytrace=False)


def _chunk(name: str, body: str, stock: Mapping[str, str], path: str) -> Chunk:
    files = {path: text.split("\n")[:-1] for path, text in stock.items()}
    lines: list[tuple[str, tuple[str, int] | None]] = []
    cursor = 0
    for whole in body.split("\n")[:-1]:
        line = re.split(rf"(?:^|  ){_FINDING}", whole, maxsplit=1)[0]
        place = None
        if header := _HEADER.fullmatch(line):
            path, way = header.groups()
            if way == "gone":
                del files[path]
            else:
                file = files.setdefault(path, _manifest(path) if way else [])
                cursor = len(file) if way == "+" else 0
        elif line.startswith(_REMOVED):
            cursor = files[path].index(line.removeprefix(_REMOVED), cursor)
            del files[path][cursor]
        elif whole.startswith(_FINDING):
            continue
        else:
            files.setdefault(path, []).insert(cursor, line)
            cursor += 1
            place = path, cursor
        lines.append((line, place))
    for path in [each for each in files if each.startswith("mods/")]:
        manifest = "/".join([*path.split("/")[:2], "pack.toml"])
        files.setdefault(manifest, _manifest(manifest))
    texts = {path: "".join(f"{line}\n" for line in text) for path, text in files.items()}
    return Chunk(name, f"=== {name}\n{body}", texts, tuple(lines))


def _manifest(path: str) -> list[str]:
    """Return the default lines for a manifest, and no lines for any other file."""
    folder, name = path.split("/")[-2:] if "/" in path else ("", path)
    return (
        _MANIFEST.format(folder, folder.capitalize()).splitlines() if name == "pack.toml" else []
    )


def expectation(found: Diagnostic) -> tuple[Span, str]:
    """Return the span of a finding and its text in a chunk."""
    said = f"{found.code} {_columns(found.span)} {found.message} {found.help}".rstrip()
    others = (f" [{_at(each.span)}{each.message}]" for each in found.related)
    return found.span, "".join([said, *others]).replace("\n", " / ")


def _columns(span: Span) -> str:
    end = f"{span.end_line}:" if span.end_line > span.line else ""
    return f"{span.column}-{end}{span.end_column}"


def _at(span: Span) -> str:
    return f"{_file(span)}:{span.line}:{span.column} " if span.line else ""


def _file(span: Span) -> str:
    return span.file.partition("/")[2] or span.file
