"""Our chess and OpenSpiel's, which numbers Black first.

An OpenSpiel move is read in long algebraic notation, `e2e4` or `e7e8n`. Our game asks for its
parts one after another, skipping parts that are already determined. So the legal moves determine
our questions and their options. Before each move the positions are compared as well, with castling
rights, the en passant square and the fifty-move counter. Our position is read from the visible
men.
"""

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, cast

import attrs

import rulesdsl
from classics.lockstep import Break, Difference, Ids, Match, State, load_spiel
from rulesdsl import Game

_SORTS = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}
_MEN = {
    **{f"white-{name}": letter.upper() for letter, name in _SORTS.items()},
    **{f"black-{name}": letter for letter, name in _SORTS.items()},
}
_FILES = "abcdefgh"
_CASTLINGS = {"e1g1": "K", "e1c1": "K", "e8g8": "k", "e8c8": "k"}
_PARTS = (slice(0, 2), slice(2, 4), slice(4, None))


class _ChessState(State, Protocol):
    """OpenSpiel's chess state."""

    def board(self) -> object: ...


@attrs.frozen
class _Position:
    """The fields of FEN that both engines know."""

    board: str
    to_move: str
    castlings: str
    passed: str
    idle: str

    def __getitem__(self, square: str) -> str:
        """Return the letter on a square, or a dot if it is empty."""
        return self.board[_FILES.index(square[0]) + 8 * (int(square[1]) - 1)]

    def kind_of(self, move: str) -> str:
        man, there = self[move[:2]], self[move[2:4]]
        if move in _CASTLINGS and man == _CASTLINGS[move]:
            return "castling"
        if move[4:]:
            return f"promotion to {_SORTS[move[4:]]}"
        if man in "Pp" and move[2:4] == self.passed:
            return "en passant"
        return "capture" if there != "." else "pawn" if man in "Pp" else "other"


@attrs.frozen
class _Aim:
    """Weights of moves in games that are steered towards rare events."""

    special: float = 1
    """Castling, en passant, promotion."""
    capture: float = 1
    pawn: float = 1
    back: float = 1
    """Back to where the same man came from with the last move of that side."""
    end: float = 1

    def weight(self, kind: str, *, back: bool, end: bool) -> float:
        """Return the relative probability of a move."""
        if end and self.end != 1:
            return self.end
        if back:
            return self.back
        return {"capture": self.capture, "pawn": self.pawn, "other": 1.0}.get(kind, self.special)


_AIMS = (
    _Aim(special=50, pawn=3, end=50),
    _Aim(special=20, capture=5, end=0.1),
    _Aim(capture=0.1, pawn=0.1, back=30),
    _Aim(capture=0, pawn=0, end=0),
    _Aim(special=5, capture=50, pawn=5, end=50),
)


@attrs.frozen
class ChessMatch:
    """A match between our chess and OpenSpiel's.

    With `idle` below 50, OpenSpiel's game is stopped after so many idle moves of each side; with
    `queens`, moves that make anything but a queen are left out.
    """

    name: str = "chess"
    pack: str = "chess"
    long: bool = True
    idle: int = 50
    queens: bool = False

    def play(self, pack: rulesdsl.Pack, seed: int, *, steered: bool, thorough: bool) -> int:
        """Play a game; `thorough` checks the questions for every move, not only for one."""
        chance = random.Random(seed)
        aim = _AIMS[seed // 2 % len(_AIMS)] if steered else _Aim()
        state = load_spiel("chess")()
        promotion = "a-queen" if self.queens else "any-piece"
        options: dict[str, rulesdsl.OptionValue] = {
            "idle-moves": self.idle,
            "promotion": promotion,
        }
        game = pack.new_game(2, seed, options, log=False)
        played: list[str] = []
        while not state.is_terminal() and int(_position(state).idle) < 2 * self.idle:
            moves = _moves(state)
            if self.queens:
                moves = {each: at for each, at in moves.items() if each[4:] in ("", "q")}
            if len(moves) > 1:
                _same_position(game, state)
            position = _position(state)
            kinds = {each: position.kind_of(each) for each in moves}
            weights = [
                aim.weight(
                    kinds[each],
                    back=played[-2:-1] == [each[2:4] + each[:2]],
                    end=steered and state.child(action).is_terminal(),
                )
                for each, action in moves.items()
            ]
            (move,) = chance.choices(list(moves), weights if any(weights) else None)
            for each in _paths(game, state, tuple(moves), None if thorough else move)[move]:
                game.choose(each)
            state.apply_action(moves[move])
            played.append(move)
        _same_result(game, state, idle=not state.is_terminal())
        return len(played)


def _moves(state: State) -> Mapping[str, int]:
    """Return OpenSpiel's legal actions by move."""
    import pyspiel  # noqa: PLC0415 - of the extra `adapters`: need not be installed

    board = cast("_ChessState", state).board()
    read = pyspiel.chess.action_to_move
    return {read(each, board).to_lan(): each for each in state.legal_actions()}


def _paths(game: Game, state: State, moves: Sequence[str], only: str | None) -> Mapping[str, Ids]:
    """Compare our questions with the legal moves; return the path to one of them, or to each."""
    player = 2 - state.current_player()
    found: dict[str, Ids] = {}

    def walk(at: Game, left: Sequence[str], path: Ids) -> None:
        if len(left) == 1:  # ours makes it without asking
            found[left[0]] = path
            return
        part = next(part for part in _PARTS if len({each[part] for each in left}) > 1)
        answers = defaultdict[str, list[str]](list)
        for each in left:
            answers[_id(each[part], player)].append(each)
        decision = at.decision
        asked = [] if decision is None else [each.id for each in decision.options]
        if decision is None or decision.player != player or sorted(asked) != sorted(answers):
            raise Difference(
                f"after {path}: ours {asked}, theirs {[*answers]}\n{state}\n{decision}"
            )
        for answer, group in answers.items():
            if only is None or only in group:
                after = at.clone()
                after.choose(answer)
                walk(after, group, [*path, answer])

    walk(game, moves, [])
    return found


def _id(part: str, player: int) -> str:
    """Return the option id for a part of a move."""
    if part in _SORTS:
        return f"chessman:{'white' if player == 1 else 'black'}-{_SORTS[part]}"
    return f"square:{part}"


def _same_position(game: Game, state: State) -> None:
    ours, theirs = _position_of_ours(game), _position(state)
    if ours != theirs:
        raise Difference(f"positions: ours {ours}, theirs {theirs}\n{game.decision}")


def _position(state: State) -> _Position:
    board, *others, _ = str(state).split()
    ranks = "".join(reversed(board.split("/")))
    return _Position("".join("." * int(e) if e.isdigit() else e for e in ranks), *others)


def _position_of_ours(game: Game) -> _Position:
    board: Any = game.view(1)["board"]
    lying = [[_MEN[each.partition("#")[0]] for each in men] for men in board["chessman"][:64]]
    passed = [at for at, marked in enumerate(board["passed?"]) if marked]
    return _Position(
        "".join("".join(men) or "." for men in lying),
        "wb"[board["mover"] - 1],
        "".join(e for e, left in zip("KQkq", board["may-castle?"], strict=True) if left) or "-",
        "".join(f"{_FILES[at % 8]}{at // 8 + 1}" for at in passed) or "-",
        str(board["idle"]),
    )


def _same_result(game: Game, state: State, *, idle: bool) -> None:
    result = game.result
    if result is None:
        raise Difference(f"theirs is over, ours is not\n{state}\n{game.decision}")
    first, second = result.places
    black, white = (0, 0) if idle else state.returns()
    if (second > first) - (second < first) != (white > black) - (white < black):
        raise Difference(f"result: ours {result.verdicts}, theirs {state.returns()}\n{state}")


MATCHES: Sequence[Match] = [
    ChessMatch(),
    ChessMatch("chess, only queens", queens=True),
    ChessMatch("chess, ten idle moves", idle=10),
]
BREAKS: Sequence[Break] = [
    Break("attacks.rules", "raise pin of x by axis of w", "nothing"),
    Break("attacks.rules", "    lower man of k by 6 ", "    nothing "),
    Break("moves.rules", "not hot of rook-to of c and ", ""),
    Break("moves.rules", " and (checks = 0 or (checks = 1 and shield of t))", ""),
    Break("course.rules", " or t = rook-from of x", ""),
    Break("course.rules", " and (any ways where foe-beside of t at it)", ""),
    Break("course.rules", "idle >= 2 * idle-moves", "idle > 2 * idle-moves"),
    Break("ends.rules", ">= occurrences", "> occurrences"),
    Break("ends.rules", "    raise now by mover\n", ""),
    Break("ends.rules", "(all squares where minor) > 1", "(all squares where minor) > 0"),
]
