"""Whether a draft is sound: it lints clean, its scenarios pass, a game of it can be played."""

from __future__ import annotations

from pathlib import Path

import attrs

import rulesdsl
from coloma import loading
from coloma.errors import CommandError
from coloma.selection import Selection
from coloma.simulation.games import Plan, outcomes
from coloma.simulation.work import Hands
from rulesdsl.scenarios import load_suite
from rulesdsl.source.diagnostic import Diagnostic
from rulesdsl.source.render_text import render


@attrs.frozen
class Trial:
    """A draft, the folder that it is for, and the packs that it is tried with.

    `before` is what was wrong without it; `only` names the scenarios that are about it. A bare
    draft needs none.
    """

    draft: Path
    target: Path
    selection: Selection
    before: tuple[Diagnostic, ...] = ()
    only: str | None = None
    bare: bool = False

    def check(self) -> None:
        """Refuse, with the findings, what is not sound."""
        self._lint()
        game, mods = self.selection.game, self.selection.mods
        report = load_suite(game, mods, of=self.draft, only=self.only).report()
        if not report.ok or not (report.results or self.bare):
            raise self._refusal("the new files would not do what they should", str(report))
        self._play()

    def _lint(self) -> None:
        report = rulesdsl.lint(self.selection.game, self.selection.mods)
        known = {(each.code, each.message) for each in self.before}
        new = [each for each in report.diagnostics if (each.code, each.message) not in known]
        if new:
            found = render(new, report.sources)
            raise self._refusal("this does not fit what is already there", found)

    def _play(self) -> None:
        """Play a game of bots to its end."""
        game, mods = self.selection.game, self.selection.mods
        least, most = loading.load_pack(game, mods).players
        players = min(max(2, least), most)
        for _ in outcomes(Plan(game, mods, {}, players, games=1, seed=1), Hands()):
            pass

    def _refusal(self, what: str, found: str) -> CommandError:
        shown = found.replace(self.draft.as_posix(), self.target.as_posix())
        return CommandError(f"{what}; nothing was written\n{shown.rstrip()}")
