"""Alternative worlds: positions that a player cannot distinguish from the true one.

`Scrambler.elsewhere` changes everything that a player does not see in a position; the player's
view must not change. `replayed` replays a game with the same choices, but exchanges some pieces,
hidden now, after one of its shuffles, in a random draw or in another player's choice; if the
player has always been shown and asked the same, the worlds are indistinguishable. Neither uses the
engine's model of knowledge.
"""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.symbols.symbol_table import MemoryInfo
from rulesdsl.interpreter.decisions import shown_now
from rulesdsl.interpreter.knowledge.frames import kinds_of, option_replaced
from rulesdsl.interpreter.python.expressions import field_name
from rulesdsl.interpreter.python.nodes import identifier
from rulesdsl.interpreter.state import CHOICE, cells_of
from soak.games import state_of

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence

    import rulesdsl
    from rulesdsl.check.symbols.symbol_table import FlagInfo, PlaceInfo, TrackInfo
    from rulesdsl.interpreter.decision_points import DecisionPoint
    from rulesdsl.interpreter.setting import CompiledSetting
    from rulesdsl.lower.layout import Layout

Sight = dict[str, list[bool]]
Swaps = dict[str, dict[int, int]]
"""For each kind of pieces, a map from each piece to the one in its place in another world."""
TRIES = 9  # house: the first attempts exchange many pieces, the last ones two


class Scrambler:
    """Scrambler of positions in one setting."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.world = layout.world
        pieces = self.world.pieces.items()
        self._printed = [name for name, info in pieces if info.style == "printed"]
        self._sight: dict[int, Sight] = {}

    def sight(self, viewer: int) -> Sight:
        """Return a flag for each cell, by kind of printed piece: True if a player sees it."""
        if viewer not in self._sight:
            self._sight[viewer] = {
                name: [
                    self._sees(*self.layout.place_of(name, code), viewer)
                    for code in range(self.layout.cells(name))
                ]
                for name in self._printed
            }
        return self._sight[viewer]

    def _sees(self, place: PlaceInfo, dims: tuple[int, ...], viewer: int) -> bool:
        if place.seen_by is None:
            return True
        at = place.owner_dim
        is_owner = at is not None and dims[at] == viewer - 1
        return (
            is_owner if place.seen_by == "owner" else _is_other(place, viewer, is_owner=is_owner)
        )

    def elsewhere(
        self, game: rulesdsl.Game, viewer: int, chance: random.Random
    ) -> tuple[rulesdsl.Game, Swaps]:
        """Return a copy of a game in which everything hidden from a player differs.

        Pieces that the player has seen are left alone, as they may know where these are; so are
        those whose places before the game, which all know, differ. Also return the exchanged
        pieces; the log has them as if they had always been exchanged.
        """
        copy = game.clone()
        st, sight, viewed = state_of(copy), self.sight(viewer), self._seen(game, viewer)
        swaps = {
            name: self._deal(
                st,
                (name, cells_of(game.setting.box, f"w:{name}")),
                sight[name],
                viewed[name],
                chance,
            )
            for name in self._printed
        }
        st.frames = [
            game.setting.slots[frame[0]].replaced(
                frame, lambda kind, piece: _swapped(swaps, kind, piece)
            )
            for frame in st.frames
        ]
        st.log = [_renamed(game, entry, swaps) for entry in st.log]
        for counter in self.world.counters:
            self._turn(st, counter, viewer, chance)
        for name, info in self.world.pieces.items():
            if info.style == "counted":
                self._scatter(st, name, viewer, chance)
        change_chance(copy, viewer, chance)
        return copy, swaps

    def _seen(self, game: rulesdsl.Game, viewer: int) -> dict[str, set[int]]:
        """Return the pieces that a player was shown, has looked at, or saw move, by kind.

        Also those that a question showed to another player if they have equal copies: only one of
        these is offered, which may be another one once they are exchanged.
        """
        viewed: dict[str, set[int]] = {name: set() for name in self._printed}
        sight = self.sight(viewer)
        for number, _, actor, *values in state_of(game).log:
            is_own = actor == viewer - 1
            if number == CHOICE:
                for kind, piece in values[-1]:
                    copies = game.setting.views.copies(kind)[piece]
                    viewed[kind].update(copies if is_own or len(copies) > 1 else ())
                continue
            event = game.setting.engine.events[number]
            if event.kind == "peek" and values[-1] in {-1, viewer - 1}:
                viewed[event.subject].update(values[0])
            elif event.kind == "piece" and (is_own or sight[event.subject][values[1]]):
                viewed[event.subject].add(values[0])
        return viewed

    def _deal(
        self,
        st: Any,  # noqa: ANN401
        kind: tuple[str, Sequence[int]],
        sight: list[bool],
        seen: set[int],
        chance: random.Random,
    ) -> dict[int, int]:
        """Redeal hidden pieces of a kind, given with its homes; set their counters at random."""
        name, homes = kind
        piles = getattr(st, identifier(name, "l_"))
        where = getattr(st, identifier(name, "w_"))
        hidden = [code for code, eyes in enumerate(sight) if not eyes and piles[code]]
        pieces = [piece for code in hidden for piece in piles[code] if piece not in seen]
        backs = self.backs(name)
        new: dict[object, list[int]] = {}
        for piece in chance.sample(pieces, len(pieces)):
            new.setdefault((backs[piece], homes[piece]), []).append(piece)
        swaps = {piece: new[backs[piece], homes[piece]].pop() for piece in pieces}
        for code in hidden:
            if not self.layout.place_of(name, code)[0].stack:
                self._keep(swaps, piles[code], list(zip(backs, homes, strict=True)))
        for code in hidden:
            piles[code] = [swaps.get(piece, piece) for piece in piles[code]]
            for piece in piles[code]:
                where[piece] = code
        for each in self.world.counters:
            bounds = (each.low, min(each.high, each.low + 50))
            self._mark(st, field_name(each.array), each.dims, (name, pieces), bounds, chance)
        return swaps

    def _keep(self, swaps: dict[int, int], heap: Sequence[int], sorts: Sequence[object]) -> None:
        """Change swaps so that a piece that stays in a heap stays itself."""
        changed = [piece for piece in heap if piece in swaps]
        there = {swaps[piece] for piece in changed}
        coming: dict[object, list[int]] = {}
        for piece in sorted(there.difference(changed)):
            coming.setdefault(sorts[piece], []).append(piece)
        for piece in changed:
            swaps[piece] = piece if piece in there else coming[sorts[piece]].pop()

    def _mark(
        self,
        st: Any,  # noqa: ANN401
        field: str,
        dims: tuple[str, ...],
        marked: tuple[str, list[int]],
        bounds: tuple[int, int],
        chance: random.Random,
    ) -> None:
        """Set a flag or track of hidden pieces at random."""
        if marked[0] not in dims:
            return
        cells = getattr(st, field)
        sizes = tuple(self.layout.size(dim) for dim in dims)
        at = dims.index(marked[0])
        stride, hidden = self.layout.strides(sizes)[at], set(marked[1])
        for cell in range(len(cells)):
            if cell // stride % sizes[at] in hidden:
                cells[cell] = chance.randint(*bounds)

    def backs(self, name: str) -> list[tuple[object, ...]]:
        """Return the back of each piece of a kind; backs are public."""
        kind = self.world.kinds[name]
        return [
            tuple(
                kind.entries[entry].values.get((field.name, None))
                for field in kind.fields.values()
                if field.back
            )
            for entry, _ in self.layout.instances(name)
        ]

    def _scatter(self, st: Any, piece: str, viewer: int, chance: random.Random) -> None:  # noqa: ANN401
        """Move counted pieces between the cells of which a player does not know the number."""
        amounts, places = cells_of(st, f"n:{piece}"), range(self.layout.cells(piece))
        lying = [(code, *self.layout.place_of(piece, code)) for code in places]
        hidden = [
            code
            for code, place, dims in lying
            if place.only and not self._sees(place, dims, viewer)
        ]
        if self.world.pieces[piece].owned or not hidden:
            return
        count = sum(amounts[code] for code in hidden)
        for code in hidden:
            amounts[code] = 0
        for _ in range(count):
            amounts[chance.choice(hidden)] += 1

    def _turn(
        self,
        st: Any,  # noqa: ANN401
        info: TrackInfo | FlagInfo,
        viewer: int,
        chance: random.Random,
    ) -> None:
        if info.seen_by is None:
            return
        field, low, most = field_name(info.array), info.low, min(info.high, info.low + 50)
        if isinstance(info, MemoryInfo):
            low, most = 0, self.layout.many(info.kind) - 1
        cells: Any = getattr(st, field)
        bits: Any = 0  # for each player who was shown it
        if info.name in self.world.shown:
            bits = getattr(st, field_name(self.world.shown[info.name].array))
        if isinstance(cells, int):
            if not bits >> viewer & 1 and cells >= low:
                setattr(st, field, chance.randint(low, most))
            return
        for at, value in enumerate(cells):
            is_owner = self.layout.owner_of(info.dims, at) == viewer - 1
            is_own = info.seen_by == "owner" and is_owner
            is_shown = bool(bits) and bits[at] >> viewer & 1
            is_open = is_own or is_shown or _is_other(info, viewer, is_owner=is_owner)
            if value >= low and not is_open:
                cells[at] = chance.randint(low, most)


def _is_other(info: PlaceInfo | TrackInfo | FlagInfo, viewer: int, *, is_owner: bool) -> bool:
    return info.seen_by == "others" and viewer > 0 and not is_owner


@lru_cache(maxsize=64)
def _scrambler(setting: CompiledSetting) -> Scrambler:
    return Scrambler(setting.engine.layout)


def scrambler_of(game: rulesdsl.Game) -> Scrambler:
    """Return a scrambler for games of the same setting."""
    return _scrambler(game.setting)


def change_chance(game: rulesdsl.Game, player: int, chance: random.Random) -> None:
    """Change the next random numbers, and the secret answers of other players."""
    st = state_of(game)
    st.rng = chance.getrandbits(64)
    for at, answer in enumerate([] if st.over else st.answers):
        if answer >= 0 and at != player - 1:
            st.answers[at] = chance.randrange(len(st.options[at]))


# -------------------------------------------------------------------- options in two worlds
def carried(
    game: rulesdsl.Game, other: rulesdsl.Game, player: int, index: int, swaps: Swaps, *, same: bool
) -> int | None:
    """Return the corresponding option in another world, or None.

    For a secret choice, it is the option with the pieces exchanged.
    """
    if same:
        return index
    ask = game.setting.engine.asks[state_of(game).frames[-1][0]]
    here = _options(game, player)[index]
    secret = ask.sealed or ask.secret(here)
    wanted = carried_raw(ask, here, swaps) if secret else here
    there = _options(other, player)
    return there.index(wanted) if wanted in there else None


def _options(game: rulesdsl.Game, player: int) -> list[int]:
    st = state_of(game)
    sealed = game.setting.engine.asks[st.frames[-1][0]].sealed
    return list(st.options[player - 1] if sealed else st.options)


def carried_raw(ask: DecisionPoint, option: int, swaps: Swaps) -> int:
    """Return an option with its pieces exchanged."""
    if ask.plain:
        domain = ask.domain(option)
        return option if domain is None else _swapped(swaps, domain.element.of, option)
    assert isinstance(ask.end, ty.Decide)
    kinds = kinds_of(ask.end.lines)
    return option_replaced(kinds, option, lambda *each: _swapped(swaps, *each))


def _renamed(game: rulesdsl.Game, entry: tuple[Any, ...], swaps: Swaps) -> tuple[Any, ...]:
    """Return an entry of the log with its pieces exchanged, where it records what they did."""
    number, learned, actor, *values = entry
    if number == CHOICE:
        ask, option, *details, viewed = values
        exchanged = [(kind, _swapped(swaps, kind, piece)) for kind, piece in viewed]
        other = carried_raw(game.setting.engine.asks[ask], option, swaps)
        return (number, learned, actor, ask, other, *details, exchanged)
    event = game.setting.engine.events[number]
    match event.kind:
        case "piece" | "shift" | "draw":
            values[0] = _swapped(swaps, event.subject, values[0])
        case "peek":
            values[0] = [_swapped(swaps, event.subject, piece) for piece in values[0]]
        case "shuffle":
            values[1] = [_swapped(swaps, event.subject, piece) for piece in values[1]]
        case "hold" if values:
            values[0] = _swapped(swaps, event.subject, values[0])
            values[1] = [_swapped(swaps, event.subject, piece) for piece in values[1]]
        case _:
            pass
    return (number, learned, actor, *values)


def _swapped(swaps: Swaps, kind: str, piece: int) -> int:
    return swaps.get(kind, {}).get(piece, piece)


# -------------------------------------------------------------------- replays
@attrs.define
class _Exchange:
    """Exchange of a group's pieces in one shuffle, draw, or choice by another player."""

    kind: str
    event: str
    """`shuffle`, `draw` or `choice`."""
    number: int
    """Index among all events of this kind in the game."""
    group: frozenset[int]
    most: int
    chance: random.Random
    own: dict[int, int] = attrs.Factory(dict)

    def _comes(self, event: str) -> bool:
        self.number -= event == self.event
        return event == self.event and self.number == -1

    def mix(self, pile: list[int]) -> None:
        """Count a shuffle; exchange pieces if it is the selected event."""
        if self._comes("shuffle"):
            some = [each for each in pile if each in self.group]
            some = self.chance.sample(some, min(self.most, len(some)))
            self.own = dict(zip(some, self.chance.sample(some, len(some)), strict=True))
            pile[:] = [self.own.get(each, each) for each in pile]

    def draw(self, things: list[int], thing: int, event: str = "draw") -> int:
        """Count a draw or choice; return its result, exchanged if it is the selected event."""
        others = [each for each in things if each in self.group and each != thing]
        if self._comes(event) and others and thing in self.group:
            other = self.chance.choice(others)
            self.own = {thing: other, other: thing}
            return other
        return thing

    def choose(self, game: rulesdsl.Game, player: int, index: int) -> None:
        """Count another player's choice before it is made."""
        ask, options = (
            game.setting.engine.asks[state_of(game).frames[-1][0]],
            _options(game, player),
        )
        of = {each: ask.domain(each) for each in options if ask.sealed or ask.secret(each)}
        things = {
            ask.thing(each)
            for each, domain in of.items()
            if domain is not None and domain.element.of == self.kind
        }
        chosen = ask.thing(options[index]) if options[index] in of else -1
        self.draw(sorted(things), chosen, "choice")


def replayed(
    pack: rulesdsl.Pack,
    game: rulesdsl.Game,
    choices: Sequence[tuple[int, int]],
    player: int,
    chance: random.Random,
) -> tuple[rulesdsl.Game, int] | None:
    """Return another world and the number of exchanged pieces, or None if none was found."""
    groups, possible = _hidden(game, player), dict[str, list[tuple[int, str]]]()
    events, seen = game.setting.engine.events, Counter[str]()
    for number, *_ in state_of(game).log:
        event = events[number] if number != CHOICE else None
        if event is not None and event.kind in {"shuffle", "draw"}:
            if event.subject in groups:
                possible.setdefault(event.kind, []).append((seen[event.kind], event.subject))
            seen[event.kind] += 1
    others = sum(who != player for who, _ in choices)
    if groups and others:
        possible["choice"] = [(at, name) for at in range(others) for name in groups]
    for attempt in range(TRIES if possible else 0):
        sort = chance.choice(sorted(possible))
        number, name = chance.choice(possible[sort])
        group = frozenset(chance.choice(groups[name]))
        exchange = _Exchange(name, sort, number, group, max(2, len(group) >> attempt), chance)
        other = _played(pack, game, choices, player, exchange)
        moved = sum(old != new for old, new in exchange.own.items())
        if other is not None and moved and _shown(other, player) == _shown(game, player):
            change_chance(other, player, chance)
            return other, moved
    return None


def _hidden(game: rulesdsl.Game, player: int) -> dict[str, list[list[int]]]:
    """Return the pieces hidden from a player, grouped by back."""
    scrambler, found = scrambler_of(game), dict[str, list[list[int]]]()
    for name, sight in scrambler.sight(player).items():
        backs, heaps = scrambler.backs(name), dict[object, list[int]]()
        for cell, pile in enumerate(cells_of(state_of(game), f"l:{name}")):
            for piece in () if sight[cell] else pile:
                heaps.setdefault(backs[piece], []).append(piece)
        several = [each for each in heaps.values() if len(each) > 1]
        if several:
            found[name] = several
    return found


def _played(
    pack: rulesdsl.Pack,
    game: rulesdsl.Game,
    choices: Sequence[tuple[int, int]],
    player: int,
    exchange: _Exchange,
) -> rulesdsl.Game | None:
    """Replay a game with pieces exchanged; return None if the player could notice, or it fails."""
    real = pack.new_game(game.players, game.seed, game.options)
    with _exchanged_by(real, exchange):
        other = pack.new_game(game.players, game.seed, game.options)
    for who, index in choices:
        same = who == player
        if same and _offered(real, who) != _offered(other, who):
            return None
        if not same:
            exchange.choose(real, who, index)
        swaps = {exchange.kind: exchange.own}
        there = carried(real, other, who, index, swaps, same=same)
        if there is None or [e.player for e in real.decisions] != [
            e.player for e in other.decisions
        ]:
            return None
        real.choose(index, who)
        with _exchanged_by(other, exchange):
            other.choose(there, who)
        if real.over != other.over:
            return None
    return None if _asked(real, player) != _asked(other, player) else other


@contextmanager
def _exchanged_by(game: rulesdsl.Game, exchange: _Exchange) -> Iterator[None]:
    """Pass the shuffles and draws of a game to an exchange while the context is open."""
    names = game.setting.engine.names
    shuffle, draw = names["shuffle"], names["draw"]

    def more(st: Any, pile: list[int]) -> None:  # noqa: ANN401 - as in the runtime
        shuffle(st, pile)
        exchange.mix(pile)

    def another(st: Any, things: list[int]) -> int:  # noqa: ANN401 - as in the runtime
        return exchange.draw(things, draw(st, things))

    names["shuffle"], names["draw"] = more, another
    try:
        yield
    finally:
        names["shuffle"], names["draw"] = shuffle, draw


def _offered(game: rulesdsl.Game, player: int) -> list[object]:
    """Return a player's options; a player who searches a stack also sees its order."""
    there: list[object] = [
        (
            kind,
            piece,
            [pile.index(piece) for pile in cells_of(state_of(game), f"l:{kind}") if piece in pile],
        )
        for kind, piece in shown_now(game.setting.views, game.state, player - 1)
    ]
    return [each.raw for each in game.decisions if each.player == player] + there


def _asked(game: rulesdsl.Game, player: int) -> list[object]:
    return [_offered(game, player), *(each.player for each in game.decisions)]


def _shown(game: rulesdsl.Game, player: int) -> list[object]:
    """Return a player's current view, and all log lines shown to the player."""
    lines = ((each.actor, each.seen_text(player)) for each in game.log)
    return [game.view(player), [each for each in lines if each[1]]]
