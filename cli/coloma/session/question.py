"""A decision as a numbered question, with what cannot be taken back."""

from __future__ import annotations

from collections.abc import Sequence

from coloma.engine import Decision
from coloma.session.cells import wrapped
from coloma.session.screen import WIDTH, Ink, Screen, shown


def show_question(
    screen: Screen, decision: Decision, seat: str, final: Sequence[bool], *, together: bool
) -> None:
    """Ask somebody to choose. `together`: others choose at the same time, unseen."""
    screen.line()
    screen.line(f"{shown(seat)}: {_sentence(decision)}", Ink.PROMPT)
    if decision.sealed and together:
        screen.line("All choose secretly; the answers are shown together.")
    margin = len(str(decision.count)) + 2
    for number, option in enumerate(decision.options, start=1):
        _show_option(screen, number, shown(option.label), margin)
    screen.line(undo_remark(final), Ink.FAINT)


def undo_remark(final: Sequence[bool]) -> str:
    """Say which options cannot be taken back, numbered from 1."""
    if all(final):
        return "(None of these can be undone.)" if len(final) > 1 else "(It cannot be undone.)"
    if not any(final):
        return "(Can be undone.)"
    numbers = [str(index + 1) for index, each in enumerate(final) if each]
    listed = f"{', '.join(numbers[:-1])} and {numbers[-1]}" if len(numbers) > 1 else numbers[0]
    return f"(Can be undone, except {listed}.)"


def _sentence(decision: Decision) -> str:
    return shown(decision.prompt) or "choose"


def _show_option(screen: Screen, number: int, label: str, margin: int) -> None:
    sign = screen.paint(f"{number:>{margin}}.", Ink.NUMBER)
    if screen.plain:
        screen.line(f"{number}. {label}")
        return
    first, *rest = wrapped(label, WIDTH - margin - 2)
    screen.line(f"{sign} {first}")
    for line in rest:
        screen.line(" " * (margin + 2) + line)
