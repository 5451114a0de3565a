"""From the syntax tree to the checked tree: names looked up, types checked.

This is a recursive resolver over a symbol table.  The table is the `World` of the layer around
(`check.world`), filled before anything here runs.  What comes out is a `Program` of typed nodes
(`check.typed`), in which every name is replaced by what it means.

Types go both ways, as in bidirectional checking.  `r.value(expr, want)` infers the type of a
phrase; `want` goes down into it only where a word could mean several things.  `r.of_type`,
`r.number` and `r.condition` check a phrase against a type.  A type knows whether a thing may be
none: `r.total` asks whether it was looked for before (`if any x:`), and reports it if not.  What
was asked, and what holds after it, is in the `Scope`.

All functions take a `Resolver`, `r`, first.  It is made for one body (a procedure, a value, an
effect) and holds what they share: the world, the findings, the scope, and the two ways back in,
`r.value` for expressions and `r.block` for statements.  So modules import only those below them:

    bodies            scopes, and named values on demand, each resolved when first asked for
    program           everything in a world, one after the other
    procedures        verbs and steps, and what hooks lay over them
    formulas          named values, case by case
    statements        one case for each statement
    added, flow       bodies within bodies: loops, branches, offers, menus
    changes, moves    what changes something
    calls, overloads  verbs, chosen by what they are done to
    values            one case for each expression
    computing         signs: `and`, `=`, `+`
    lookups, names    `X of Y`, `X at K`, single words
    amounts           `2 coins`, `1 per card`
    domains           `a K in D`, `the K with most ...`
    membership        `any X`, `X in P`
    selections        what is counted or gone through; `stacks` and `filtering` help
    attributes        what belongs to a thing; `fields` are what is kept or printed
    cells             places

What is wrong is reported once, where it is found.  `r.report` returns what stands for the value:
it has the type UNKNOWN, which fits everywhere, and absorbs reports that are `about` it.  A scope
in which something was reported has `failed`, and so has the procedure (`Program.failed`): nobody
proves anything about its body, and what is unclear in those that call it is no news.  A name that
may be unknown only because of another mistake is `doubtful`, and passes.

This folder may import what is below the checker, and of the checker what knows no bodies yet:
the world, types, typed nodes.  Start with `resolver`, then `values` and `statements`.
"""
