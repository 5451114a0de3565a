"""Generator of random packs: small games with unusual combinations of all constructs.

`whole.pack_of(seed)` generates a pack. It follows types and scopes, so that most packs have no
errors. `box` generates declarations, `drawer` phrases and statements from the grammar in
`productions`, `whole` rules, and `extremes` rules that push one construct to its limits.
"""
