"""Packs from scratch: small games with all constructs of the language in odd combinations.

`whole.pack_of(seed)` draws one. What it draws follows the types (what is declared is known, and
what is in reach is used), so that most of it lints clean; it is as odd as nobody would write it.
`box` draws what is declared, `drawer` phrases and statements by the lines of `productions`,
`whole` the rules over them, and `extremes` rules that take one thing too far.
"""
