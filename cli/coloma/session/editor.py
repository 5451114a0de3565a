"""Editor of input lines at a terminal: arrow keys, earlier lines, completion, a line below.

Only sessions at a terminal import it, since `prompt_toolkit` takes 0.1 s.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.styles import Style
from rich.cells import cell_len, set_cell_size

from coloma.output import abridged
from coloma.session.answers import NO_PROMPT, Prompt, SessionStopped
from rulesdsl.source.render import visible

_BETWEEN = " · "
_LEAST_LINES = 3  # of a terminal with a line below the input
_STYLE = Style.from_dict({"bottom-toolbar": "noreverse dim", "bottom-toolbar.text": "noreverse"})


class LineEditor:
    """Source of lines that are edited at a terminal.

    Nobody can recall what another person has typed.
    """

    is_terminal = True

    def __init__(self) -> None:
        """Begin without earlier lines."""
        self._sessions: dict[int, PromptSession[str]] = {}
        # elsewhere, the library looks for the kind of terminal
        self._output = None if os.name == "nt" else _Output.from_pty(sys.stdout)

    def next_line(self, prompt: Prompt = NO_PROMPT) -> str:
        """Let a person edit a line, and return it."""
        session = self._sessions.get(prompt.person) or PromptSession[str](output=self._output)
        if prompt.person:
            self._sessions[prompt.person] = session
        below = _Below(prompt)
        colour = f"bold ansi{prompt.colour}" if prompt.colour else ""
        rows = session.output.get_size().rows
        try:
            return session.prompt(
                [(colour, visible(prompt.text))],
                bottom_toolbar=below.text if rows >= _LEAST_LINES else None,
                key_bindings=below.keys(),
                style=_STYLE,
                complete_while_typing=False,
                enable_suspend=True,
            )
        except EOFError:
            raise SessionStopped("The input has ended.") from None

    def refuse(self, advice: str) -> str:
        """Return the message, so that the session continues with the next line."""
        return advice


class _Output(Vt100_Output):
    """Terminal that is not asked where its cursor is, and gets pasted lines one by one.

    Otherwise, the next program could read its answer as input, and several pasted lines would be
    a single one.
    """

    def get_rows_below_cursor_position(self) -> int:
        return 1  # the line below scrolls the others up if need be

    def enable_bracketed_paste(self) -> None:
        pass


class _Below:
    """The line below the input: the moment, or what Tab may complete the input to."""

    def __init__(self, prompt: Prompt) -> None:
        self._prompt = prompt
        self._parts = [visible(part, "") for part in prompt.below()]
        self._choices: Sequence[str] = ()
        self._typed = ""  # before the choices

    def text(self) -> str:
        app = get_app()
        cells = app.output.get_size().columns
        if self._choices and app.current_buffer.text == self._typed:
            return listed(self._choices, cells)
        return fitted(self._parts, cells)

    def keys(self) -> KeyBindings:
        keys = KeyBindings()
        keys.add("tab")(self._complete)
        return keys

    def _complete(self, event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        typed = buffer.text
        lines = self._prompt.completions(typed)
        start = os.path.commonprefix(lines)  # noqa: RUF071 - of characters
        if len(lines) == 1 or (
            len(start) > len(typed) and start.casefold().startswith(typed.casefold())
        ):
            buffer.text = start
            buffer.cursor_position = len(start)
        else:
            self._choices, self._typed = lines, typed


def listed(names: Sequence[str], cells: int) -> str:
    """List names in a line of some cells; those that do not fit are counted."""
    texts = (abridged(names, most) for most in range(len(names), 0, -1))
    return next((text for text in texts if cell_len(text) <= cells), "")


def fitted(parts: Sequence[str], cells: int) -> str:
    """Join parts in a line of some cells; if they are too long, the first ones are left out."""
    for first in range(len(parts)):
        text = _BETWEEN.join(filter(None, parts[first:]))
        if cell_len(text) <= cells:
            return text
    return set_cell_size(parts[-1], cells) if parts else ""
