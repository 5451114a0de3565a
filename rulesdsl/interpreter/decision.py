"""What a player has to choose: the question and its options, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.interpreter.asked_words import AskedWords

if TYPE_CHECKING:
    from rulesdsl.interpreter.asks import Ask
    from rulesdsl.interpreter.game import Game
    from rulesdsl.source.span import Span


@attrs.frozen
class Option:
    """One option of a decision. `id` is a stable word from content, `value` the raw choice.

    `about` is the id in `Game.printed` of the entry that it names, empty where it names none;
    `text` the sentence that the entry has about itself, where the label says not what it does.
    People are asked again about what is to `confirm`.
    """

    id: str
    label: str
    value: object = attrs.field(repr=False)
    about: str = attrs.field(default="", repr=False)
    text: str = attrs.field(default="", repr=False)
    confirm: bool = attrs.field(default=False, repr=False)


class Decision:
    """Something that a player has to choose. Labels are made only when they are looked at."""

    __slots__ = ("_game", "_options", "ask", "count", "player", "raw")

    def __init__(self, game: Game, player: int, ask: Ask, raw: list[Any]) -> None:
        self._game = game
        self.player = player
        """The player who chooses, from 1."""
        self.ask = ask
        self.raw: list[int] = raw
        """The options as numbers, as the flat form has them."""
        self.count = len(raw)
        """How many options there are."""
        self._options: tuple[Option, ...] | None = None

    @property
    def sealed(self) -> bool:
        """Whether it is answered in secret, together with the others."""
        return self.ask.sealed

    @property
    def hidden(self) -> bool:
        """Whether the others cannot tell what is offered: it depends on what they do not see."""
        return self.ask.hidden

    @property
    def id(self) -> str:
        """What asks and the question, as one word from content: the same in every game."""
        return self._game.setting.question_ids[self.number]

    @property
    def number(self) -> int:
        """The number of the question among those of the game: `Action.asked_in`."""
        return self.ask.block

    @property
    def numbered(self) -> tuple[int, ...]:
        """The options by their numbers among all of the game: `Setting.option_names`."""
        offer = self._game.setting.offers[self.number]
        return tuple(map(offer.number, self.raw))

    @property
    def rules(self) -> tuple[Span, ...]:
        """The rules behind the question: where it is asked, and in what."""
        within = self._game.setting.layout.schema.procs[self.ask.proc].span
        return tuple(dict.fromkeys((self.ask.end.span, within)))

    @property
    def prompt(self) -> str:
        """The question."""
        return self._game.setting.labels.prompt(self.ask, self._words.values())

    @property
    def values(self) -> tuple[int | None, ...]:
        """The values in the words of the question; None for what who is asked does not know."""
        return self._game.setting.labels.known_values(self.ask, self._words.values())

    @property
    def options(self) -> tuple[Option, ...]:
        """All options, in a stable order."""
        if self._options is None:
            self._options = self._described()
        return self._options

    @property
    def _words(self) -> AskedWords:
        return AskedWords(self._game.setting, self._game.state, self.ask, self.player - 1)

    def _described(self) -> tuple[Option, ...]:
        """Return the options with their ids and labels; equal ids get a number."""
        words, state, ask = self._words, self._game.state, self.ask
        labels = self._game.setting.labels
        found: list[Option] = []
        seen: dict[str, int] = {}
        for each in self.raw:
            effect = words.effect(each)
            name, label = labels.option(ask, each, effect, words.values_of(each))
            label += labels.where(ask, each, state)
            seen[name] = seen.get(name, 0) + 1
            if seen[name] > 1:
                name = f"{name}-{seen[name]}"
            about, text = labels.about(ask, each)
            line = ask.line(each)
            confirm = line is not None and line.confirm
            found.append(Option(name, label, each, about, "" if effect else text, confirm))
        return tuple(found)

    def __repr__(self) -> str:
        """Name player and question."""
        return f"Decision({self.id!r}, player={self.player}, count={self.count})"
