"""Information state of one player, and determinization: positions consistent with it."""

# A bot that reads the state of a game cheats, since it sees the other players' hands. Bots search
# positions made from their player's observation alone.
#
# `tracking` follows the log as one player sees it: for each kind of printed piece, `Whereabouts`
# has the possible places of every face. `observing` writes down the position with everything
# hidden from that player blank; `frames` finds the blanks in suspended procedures. `sampling`
# fills the blanks, and `dealing` deals the faces uniformly.
