"""Lockstep with OpenSpiel: the same choices in our game and in OpenSpiel's, compared throughout.

Our game draws random outcomes and passes them to OpenSpiel. At every decision both must agree on
the player and the legal actions, and at the end on the result. `ByAction` compares sets of legal
actions, for games in which one or a few of our options make one OpenSpiel action. `ByPosition`
compares reachable positions, for games in which several paths lead to one position.

Our engine makes a choice with a single candidate without asking. OpenSpiel may therefore be
behind: it is advanced while it has a single legal action that our game does not ask for.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Protocol, TypeAlias, cast

import attrs

import rulesdsl
from rulesdsl import Decision, Game

CLASSICS = Path(__file__).parents[2] / "content" / "classics"

Ids: TypeAlias = Sequence[str]
"""Ids of options, chosen one after the other."""


class State(Protocol):
    """The part of OpenSpiel's `State` that lockstep uses."""

    def apply_action(self, action: int) -> None: ...
    def child(self, action: int) -> State: ...
    def clone(self) -> State: ...
    def chance_outcomes(self) -> list[tuple[int, float]]: ...
    def current_player(self) -> int: ...
    def is_chance_node(self) -> bool: ...
    def is_terminal(self) -> bool: ...
    def legal_actions(self) -> list[int]: ...
    def action_to_string(self, player: int, action: int) -> str: ...
    def returns(self) -> list[float]: ...


class Difference(AssertionError):  # noqa: N818 - it is the finding, not an error of the harness
    """A decision or a result on which the two games differ."""


class NotAnActionError(ValueError):
    """Option ids that do not belong to one OpenSpiel action."""


@attrs.frozen
class Break:
    """A rule to break: a string that occurs once in a file of the pack, and its replacement."""

    file: str
    old: str
    new: str


Steer: TypeAlias = Callable[[State, Sequence[int], random.Random], int | None]
"""A choice among actions that leads to rare events; None to leave it to chance."""
_Reached: TypeAlias = tuple[Hashable, int]
"""A position and who moves in it, from 1; 0 at the end."""
Deal: TypeAlias = Callable[[Game, State], int]
"""The outcome at a chance node of theirs that our game has drawn."""


class Match(Protocol):
    """One setting of our game, and the same setting of OpenSpiel's."""

    @property
    def name(self) -> str: ...

    @property
    def pack(self) -> str:
        """The folder of the pack under `content/classics`."""
        ...

    @property
    def long(self) -> bool:
        """True for games that take seconds, of which the nightly run plays fewer."""
        ...

    def play(self, pack: rulesdsl.Pack, seed: int, *, steered: bool, thorough: bool) -> int:
        """Play a game and return its number of moves; raise Difference if the games differ.

        If `thorough`, every decision is compared in full, even if that takes a long time.
        """
        ...


def load_spiel(spiel: str) -> Callable[[], State]:
    """Return a function that creates initial states of an OpenSpiel game."""
    import pyspiel  # noqa: PLC0415 - of the extra `adapters`: need not be installed

    game = pyspiel.load_game(spiel)
    return cast("Callable[[], State]", game.new_initial_state)


def same_result(game: Game, state: State) -> None:
    """Compare the ends of both games: won, drawn or lost for the first player."""
    result = game.result
    if result is None or not state.is_terminal():
        raise Difference(f"over: ours {result is not None}, theirs {state.is_terminal()}\n{state}")
    places, returns = result.places, state.returns()
    ours = (places[1] > places[0]) - (places[1] < places[0])
    theirs = (returns[0] > returns[1]) - (returns[0] < returns[1])
    if ours != theirs:
        raise Difference(f"result: ours {result.scores} {places}, theirs {returns}\n{state}")


def open_to(game: Game, player: int) -> Decision | None:
    """Return the open decision of a player, or None."""
    return next((each for each in game.decisions if each.player == player), None)


def _mover(state: State) -> int:
    """Return the number of the player to move, or 0 at the end."""
    return 0 if state.is_terminal() else state.current_player() + 1


def choose(
    steer: Steer | None, state: State, actions: Iterable[int], chance: random.Random
) -> int:
    """Return the action that `steer` chooses, or a random one."""
    known = sorted(actions)
    found = steer(state, known, chance) if steer else None
    return chance.choice(known) if found is None else found


@attrs.frozen
class ByAction:
    """A match in which a path of one or a few options is one OpenSpiel action.

    `action` returns the action for a path of ids, or None if the path is unfinished; it raises
    NotAnActionError for a path beyond one action. A path whose last choice our engine makes by
    itself stands for the one legal action that no other path gives.
    """

    name: str
    pack: str
    spiel: str
    action: Callable[[Ids, Game], int | None]
    options: Mapping[str, rulesdsl.OptionValue] = attrs.Factory(dict)
    deal: Deal | None = None
    steer: Steer | None = None
    result: Callable[[Game, State], None] = same_result
    long: bool = False

    def play(
        self,
        pack: rulesdsl.Pack,
        seed: int,
        *,
        steered: bool,
        thorough: bool,  # noqa: ARG002 - every decision is compared in any case
    ) -> int:
        """Play a game; see `Match`."""
        chance = random.Random(seed)
        state = load_spiel(self.spiel)()
        game = pack.new_game(2, seed, self.options, log=False)
        moves = 0
        while (paths := self._in_step(game, state)) is not None:
            steer = self.steer if steered else None
            action = choose(steer, state, paths, chance)
            player = state.current_player() + 1
            for each in paths[action]:
                game.choose(each, player)
            state.apply_action(action)
            moves += 1
        self.result(game, state)
        return moves

    def _in_step(self, game: Game, state: State) -> dict[int, Ids] | None:
        """Advance OpenSpiel to our decision."""
        while not state.is_terminal():
            if state.is_chance_node():
                assert self.deal is not None
                state.apply_action(self.deal(game, state))
                continue
            legal = state.legal_actions()
            decision = open_to(game, state.current_player() + 1)
            paths = {} if decision is None else self._paths(game, decision, legal)
            if set(paths) == set(legal):
                return paths
            if len(legal) != 1:
                raise Difference(
                    f"ours only {sorted(set(paths) - set(legal))},"
                    f" theirs only {sorted(set(legal) - set(paths))}\n{state}\n{game.decision}"
                )
            state.apply_action(legal[0])
        if game.decision is not None:
            raise Difference(f"theirs is over, ours is not\n{state}\n{game.decision}")
        return None

    def _paths(self, game: Game, decision: Decision, legal: Sequence[int]) -> dict[int, Ids]:
        found: dict[int, Ids] = {}
        forced: list[Ids] = []

        def walk(at: Game, asked: Decision, path: Ids) -> None:
            for option in asked.options:
                ids = [*path, option.id]
                action = self.action(ids, game)
                if action is not None:
                    if action in found:
                        raise Difference(f"{found[action]} and {ids} are one action\n{asked}")
                    found[action] = ids
                    continue
                after = at.clone()
                after.choose(option.id, asked.player)
                more = open_to(after, asked.player)
                if more is not None and self._continues(ids, more, game):
                    walk(after, more, ids)
                else:
                    forced.append(ids)

        walk(game, decision, [])
        rest = set(legal) - set(found)
        if len(forced) == 1 and len(rest) == 1:
            found[rest.pop()] = forced[0]
        elif forced:
            raise Difference(f"{forced} for {sorted(rest)}\n{decision}")
        return found

    def _continues(self, path: Ids, decision: Decision, game: Game) -> bool:
        try:
            for option in decision.options:
                self.action([*path, option.id], game)
        except NotAnActionError:
            return False
        return True


@attrs.frozen
class ByPosition:
    """A match that compares the positions reachable with one OpenSpiel action.

    `ours` and `theirs` return a position in the same form. One of our paths ends as soon as the
    position has changed, another player is asked, or the game is over. If comparing every decision
    would take too long, only the fraction `share` of them is compared unless the run is thorough;
    for the others, a path to one position is sought among the options that `toward` allows.
    """

    name: str
    pack: str
    spiel: str
    ours: Callable[[Game], Hashable]
    theirs: Callable[[State], Hashable]
    options: Mapping[str, rulesdsl.OptionValue] = attrs.Factory(dict)
    deal: Deal | None = None
    steer: Steer | None = None
    result: Callable[[Game, State], None] = same_result
    toward: Callable[[str, Hashable, Hashable], bool] | None = None
    share: float = 1.0
    long: bool = False

    def play(self, pack: rulesdsl.Pack, seed: int, *, steered: bool, thorough: bool) -> int:
        chance = random.Random(seed)
        state = load_spiel(self.spiel)()
        game = pack.new_game(2, seed, self.options, log=False)
        moves = 0
        share = 1.0 if thorough else self.share
        while self._in_step(game, state):
            steer = self.steer if steered else None
            if chance.random() < share:
                known = self._compared(game, state)
                action = choose(steer, state, known, chance)
                path = known[action]
            else:
                action = choose(steer, state, state.legal_actions(), chance)
                path = self._path_to(game, state, action)
            for each in path:
                game.choose(each)
            state.apply_action(action)
            moves += 1
        self.result(game, state)
        return moves

    def _in_step(self, game: Game, state: State) -> bool:
        """Advance OpenSpiel to our decision."""
        decision = game.decision
        while not state.is_terminal():
            if state.is_chance_node():
                assert self.deal is not None
                state.apply_action(self.deal(game, state))
                continue
            if (
                decision is not None
                and state.current_player() + 1 == decision.player
                and self.theirs(state) == self.ours(game)
            ):
                return True
            legal = state.legal_actions()
            if len(legal) != 1:
                raise Difference(f"other positions\n{self.ours(game)}\n{state}\n{decision}")
            state.apply_action(legal[0])
        if decision is not None:
            raise Difference(f"theirs is over, ours is not\n{state}\n{decision}")
        return False

    def _compared(self, game: Game, state: State) -> dict[int, Ids]:
        """Return our path for each action; raise Difference if the reachable positions differ."""
        paths: dict[_Reached, Ids] = {}
        self._walk(game, paths, None)
        found: dict[int, Ids] = {}
        missing: list[int] = []
        used: set[_Reached] = set()
        for action in state.legal_actions():
            reached = self._ahead(state.child(action), paths)
            if reached is None:
                missing.append(action)
            else:
                used.add(reached)
                found[action] = paths[reached]
        if missing or used != paths.keys():
            player = state.current_player()
            theirs = [state.action_to_string(player, each) for each in missing]
            ours = [path for reached, path in paths.items() if reached not in used]
            raise Difference(f"ours only {ours}, theirs only {theirs}\n{state}\n{game.decision}")
        return found

    def _path_to(self, game: Game, state: State, action: int) -> Ids:
        """Return one of our paths to the position after an action."""
        paths: dict[_Reached, Ids] = {}
        child = state.child(action)
        self._walk(game, paths, self.theirs(child))
        reached = self._ahead(child, paths)
        if reached is None:
            theirs = state.action_to_string(state.current_player(), action)
            raise Difference(f"ours cannot do {theirs}\n{state}\n{game.decision}")
        return paths[reached]

    def _ahead(self, child: State, paths: Mapping[_Reached, Ids]) -> _Reached | None:
        """Return the first position after any forced actions that is in our paths, or None."""
        at = child.clone()
        while (reached := (self.theirs(at), _mover(at))) not in paths:
            if at.is_terminal() or at.is_chance_node() or len(legal := at.legal_actions()) != 1:
                return None
            at.apply_action(legal[0])
        return reached

    def _walk(self, game: Game, paths: dict[_Reached, Ids], wanted: Hashable) -> None:
        """Collect the positions that a player can reach with one action, and a path to each.

        Given a wanted position, follow only options that lead toward it, if these are known.
        """
        before = self.ours(game)
        decision = game.decision
        assert decision is not None
        player = decision.player
        toward = self.toward

        def walk(at: Game, path: Ids) -> None:
            asked = at.decision
            if path and (asked is None or asked.player != player or self.ours(at) != before):
                paths.setdefault((self.ours(at), asked.player if asked else 0), path)
                return
            assert asked is not None
            for option in asked.options:
                if wanted is None or toward is None or toward(option.id, before, wanted):
                    after = at.clone()
                    after.choose(option.id)
                    walk(after, [*path, option.id])

        walk(game, [])
