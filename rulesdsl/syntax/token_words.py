"""The grammar's words by what they are for."""

from __future__ import annotations

LAYOUT_TOKENS = {"_NL", "_INDENT", "_DEDENT", "$END"}
ANY_NAME = "*"  # among names that could not be read: it may have been any
# Words that begin a phrase, and those that begin a statement. The rest are names where one can be.
NO_NAMES = frozenset(
    {"a", "all", "an", "any", "bottom", "it", "me", "my", "no", "not", "random", "the", "top"}
)
STATEMENTS = frozenset(
    {"all", "choose", "clear", "do", "end", "for", "if", "let", "lower", "mark", "may", "menu"}
    | {"move", "needs", "nothing", "raise", "repeat", "say", "shuffle"}
)
