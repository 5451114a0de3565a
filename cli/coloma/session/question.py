"""A decision as a numbered question, with what cannot be taken back."""

from __future__ import annotations

from collections.abc import Sequence

from coloma.session.cells import width, wrapped
from coloma.session.screen import WIDTH, Ink, Screen, shown
from rulesdsl import Decision, Option

_MOST_LINES = 2  # of an option with its text; `read` shows the rest
_DOTS = " ..."


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
        _show_option(screen, number, option, margin)
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


def _show_option(screen: Screen, number: int, option: Option, margin: int) -> None:
    sign = screen.paint(f"{number:>{margin}}.", Ink.NUMBER)
    label = shown(option.label)
    whole = f"{label}: {shown(option.text)}" if option.text else label
    if screen.plain:
        screen.line(f"{number}. {whole}")
        return
    cells = WIDTH - margin - 2
    first, *rest = _cut(wrapped(whole, cells), max(_MOST_LINES, len(wrapped(label, cells))), cells)
    screen.line(f"{sign} {first}")
    for line in rest:
        screen.line(" " * (margin + 2) + line)


def _cut(lines: list[str], most: int, cells: int) -> list[str]:
    """Leave out what goes beyond so many lines, with dots where it would go on."""
    if len(lines) <= most:
        return lines
    last = lines[most - 1]
    while width(last) + len(_DOTS) > cells:
        last = last.rpartition(" ")[0] or last[:-1]
    return [*lines[: most - 1], f"{last}{_DOTS}"]
