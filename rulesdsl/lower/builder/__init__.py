"""Builder of the flat form from the typed tree.

`program` declares the arrays of the state and plans one function or machine for each value, guard
and procedure; all are written at once, or each on first use. `values`, `fields`, `searches` and
`domains` write expressions, `steps` and `changes` write statements. `machines` cuts procedures
with decisions into `blocks`, and `questions` writes the questions that end some of these. Most
functions take the `Writer` of the current body and a node of the typed tree. For a value, they
write the statements that it needs and return its flat expression; a search becomes a loop before
the expression that uses it:

    any card in my hand where worth of it > 2       any!1 := 0
                                                     for it!1 in #card[(me + 3)]
                                                         if ($t4[it!1] > 2)
                                                             any!1 := 1
                                                             break
                                                     ... any!1 ...

`conditions` preserves short-circuit evaluation: the statements that compute the third condition
are nested in the test of the first two. `Writer.given` binds names of the typed tree to flat
expressions, so candidates, arguments and folded constants are substituted without rewriting the
tree; generated names contain `!`, `%` or `~`, which the names in a game cannot. Equal tables,
lists and strings are interned in `Shared`, and an effect in a field becomes an indexed call
through a table of functions. Prices do not exist at run time: `values.part` computes the amount of
one noun. Sums that may exceed 64 bits are computed in two halves and saturated (`domains.Sum`).
Loops have at most `MAX_REPEATS` iterations; the typed tree must be free of errors.
"""
