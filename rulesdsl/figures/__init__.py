"""What many games tell: sums that can be added up, and intervals that may be looked at any time.

All figures are values.  What some games came to is added to what others came to, in any order, by
any process on any machine, and the sum is that of all games to the last digit: whole numbers are
added, and means, differences and intervals are computed at the very end.

- `tally`: a number of each game (points of a seat, decisions): how many, sum, squares, bounds.
- `games`: `Figures`, all that some games came to: seats, points by source, length, and uses.
- `uses`: how often each entry, verb or option was offered and chosen, and how those came out who
  chose it, against those who did not.  `groups` says which options are counted as what.
- `together`: which entries of a kind the same seat chose, and how often it won with both.
- `pairs`: the same games of two contents, and what differs.
- `curve`: points over time, by the place that a seat has in the end.
- `sequences`: intervals that hold for every look at once, so that a command may stop when it has
  seen enough.

A game is what is counted.  Several seats of one game are not independent of each other: who looks
at 400 seats of 100 games has seen 100 games.  So each sum is told with its sum of squares over
games, and a ratio has the variance of its linear part, game by game.

Start with `games.Figures`, then read `sequences`.  It may import what `rulesdsl.bots` may, and
`rulesdsl.bots` itself.
"""
