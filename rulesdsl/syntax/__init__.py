"""Lexer, parser, syntax tree, printer and formatter of the language.

lark generates an LALR(1) parser from `grammar.lark`, the reference of the language. Its lexer is
contextual: a word is a keyword only where the grammar expects it, so almost any word may be a
name. `LayoutFilter` in `lexer.py`, between lexer and parser, turns indentation into tokens and,
except at the left margin, the words that begin a declaration into names. The names a game declares
are unknown to the parser; `check` resolves them.

Nodes are frozen attrs classes in `expressions`, `statements` and `declarations`; comparison
ignores their spans. The decorator of a class (`node`) maps a production of the grammar to its
fields. `build` follows this description from lark's trees to nodes and `printer` follows it back;
only nodes whose children are not their fields are built and printed by hand.

`recovery` reports each syntax error and edits the text until it can be parsed; its messages are in
`wording`, and its table of habits from other languages in `habits.toml`. `format` respaces and
indents source lines without printing the tree, so comments and blank lines are preserved.

Of the project's packages only `rulesdsl.source` is imported here, and no other package imports
lark. Start with `grammar.lark`, then `node`, one class of `statements`, and `parser.parse_file`.
"""
