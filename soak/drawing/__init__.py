"""Generator of random packs: small games with unusual combinations of all constructs.

`whole.pack_of(seed)` draws a pack. It follows types and scopes, so that most packs have no errors.
`box` draws the declarations, `drawer` the phrases and statements by the grammar in `productions`,
`whole` the rules, and `extremes` rules that push one construct to its limits.
"""
