"""Name resolution and type checking: from the syntax tree to the typed tree.

This is a recursive resolver over the symbol table (`symbols.symbol_table.SymbolTable`), which is
complete before resolution begins. Its result is a `Program` of typed nodes (`check.typed`) in
which every name is replaced by the symbol it refers to.

Types flow both ways, as in bidirectional checking. `r.value(expr, want)` infers the type of an
expression; `want` is passed down only to disambiguate names. `r.of_type`, `r.number` and
`r.condition` check an expression against a type. Optional types mark values that may be none:
`r.total` requires that an earlier test (`if any x:`) proved that the value is not none. The
`Scope` has the locals and the results of such tests.

Every function takes a `Resolver`, `r`, as its first argument. A resolver resolves one body (a
procedure, value or effect) and has the symbol table, findings, scope, and the entry points
`r.value` and `r.block`. These call functions of higher modules through `Dispatch`, so modules
import only those below them:

    program       verbs and steps with hooks, effects, the whole program; the dispatch
    statements    one case per statement
    options       what menus and choices offer
    calls         verbs, overload resolution, text, moves
    expressions   one case per expression; names, tables
    operators     operators as a table: `and`, `=`, `+`; amounts and prices
    selections    counts, domains, filters
    attributes    `X of Y`, fields, cells
    resolver      one body and its scope; the context of a program
    holes         names that fit at the cursor, for completion
    wording       all messages and advice

An error is reported once, where it is found. `r.report` returns a placeholder of type UNKNOWN,
which fits everywhere and suppresses reports that are `about` it. A scope with an error has
`failed`, and so has its procedure (`Program.failed`): the analyses skip it, and do not report what
they cannot prove about its callers. A `doubtful` name, which may be unknown only because of
another error, is accepted. Start with `resolver`, then `expressions` and `statements`.
"""
