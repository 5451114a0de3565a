"""A game in progress: decisions, choices, copies, views, results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from rulesdsl.interpreter.arguments import checked_names, excerpt, whole
from rulesdsl.interpreter.decisions import AskedWords, Decision, Option, asked_players, shown
from rulesdsl.interpreter.display.board import Board
from rulesdsl.interpreter.display.results import Result
from rulesdsl.interpreter.log import Gain, LogLine, StoryLine, digest, gains, own_answers, story
from rulesdsl.interpreter.python.runtime import MASK
from rulesdsl.interpreter.state import CHOICE, answers_of
from rulesdsl.lower.flat import EXCLUDED
from rulesdsl.source.ranges import SEED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesdsl.interpreter.display.board_model import BoardPanel
    from rulesdsl.interpreter.display.rulebook import Printed
    from rulesdsl.interpreter.display.scene import Scene
    from rulesdsl.interpreter.display.scene_changes import SceneChange
    from rulesdsl.interpreter.display.views import Score, StateView
    from rulesdsl.interpreter.knowledge.sampling import Sampler
    from rulesdsl.interpreter.knowledge.tracking import Knowledge
    from rulesdsl.interpreter.log import LogReader
    from rulesdsl.interpreter.reasons.why_not import Action, Reason
    from rulesdsl.interpreter.setting import CompiledSetting
    from rulesdsl.interpreter.state import Entry


Choices: TypeAlias = "tuple[()] | tuple[Choices, int, int]"
"""Choices from the beginning of a game, linked: those before, the player, and the option's index.

Copies of a game share them.
"""


def in_order(choices: Choices) -> list[tuple[int, int]]:
    """Return choices as pairs of the player and the index of the option, the first one first."""
    pairs: list[tuple[int, int]] = []
    while choices:
        choices, player, at = choices
        pairs.append((player, at))
    return pairs[::-1]


def choices(words: AskedWords, at: int) -> list[Entry]:
    """Return the log entries for a choice that is about to be made.

    Secret answers are logged all at once, when the last one is given.
    """
    st, ask = words.st, words.ask
    if not ask.sealed:
        return [_entry(words, st.options, at)]
    answers = [*answers_of(st)]
    answers[words.player] = at
    if -1 in answers:
        return []
    return [
        _entry(AskedWords(words.views, words.logs, st, ask, player), raw, chosen)
        for player, (raw, chosen) in enumerate(zip(st.options, answers, strict=True))
        if raw != [EXCLUDED]
    ]


def _entry(words: AskedWords, offered: Sequence[int], at: int) -> Entry:
    st, option = words.st, offered[at]
    said = words.effect(option), words.values_of(option), words.values()
    seen = shown(words.views, st, words.ask, offered, words.player)
    return (CHOICE, st.learned, words.player, st.frames[-1][0], option, *said, seen)


class IllegalChoice(ValueError):  # noqa: N818 - a name of the public interface
    """A choice that is not offered; the game is unchanged."""


class Game:
    """A game in progress, always waiting at a decision until it is over."""

    __slots__ = ("_choices", "_first", "_known", "_open", "_state", "seed", "setting", "whole")

    def __init__(
        self,
        setting: CompiledSetting,
        state: Any,  # noqa: ANN401
        seed: int,
        *,
        whole: bool = False,
        choices: Choices | None = None,
    ) -> None:
        self.setting = setting
        self._choices = choices
        self.whole = whole
        """True if the log covers the game from its beginning."""
        self._known: dict[int, Knowledge] = {}
        self._state = state
        self.seed = seed
        self._first: Decision | None = None
        self._open: tuple[Decision, ...] | None = None

    @classmethod
    def begin(cls, setting: CompiledSetting, seed: int) -> Game:
        """Begin a game with a seed, and run to the first decision."""
        state = setting.engine.clone(setting.box)
        state.rng = seed & MASK
        setting.engine.start(state)
        logging = setting.engine.logging
        return cls(setting, state, seed, whole=logging, choices=() if logging else None)

    # ---------------------------------------------------------------- properties
    @property
    def state(self) -> Any:  # noqa: ANN401 - the class is generated
        """The raw state, for other back ends."""
        return self._state

    @property
    def players(self) -> int:
        """The number of players."""
        return self.setting.engine.layout.players

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of all seats: players, then rivals."""
        return self.setting.labels.seats

    @property
    def options(self) -> dict[str, bool | int | str]:
        """The options of this game."""
        return dict(self.setting.options)

    @property
    def over(self) -> bool:
        """True if the game is over."""
        return bool(self._state.over)

    @property
    def learned(self) -> int:
        """A counter that grows whenever hidden information is revealed to anyone."""
        return int(self._state.learned)

    @property
    def open_information(self) -> bool:
        """True if nothing in this game is ever hidden from a player, or chosen in secret."""
        return self.setting.open_information

    @property
    def perfect_information(self) -> bool:
        """True if nothing in this game is ever hidden, chosen in secret or drawn at random."""
        return self.setting.perfect_information

    def knows_more(self, player: int, other: int) -> bool:
        """Return whether a player may know something that another player does not.

        Players are numbered from 1. The answer depends only on what the other player knows.
        Without a log of the whole game, what players remember counts as something that they may
        know. Raises ValueError for an unknown player.
        """
        player, other = self._player(player), self._player(other)
        if player == other or self.perfect_information:
            return False
        from rulesdsl.interpreter.knowledge.observing import knows_more  # noqa: PLC0415 - undo only

        return not self.whole or knows_more(self, player, other, self._known)

    def __repr__(self) -> str:
        """Show the pack and the open question."""
        of = f"{self.setting.pack_id!r}, players={self.players}, seed={self.seed}"
        asked = self.decision
        return f"Game({of}, {'over' if asked is None else asked.id})"

    def _player(self, player: int) -> int:
        """Return a valid player number; raise ValueError if there is no such player."""
        if not 1 <= (number := whole("player", player)) <= self.players:
            raise ValueError(f"there is no player {number}: players are 1 to {self.players}")
        return number

    def rename(self, names: Sequence[str]) -> None:
        """Give the players other names, from now on and in the log.

        Raises ValueError if there are too many, or one is unprintable, too long or a duplicate.
        """
        named = checked_names(names, self.setting.layout)
        self.setting = self.setting.with_names(named)
        self._known.clear()
        self._first = self._open = None

    # ---------------------------------------------------------------- decisions
    @property
    def decision(self) -> Decision | None:
        """The first open decision, or None when the game is over."""
        first = self._first
        if first is None:
            st = self._state
            if st.over:
                return None
            frame, setting = st.frames[-1], self.setting
            ask = setting.engine.asks[frame[0]]
            who = ask.who
            if who < 0:
                return self.decisions[0]
            player = frame[who] if who else ask.seat
            first = self._first = Decision(
                setting.views, self._logs, st, player + 1, ask, st.options
            )
        return first

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """All open decisions; there are several only while players choose in secret."""
        if self._open is None:
            self._open = self._find_open()
            self._first = self._open[0] if self._open else None
        return self._open

    def _find_open(self) -> tuple[Decision, ...]:
        st = self._state
        if st.over:
            return ()
        setting = self.setting
        ask = setting.engine.asks[st.frames[-1][0]]
        if ask.sealed:
            return tuple(
                Decision(setting.views, self._logs, st, player + 1, ask, st.options[player])
                for player in asked_players(setting.engine, st)
            )
        first = self.decision
        return () if first is None else (first,)

    def choose(self, option: Option | int | str, player: int | None = None) -> None:
        """Choose an option of an open decision: an Option, its index (from 0), or its id.

        `player` selects among several open decisions; the default is the first. Raises
        IllegalChoice, and changes nothing, if the option is not offered.
        """
        decision = self.decision if player is None else self._decision_of(player)
        if decision is None:
            raise IllegalChoice(
                "the game is over" if self.over else f"player {player} has nothing to choose"
            )
        at = option if type(option) is int else self._index(decision, option)
        if not 0 <= at < decision.count:
            raise IllegalChoice(
                f"there is no option {at}: options are numbered from 0 to {decision.count - 1}"
            )
        engine, ask = self.setting.engine, decision.ask
        if engine.logging:
            words = AskedWords(
                self.setting.views, self._logs, self._state, ask, decision.player - 1
            )
            self._state.log += choices(words, at)
        if self._choices is not None:
            self._choices = (self._choices, decision.player, at)
        if ask.sealed:
            self._answered(decision)
            engine.answer(self._state, decision.player - 1, at)
        else:
            self._first = self._open = None
            engine.choose(self._state, ask, at)

    def _answered(self, decision: Decision) -> None:
        left = tuple(each for each in self.decisions if each is not decision)
        self._open = left or None
        self._first = left[0] if left else None

    def _decision_of(self, player: int) -> Decision | None:
        return next((each for each in self.decisions if each.player == player), None)

    def _index(self, decision: Decision, option: Option | int | str) -> int:
        if not isinstance(option, Option | str):
            try:
                return whole("option", option)
            except ValueError:
                allowed = "an Option, its index from 0, or its id"
                said = f"`option` must be {allowed}, not {excerpt(option)}"
                raise IllegalChoice(said) from None
        wanted = option.id if isinstance(option, Option) else option
        at = decision.index_of(wanted)
        if at is None:
            raise IllegalChoice(f"`{wanted}` is not offered")
        return at

    # ---------------------------------------------------------------- reasons
    @property
    def actions(self) -> tuple[Action, ...]:
        """All options that this game can ever offer."""
        return self.setting.actions

    def why_not(self, action: Action, viewer: int | None = None) -> Reason:
        """Return why an option is not offered now, as far as a player (1, 2, ...) may know it.

        Without a viewer, nothing is redacted. `action` is one of `actions`.
        """
        return self.setting.why_not.reason(self.decisions, action, viewer)

    def following(self, option: int, player: int) -> Decision | None:
        """Return the player's next decision after an option, which is tried on a copy.

        There is none if the option shows anybody something hidden or random, ends the game, or if
        somebody else is asked next.
        """
        trial = self.tried(option, player)
        follower = None if trial is None else trial.decision
        return None if follower is None or follower.player != player else follower

    def tried(self, option: int, player: int) -> Game | None:
        """Return a copy on which a player has chosen an option of an open decision.

        There is none if the option shows anybody something hidden or random.
        """
        trial = self.clone()
        trial.choose(option, player=player)
        return trial if trial.learned == self.learned else None

    def previewed(self, option: int, player: int) -> Game | None:
        """Return a copy on which a player has carried out the verb that previews an option.

        There is none if the content names no such verb, or it shows anybody something hidden or
        random. The copy runs to the end of the verb or its first question; if the conditions of
        the verb fail, it only stops.
        """
        decision = self._decision_of(self._player(player))
        if decision is None or not (key := decision.ask.preview(decision.raw[option])):
            return None
        trial, thing = self.clone(), decision.ask.thing(decision.raw[option])
        self.setting.engine.instead(trial.state, key, player - 1, thing)
        return trial if trial.learned == self.learned else None

    @property
    def _logs(self) -> LogReader:
        return self.setting.logs if self.whole else self.setting.partial_logs

    @property
    def log(self) -> tuple[LogLine, ...]:
        """The log so far; empty if the game keeps none."""
        return self._logs.lines(self._state.log)

    @property
    def log_length(self) -> int:
        """The number of log lines; cheap, since no line is rendered."""
        return len(self._state.log)

    def log_since(self, start: int) -> tuple[LogLine, ...]:
        """Return the log lines from index `start` on."""
        return self._logs.lines(self._state.log, start)

    def story(
        self, viewer: int | None, start: int = 0, *, brief: bool = False
    ) -> tuple[StoryLine, ...]:
        """Return the log as prose for a player (numbered from 1) or a spectator (0).

        With None, nothing is redacted. `start` is the index of the first log line included. In
        `brief`, a turn is one line, and so is what several players do in a row.
        """
        log = self._state.log
        lines = story(self._logs, log, viewer, start)
        if not brief:
            return lines
        return digest(lines, self._logs.labels, viewer, own_answers(log, start, viewer))

    @property
    def gains(self) -> tuple[Gain, ...]:
        """The changes of open scoring lines in the log, with what brought them."""
        return tuple(gains(self._logs, self._state.log))

    def board(self, viewer: int | None) -> tuple[BoardPanel, ...]:
        """Return the board as seen by a player (numbered from 1), or by a spectator (None)."""
        return Board(self._view(viewer), self.setting.board_plan).panels()

    def scene(self, viewer: int | None) -> Scene:
        """Return what lies where, as data for a player (numbered from 1), or a spectator (None).

        Options of the player's open question refer to the things in it that they name.
        """
        from rulesdsl.interpreter.display.scene import SceneReader  # noqa: PLC0415 - faces that draw

        decision = None if viewer is None else self._decision_of(viewer)
        return SceneReader(self._view(viewer), self.setting.scene_plan).scene(decision)

    def changes(self, viewer: int | None, start: int = 0) -> tuple[SceneChange, ...]:
        """Return the changes in the log from line `start` on, as data that refers to scenes.

        They are those that a player (numbered from 1), or a spectator (None), reads of.
        """
        from rulesdsl.interpreter.display.scene_changes import (  # noqa: PLC0415 - faces that draw
            ChangeReader,
        )

        known_to = 0 if viewer is None else self._player(viewer)
        reader = ChangeReader(self.setting.scene_plan, self._logs, known_to)
        return tuple(reader.read(self._state.log, start))

    def _view(self, viewer: int | None) -> StateView:
        """Return the state as a viewer sees it, with the pieces that were shown to them."""
        shown = None
        if self.setting.shows and self.whole:
            from rulesdsl.interpreter.knowledge.observing import shown_pieces  # noqa: PLC0415 - rare

            shown = shown_pieces(self, viewer, self._known)
        return self.setting.views.of(self._state, viewer, shown)

    @property
    def printed(self) -> tuple[Printed, ...]:
        """The printed text of the game's entries, such as cards and places; all is public."""
        return self.setting.printed

    @property
    def named(self) -> tuple[Printed, ...]:
        """Descriptions of on-screen names not in `printed`: pieces, tracks, options, choices."""
        return self.setting.named

    # ---------------------------------------------------------------- copies and views
    def clone(self) -> Game:
        """Return an independent copy."""
        state = self.setting.engine.clone(self._state)
        return Game(self.setting, state, self.seed, whole=self.whole, choices=self._choices)

    def __copy__(self) -> Game:
        """Return an independent copy."""
        return self.clone()

    def __deepcopy__(self, _: object) -> Game:
        """Return an independent copy."""
        return self.clone()

    def redraw(self, player: int, seed: int) -> Game:
        """Return a determinization: a position sampled from a player's information set.

        It depends only on the player's observations since the game began (players are numbered
        from 1; 0 is a spectator): hidden pieces are dealt again, so are secret answers of other
        players, and random numbers are new. All arrangements of the hidden pieces are equally
        likely; `knowledge.sampling` lists the approximations. The position has no log.

        Raises ValueError for an unknown player, or if the log does not cover the whole game: the
        player's observations are read from it. Raises NoWorld if no position is found that fits
        them, which takes rules in which much depends on hidden numbers.
        """
        return self.redraws(player).draw(whole("seed", seed, SEED), answered=True)

    def redraws(self, player: int) -> Redraws:
        """Return a sampler of the positions that `redraw` returns, for faster repeated use.

        Raises the same errors.
        """
        from rulesdsl.interpreter.knowledge.observing import (  # noqa: PLC0415 - bots only
            SPECTATOR,
            observe,
        )
        from rulesdsl.interpreter.knowledge.sampling import Sampler  # noqa: PLC0415 - bots only

        viewer = SPECTATOR if type(player) is int and not player else self._player(player)
        return Redraws(Sampler(observe(self, viewer, self._known)), self.setting)

    def to_data(self) -> dict[str, Any]:
        """Return the whole game as plain data.

        If the log covers the game from its beginning, these are its settings and all choices, so
        that the restored game has a log too; otherwise they are those of `position_data`.
        """
        if self._choices is None:
            return self.position_data()
        return self._settings() | {"choices": [*map(list, in_order(self._choices))]}

    def position_data(self) -> dict[str, Any]:
        """Return the settings and the state, with partially executed effects, as plain data.

        The restored game has no log.
        """
        return self._settings() | {"state": self.setting.saver.data(self._state)}

    def _settings(self) -> dict[str, Any]:
        return {
            "pack": self.setting.pack_id,
            "mods": list(self.setting.mods),
            "digest": self.setting.digest,
            "players": self.players,
            "names": list(self.setting.names),
            "options": self.options,
            "seed": self.seed,
            "log": self.setting.engine.logging,
        }

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        """Pickle the game as data, with the folders of its content."""
        from rulesdsl.interpreter.pack import restored_game  # noqa: PLC0415 - it imports Pack

        return restored_game, (self.setting.digest, self.setting.folders, self.to_data())

    def view(self, player: int) -> dict[str, object]:
        """Return a player's view as plain data, without others' secrets; player 1 is the first."""
        player = self._player(player)
        mine = [each for each in self.decisions if each.player == player]
        return {
            "player": player,
            "seats": list(self.seats),
            "over": self.over,
            "board": self._view(player).data(),
            "answers": self.setting.slots.answers(self._state),
            "open": [each.player for each in self.decisions],
            "offered": [[option.id for option in each.options] for each in mine],
        }

    def score(self, seat: int) -> Score:
        """Return a seat's score as if the game ended now, including secrets; seat 1 is the first.

        Rules that change the position at the end of the game are not applied. Raises ValueError
        for an unknown seat, or one that does not score.
        """
        standings, seat = self.setting.standings, whole("seat", seat)
        if not 1 <= seat <= len(self.seats):
            raise ValueError(f"there is no seat {seat}: seats are 1 to {len(self.seats)}")
        if seat - 1 not in standings.seats:
            raise ValueError(f"{self.seats[seat - 1]} takes no part in the scoring")
        return standings.whole(self._state, seat - 1)

    def scores(self, viewer: int | None) -> tuple[Score, ...]:
        """Return the scores of all seats as far as a player may know them.

        Unknown parts are None; without a viewer, only public information is included.
        """
        known_to = None if viewer is None else self._player(viewer)
        return self.setting.standings.all(self._state, known_to)

    @property
    def result(self) -> Result | None:
        """Places, scores and their breakdown; None while the game goes on."""
        return self.setting.results.result(self._state) if self.over else None


class Redraws:
    """Sampler of games that a player cannot distinguish from the real one."""

    def __init__(self, sampler: Sampler, setting: CompiledSetting) -> None:
        self._sampler, self._setting = sampler, setting
        self.base = self.draw(0)
        """The game of seed 0; the others are close to it."""

    def draw(self, seed: int, *, answered: bool = False) -> Game:
        """Return a game; raise NoWorld if none is found that fits what the player knows.

        Others who have answered a secret question are asked again, unless `answered` is set.
        """
        return Game(self._setting, self._sampler.draw(seed, answered=answered), 0)
