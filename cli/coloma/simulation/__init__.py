"""Many games of bots, played by several processes or machines, and how what they tell is shown.

`games` plays a `Plan` piece by piece (`rulesdsl.figures` adds the pieces up); `cluster` has
the pieces played elsewhere.  `simulated` shows what came out: `tables` in words and columns,
`written` as JSON and CSV.
"""
