"""Which items win together: how often those won who chose both, against everybody."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import attrs

from coloma.report.charts import ABOVE, BELOW, heat
from coloma.report.sections import Section, Table
from rulesdsl.figures.sequences import FEWEST
from rulesdsl.figures.uses import WIN

if TYPE_CHECKING:
    from rulesdsl.figures.games import Figures
    from rulesdsl.figures.groups import Groups
    from rulesdsl.figures.together import Pair

LISTED = 10  # house: pairs in the table, of the best and of the worst each
ENOUGH = 2 * FEWEST  # house: players who chose both, before a pair is told
READING = (
    "Each square shows how much more often those win who chose both in a game, in percentage"
    " points; on the diagonal, those who chose the one. Pairs that fewer than"
    f" {ENOUGH} players chose are left out. A single square is not certain: there are many, and"
    " some are far off by chance."
)
HEAD = ("", "players", "won", "more than all")


@attrs.frozen
class Won:
    """A pair of items: how many players chose both in a game, and the share of them that won."""

    pair: Pair
    takers: int
    share: float
    lift: float
    """How much more often they won than all players, in percentage points."""


def company(figures: Figures, groups: Groups, group: str) -> Section:
    """Return the section of a group; without a chart where no pair was chosen often enough."""
    all_ = figures.uses.everybody
    even = all_.totals[WIN] / max(all_.games * all_.players, 1)
    found = [
        Won(pair, each.takers, each.wins / each.takers, 100 * (each.wins / each.takers - even))
        for pair, each in sorted(figures.together.pairs.items())
        if each.takers >= ENOUGH
    ]
    pairs = sorted((e for e in found if e.pair[0] != e.pair[1]), key=lambda e: (-e.lift, e.pair))
    heading = f"Which win together, by {group}"
    if not pairs:
        return Section("together", heading, (f"No pair was chosen by {ENOUGH} players.",))

    def title(item: str) -> str:
        return groups.titles[group, item]

    def row(won: Won) -> tuple[str, ...]:
        name = " and ".join(map(title, won.pair))
        return name, str(won.takers), f"{100 * won.share:.1f} %", f"{won.lift:+.1f}"

    best, worst = pairs[:LISTED], pairs[: max(LISTED - 1, len(pairs) - LISTED - 1) : -1]
    return Section(
        "together",
        heading,
        (f"All players win {100 * even:.1f} % of their games. {READING}",),
        heat([*_squares(found, title)], "wins, against all players"),
        "The same pairs are in the table below, the best and the worst of them.",
        (
            Table("The pairs that win most often", HEAD, tuple(map(row, best))),
            *(
                [Table("The pairs that win least often", HEAD, tuple(map(row, worst)))]
                * bool(worst)
            ),
        ),
    )


def _squares(found: list[Won], title: Callable[[str], str]) -> Iterator[dict[str, object]]:
    for won in found:
        one, two = map(title, won.pair)
        value = round(won.lift) + 0.0  # no `-0`
        says = ABOVE if value >= 0 else BELOW
        for first, second in dict.fromkeys(((one, two), (two, one))):
            yield {"one": first, "two": second, "value": value, "says": says}
