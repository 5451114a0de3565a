"""Our backgammon and OpenSpiel's, as a single game without the doubling cube.

The positions that a turn can lead to are compared. Our engine plays a turn without a choice by
itself, so several turns may pass before its next question. OpenSpiel must reach the position of
that question through turns with a single outcome, perhaps followed by part of another turn.
Our log has the dice of every turn, one line for each number.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Protocol, TypeAlias, TypedDict, cast

import attrs

import rulesdsl
from classics.lockstep import Break, Difference, Match, State, load_spiel
from rulesdsl import Game

_OFF, _POINTS, _HOME, _BAR = 0, 24, 6, 25
_THEIR_BAR = 100
_SHARE = 0.1  # house: of the turns for which all positions are compared
_STEERED = 0.6  # house: of the moves of a steered game; the rest keep it from going in circles
_VICTORIES = ("a single game", "a gammon", "a backgammon")  # worth 1, 2 and 3

_Checkers: TypeAlias = tuple[int, ...]
"""Checkers of a player: those borne off, those on points 1 to 24, and those on the bar."""
_Position: TypeAlias = tuple[_Checkers, _Checkers]
_Roll: TypeAlias = tuple[int, int]


class _View(TypedDict):
    """The part of a view of our game that lockstep reads."""

    checker: list[int]
    left: list[int]
    turn: int


class _State(State, Protocol):
    """OpenSpiel's backgammon state."""

    def board(self, player: int, point: int) -> int: ...
    def child(self, action: int) -> _State: ...


@attrs.frozen
class _Stage:
    """The number of finished turns and the position at a question or at the end.

    `left` lists the unused dice of the player who is asked.
    """

    played: int
    position: _Position
    asked: int | None = None
    left: tuple[int, ...] = ()


@attrs.frozen
class _Way:
    """OpenSpiel's states after each turn on a path to one of our stages."""

    turns: Sequence[_State]
    stage: _Stage


@attrs.frozen
class _ByTurn:
    """A match that compares the positions reachable in a turn."""

    name: str
    spiel: str
    checkers: int
    options: Mapping[str, rulesdsl.OptionValue] = attrs.Factory(dict)
    pack: str = "backgammon"
    turns: int = 500  # after which ours is drawn
    long: bool = False

    def play(self, pack: rulesdsl.Pack, seed: int, *, steered: bool, thorough: bool) -> int:
        chance = random.Random(seed)
        game = pack.new_game(2, seed, self.options)
        rolls = _rolls(game, 0)
        state = cast("_State", load_spiel(self.spiel)())
        stage, moves = _stage(game), 0
        way = self._way_to([stage], state, 0, rolls)
        if way is None:
            raise Difference(f"ours begins at {stage}\n{state}")
        while True:
            moves += len(way.turns)
            state = way.turns[-1] if way.turns else state
            if game.decision is None:
                break
            is_full = thorough or chance.random() < _SHARE
            start = game.log_length
            stages = _stages(game) if is_full else {}
            _play_turn(game, chance, steered=steered)
            stage = _stage(game)
            stages[stage] = game
            way = self._compared(state, rolls, stages, start, is_full=is_full)[stage]
            rolls += _rolls(game, start)
        self._compare_end(game, state)
        return moves

    def _compared(
        self,
        state: _State,
        rolls: Sequence[_Roll],
        stages: Mapping[_Stage, Game],
        start: int,
        *,
        is_full: bool,
    ) -> dict[_Stage, _Way]:
        """Return OpenSpiel's path to each of these stages; if not `is_full`, only to one of them.

        The last of `rolls` is this turn's; later ones are read from the log, from line `start` on.
        """
        last = max(stages, key=lambda each: each.played + (each.asked is not None))
        known = [*rolls, *_rolls(stages[last], start)]
        ways: dict[_Stage, _Way] = {}
        missing: list[_Position] = []
        for turn in self._turns(state, rolls[-1], opening=len(rolls) == 1):
            way = self._way_to(stages, turn, len(rolls), known)
            if way is None:
                missing.append(self._position(turn))
            else:
                ways[way.stage] = _Way([turn, *way.turns], way.stage)
                if not is_full:
                    break
        extra = stages.keys() - ways.keys()
        if extra or (is_full and missing):
            raise Difference(f"ours only {extra}, theirs only {missing}, {known}\n{state}")
        return ways

    def _way_to(
        self, stages: Collection[_Stage], state: _State, played: int, rolls: Sequence[_Roll]
    ) -> _Way | None:
        """Return the path of forced turns that leads to one of our stages, or None."""
        turns: list[_State] = []
        while True:
            position = self._position(state)
            over = _Stage(played, position)
            if over in stages:
                return _Way(turns, over)
            if state.is_terminal() or played == len(rolls):
                return None
            for player, left in {
                (each.asked, each.left) for each in stages if each.asked is not None
            }:
                used = _dice(rolls[played]) - Counter(left)
                for reached in _after_moves(position, player, used.elements()):
                    stage = _Stage(played, reached, player, left)
                    if stage in stages:
                        return _Way(turns, stage)
            found = list(islice(self._turns(state, rolls[played], opening=played == 0), 2))
            if len(found) != 1:
                return None
            turns += found
            state = found[0]
            played += 1

    def _turns(self, state: _State, roll: _Roll, *, opening: bool) -> Iterator[_State]:
        """Yield one OpenSpiel state for each position that a roll can lead to."""
        seen: set[tuple[int, _Position]] = set()

        def walk(at: _State, actions: int) -> Iterator[_State]:
            is_over = at.is_terminal() or at.is_chance_node()
            known = -1 if is_over else actions, self._position(at)
            if known in seen:
                return
            seen.add(known)
            if is_over:
                yield at
                return
            for action in at.legal_actions():
                yield from walk(at.child(action), actions + 1)

        yield from walk(_after_roll(state, roll, opening=opening), 0)

    def _position(self, state: _State) -> _Position:
        first, second = (self._checkers(state, player) for player in (0, 1))
        return first, second

    def _checkers(self, state: _State, player: int) -> _Checkers:
        points = [state.board(player, _POINTS - number) for number in range(1, _POINTS + 1)]
        bar = state.board(player, _THEIR_BAR)
        return self.checkers - sum(points) - bar, *points, bar

    def _compare_end(self, game: Game, state: _State) -> None:
        """Compare the winners, and our name for the victory with the return in OpenSpiel.

        Our game is a draw after the last turn, where OpenSpiel would continue. OpenSpiel returns 0
        for both players at the end of hyper-backgammon.
        """
        result = game.result
        assert result is not None
        won = [each is not None and each.word == "won" for each in result.verdicts]
        if won != [each[_OFF] == self.checkers for each in self._position(state)]:
            raise Difference(f"result: ours {result.verdicts}\n{state}")
        if not any(won):
            if _stage(game).played != self.turns or result.places != (1, 1):
                raise Difference(f"ours is over: {result.places}\n{state}")
            return
        returns = state.returns()
        for place, verdict, worth in zip(result.places, result.verdicts, returns, strict=True):
            if worth and place != (1 if worth > 0 else 2):
                raise Difference(f"result: ours {result.places}, theirs {returns}\n{state}")
            if worth > 0 and verdict and verdict.text != _VICTORIES[round(worth) - 1]:
                raise Difference(f"ours calls it {verdict.text}, theirs {returns}\n{state}")


def _after_roll(state: _State, roll: _Roll, *, opening: bool) -> _State:
    """Return the state after a roll; the first roll decides which player begins."""
    for action, _ in state.chance_outcomes():
        dice = state.action_to_string(-1, action).removesuffix(")")[-2:]
        if sorted(dice) == sorted(map(str, roll)):
            rolled = state.child(action)
            if not opening or (rolled.current_player() == 0) == (roll[0] > roll[1]):
                return rolled
    raise Difference(f"{roll} cannot be rolled\n{state}")


def _dice(roll: _Roll) -> Counter[int]:
    """Count the moves that a roll allows with each number; a double allows four."""
    return Counter(roll if roll[0] != roll[1] else roll * 2)


def _after_moves(position: _Position, mover: int, dice: Iterable[int]) -> Iterable[_Position]:
    """Return the positions after one move with each die, legal or not."""
    reached = {position}
    for die in dice:
        reached = {each for before in reached for each in _moved(before, mover, die)}
    return reached


def _moved(position: _Position, mover: int, die: int) -> Iterator[_Position]:
    """Yield the positions after one move of one checker, legal or not."""
    for start, count in enumerate(position[mover]):
        if not count or start == _OFF:
            continue
        distance = start if mover == 0 or start == _BAR else _BAR - start
        left = max(distance - die, 0)
        end = left if mover == 0 or left == 0 else _BAR - left
        both = [list(position[0]), list(position[1])]
        both[mover][start] -= 1
        both[mover][end] += 1
        if end != _OFF and both[1 - mover][end] == 1:
            both[1 - mover][end] = 0
            both[1 - mover][_BAR] += 1
        yield tuple(both[0]), tuple(both[1])


def _rolls(game: Game, start: int) -> list[_Roll]:
    """Return the rolls in our log, starting at a line."""
    drawn = [int(each.clause.objects[0]) for each in game.log_since(start) if each.kind == "draw"]
    return list(zip(drawn[::2], drawn[1::2], strict=True))


def _stage(game: Game) -> _Stage:
    board = cast("_View", game.view(1)["board"])
    first, second = (_from_view(board["checker"][player::2]) for player in (0, 1))
    decision = game.decision
    if decision is None:
        return _Stage(board["turn"], (first, second))
    left = Counter(dict(enumerate(board["left"], start=1)))
    asked = decision.player - 1
    return _Stage(board["turn"] - 1, (first, second), asked, tuple(left.elements()))


def _from_view(places: Sequence[int]) -> _Checkers:
    """Reorder counts of checkers given as box, points 24 to 1, two bars, dice, borne-off ones."""
    points = places[1 : 1 + _POINTS]
    return places[-1], *reversed(points), sum(places[1 + _POINTS : 3 + _POINTS])


def _stages(game: Game) -> dict[_Stage, Game]:
    """Return our game at each stage that the current turn can lead to."""
    begun = _stage(game)
    found: dict[_Stage, Game] = {}
    seen: set[_Stage] = set()

    def walk(at: Game) -> None:
        stage = _stage(at)
        if stage.played > begun.played:
            found[stage] = at
        elif stage not in seen:
            seen.add(stage)
            for option in _options(at):
                after = at.clone()
                after.choose(option)
                walk(after)

    walk(game)
    return found


def _options(game: Game) -> range:
    return range(0 if game.decision is None else game.decision.count)


def _play_turn(game: Game, chance: random.Random, *, steered: bool) -> None:
    """Make moves until the turn is over."""
    played = _stage(game).played
    while _stage(game).played == played:
        if steered and chance.random() < _STEERED:
            game.choose(max(_options(game), key=lambda each: _worth(game, each)))
        else:
            game.choose(chance.choice(_options(game)))


def _worth(game: Game, option: int) -> int:
    """Rate a move by its rare effects: checkers on the bar or borne off, closed home points."""
    after = game.clone()
    after.choose(option)
    mover = _stage(game).asked or 0
    position = _stage(after).position
    own = position[mover]
    home = range(1, _HOME + 1) if mover == 0 else range(_BAR - _HOME, _BAR)
    closed = sum(own[point] > 1 for point in home)
    return 3 * position[1 - mover][_BAR] + own[_OFF] + closed


# OpenSpiel's own limit may end a game in the middle of the last turn, so it is never reached.
_SCORED = "scoring_type=full_scoring,max_player_turns=100000"
MATCHES: Sequence[Match] = (
    _ByTurn("backgammon", f"backgammon({_SCORED})", 15),
    _ByTurn(
        "hyper-backgammon",
        f"backgammon(hyper_backgammon=true,{_SCORED})",
        3,
        {"hyper-backgammon": True},
    ),
)
BREAKS: Sequence[Break] = (
    Break("play.rules", "if d = e: raise left of d by 2", "if d = e: raise left of d by 1"),
    Break("play.rules", "move up to 1 checker from s into t", "move all my checkers in s into t"),
    Break(
        "moves.rules",
        "checkers in t - my checkers in t < 2",
        "checkers in t - my checkers in t < 3",
    ),
    Break("moves.rules", "board-points if any target", "bar-distance if any target"),
    Break("moves.rules", "home-points if distance", "board-points if distance"),
    Break("moves.rules", "    otherwise distance of p\n", "    otherwise home-points\n"),
    Break("moves.rules", ": mark both-needed", ": clear both-needed"),
    Break("moves.rules", "mark barred of low", "mark barred of high"),
    Break("moves.rules", "my checkers in p > 1 if p = s", "my checkers in p > 0 if p = s"),
    Break("end.rules", "no checkers of foe in off of foe", "any checkers of foe in off of foe"),
)
