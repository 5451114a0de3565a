"""From text to syntax tree and back.

A generated parser does the reading: lark makes LALR(1) tables of `grammar.lark`, which is the
reference of the language. The lexer is contextual: a word is a keyword only where the grammar
wants it, so nearly every word may be a name. Between lexer and parser, `layout` makes tokens of
the indentation, as Python does, and keeps the words that begin a declaration to the left margin.
The words of a game are never told to the parser. What a name means, `check` finds out.

    text -> lark's concrete tree -> nodes -> text

Nodes are frozen attrs classes: `expressions` (what has a value), `statements` (what is done),
`declarations` (what there is). Each has its place in the file, which comparison leaves out. Its
decorator says which rule of the grammar it is and where its fields are among the children
(`node`): that is the one description of it. `build` goes by it from a tree to nodes.
`printer/forms` reads the same rule backwards: the alternative of the grammar that has just what a
node says is the way to write it, and the nesting of the grammar's rules says where parentheses go.
By hand are built and printed only the few whose children are not their fields: bodies, calls,
sequences, `may`, `if`, choices, hooks that add lines. It is the idea of invertible syntax
descriptions (Rendel and Ostermann 2010), with the grammar as the description.

Errors do not stop the reading. A file is cut where a line begins at the left margin. Where a piece
cannot be read, `repair` says why, puts a line in the place of the bad one that the grammar takes
for an error, and the piece is read again: a second slip is told, too, and names that a lost line
declared are not reported as unknown. Habits from other languages (`habits.toml`) get a better
message than what the parser expected. What is said is in `wording`. `places` knows where a
character of a piece is in its file, also inside a string of a TOML file.

The formatter (`format`) is no printer: it spaces and indents the words of each line, so comments
and empty lines stay, and it proves by parsing that nothing else changed.

It may import `rulesdsl.source`, and nothing else of ours; lark stays inside. Start with
`grammar.lark`, then `node`, one class of `statements`, and `parser.parse_file`.
"""
