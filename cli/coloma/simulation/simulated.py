"""What `coloma simulate` shows of the games that were played."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from coloma.session.screen import shown
from coloma.simulation.tables import INTERVALS, item_lines, seat_lines
from coloma.simulation.written import Row, as_csv, figures_data, item_rows
from rulesdsl.figures.games import Figures
from rulesdsl.figures.sequences import Confidence

if TYPE_CHECKING:
    from coloma.loading import Chosen
    from coloma.simulation.games import Plan
    from rulesdsl.figures.groups import Groups


@attrs.frozen
class Simulated:
    """Games of a plan, as far as they were played: no figures where none was."""

    plan: Plan
    chosen: Chosen
    groups: Groups
    figures: Figures | None

    @property
    def played(self) -> int:
        """How many games were played."""
        return self.figures.games if self.figures else 0

    @property
    def confidence(self) -> Confidence:
        """The confidence of all intervals."""
        return Confidence(planned=self.plan.games)

    def text(self) -> str:
        """Return tables."""
        return "".join(f"{line}\n" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        plan, pack = self.plan, self.chosen.pack
        ids = ", ".join(pack.mods)
        with_mods = f" with {shown(ids)}" if ids else ""
        if self.played < plan.games:
            yield f"not all: {self.played} of {plan.games} games were played"
        yield (
            f"{shown(pack.name)}{with_mods}: {self.played} games of {plan.players},"
            f" seed {plan.seed}"
        )
        if plan.bots:
            yield f"bots: {', '.join(plan.bots)}"
        if self.figures is None:
            return
        alike = len(set(plan.bots)) <= 1
        yield from seat_lines(self.figures, self.confidence, alike=alike)
        for group in self.groups.names:
            yield ""
            yield from item_lines(self.figures, self.groups, group, self.confidence)
        yield INTERVALS

    def data(self) -> Row:
        """Return the object of `--json`."""
        plan, pack, confidence = self.plan, self.chosen.pack, self.confidence
        figures = self.figures or Figures()
        bots = plan.bots or ("random",) * plan.players
        return {
            "game": pack.id,
            "version": pack.version,
            "digest": pack.digest,
            "mods": list(pack.mods),
            "options": self.chosen.setting.options,
            "players": plan.players,
            "seed": plan.seed,
            "games": self.played,
            "complete": self.played == plan.games,
            "confidence": 1 - confidence.alpha,
            **figures_data(figures, bots, confidence),
            "items": list(item_rows(figures.uses, self.groups, confidence)),
        }

    def json(self) -> str:
        """Return the object as text."""
        return json.dumps(self.data(), ensure_ascii=False, indent=2) + "\n"

    def csv(self) -> str:
        """Return items as CSV where some are counted, else seats."""
        return as_csv(self.data()["items" if self.groups.names else "seats"])
