"""Random packs: small games with all constructs of the language in unusual combinations.

`whole.pack_of(seed)` draws one. Drawing follows types and scopes, so that most packs lint clean.
`box` draws the declarations, `drawer` phrases and statements by the grammar in `productions`,
`whole` the rules, and `extremes` rules that push one thing to its limits.
"""
