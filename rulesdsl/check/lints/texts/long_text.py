"""W612: text too long for one line of the screen."""

from __future__ import annotations

from rulesdsl.check import typed as ty
from rulesdsl.check.typed.program import Checked
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings
from rulesdsl.source.span import NOWHERE, Span

MOST = 72  # characters: a line of 80, less a prefix for the player or option number


def long_text(checked: Checked, _: Layered, findings: Findings) -> None:
    """Report text whose literal parts alone are too long."""
    blocks = [proc.block for proc in checked.program.procs.values()]
    texts = dict(each for block in blocks for each in _texts_in(block))
    for span, fixed in texts.items():
        if len(fixed) > MOST:
            message = (
                f"This text is too long for a line on the screen: it has {len(fixed)} characters."
            )
            help_text = (
                f"Use at most {MOST}, not counting values; the rulebook can explain the rest."
            )
            findings.report("W612", span, message, help_text)


def _texts_in(block: ty.Block) -> list[tuple[Span, str]]:
    every = (each for each in ty.walk_all(block) if isinstance(each, ty.MessageText))
    return [(each.span, each.fixed) for each in every if each.span != NOWHERE]
