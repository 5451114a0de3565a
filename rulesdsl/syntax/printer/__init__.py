"""From syntax tree to canonical text: labels of options, golden files, proofs of the parser."""

from __future__ import annotations

from rulesdsl.syntax.printer.expressions import print_expression
from rulesdsl.syntax.printer.statements import print_body, print_label, print_statement

__all__ = [
    "print_body",
    "print_expression",
    "print_label",
    "print_statement",
]
