"""From syntax tree to canonical text: labels of options, golden files, proofs of the parser."""

from __future__ import annotations

from rulesdsl.syntax.printer.lines import print_body, print_label, print_statement
from rulesdsl.syntax.printer.phrases import print_expression

__all__ = [
    "print_body",
    "print_expression",
    "print_label",
    "print_statement",
]
