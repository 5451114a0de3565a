"""A game played again from its beginning with other pieces where a player could not see them.

Where a face that lies hidden decides something (how far a hidden track goes, which piece goes
where, what may be chosen), a world is only possible if all that the player was shown comes of it.
So it is played: each shuffle, and each thing that is drawn by chance, comes out so that in the end
the pieces lie as they do in that world, and the others choose what lies in the same spot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.interpreter.knowledge.frames import swapped, taken
from rulesdsl.interpreter.knowledge.hidden_tracks import Unlike
from rulesdsl.interpreter.knowledge.history import Dealer, History
from rulesdsl.interpreter.log import CHOICE
from rulesdsl.interpreter.runtime import dealt_by
from rulesdsl.interpreter.state import cells_of

if TYPE_CHECKING:
    import random

    from rulesdsl.interpreter.asks import Ask
    from rulesdsl.interpreter.decision import Decision
    from rulesdsl.interpreter.game import Game
    from rulesdsl.interpreter.knowledge.hidden_tracks import Swaps
    from rulesdsl.interpreter.log.reader import Entry
    from rulesdsl.interpreter.setting import Setting

Spot = tuple[str, int, int]
"""Where a piece lies: its kind, the cell, and how many lie below it."""


@attrs.frozen
class _Chosen:
    """A choice: of whom (from 0), in which question; where a piece lay that it names in secret.

    `last` says whether that piece has not been mixed again, `offered` what the player themselves
    was offered; of others it is not known.
    """

    player: int
    question: int
    option: int
    spot: Spot | None = None
    last: bool = False
    offered: tuple[int, ...] | None = None


class Replays:
    """Plays the game of a position again, with what one player (from 0) was shown."""

    def __init__(self, game: Game, player: int) -> None:
        self._game, self._player = game, player
        self._history = History(game, player)
        self._choices: list[_Chosen] = []
        self._shown = self._seen_of(game)
        self._note_choices()

    @property
    def _setting(self) -> Setting:
        return self._game.setting

    def _note_choices(self) -> None:
        """Play the game again as it was, and note where the pieces lay that were chosen."""
        with dealt_by(Dealer.of(self._history, {})):
            game = self._begin()
            for at, entry in enumerate(self._game.state.log):
                if entry[0] == CHOICE:
                    self._choices.append(self._chosen(game, at, entry))
                    self._choose(game, self._choices[-1], {})

    def _chosen(self, game: Game, at: int, entry: Entry) -> _Chosen:
        _, _, player, question, option, *_ = entry
        if player == self._player:
            (own,) = (tuple(e.raw) for e in game.decisions if e.player == player + 1)
            return _Chosen(player, question, option, offered=own)
        ask = self._setting.engine.asks[question]
        domain = ask.domain(option)
        kind, thing = "" if domain is None else domain.element.of, ask.thing(option)
        if (
            kind not in self._setting.views.printed
            or thing < 0
            or not (ask.sealed or ask.secret(option))
        ):
            return _Chosen(player, question, option)
        cell = cells_of(game.state, f"w:{kind}")[thing]
        below = cells_of(game.state, f"l:{kind}")[cell].index(thing)
        last = self._history.is_last(kind, thing, at)
        return _Chosen(player, question, option, (kind, cell, below), last)

    # ---------------------------------------------------------------- again
    def play(self, swaps: Swaps, chance: random.Random | None = None) -> tuple[Game | None, int]:
        """Play the game so that in the end other pieces lie where the hidden ones do.

        With `chance` they may lie in any way instead: the others choose pieces in secret as they
        like.  Returns the game where the player is shown the same all along, and how much of that
        is the same.
        """
        game = None
        try:
            with dealt_by(Dealer.of(self._history, swaps)):
                game = self._begin()
                for each in self._choices:
                    self._choose(game, each, swaps, chance)
        except Unlike:
            return None, 0 if game is None else self._same(self._seen_of(game))
        seen = self._seen_of(game)
        fits = seen == self._shown and (chance is not None or self._lies(game, swaps))
        return (game if fits else None), self._same(seen)

    def _begin(self) -> Game:
        return type(self._game).begin(self._setting, self._game.seed)

    def _choose(
        self, game: Game, choice: _Chosen, swaps: Swaps, chance: random.Random | None = None
    ) -> None:
        """Choose in another world what was chosen; Unlike where that is not offered."""
        for decision in game.decisions:
            if decision.player == choice.player + 1 and decision.number == choice.question:
                if chance is not None and choice.spot is not None:
                    option = chance.choice(self._alike(decision, choice))
                else:
                    option = self._carried(game, decision.ask, choice, swaps)
                if option in decision.raw and choice.offered in {None, (*decision.raw,)}:
                    game.choose(decision.raw.index(option), decision.player)
                    return
        raise Unlike("that is not offered")

    def _alike(self, decision: Decision, choice: _Chosen) -> list[int]:
        """Return the options that look to the player like one that was chosen in secret."""
        ask, option = decision.ask, choice.option
        assert choice.spot is not None
        backs = self._setting.views.backs(choice.spot[0])
        back = backs[ask.thing(option)]
        return [
            each
            for each in decision.raw
            if ask.number(each) == ask.number(option) and backs[ask.thing(each)] == back
        ] or [option]

    def _carried(self, game: Game, ask: Ask, choice: _Chosen, swaps: Swaps) -> int:
        """Return an option with the piece of this world: that which is swapped, or lies there."""
        if choice.spot is None:
            return choice.option
        kind, cell, below = choice.spot
        pile, real = cells_of(game.state, f"l:{kind}")[cell], ask.thing(choice.option)
        there = swaps.get(kind, {}).get(real, real) if choice.last else -1
        if there not in pile:
            if below >= len(pile):
                raise Unlike("no piece lies there")
            there = pile[below]
        instead: Swaps = {kind: {real: there}}
        domain = ask.domain(choice.option)
        assert domain is not None
        if ask.plain or isinstance(ask.end, ty.Secretly):
            return int(swapped(domain.element, instead)(choice.option))
        return int(taken(ask.end.lines, instead)(choice.option))

    # ---------------------------------------------------------------- what is shown
    def _seen_of(self, game: Game) -> list[object]:
        """Return all that the player was shown, line by line, and the board as they see it."""
        player = self._player + 1
        lines = ((each.actor, each.seen_text(player)) for each in game.log)
        board = self._setting.views.of(game.state, player).data()
        return [*(each for each in lines if each[1]), board]

    def _same(self, seen: list[object]) -> int:
        """Return how many of these lines are as the player was shown them."""
        both = zip(seen, self._shown, strict=False)
        return next((at for at, (one, other) in enumerate(both) if one != other), len(self._shown))

    def _lies(self, game: Game, swaps: Swaps) -> bool:
        """Whether the pieces lie where those of the real game do that they are swapped with."""
        for kind, own in swaps.items():
            piles = zip(
                cells_of(game.state, f"l:{kind}"),
                cells_of(self._game.state, f"l:{kind}"),
                strict=True,
            )
            if any(pile != [own.get(each, each) for each in real] for pile, real in piles):
                return False
        return True
