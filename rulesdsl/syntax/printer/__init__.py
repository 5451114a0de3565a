"""From syntax tree to canonical text: labels of options, golden files, proofs of the parser.

The printer is the grammar read backwards. `forms` takes the rule that a node belongs to, and of
its alternatives the one that has just what the node says: words that the grammar fixes are written
as they are, fields in their places. The nesting of the rules for expressions gives the levels of
precedence, so parentheses are only where the text would be read otherwise without them. `lines`
sets statements and bodies, with indentation; `phrases` prints what is shorter than a statement.

The law, which tests/syntax holds it to: what is printed reads back as the same tree. `coloma fmt`
is something else (`format`): it moves blanks and keeps every word and comment.

It may import the syntax, and the grammar through it. Start with `forms`.
"""

from __future__ import annotations

from rulesdsl.syntax.printer.lines import print_body, print_label, print_statement
from rulesdsl.syntax.printer.phrases import in_line, phrase, print_expression, print_text

__all__ = [
    "in_line",
    "phrase",
    "print_body",
    "print_expression",
    "print_label",
    "print_statement",
    "print_text",
]
