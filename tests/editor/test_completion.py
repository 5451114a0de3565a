from __future__ import annotations

import re
from pathlib import Path

from lanterns import write_lanterns
from rulesdsl.check.frontend import check_pack
from rulesdsl.check.symbols.symbol_table import ReferenceRole
from rulesdsl.editor.completion import complete
from rulesdsl.editor.references import TextPosition, View
from rulesdsl.source.span import SourceFile

FIRST, SHARE = 5, 0.9
_WORD = re.compile(r"any time|up to|[a-z][\w-]*")
_ASIDE = re.compile(r'#.*|"[^"]*"')  # comments, and what players read


def test_every_word_is_offered_after_its_first_letter(tmp_path: Path) -> None:
    layers, checked, _ = check_pack(write_lanterns(tmp_path))
    assert layers is not None
    assert checked is not None
    view = View(layers, checked)
    source = view.sources[(tmp_path / "game.rules").as_posix()]
    declared = {
        (each.span.line, each.span.column)
        for each in view.in_file(source.path)
        if each.role is ReferenceRole.DECLARES
    }
    places = [
        (number, found)
        for number, line in enumerate(source.lines, 1)
        for found in _WORD.finditer(_ASIDE.sub(lambda text: " " * len(text[0]), line))
        if (number, found.start() + 1) not in declared
    ]
    first = 0
    for number, found in places:
        lines = list(source.lines)
        line = lines[number - 1]
        lines[number - 1] = line[: found.start() + 1] + line[found.end() :]
        spot = TextPosition(source.path, number, found.start() + 2)
        items = complete(view, SourceFile(source.path, "\n".join(lines)), spot)
        words = [each.word for each in items]
        assert found[0] in words, line
        first += words.index(found[0]) < FIRST

    assert first >= SHARE * len(places) > 100
