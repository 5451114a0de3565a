"""Statistics over many games: mergeable sums, and intervals that are valid at any time."""

# Figures are immutable. Figures of disjoint sets of games can be added in any order, by any
# process on any machine, and the result is exact: sums are integers, and means, differences and
# intervals are computed last.
#
# - `games`: `Tally` (count, sum, squares, bounds of a number), `Figures` (seats, points by source,
#   length, and uses of a set of games), and `Curve` (points over time by final place).
# - `uses`: offers and choices of each entry, verb or option, and the outcomes of players that
#   chose it, compared with the others; pairs of items chosen by the same seat; groups of options.
# - `pairs`: differences between paired games of two versions of the content.
# - `intervals`: confidence sequences, valid at every look, so that a command may stop early.
#
# The unit of observation is a game. Seats of one game are not independent: 400 seats of 100 games
# are 100 observations. So each sum comes with its sum of squares over games, and ratios use the
# variance of their linearisation, game by game.
#
# This layer may import `rulesdsl.bots` and the layers below it. Start with `games.Figures`.
