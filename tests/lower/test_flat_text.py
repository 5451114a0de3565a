from __future__ import annotations

from pathlib import Path

import pytest

from flat_reader import program_text, read
from kept import shipped_pack
from lower.flat_verifier import verify
from rulesdsl.lower.builder.program import flatten
from rulesdsl.lower.layout import Layout
from rulesdsl.lower.passes import OF_MODULES, SHARED

ROOT = Path(__file__).parents[2]
GAMES = ["content", "content/sutters_mill", "content/classics/breakthrough"]


@pytest.mark.parametrize("path", GAMES)
def test_a_print_is_read_back_and_sound_after_every_pass(path: str) -> None:
    pack = shipped_pack(ROOT / path)
    settings = {name: each.default for name, each in pack.program.world.options.items()}
    layout = Layout(pack.program, pack.players[1], settings)
    flat = flatten(layout, logging=True).flat
    verify(flat)

    for improve in [*SHARED.values(), *OF_MODULES.values()]:
        improve(flat)
        verify(flat)
        text = program_text(flat)
        assert program_text(read(text)) == text
