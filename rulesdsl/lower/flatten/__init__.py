"""From the checked tree to the flat form: code generation over a `Writer`, one module a matter.

Each function is handed the `Writer` of the body in hand and a node.  A value returns its flat
expression, after it has written what it needs (a search is a loop in front of the expression that
uses it); a step only writes.  `conditions` keeps the order in which conditions are asked: what the
third of them needs is written where the first two have not decided.

`Writer.given` maps names of the checked tree to flat expressions, so a candidate, an argument or a
folded constant is put in by reference and no tree is rewritten.  Prices never exist at run time:
`values.part` asks for one noun of a price, wherever it comes from.

`program` puts it together; `values`, `fields`, `searches`, `membership`, `domains` compute,
`steps`, `changes` do, `machines` and `asks` stop.
"""
