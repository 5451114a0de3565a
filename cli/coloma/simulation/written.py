"""Figures as data: the object of `--json`, and the rows of `--csv`.

`figures.schema.json` in this folder is the schema of the object; `coloma explain figures` explains
it.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from rulesdsl.figures.intervals import Confidence, Interval
from rulesdsl.figures.uses import PLACE, POINTS, WIN, ItemUse

if TYPE_CHECKING:
    from rulesdsl.figures.games import Figures, Seat, Tally
    from rulesdsl.figures.uses import Groups, Item, Uses

Row = dict[str, Any]
_OUTCOMES = {"points": POINTS, "places": PLACE, "wins": WIN}


def schema_text() -> str:
    """Return the JSON Schema of the output of `simulate` and `compare`."""
    return (files("coloma") / "simulation" / "figures.schema.json").read_text(encoding="utf-8")


def interval_data(found: Interval) -> Row:
    """Return an interval; its bounds are null if there were too few games."""
    if not found.known:
        return {"mean": found.mean, "low": None, "high": None}
    return {"mean": found.mean, "low": found.low, "high": found.high}


def length_data(tally: Tally) -> Row:
    """Return the mean and the bounds of a tally."""
    return {"mean": tally.mean, "least": tally.least, "most": tally.most}


def figures_data(figures: Figures, bots: Sequence[str], confidence: Confidence) -> Row:
    """Return the figures of seats and lengths; a seat without a player has no bot."""
    named = [*bots, *[None] * (len(figures.seats) - len(bots))]
    return {
        "seats": [
            _seat_data(seat, bot, figures, confidence)
            for seat, bot in zip(figures.seats, named, strict=False)
        ],
        "ties": figures.ties,
        "rounds": length_data(figures.rounds),
        "decisions": length_data(figures.decisions),
    }


def _seat_data(seat: Seat, bot: str | None, figures: Figures, confidence: Confidence) -> Row:
    return {
        "name": seat.name,
        "bot": bot,
        "wins": seat.wins,
        "shared": seat.shared,
        "win_share": interval_data(confidence.share(seat.wins, figures.games)),
        "places": list(seat.places),
        "points": seat.points.mean,
        "points_interval": interval_data(seat.points.interval(confidence)),
        "least": seat.points.least,
        "most": seat.points.most,
        "sources": {
            name: each.mean for name, each in zip(figures.sources, seat.sources, strict=True)
        },
        "verdicts": dict(sorted(seat.verdicts.items())),
    }


def item_rows(uses: Uses, groups: Groups, confidence: Confidence) -> Iterator[Row]:
    """Yield the figures of each item, group by group."""
    for item, title in sorted(groups.titles.items()):
        use = uses.items.get(item, ItemUse())
        yield {
            "group": item[0],
            "id": item[1],
            "title": title,
            "seen": use.seen,
            "offered": use.offered,
            "takers": use.takers,
            "chosen": use.chosen,
            "questions": dict(sorted(use.questions.items())),
            **{name: _outcome(uses, item, at, confidence) for name, at in _OUTCOMES.items()},
        }


def _outcome(uses: Uses, item: Item, outcome: int, confidence: Confidence) -> Row:
    chose, others = uses.means(item, outcome)
    found = uses.advantage(item, outcome, confidence)
    return {
        "takers": chose,
        "others": others,
        "difference": interval_data(found) if found.known else None,
    }


def as_csv(rows: Sequence[Row]) -> str:
    """Return rows as CSV; nested tables get columns of their own (`points.mean`)."""
    flat = [dict(_flat(each)) for each in rows]
    names = list(dict.fromkeys(name for each in flat for name in each))
    text = io.StringIO()
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(flat)
    return text.getvalue()


def _flat(row: Row, before: str = "") -> Iterator[tuple[str, object]]:
    for name, each in row.items():
        match each:
            case dict():
                yield from _flat(each, f"{before}{name}.")
            case list():
                yield f"{before}{name}", " ".join(map(str, each))
            case _:
                yield f"{before}{name}", each
