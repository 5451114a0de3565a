"""Declarations and whole files as text: what is printed is read back as the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.syntax.printer.lines import Page, lines

if TYPE_CHECKING:
    from rulesdsl.syntax import declarations as de


def print_file(file: de.File) -> str:
    """Return a file: a blank line beside every declaration that takes more than one line."""
    text = ""
    tall_before = False
    for declaration in file.declarations:
        printed = lines(declaration, Page())
        tall = len(printed) > 1
        if text and (tall or tall_before):
            text += "\n"
        text += "\n".join(printed) + "\n"
        tall_before = tall
    return text


def print_declaration(declaration: de.Decl) -> str:
    """Return one declaration, without a line end after it."""
    return "\n".join(lines(declaration, Page()))
