"""The page of a report, from the games that were played."""

from __future__ import annotations

import shlex
from array import array
from collections.abc import Iterator
from importlib.metadata import version
from typing import TYPE_CHECKING

import attrs

from coloma.report.company import company
from coloma.report.course import by_source, length, over_time, seats
from coloma.report.page import Page
from coloma.report.sections import Section
from coloma.report.strength import EXTREMES, Strength
from coloma.simulation.numbers import plus_minus
from rulesdsl.figures.groups import OPTION, VERB
from rulesdsl.figures.sequences import Confidence
from rulesdsl.source.english import option_word, so_many

if TYPE_CHECKING:
    from coloma.loading import Chosen
    from coloma.simulation.games import Plan
    from rulesdsl.figures.curve import Curve
    from rulesdsl.figures.games import Figures
    from rulesdsl.figures.groups import Groups
    from rulesdsl.interpreter.setting import Setting

LARGEST = 40  # house: items of a heat map that a person can read
MEANING = (
    "Those who chose something in a game are compared with all players who did not. That says what"
    " goes with it, not what it causes: who is ahead can afford more. `coloma compare` says what a"
    " change does. ± is a 95 % interval; those of one chart hold together, and however often you"
    " look."
)


@attrs.frozen
class Extra:
    """What was played besides: points over time, and the lengths of some games."""

    curve: Curve | None = None
    games: int = 0
    decisions: array[int] | None = None


@attrs.frozen
class Reported:
    """Games of a plan, as far as they were played, and what is told of them."""

    plan: Plan
    chosen: Chosen
    groups: Groups
    figures: Figures
    extra: Extra
    command: tuple[str, ...]
    complete: bool = True
    """Whether nobody interrupted it."""

    @property
    def page(self) -> Page:
        """The page."""
        pack = self.chosen.pack
        mods = f" with {', '.join(pack.mods)}" if pack.mods else ""
        return Page(
            f"{pack.name}{mods}: what {self.figures.games} games say",
            tuple(self._summary()),
            tuple(self._sections()),
            tuple(self._made()),
            shlex.join(self.command),
            self._warning(),
        )

    def _warning(self) -> str:
        if self.complete:
            return ""
        played, planned = self.figures.games, self.plan.games
        return f"This is not all: it was interrupted after {played} of {planned} games."

    def _strengths(self) -> list[Strength]:
        confidence = Confidence(planned=self.plan.games)
        return [
            Strength(each, self.figures, self.groups, confidence) for each in self.groups.names
        ]

    def _summary(self) -> Iterator[str]:
        plan = self.plan
        kinds = ", ".join(dict.fromkeys(plan.bots))
        yield (
            f"{so_many(self.figures.games, 'game', 'games')} of"
            f" {so_many(plan.players, 'player', 'players')}, all bots ({kinds})."
        )
        for each in self._strengths():
            if each.group == plan.together and (told := each.told):
                strong, weak = told[:EXTREMES], told[-EXTREMES:]
                yield f"Strongest by {each.group}: {self._named(each, strong)}."
                if len(told) >= 2 * EXTREMES:
                    yield f"Weakest: {self._named(each, weak[::-1])}."
        yield MEANING

    @staticmethod
    def _named(strength: Strength, items: list[tuple[str, str]]) -> str:
        return ", ".join(
            f"{strength.title(e)} ({plus_minus(strength.points(e))} points)" for e in items
        )

    def _sections(self) -> Iterator[Section]:
        confidence = Confidence(planned=self.plan.games)
        yield seats(self.figures, self.plan.bots, confidence)
        if self.extra.curve is not None:
            yield over_time(self.extra.curve, self.extra.games)
        found = [by_source(self.figures), *(each.section() for each in self._strengths())]
        yield from (each for each in found if each is not None)
        if self.plan.together is not None:
            yield company(self.figures, self.groups, self.plan.together)
        yield length(self.figures, self.extra.decisions)

    def _made(self) -> Iterator[tuple[str, str]]:
        pack, plan = self.chosen.pack, self.plan
        yield "Game", f"{pack.name} ({pack.id}) {pack.version}"
        yield "Content", f"SHA-256 {pack.digest}"
        yield "Mods", ", ".join(pack.mods) or "none"
        options = self.chosen.setting.options
        yield "Options", ", ".join(f"{e}={option_word(v)}" for e, v in options.items()) or "none"
        yield "coloma", version("coloma")
        yield "Bots", ", ".join(plan.bots)
        yield "Seed", str(plan.seed)
        yield "Games", f"{self.figures.games} of {plan.games}"


def kinds_to_count(setting: Setting, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return what a report counts: kinds of entries, pieces and larger ones first, and options."""
    kinds = setting.labels.world.kinds
    entries = [each for each in names if each not in {OPTION, VERB}]
    entries.sort(key=lambda e: (kinds[e].role != "piece", -len(kinds[e].entries), e))
    return (*entries, OPTION)


def kind_of_pairs(setting: Setting, counted: tuple[str, ...]) -> str | None:
    """Return the kind of entries whose pairs are told: the first one that fits a picture."""
    kinds = setting.labels.world.kinds
    fits = (e for e in counted if e != OPTION and 1 < len(kinds[e].entries) <= LARGEST)
    return next(fits, None)
