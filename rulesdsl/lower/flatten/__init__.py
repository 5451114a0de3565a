"""Builder of the flat form from the checked tree: a `Writer` and one module for each matter.

Each function is handed the `Writer` of the body in hand and a node.  A value returns its flat
expression, after it has written what it needs (a search is a loop in front of the expression that
uses it); a step only writes.  `conditions` keeps the order in which conditions are asked: what the
third of them needs is written where the first two have not decided.

    any card in my hand where worth of it > 2        any!1 := 0
                                                     for it!1 in #card[(me + 3)]
                                                         if ($t4[it!1] > 2)
                                                             any!1 := 1
                                                             break
                                                     ... any!1 ...

`Writer.given` maps names of the checked tree to flat expressions, so a candidate, an argument or a
folded constant is put in by reference and no tree is rewritten.  Names that no rule can have
(`any!1`) are ours.  What is equal is kept once for the whole program, in `Shared`: tables, rows of
the pool of lists, texts, and tables of functions, through which a field of an entry is a call by
index.  Prices never exist at run time: `values.part` asks for one noun of a price, wherever it
comes from.  Sums that may leave 64 bits are added in two halves and held at their end (`sums`).

A `Planned` program holds what is not written yet: all is written at once, or, for a scenario,
what it calls when it calls it.  `program` puts it together; `values`, `fields`, `searches`,
`membership` and `domains` compute, `steps` and `changes` do, `machines` and `asks` stop.
It may import the checker's trees and the flat form.  Start with `program`, then `values`.
"""
