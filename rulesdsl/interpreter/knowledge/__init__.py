"""Information state of one player, and determinization: positions consistent with it."""

# A bot that read the state of a game would cheat, since it would see the other players' hands.
# Instead, bots search positions sampled from their player's observation alone.
#
# `tracking` follows the log as one player sees it: for each kind of printed piece, `whereabouts`
# has the possible places of every face. By it, the log tells who knows which piece moves.
# `observing` describes the position, leaving everything blank that is hidden from the player;
# `frames` finds the blanks in suspended procedures. `sampling` fills the blanks, and `dealing`
# deals the faces uniformly.
