"""What one player has observed of a game, and positions that fit it.

A bot that looks at the state of a game cheats: it knows the others' hands.  So it thinks about
positions that are made from what its player has observed, and from nothing else.

`following` reads the events of a game as one player sees them, and keeps for each kind of printed
pieces its `whereabouts`: backs carry tags, and each face has a set of tags that it may be under.
Shuffling gives all backs of a pile one new tag; seeing a face gives it a tag of its own.
`observing` writes down a position with all blank that the player does not see; `frames` says
which locals of half-done procedures are.  `sampling` fills the blanks: `dealing` deals the faces
to the backs so that every way is as likely as the others.
"""
