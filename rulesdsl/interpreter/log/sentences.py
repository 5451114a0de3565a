"""The wording of changes to the state, as clauses for those who see them."""

from __future__ import annotations

from collections.abc import Container, Sequence
from functools import cached_property
from typing import Any, Literal, assert_never

import attrs

from rulesdsl.interpreter.labels import Labels
from rulesdsl.interpreter.log.lines import DRAWS, NOBODY, Amount, Clause, VisibleChange
from rulesdsl.lower.flat import Change, Event
from rulesdsl.lower.layout import SEATS, Viewers
from rulesdsl.lower.schema import NOTHING, FlagInfo, MemoryInfo, PieceInfo, TrackInfo
from rulesdsl.source.english import (
    a_or_an,
    definite,
    is_plural,
    named,
    opening,
    so_many,
)


@attrs.frozen
class _Cell:
    """A cell as text: its title with an article, and the owner of the cell or of its pieces.

    `held` cells belong to a seat, `out` cells are out of play, others are on the table. In an
    `open` cell everybody sees which printed pieces lie there.
    """

    title: str
    owner: int
    use: Literal["held", "table", "out"]
    stack: bool
    open: bool
    place: str
    into: str  # how a sentence continues that says where a piece is put


class ChangeSentences:
    """Wording of the changes in one setting."""

    def __init__(self, labels: Labels) -> None:
        self.labels = labels
        self.world = labels.world
        self.layout = labels.layout

    @cached_property
    def eyes(self) -> dict[str, list[Viewers]]:
        """The viewers of each cell of printed pieces."""
        pieces = self.world.pieces.items()
        return {
            name: self.layout.watchers(name) for name, each in pieces if each.style == "printed"
        }

    def wording(self, event: Event, kind: Change, actor: int, values: list[Any]) -> VisibleChange:
        """Return the wording for a change; `actor` is a seat, from 0 up, or -1 for the game."""
        change = self._wording(event, kind, actor, values)
        match kind:
            case "move" | "place" | "piece":
                count = values[0] if kind == "move" else 1
                return self._away(event.subject, count, change, values[1:3])
            case "shift":
                return self._away(event.subject, 1, change, values[1:2])
            case "peek" if self._is_uncounted(event.subject, values[-1]):
                return attrs.evolve(change, hidden=None)
            case _:
                return change

    def _is_uncounted(self, piece: str, cells: Sequence[int]) -> bool:
        counters = self.layout.counters(piece)
        return any(code >= 0 and counters[code] is not None for code in cells)

    def _away(
        self, piece: str, count: int, change: VisibleChange, cells: Sequence[int]
    ) -> VisibleChange:
        """Return the wording of a move for which some players do not know the number in a cell.

        Others read that something goes out of sight or comes into it if all see the other cell.
        """
        counters = [self.layout.counters(piece)[code] for code in cells if code >= 0]
        knowing = [viewers for viewers in (*counters, change.seen_by) if viewers is not None]
        if all(viewers is None for viewers in counters):
            return change
        hidden: Clause | None = None
        if None in counters:
            title = a_or_an(self.world.pieces[piece].title)
            who = title if count == 1 else self.labels.counted(piece, count)
            verbs, way = (("goes", "go"), "out of sight")
            if counters[0] is not None:
                verbs, way = ("comes", "come"), "into sight"
            hidden = Clause(who, verbs[count != 1], (), way)
        viewers = frozenset.intersection(*knowing)
        return attrs.evolve(change, hidden=hidden, seen_by=viewers, amounts=(), away=True)

    def _wording(self, event: Event, kind: Change, actor: int, values: list[Any]) -> VisibleChange:
        subject = event.subject
        match kind:
            case "move":
                return self._move(subject, actor, *values)
            case "place":
                return self._place(subject, actor, *values)
            case "piece":
                return self._piece(event, actor, *values)
            case "track":
                return self._track(event, *values)
            case "flag":
                return self._flag(subject, *values)
            case "draw":
                return self._drawn(subject, *values)
            case "shuffle":
                info, _ = self.layout.place_of(subject, values[0])
                verb = "are shuffled" if is_plural(info.title) else "is shuffled"
                return VisibleChange(Clause(definite(info.title), verb), quiet=info.quiet)
            case "shift":
                return self._shift(subject, actor, *values)
            case "peek":
                return self.peek(subject, actor, *values)
            case "show":
                return self._shown(subject, actor, *values)
            case "end":
                return VisibleChange(Clause("the game", "ends"))
            case _:
                assert_never(kind)

    def who(self, actor: int) -> str:
        """Return the name of the actor; empty for the game."""
        return "" if actor < 0 else self.labels.seats[actor]

    # ---------------------------------------------------------------- counted pieces
    def _move(self, piece: str, actor: int, count: int, old: int, new: int) -> VisibleChange:
        source, target = self._cells(piece, actor, old, new)
        info, pieces = self.world.pieces[piece], self.labels.counted(piece, count)
        amounts = [Amount(source.owner, piece, -count)] if source.use == "held" else []
        amounts += [Amount(target.owner, piece, count)] if target.use == "held" else []
        clause = self._like_pieces(info, actor, pieces, source, target)
        if clause.objects:
            clause = attrs.evolve(clause, noun=piece, count=count)
        elif count == 1:
            clause = attrs.evolve(clause, verb="goes")
        if clause.verb == "moves" and source.owner == target.owner:
            amounts = []
        quiet = info.quiet or source.use == target.use == "out" or old == new
        return VisibleChange(clause, amounts=tuple(amounts), quiet=quiet)

    def _like_pieces(
        self, info: PieceInfo, actor: int, things: str, source: _Cell, target: _Cell
    ) -> Clause:
        lost, got = source.owner, target.owner
        mover, moved = self.who(_mover(actor, source, target)), _way(source, target)
        match source.use, target.use:
            case "held", "held" if lost != got and actor == got:
                return Clause(self.who(got), "takes", (things,), f"from {self.who(lost)}")
            case "held", "held" if lost != got and actor in {lost, NOBODY}:
                return Clause(self.who(lost), "gives", (things,), f"to {self.who(got)}")
            case "held", "held":
                return Clause(mover, "moves", (things,), moved)
            case ("held", "table") | ("table", "held") if info.owned:
                return Clause(mover, "moves", (things,), moved)
            case _, "held":
                return Clause(self.who(got), "gains", (things,))
            case "held", "out":
                verb = "pays" if actor in {lost, NOBODY} else "loses"
                return Clause(self.who(lost), verb, (things,))
            case "held", _:
                return Clause(self.who(lost), "puts", (things,), target.into)
            case _:
                whose = f"of {self.who(lost)}" if info.owned and actor != lost else ""
                return self._between_places(actor, things, whose, source, target)

    def _between_places(
        self, actor: int, pieces: str, whose: str, source: _Cell, target: _Cell
    ) -> Clause:
        """Return the clause for a move between places that belong to nobody."""
        who, moved_to, removed_from = self.who(actor), f"to {target.title}", f"from {source.title}"
        match source.use, target.use:
            case "out", "table":
                verb, passive, way = "adds", "added", moved_to
            case "table", "out":
                verb, passive, way = "removes", "removed", removed_from
            case _:
                verb, passive, way = "moves", "", f"{removed_from} {moved_to}"
        if who:
            return Clause(who, verb, (pieces,), f"{whose} {way}".strip())
        if passive:
            return Clause("", f"{passive} {way}:", (pieces,), whose)
        return Clause(f"{pieces} {whose}".strip(), "go", (), way)

    # ---------------------------------------------------------------- individual pieces
    def _place(self, piece: str, actor: int, owner: int, old: int, new: int) -> VisibleChange:
        info = self.world.pieces[piece]
        source, target = self._cells(piece, actor, old, new)
        piece_name = f"{self.who(owner)}'s {info.title}" if info.owned and owner != actor else ""
        piece_name = piece_name or definite(info.title)
        if target.use == "table" or (
            source.use == target.use == "held" and source.owner == target.owner
        ):
            who, objects = (piece_name, ()) if actor < 0 else (self.who(actor), (piece_name,))
            clause = Clause(who, "moves", objects, f"to {target.title}")
        else:
            clause = self._goes(actor, piece_name, source, target)
        clause = attrs.evolve(clause, route=_way(source, target))
        return VisibleChange(clause, quiet=info.quiet or source.use == target.use == "out")

    def _piece(
        self, event: Event, actor: int, at: int, old: int, new: int, origin: int | None = None
    ) -> VisibleChange:
        """Return the wording for a piece that moves; `origin` is where a quiet place got it."""
        piece, (_, end) = event.subject, event.ends
        source, target = self._cells(piece, actor, old if origin is None else origin, new)
        name = self._name(piece, actor, at, old, new)
        if end and old == new:
            clause = self._within(actor, name, event, target)
        else:
            if end == "bottom":
                bottom = f"the bottom of {target.title}"
                target = attrs.evolve(target, title=bottom, into=f"at {bottom}")
            clause = self._goes(actor, name, source, target)
            clause = attrs.evolve(clause, route=_way(source, target))
        quiet = self.world.pieces[piece].quiet or source.use == target.use == "out"
        return self._as_seen(piece, at, clause, (old, new), quiet=quiet)

    def _goes(self, actor: int, name: str, source: _Cell, target: _Cell) -> Clause:
        lost, got = source.owner, target.owner
        mover, is_own = self.who(_mover(actor, source, target)), actor in {got, NOBODY}
        is_like = source.place == target.place and not target.stack  # from hand to hand
        match source.use, target.use:
            case _, "held" if is_own and _is_draw(source, target):
                return Clause(self.who(got), DRAWS, (name,))
            case "held", "held" if lost != got and is_own and is_like:
                return Clause(self.who(got), "takes", (name,), f"from {self.who(lost)}")
            case "held", "held" if lost != got and actor == lost and is_like:
                return Clause(self.who(lost), "gives", (name,), f"to {self.who(got)}")
            case ("table" | "out", "held") | ("out", "out") if is_own and got != NOBODY:
                return Clause(self.who(got), "takes", (name,))
            case _, "held":
                return Clause(mover, "moves", (name,), _way(source, target))
            case "held", "out":
                verb = "discards" if actor in {lost, NOBODY} else "loses"
                return Clause(self.who(lost), verb, (name,))
            case "held", _ if actor in {lost, NOBODY}:
                return Clause(self.who(lost), "puts", (name,), target.into)
            case "held", _:
                return Clause(mover, "moves", (name,), _way(source, target))
            case _, "out" if actor >= 0:
                return Clause(self.who(actor), "removes", (name,), f"from {source.title}")
            case _, "out":
                return Clause("", f"removed from {source.title}:", (name,))
            case _ if actor >= 0:
                return Clause(self.who(actor), "moves", (name,), f"to {target.title}")
            case _:
                return Clause("", f"added to {target.title}:", (name,))

    def _within(self, actor: int, name: str, event: Event, stack: _Cell) -> Clause:
        """Return the clause for a move to one end of the stack in which a piece lies."""
        old, new = event.ends
        way = f"{f'from the {old} ' if old else ''}to the {new} of {stack.title}"
        if actor < 0:
            return Clause(name, "goes", (), way)
        return Clause(self.who(actor), "moves", (name,), way)

    def _shift(
        self, piece: str, actor: int, at: int, code: int, old: int, new: int
    ) -> VisibleChange:
        way, places = "up" if new > old else "down", so_many(abs(new - old), "place", "places")
        rest = f"{way} by {places} in {self._cell(piece, code, actor).title}"
        name = self._name(piece, actor, at, code)
        who, things = (name, ()) if actor < 0 else (self.who(actor), (name,))
        clause = Clause(who, "moves", things, rest)
        quiet = self.world.pieces[piece].quiet or self._cell(piece, code).use == "out"
        return self._as_seen(piece, at, clause, (code,), quiet=quiet)

    def peek(
        self,
        piece: str,
        actor: int,
        pieces: Sequence[int],
        cell: int,
        to: int,
        cells: Sequence[int],
    ) -> VisibleChange:
        """Return the wording for a look at pieces in `cells` by the seat `to`, or by all (-1).

        Others read where they lie only if that is known to all: in `cell`, unless it is -1.
        """
        names = [self.labels.in_sentence(piece, thing) for thing in pieces] or ["nothing"]
        places = [self._in_place(piece, code, actor) for code in cells or [cell]]
        where = places[0] if len({*places}) == 1 else ""
        if not where and pieces:
            names = [f"{name} {place}".rstrip() for name, place in zip(names, places, strict=True)]
        who, verb, rest = self.who(actor), "looks at", ""
        if to == NOBODY or to != actor:
            rest = "" if to == NOBODY else f"to {self.who(to)}"
            verb, rest = ("shows", rest) if who else (f"shown {rest}".strip() + ":", "")
        clause = Clause(who, verb, tuple(names), f"{where} {rest}".strip())
        quiet = self.world.pieces[piece].quiet
        if to == NOBODY:
            return VisibleChange(clause, quiet=quiet)
        count, in_cell = len(pieces), f"{self._in_place(piece, cell, actor)} {rest}".strip()
        counted = (self.labels.counted(piece, count) if count else "nothing",)
        noun = piece if count else ""
        hidden = Clause(who, verb, counted, in_cell, noun=noun, count=max(count, 1))
        return VisibleChange(clause, hidden, frozenset({to + 1}), quiet=quiet)

    def _in_place(self, piece: str, code: int, actor: int) -> str:
        cell = None if code < 0 else self._cell(piece, code, actor)
        return "" if cell is None or cell.use == "out" else f"in {cell.title}"

    def _name(self, piece: str, actor: int, at: int, *codes: int) -> str:
        """Return the title of a printed piece, and whose it is unless it is the actor's."""
        _, owner = self.layout.instances(piece)[at]
        whose = "" if owner == actor else self.labels.whose(piece, at, *codes)
        return self.labels.in_sentence(piece, at) + whose

    def _as_seen(
        self, piece: str, at: int, clause: Clause, codes: tuple[int, ...], *, quiet: bool
    ) -> VisibleChange:
        """Return the wording for a piece moved between or within cells; others see its back."""
        viewers = [those for code in codes if (those := self.eyes[piece][code]) is not None]
        if len(viewers) < len(codes):
            return VisibleChange(clause, quiet=quiet)
        back, title = self.labels.back(piece, at), self.world.pieces[piece].title
        unseen = a_or_an(f"{title} ({back})" if back else title)
        if clause.objects:
            unnamed = (unseen,) if back else (self.labels.counted(piece, 1),)
            hidden = attrs.evolve(clause, objects=unnamed, noun="" if back else piece)
        else:
            hidden = attrs.evolve(clause, who=unseen)
        return VisibleChange(clause, hidden, frozenset().union(*viewers), quiet=quiet)

    # ---------------------------------------------------------------- random results
    def _drawn(self, subject: str, thing: int) -> VisibleChange:
        """Return the wording for a random result, which only the unabridged log shows."""
        named = self.labels.named(subject, thing) if subject else str(thing)
        clause = Clause("", "by chance:", (named if thing >= 0 else "nothing",))
        return VisibleChange(clause, None, frozenset(), quiet=True)

    # ---------------------------------------------------------------- numbers
    def _track(
        self, event: Event, index: int, before: int, after: int, *pieces: int
    ) -> VisibleChange:
        track, info = event.subject, self.world.tracks[event.subject]
        where = self.layout.indexes(info.dims, index)
        if isinstance(info, MemoryInfo):
            hidden = any(
                self.eyes[dim][code] is not None for dim, code in self._marked(info, pieces)
            )
            public_where = [(dim, at) for dim, at in where if not hidden or dim in SEATS]
            return self._memory(
                info, where, public_where, before, after, self._track_eyes(info, index, pieces)
            )
        amounts: tuple[Amount, ...] = ()
        if [dim in SEATS for dim, _ in where] == [True] and not event.absolute:
            [(_, seat)] = where
            things = self.labels.counted(track, abs(after - before))
            clause = Clause(self.who(seat), "gains" if after > before else "loses", (things,))
            amounts = (Amount(seat, track, after - before),)
        else:
            verb = "are" if is_plural(info.title) else "is"
            clause = Clause(self._of(info.title, where), f"{verb} now {after}")
        seen = self._track_eyes(info, index, pieces)
        return VisibleChange(clause, None, seen, amounts, quiet=info.quiet or before == after)

    def _memory(
        self,
        info: MemoryInfo,
        where: Sequence[tuple[str, int]],
        public_where: Sequence[tuple[str, int]],
        before: int,
        after: int,
        viewers: Viewers,
    ) -> VisibleChange:
        """Return the wording for what a memory holds now; all read that it is set, or empty.

        Others read only of what is in `public_where` what it belongs to: not of a card in a hand.
        """
        title, is_set = self._of(info.title, where), after > NOTHING
        of = self._of(info.title, [(dim, at) for dim, at in public_where if dim not in SEATS])
        owner = next((at for dim, at in where if dim in SEATS), NOBODY)
        public = Clause(self._of(info.title, public_where), "is set" if is_set else "is empty")
        if owner != NOBODY:
            verb = "has chosen:" if is_set else "gives up:"
            public = Clause(self.who(owner), verb, (opening(of.removeprefix("the ")),))
        quiet = info.quiet or before == after == NOTHING
        if not is_set and len(public_where) == len(where):
            return VisibleChange(public, quiet=quiet)
        clause = Clause(title, f"is {self.labels.kept(info, after)}" if is_set else "is empty")
        hidden = None if viewers is None else public
        return VisibleChange(clause, hidden, viewers, quiet=quiet)

    def _flag(self, flag: str, index: int, on: int, *pieces: int) -> VisibleChange:
        info = self.world.flags[flag]
        where = self.layout.indexes(info.dims, index)
        names = ", ".join(self.labels.in_sentence(dim, at) for dim, at in where)
        is_now = f"{'now' if on else 'no longer'} {info.title}"
        subject = names if len(where) <= 1 else f"{names}:"  # `Raining` alone has no subject
        clause = Clause(subject, f"is {is_now}" if len(where) == 1 else is_now)
        return VisibleChange(clause, None, self._track_eyes(info, index, pieces))

    def _shown(
        self, name: str, actor: int, index: int, value: int, to: int, *pieces: int
    ) -> VisibleChange:
        """Return the wording for a hidden cell that is shown to a seat, or to all (-1).

        Only those who see a marked piece read its name; `pieces` are the cells of these.
        """
        info = self.world.counter(name)
        assert info is not None
        along = self.layout.indexes(info.dims, index)
        where = [(dim, at) for dim, at in along if dim not in SEATS or at != actor]
        rest = "" if to in {NOBODY, actor} else f"to {self.who(to)}"
        who, verb = self.who(actor), "looks at" if to == actor else "shows"
        if not who:
            verb, rest = f"shown {rest}".strip() + ":", ""
        eyes = ((dim, self.eyes[dim][code]) for dim, code in self._marked(info, pieces))
        unseen = {dim: those for dim, those in eyes if those is not None}
        to_unseen = {dim for dim, those in unseen.items() if to != NOBODY and to + 1 not in those}
        reading = f" ({self.labels.kept(info, value)})"
        title = self._of(info.title, where, to_unseen).removeprefix("the ")
        clause = Clause(who, verb, (title + reading,), rest)
        public = self._of(info.title, where, unseen).removeprefix("the ")
        if to == NOBODY and not unseen:
            return VisibleChange(clause, quiet=info.quiet)
        if to == NOBODY:
            hidden, viewers = public + reading, frozenset.intersection(*unseen.values())
        else:
            hidden = public
            viewers = (self._track_eyes(info, index, ()) or frozenset()) | {to + 1}
            if not to_unseen:
                viewers = viewers.intersection(*unseen.values())
        redacted = attrs.evolve(clause, objects=(hidden,))
        return VisibleChange(clause, redacted, viewers, quiet=info.quiet)

    def _of(
        self, title: str, where: Sequence[tuple[str, int]], unseen: Container[str] = ()
    ) -> str:
        """Return the title of a track or flag with what it belongs to: `Ann's Heat of Bakery`.

        Pieces of the `unseen` kinds have no name: `the Heat of a Card`.
        """
        whose = "".join(f"{self.who(at)}'s " for dim, at in where if dim in SEATS)
        others = [
            a_or_an(self.world.pieces[dim].title)
            if dim in unseen
            else self.labels.in_sentence(dim, at)
            for dim, at in where
            if dim not in SEATS
        ]
        owned = f"{whose}{title}" if whose else definite(title)
        return owned + (f" of {', '.join(others)}" if others else "")

    def counter_eyes(self, name: str, index: int) -> frozenset[int] | None:
        """Return the viewers of a cell of a track, memory or flag (None: all)."""
        info = self.world.counter(name)
        assert info is not None
        return self._track_eyes(info, index, ())

    def _track_eyes(
        self, info: TrackInfo | FlagInfo, index: int, pieces: tuple[int, ...]
    ) -> frozenset[int] | None:
        """Return the viewers of a change (None: all); if any input is hidden, so is the change.

        `pieces` are the cells of the marked pieces, then of those that the value depends on.
        """
        viewers = [
            self.layout.viewers(info, self.layout.owner_of(info.dims, index)),
            *(self.eyes[dim][code] for dim, code in self._marked(info, pieces)),
        ]
        some = [those for those in viewers if those is not None]
        return frozenset.intersection(*some) if some else None

    def _marked(
        self, info: TrackInfo | FlagInfo, pieces: tuple[int, ...]
    ) -> list[tuple[str, int]]:
        """Return the kinds of the marked pieces, each with its cell."""
        return [*zip((dim for dim in info.dims if dim in self.eyes), pieces, strict=False)]

    # ---------------------------------------------------------------- places
    def _cells(self, piece: str, actor: int, old: int, new: int) -> tuple[_Cell, _Cell]:
        """Return two cells as they are named in a sentence about the one who moves a piece."""
        if actor < 0:
            actor = _mover(actor, self._cell(piece, old), self._cell(piece, new))
        return self._cell(piece, old, actor), self._cell(piece, new, actor)

    def _cell(self, piece: str, code: int, speaker: int = NOBODY) -> _Cell:
        """Return a cell, with the owner in its title unless that is the subject `speaker`."""
        place, _ = self.layout.place_of(piece, code)
        use: Literal["held", "table", "out"] = "table" if place.owner_dim is None else "held"
        owner = self._owners[piece][code]
        whose = place.owner_dim is not None and owner != speaker
        title = self.labels.cell(piece, code, whose=whose)
        if not whose:  # table places have proper names, mostly without an article
            title = named(title) if place.table else definite(title)
        is_open = piece not in self.eyes or self.eyes[piece][code] is None
        use = "out" if place.quiet else use
        return _Cell(title, owner, use, place.stack, is_open, place.name, f"into {title}")

    @cached_property
    def _owners(self) -> dict[str, list[int]]:
        return {each: self.layout.owners_of_cells(each) for each in self.world.pieces}


def _mover(actor: int, source: _Cell, target: _Cell) -> int:
    """Return the subject of a sentence about a move: its actor, else the owner of a cell."""
    return actor if actor >= 0 else target.owner if target.use == "held" else source.owner


def _way(source: _Cell, target: _Cell) -> str:
    """Return from where and to where a piece moves, without what is quiet."""
    ends = ("from", source), ("to", target)
    return " ".join(f"{word} {cell.title}" for word, cell in ends if cell.use != "out")


def _is_draw(source: _Cell, target: _Cell) -> bool:
    """Return true for a move out of a face-down stack of nobody, or of one's own into secrecy."""
    if not source.stack or source.open or target.stack:
        return False
    return source.owner == NOBODY or (source.owner == target.owner and not target.open)
