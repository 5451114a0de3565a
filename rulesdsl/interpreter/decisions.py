"""Decisions of a player: the question and its options as text, hidden pieces redacted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.interpreter.knowledge.frames import slots_of
from rulesdsl.interpreter.log import CHOICE
from rulesdsl.interpreter.state import cells_of
from rulesdsl.lower.builder.questions import COLUMNS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulesdsl.interpreter.decision_points import DecisionPoint
    from rulesdsl.interpreter.game import Game
    from rulesdsl.interpreter.setting import CompiledSetting
    from rulesdsl.source.span import Span


def shown(
    setting: CompiledSetting,
    st: Any,  # noqa: ANN401
    ask: DecisionPoint,
    options: Iterable[int],
    player: int,
) -> list[tuple[str, int]]:
    """Return the (kind, piece) pairs that the options reveal to a player (from 0).

    These pieces lie where the player does not see them: choosing from a searched deck reveals it.
    """
    found: list[tuple[str, int]] = []
    for option in options if ask.hidden or ask.sealed else ():
        domain = ask.domain(option)
        kind = "" if domain is None else domain.element.of
        if domain is None or domain.element.family != "piece" or kind not in setting.views.printed:
            continue
        piece = ask.thing(option)
        if not _sees(setting, st, player, kind, piece):
            found.append((kind, piece))
    return found


def shown_now(game: Game, player: int) -> list[tuple[str, int]]:
    """Return the (kind, piece) pairs that the open decision reveals to a player (from 0)."""
    st = game.state
    if st.over:
        return []
    ask = game.setting.engine.asks[st.frames[-1][0]]
    if not ask.sealed and game.decisions[0].player != player + 1:
        return []
    options = st.options[player] if ask.sealed else st.options
    return shown(game.setting, st, ask, options, player)


def answers_now(game: Game) -> dict[int, str]:
    """Return what players (from 1) chose in secret, by its id, as long as it is not carried out.

    All know it as soon as all have answered, but for pieces that others do not see.
    """
    found = dict[int, str]()
    for frame in game.state.frames:
        for block, answers, turn in slots_of(game.setting, frame[0]).sealed:
            ask = game.setting.engine.asks[block]
            for player in range(frame[turn] - 1, game.players):
                named, _ = game.setting.labels.option(ask, frame[answers][player], None)
                found[player + 1] = named
    return found


def unseen(setting: CompiledSetting, st: Any, ask: DecisionPoint, player: int) -> Iterator[int]:  # noqa: ANN401
    """Yield the indexes of the prompt's values that concern pieces hidden from a player (from 0).

    Only values that depend on the piece's position: the others are `hidden_from_actor`.
    """
    words = ask.end.prompt
    if words is None or not any(words.faces):
        return
    frame, at = ask.filled(st.frames[-1], player), 0
    for value, seen, faces in zip(words.values, words.seen, words.faces, strict=True):
        wide = len(setting.labels.world.bundle_nouns) if value.type.family == "bundle" else 1
        pieces = ((each.type.of, int(frame[ask.slots[each.name]])) for each in faces)
        if seen == "nobody" and not all(_knows(setting, st, player, *each) for each in pieces):
            yield from range(at, at + wide)
        at += wide


def _knows(setting: CompiledSetting, st: Any, player: int, kind: str, piece: int) -> bool:  # noqa: ANN401
    if piece < 0:
        return True
    seen = _sees(setting, st, player, kind, piece)
    return seen or _has_looked(setting, st, player, kind, piece)


def _sees(setting: CompiledSetting, st: Any, player: int, kind: str, piece: int) -> bool:  # noqa: ANN401
    return setting.views.eyes[kind][cells_of(st, f"w:{kind}")[piece]] in {None, player + 1}


def _has_looked(setting: CompiledSetting, st: Any, player: int, kind: str, piece: int) -> bool:  # noqa: ANN401
    """Return true if the log shows that a player looked at a piece since it last moved."""
    events = setting.engine.events
    for number, _, actor, *values in reversed(st.log):
        if number == CHOICE:
            if actor == player and (kind, piece) in values[-1]:
                return True
            continue
        event = events[number]
        if event.subject != kind:
            continue
        if event.kind == "peek" and actor == player and piece in values[0]:
            return True
        if event.kind == "piece" and values[0] == piece:
            return False
        if event.kind == "shuffle" and piece in values[1]:
            return False
    return False


@attrs.frozen
class AskedWords:
    """The values in the question and option labels of a player (from 0)."""

    setting: CompiledSetting
    st: Any  # the state class is made at run time
    ask: DecisionPoint
    player: int

    def values(self, line: int = 0, option: int | None = None) -> list[int | None]:
        """Return the values in the text of the question (0) or of a line (from 1).

        `option` gives the bound thing. None replaces a value of a piece that the player neither
        sees nor has looked at.
        """
        found: list[int | None] = [self._told(each, option) for each in self.ask.words[line]]
        for hidden in () if line else unseen(self.setting, self.st, self.ask, self.player):
            found[hidden] = None
        return found

    def values_of(self, option: int) -> list[int | None]:
        """Return the values in the label of an option."""
        line = 0 if self.ask.plain else self.ask.number(option)
        return [] if line is None else self.values(line + 1, option)

    def effect(self, option: int) -> tuple[int, int] | None:
        """Return (entry, column) if the option only carries out an entry's effect, else None."""
        line = self.ask.number(option)
        if line is None or not self.ask.keys[line]:
            return None
        subject, column = divmod(self._told(self.ask.keys[line], option), COLUMNS)
        return subject, column - 1

    def _told(self, function: str, option: int | None) -> int:
        frame = self.ask.filled(self.st.frames[-1], self.player, option)
        return int(self.setting.engine.names[function](self.st, *frame[1:]))


@attrs.frozen
class Option:
    """One option of a decision. `id` is a stable word from content, `value` the raw choice.

    `about` is the id in `Game.printed` of the entry that it names, or empty; `text` is that
    entry's own description if the label does not state the effect. `confirm`: ask people for
    confirmation.
    """

    id: str
    label: str
    value: object = attrs.field(repr=False)
    about: str = attrs.field(default="", repr=False)
    text: str = attrs.field(default="", repr=False)
    confirm: bool = attrs.field(default=False, repr=False)


class Decision:
    """A pending choice of one player. Labels are built on demand."""

    __slots__ = ("_game", "_options", "ask", "count", "player", "raw")

    def __init__(self, game: Game, player: int, ask: DecisionPoint, raw: list[Any]) -> None:
        self._game = game
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

    @property
    def id(self) -> str:
        """The id of the question, from content: the same in every game."""
        return self._game.setting.question_ids[self.number]

    @property
    def number(self) -> int:
        """The number of the question within the game: `Action.asked_in`."""
        return self.ask.block

    @property
    def numbered(self) -> tuple[int, ...]:
        """The options, numbered among all options of the game: `Setting.option_names`."""
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
        """The values in the prompt; None for values that the chooser does not know."""
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
        """Show player and question."""
        return f"Decision({self.id!r}, player={self.player}, count={self.count})"
