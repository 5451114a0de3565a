"""What one player can know of a game, and other worlds that look the same to them.

A bot that looks at the state of a game cheats: it knows the others' hands.  So it thinks about
redraws, copies in which everything that its player cannot know is drawn again.

`following` reads the events of a game as one player sees them, and keeps for each kind of printed
pieces its `whereabouts`: backs carry tags, and each face has a set of tags that it may be under.
Shuffling gives all backs of a pile one new tag; seeing a face gives it a tag of its own.
`dealing` deals the faces to the backs so that every way is as likely as the others.
`hidden_tracks` computes what a track that a player does not see has come to in the new world, and
`frames` puts the new pieces into what is half done.  Where hidden faces have decided more than
that (the log says of which pieces: `lower/depending`), `replays` plays the game again with the
new pieces, and a world is taken where the player is shown the same; `history` deals there what
came by chance.  Start with `redraw`: `Redraws` keeps what is the same in all worlds of a position.
"""
