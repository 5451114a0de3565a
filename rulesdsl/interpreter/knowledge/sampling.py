"""Sampler of positions consistent with an observation."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import Any

from rulesdsl.interpreter.knowledge.dealing import Dealing, Dealt, TrackCourse
from rulesdsl.interpreter.knowledge.frames import SPREAD, ask_again
from rulesdsl.interpreter.knowledge.local_values import LocalValues, World
from rulesdsl.interpreter.knowledge.observing import Observation
from rulesdsl.interpreter.python.expressions import field_name
from rulesdsl.interpreter.state import answers_of, cells_of
from rulesdsl.lower.flat import EXCLUDED
from rulesdsl.lower.schema import MemoryInfo

TRIES = 100  # if so many deals are invalid, valid ones are rare or impossible
REPEATS = 400  # deals that lead to another question before a world counts as impossible
WIDTHS = 3  # upper bounds for hidden tracks that are tried
LONGEST = 1000  # deals before one that cuts a track at a bound is accepted


class NoWorld(RuntimeError):  # noqa: N818 - a name of the public interface
    """No sampled position fits what a player knows; bots then choose by weight."""


def _lay(st: Any, name: str, cells: Iterable[tuple[int, list[int]]], dealt: list[int]) -> None:  # noqa: ANN401
    """Put pieces into cells, replacing spots with the faces dealt to them."""
    piles, where, faces = cells_of(st, f"l:{name}"), cells_of(st, f"w:{name}"), iter(dealt)
    for cell, pile in cells:
        piles[cell] = laid = [each if each >= 0 else next(faces) for each in pile]
        for piece in laid:
            where[piece] = cell


class Sampler:
    """Sampler for one observation; work shared by all samples is done once."""

    # It gets an observation and no game, so it cannot peek. For each sample it deals the unknown
    # faces to the spots, uniformly over all assignments that the player considers possible,
    # computes the hidden tracks from the deal, and repeats the open question. A deal is rejected
    # if the player would get other options, or if a hidden track would have been cut at a bound,
    # since a player who paid had enough. If the latter happens in all of `TRIES` deals with a
    # fixed seed, the rules cut the track or valid deals are rare; then such deals are accepted.
    #
    # `LocalValues` fills the locals of suspended procedures. A hidden track with changes that some
    # players cannot follow is drawn uniformly, from its minimum to the largest value visible in
    # another cell, or if the question does not fit then, to larger ones. Choices of other players
    # restrict the faces only by conditions on printed fields of the chosen piece, not by the
    # plausibility of the choice.

    def __init__(self, observation: Observation) -> None:
        self._setting, self._data = observation.setting, observation.data
        self._st = self._setting.engine.states.new(0)
        self._spots: dict[str, tuple[Dealing, list[tuple[int, list[int]]]]] = {}
        for name, piles in self._data["piles"].items():
            spots = [~each for pile in piles for each in pile if each < 0]
            dealing, cells = Dealing.of(spots, self._data["classes"][name]), [*enumerate(piles)]
            _lay(self._st, name, cells, dealing.deal(random.Random(0)))  # noqa: S311
            if spots:
                cells = [each for each in cells if any(piece < 0 for piece in each[1])]
                self._spots[name] = dealing, cells
        self._courses = [TrackCourse(*each) for each in self._data["tracks"]]
        chance = random.Random(0)  # noqa: S311 - not cryptographic
        self._cut = bool(self._courses) and all(self._deal(chance)[2] for _ in range(TRIES))
        self._blanks = [*self._cells()]
        self._locals = LocalValues(self._setting, self._data)

    def _cells(self) -> Iterator[tuple[str, int, int, list[int]]]:
        """Fill the arrays; yield the cells to sample, with their minimum and upper bounds."""
        for name, value in self._data["cells"].items():
            start: Any = getattr(self._st, name)
            if isinstance(value, list):
                seen = zip(value, start, strict=True)
                setattr(self._st, name, [old if new is None else new for new, old in seen])
            elif value is not None:
                setattr(self._st, name, value)
        printed = {*self._setting.views.printed}
        for info in self._setting.layout.world.counters:
            traced = info.name in self._setting.traceable.tracks
            if info.seen_by is None or traced or printed & {*info.dims}:
                continue
            field, wide = field_name(info.array), info.low + SPREAD
            value = self._data["cells"][field]
            cells = value if isinstance(value, list) else [value]
            visible = (each for each in cells if each is not None)
            most = max(visible, default=wide) if info.high > wide else info.high
            low, bounds = info.low, [min(info.high, each) for each in (most, wide, info.high)]
            if isinstance(info, MemoryInfo):  # one that is not empty, which all would see
                low, bounds = 0, [self._setting.layout.many(info.kind) - 1] * WIDTHS
            for at in (at for at, each in enumerate(cells) if each is None):
                yield field, at, low, sorted(bounds)

    # ---------------------------------------------------------------- a position
    def draw(self, seed: int, *, answered: bool = False) -> Any:  # noqa: ANN401
        """Return a state; raise NoWorld if none with the same question is found.

        With `answered`, those who have answered a secret question have an answer, drawn at random;
        otherwise only the player keeps it, and the others are asked again.
        """
        chance = random.Random(seed)  # noqa: S311 - not cryptographic
        for number in range(REPEATS):
            st = self._made(chance, min(number // TRIES, WIDTHS - 1))
            if st is not None:
                for player in self._data["answered"] if answered else ():
                    self._answer(st, player, chance)
                return st
        raise NoWorld("no position was found that fits what the player knows")

    def _deal(self, chance: random.Random) -> tuple[Dealt, list[int], int]:
        """Return a deal, the hidden numbers implied by it, and their excess over the bounds."""
        dealt = {name: dealing.deal(chance) for name, (dealing, _) in self._spots.items()}
        ends = [each.follow(dealt) for each in self._courses]
        return dealt, [value for value, _ in ends], sum(beyond for _, beyond in ends)

    def _made(self, chance: random.Random, width: int) -> Any:  # noqa: ANN401
        """Return the state after a deal, or None if the player would be asked something else.

        `width` is the number of the upper bound for hidden tracks, from the least one.
        """
        dealt, values, beyond = self._deal(chance)
        for _ in range(0 if self._cut else LONGEST):
            if not beyond:
                break
            dealt, values, beyond = self._deal(chance)
        st = self._setting.engine.clone(self._st)
        for name, (_, cells) in self._spots.items():
            _lay(st, name, cells, dealt[name])
        traced = zip(self._courses, values, strict=True)
        found = [(field_name(f"t:{e.track}"), e.cell, value) for e, value in traced]
        drawn = (
            (field, at, chance.randint(low, most[width])) for field, at, low, most in self._blanks
        )
        for field, at, value in (*found, *drawn):
            if isinstance(numbers := getattr(st, field), list):
                numbers[at] = value
            else:
                setattr(st, field, value)
        world = World(st, dealt, chance)
        self._lay_at_random(st, chance)
        self._arrange(st)
        self._mark(world)
        if not self._locals.fill(world):
            return None
        st.rng = chance.getrandbits(64)
        st.over = self._data["over"]
        return st if st.over or self._asks(st) else None

    def _lay_at_random(self, st: Any, chance: random.Random) -> None:  # noqa: ANN401
        """Lay what is in cells whose number is hidden at random; all pieces lie somewhere."""
        layout = self._setting.layout
        for kind, pool in self._data.get("pools", {}).items():
            style = layout.world.pieces[kind].style
            if style == "printed":
                piles, where = cells_of(st, f"l:{kind}"), cells_of(st, f"w:{kind}")
                pieces, piles[pool[0]] = piles[pool[0]], []
                for piece in pieces:
                    where[piece] = chance.choice(pool)
                    piles[where[piece]].append(piece)
            elif style == "single":
                observed = self._data["cells"][field_name(f"s:{kind}")]
                codes = observed if isinstance(observed, list) else [observed]
                cells = [chance.choice(pool) if code is None else code for code in codes]
                setattr(
                    st, field_name(f"s:{kind}"), cells if isinstance(observed, list) else cells[0]
                )
            else:
                amounts = cells_of(st, f"n:{kind}")
                before, owners = cells_of(self._setting.box, f"n:{kind}"), [-1] * len(amounts)
                if layout.world.pieces[kind].owned:
                    owners = layout.owners_of_cells(kind)
                for code in pool:
                    amounts[code] = 0
                for owner in sorted({owners[code] for code in pool}):
                    mine = [code for code, whose in enumerate(owners) if whose == owner]
                    hidden = [code for code in pool if owners[code] == owner]
                    for _ in range(sum(before[code] - amounts[code] for code in mine)):
                        amounts[chance.choice(hidden)] += 1

    def _arrange(self, st: Any) -> None:  # noqa: ANN401
        """Let the pieces that a question shows in a stack lie in the order of the options."""
        for kind, pieces in self._data["shown"].items():
            piles, where = cells_of(st, f"l:{kind}"), cells_of(st, f"w:{kind}")
            for cell in {where[each] for each in pieces}:
                here = [each for each in pieces if where[each] == cell]
                order = iter(here)
                piles[cell] = [next(order) if e in here else e for e in piles[cell]]

    def _mark(self, world: World) -> None:
        """Carry out each change of a mark on one of the pieces that it may concern."""
        for name, rest, by, backs in self._data["marks"]:
            array = self._setting.traceable.mark_arrays[name]
            cells = cells_of(world.st, array.field)
            indexes = [rest + world.piece(array.kind, back) * array.stride for back in backs]
            bound = array.high if by > 0 else array.low
            free = [index for index in indexes if cells[index] != bound]
            index = world.chance.choice(free or indexes)
            cells[index] = min(max(cells[index] + by, array.low), array.high)

    def _answer(self, st: Any, player: int, chance: random.Random) -> None:  # noqa: ANN401
        st.answers = answers_of(st)
        if st.answers[player] < 0:
            st.answers[player] = chance.randrange(len(st.options[player]))

    def _asks(self, st: Any) -> bool:  # noqa: ANN401
        """Repeat the open question; return whether the player is offered the same options."""
        options = self._data["options"]
        if not ask_again(self._setting.engine, st):
            return False
        if isinstance(st.options[0], list):
            taking = [at for at, offered in enumerate(st.options) if offered == [EXCLUDED]]
            if taking != self._data["excluded"]:
                return False
            if self._data["answer"] >= 0:  # the answers of others are open again
                st.answers = answers_of(st)
                st.answers[self._data["player"]] = self._data["answer"]
            return options is None or bool(st.options[self._data["player"]] == options)
        return options is None or bool(st.options == options)
