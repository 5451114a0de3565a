"""Generator of random packs: small games with unusual combinations of all constructs.

`whole.pack_of(seed)` generates a pack. It follows types and scopes, so that most packs have no
errors. Declarations come from `box`, phrases and statements from `drawer` and the grammar in
`productions`, rules from `whole`, and rules that push one construct to its limits from `extremes`.
"""
