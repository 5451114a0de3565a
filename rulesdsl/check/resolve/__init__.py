"""Name resolution and type checking: from the syntax tree to the typed tree.

A recursive resolver over the symbol table (`symbols.symbol_table.SymbolTable`), which is complete
before anything here runs. Its result is a `Program` of typed nodes (`check.typed`) in which every
name is replaced by its referent.

Types flow both ways, as in bidirectional checking. `r.value(expr, want)` infers the type of an
expression; `want` is passed down only to disambiguate names. `r.of_type`, `r.number` and
`r.condition` check an expression against a type. Optional types mark values that may be none:
`r.total` requires that an earlier test (`if any x:`) proved the value present. The `Scope` holds
locals and the results of such tests.

Every function takes a `Resolver`, `r`, as its first argument. A resolver serves one body (a
procedure, value or effect) and holds the symbol table, findings, scope, and the two entry points
`r.value` and `r.block`, so modules import only those below them:

    resolver      one body; `ResolveContext` for a program; procedures, hooks, effects
    statements    one case per statement
    calls         verbs, overload resolution, texts
    expressions   one case per expression
    operators     operators: `and`, `=`, `+`
    selections    counts, domains, filters
    attributes    `X of Y`, fields, cells
    holes         names that fit at the cursor, for completion
    scope         locals, proven facts, the acting seat

An error is reported once, where it is found. `r.report` returns a placeholder of type UNKNOWN,
which fits everywhere and suppresses reports that are `about` it. A scope with an error has
`failed`, and so has its procedure (`Program.failed`): the analyses skip it, and do not report what
they cannot prove about its callers. A `doubtful` name, unknown only because of another mistake, is
accepted. Start with `resolver`, then `expressions` and `statements`.
"""
