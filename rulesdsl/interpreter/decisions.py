"""A player's decisions: the question and its options as text, with hidden pieces redacted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.interpreter.decision_points import DecisionPoint
from rulesdsl.interpreter.display.views import Views
from rulesdsl.interpreter.engine import Engine
from rulesdsl.interpreter.labels import numbered
from rulesdsl.interpreter.saves import InProcess, Uncopied
from rulesdsl.interpreter.state import answers_of, cells_of
from rulesdsl.lower.flat import COLUMNS, EXCLUDED
from rulesdsl.lower.schema import FlagCell, Local, TrackCell, Type
from rulesdsl.source.span import Span

if TYPE_CHECKING:
    from rulesdsl.interpreter.log import LogReader


NAMED = frozenset({"entry", "piece", "player", "seat"})
"""Families of types whose values name a thing."""


def shown(
    views: Views,
    st: Any,  # noqa: ANN401
    ask: DecisionPoint,
    options: Iterable[int],
    player: int,
) -> list[tuple[str, int]]:
    """Return the (kind, piece) pairs that the options reveal to a player (numbered from 0).

    These pieces lie where the player cannot see them: a search of a deck reveals its cards.
    """
    found: list[tuple[str, int]] = []
    for option in options if ask.hidden or ask.sealed else ():
        domain = ask.domain(option)
        kind = "" if domain is None else domain.element.of
        if domain is None or domain.element.family != "piece" or kind not in views.printed:
            continue
        piece = ask.thing(option)
        if not _sees(views, st, player, kind, piece):
            found.append((kind, piece))
    return found


def shown_now(views: Views, st: Any, player: int) -> list[tuple[str, int]]:  # noqa: ANN401
    """Return the (kind, piece) pairs that the open decision reveals to a player."""
    if player not in asked_players(views.labels.engine, st, answered=True):
        return []
    ask = views.labels.engine.asks[st.frames[-1][0]]
    options = st.options[player] if ask.sealed else st.options
    return shown(views, st, ask, options, player)


def asked_players(engine: Engine, st: Any, *, answered: bool = False) -> list[int]:  # noqa: ANN401
    """Return the players being asked; with `answered`, also those who have answered."""
    if st.over or not st.frames:
        return []
    frame = st.frames[-1]
    ask = engine.asks[frame[0]]
    if not ask.sealed:
        return [frame[ask.who] if ask.who else ask.seat]
    asked_of = enumerate(zip(answers_of(st), st.options, strict=True))
    return [
        player
        for player, (answer, options) in asked_of
        if answer < 0 or (answered and options != [EXCLUDED])
    ]


def _sees(views: Views, st: Any, player: int, kind: str, piece: int) -> bool:  # noqa: ANN401
    viewers = views.eyes[kind][cells_of(st, f"w:{kind}")[piece]]
    return viewers is None or player + 1 in viewers


@attrs.frozen
class AskedWords:
    """The values in the question and option labels shown to a player (numbered from 0)."""

    views: Views
    logs: LogReader
    st: Any  # the state class is generated
    ask: DecisionPoint
    player: int

    def values(self, line: int = 0, option: int | None = None) -> list[int | None]:
        """Return the values in the text of the question (line 0) or of an option line.

        `option` binds its entity. A value is None if it concerns a piece that the player neither
        sees nor has looked at.
        """
        found: list[int | None] = [self._evaluated(each, option) for each in self.ask.words[line]]
        for hidden in self._unseen(line, option):
            found[hidden] = None
        return found

    def _unseen(self, line: int, option: int | None) -> Iterator[int]:
        """Yield the indexes of a text's values that concern pieces hidden from the player.

        These are only values that depend on where a piece lies; for others, see
        `labels.hidden_from_actor`. The piece that an option offers is shown by the option.
        """
        words = self.ask.end.prompt if option is None else self.ask.label(option)
        if words is None or not any((*words.faces, *words.piles)):
            return
        own_variable = None if option is None else self.ask.variable(option)
        pieces = iter(self.ask.words[len(self.ask.words) // 2 + line])
        at = 0
        readers = zip(words.values, words.seen, words.faces, words.piles, strict=True)
        for value, reader, faces, piles in readers:
            wide = self.views.labels.numbers_in(value)
            hidden = any(self._hides(pile) for pile in piles)
            for face, function in zip(faces, pieces):  # noqa: B905 - the rest is of other values
                if isinstance(face, TrackCell | FlagCell):
                    hidden |= not self._reads(face.counter, self._evaluated(function, option))
                    continue
                is_offered = isinstance(face, Local) and face.name == own_variable
                piece = self._evaluated(function, option)
                hidden |= not (is_offered or self._knows(face.type.of, piece))
            if reader == "nobody" and hidden:
                yield from range(at, at + wide)
            at += wide

    def _reads(self, name: str, index: int) -> bool:
        """Return true if the player sees a track or flag, or was shown its present value."""
        world, layout = self.views.labels.world, self.views.labels.layout
        info = world.counter(name)
        assert info is not None
        viewers = layout.viewers(info, layout.owner_of(info.dims, index))
        cells = cells_of(self.st, world.shown[name].array)
        shown = cells if isinstance(cells, int) else cells[index]
        return viewers is None or self.player + 1 in viewers or bool(shown >> self.player + 1 & 1)

    def _hides(self, pile: str) -> bool:
        """Return true if a place holds pieces that the player does not see."""
        views = self.views
        return any(
            views.places[kind][cell][0].name == pile
            and not _sees(views, self.st, self.player, kind, piece)
            for kind in views.printed
            for piece, cell in enumerate(cells_of(self.st, f"w:{kind}"))
        )

    def _knows(self, kind: str, piece: int) -> bool:
        if piece < 0 or _sees(self.views, self.st, self.player, kind, piece):
            return True
        return self.logs.facts.knows(self.st.log, self.player, (kind, piece))

    def values_of(self, option: int) -> list[int | None]:
        """Return the values in an option's label."""
        line = 0 if self.ask.plain else self.ask.number(option)
        return [] if line is None else self.values(line + 1, option)

    def effect(self, option: int) -> tuple[int, int] | None:
        """Return (entry, column) if the option only carries out an entry's effect, or None."""
        line = self.ask.number(option)
        if line is None or not self.ask.keys[line]:
            return None
        subject, column = divmod(self._evaluated(self.ask.keys[line], option), COLUMNS)
        return subject, column - 1

    def _evaluated(self, function: str, option: int | None) -> int:
        frame = self.ask.filled(self.st.frames[-1], self.player, option)
        return int(self.views.labels.engine.names[function](self.st, *frame[1:]))


@attrs.frozen
class Option:
    """One option of a decision; `id` comes from declarations, `value` is the raw choice.

    Rewording or translating a text changes no id. `former_id` is that of language 0.1, which came
    from the option's text if it had one; `Game.choose` and scenarios take it as well.
    `about` is the id in `Game.printed` of the entry that it names, or empty; `text` is that
    entry's own description if the label does not state the effect. If `confirm`, human players
    should be asked to confirm the choice. `number` is the one in the title of an entry whose kind
    is `numbered`: players type it, whatever the order of the options.
    """

    id: str
    label: str
    value: object = attrs.field(repr=False)
    about: str = attrs.field(default="", repr=False)
    text: str = attrs.field(default="", repr=False)
    confirm: bool = attrs.field(default=False, repr=False)
    former_id: str = attrs.field(default="", repr=False)
    number: int | None = attrs.field(default=None, repr=False)


class Decision(Uncopied, InProcess):
    """A pending choice of one player. Labels are built on demand."""

    _sent_instead = "send the game as data, and read `Game.decision` there"
    __slots__ = ("_logs", "_options", "_views", "ask", "count", "player", "raw", "state")

    def __init__(
        self,
        views: Views,
        logs: LogReader,
        state: Any,  # noqa: ANN401
        player: int,
        ask: DecisionPoint,
        raw: list[Any],
    ) -> None:
        self._views, self._logs = views, logs
        self.state = state
        """The raw state of the game."""
        self.player = player
        """The player who chooses, from 1."""
        self.ask = ask
        self.raw: list[int] = raw
        """The options as numbers of the flat form."""
        self.count = len(raw)
        """The number of options."""
        self._options: tuple[Option, ...] | None = None

    @property
    def sealed(self) -> bool:
        """True if all players answer simultaneously, in secret."""
        return self.ask.sealed

    @property
    def hidden(self) -> bool:
        """True if the offered options depend on information that other players lack."""
        return self.ask.hidden

    def is_secret(self, index: int) -> bool:
        """Return whether only the chooser learns that the option with this index was chosen.

        Answers to a sealed question are secret until all have answered.
        """
        return self.sealed or self.ask.secret(self.raw[index])

    @property
    def id(self) -> str:
        """The id of the question, from content: the same in every game."""
        return self._views.labels.question_ids[self.number]

    @property
    def number(self) -> int:
        """The number of the question within the game, as in `Action.asked_in`."""
        return self.ask.block

    @property
    def numbered(self) -> tuple[int, ...]:
        """The numbers of the options among all options of the game."""
        offer = self._views.labels.offers[self.number]
        return tuple(map(offer.number, self.raw))

    @property
    def rules(self) -> tuple[Span, ...]:
        """The rules behind the question: the line that asks it, and the procedure around it."""
        within = self._views.labels.layout.schema.procs[self.ask.proc].span
        return tuple(dict.fromkeys((self.ask.end.span, within)))

    @property
    def prompt(self) -> str:
        """The text of the question."""
        return self._views.labels.prompt(self.ask, self._words.values())

    @property
    def values(self) -> tuple[int | None, ...]:
        """The values in the prompt; None for values that the chooser does not know."""
        return self._views.labels.known_values(self.ask, self._words.values())

    @property
    def things(self) -> tuple[tuple[Type, int], ...]:
        """The entries, pieces and seats in the prompt, as far as the chooser knows them."""
        prompt, numbers = self.ask.end.prompt, self._words.values()
        named: list[tuple[Type, int]] = []
        at = 0  # of the first number of the value
        for value in () if prompt is None else prompt.values:
            number = numbers[at]
            at += self._views.labels.numbers_in(value)
            if value.type.family in NAMED and number is not None and number >= 0:
                named.append((value.type, number))
        return tuple(named)

    @property
    def options(self) -> tuple[Option, ...]:
        """All options, in a stable order."""
        if self._options is None:
            self._options = self._described()
        return self._options

    def index_of(self, name: str) -> int | None:
        """Return the index of the option with an id, or else with that former id."""
        for ids in ([e.id for e in self.options], [e.former_id for e in self.options]):
            if name in ids:
                return ids.index(name)
        return None

    @property
    def _words(self) -> AskedWords:
        return AskedWords(self._views, self._logs, self.state, self.ask, self.player - 1)

    def _described(self) -> tuple[Option, ...]:
        words, state, ask = self._words, self.state, self.ask
        labels = self._views.labels
        options = []
        for raw in self.raw:
            effect = words.effect(raw)
            name, label = labels.option(ask, raw, effect, words.values_of(raw))
            label += labels.where(ask, raw, state)
            about, text, number = labels.about(ask, raw)
            line = ask.line(raw)
            confirm = line is not None and line.confirm
            former = labels.former_id(ask, raw)
            options.append(
                Option(name, label, raw, about, "" if effect else text, confirm, former, number)
            )
        ids = numbered(option.id for option in options)
        former_ids = numbered(option.former_id for option in options)
        return tuple(
            attrs.evolve(option, id=name, former_id=former)
            for option, name, former in zip(options, ids, former_ids, strict=True)
        )

    def __repr__(self) -> str:
        """Show the question and its player."""
        return f"Decision({self.id!r}, player={self.player}, count={self.count})"
