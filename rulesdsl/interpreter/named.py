"""What the things are that a screen names beside those with something printed on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.interpreter.printed import Printed
from rulesdsl.lower.schema import title_of
from rulesdsl.source.english import option_word, spoken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.world import PieceInfo, PlaceInfo, TrackInfo, World
    from rulesdsl.interpreter.labels import Labels
    from rulesdsl.interpreter.setting import Setting

CHOICE = "choice"
"""What the ids of choices begin with: their words are those of the rules, for want of better."""

Rows = tuple[tuple[str, str], ...]
_SEEN = {None: "", "owner": "only its owner", "nobody": "nobody"}


def named(setting: Setting) -> tuple[Printed, ...]:
    """Return pieces, places, tracks, options, scores, seats, choices and kinds, each once."""
    labels = setting.labels
    world = labels.world
    found = (
        *_pieces(world),
        *_places(world),
        *_tracks(world),
        *_values(world),
        *_kinds(world),
        *_options(setting, world),
        *_seats(labels),
        *_choices(labels),
    )
    return tuple({(each.kind, each.title): each for each in reversed(found)}.values())[::-1]


def _pieces(world: World) -> Iterator[Printed]:
    for piece in world.pieces.values():
        if piece.name not in world.kinds or not world.kinds[piece.name].fields:
            yield Printed(f"piece:{piece.name}", "Piece", piece.title, _of_piece(piece, world))


def _of_piece(piece: PieceInfo, world: World) -> Rows:
    count = world.count_of(piece.name)
    many = f"{count} for each {piece.per}" if piece.per else str(count)
    places = [each.title for each in world.places.values() if piece.name in each.holds]
    return _said(("How many", many), ("Can lie in", ", ".join(dict.fromkeys(places))))


def _places(world: World) -> Iterator[Printed]:
    for place in world.places.values():
        if place.name not in world.kinds:
            yield Printed(f"place:{place.name}", "Place", place.title, _of_place(place, world))


def _of_place(place: PlaceInfo, world: World) -> Rows:
    holds = ", ".join(world.pieces[each].title for each in place.holds)
    seen = _SEEN.get(place.seen_by, str(place.seen_by))
    order = "a stack, in a fixed order" if place.stack else ""
    per = ("There is one for each", _dims(place.dims, world))
    return _said(("Holds", holds), per, ("Is", order), ("Seen by", seen))


def _tracks(world: World) -> Iterator[Printed]:
    for track in world.tracks.values():
        yield Printed(f"track:{track.name}", "Track", track.title, _of_track(track, world))


def _of_track(track: TrackInfo, world: World) -> Rows:
    seen = _SEEN.get(track.seen_by, str(track.seen_by))
    return _said(("There is one for each", _dims(track.dims, world)), ("Seen by", seen))


def _values(world: World) -> Iterator[Printed]:
    """Yield what is worked out and shown: in panels, and as lines of the scoring."""
    for line in world.scores:
        yield Printed(f"score:{line.name}", "Line of the scoring", line.score_title or "", ())
    for shown in (each for panel in world.panels for each in panel.shown):
        name = shown.name.text
        if shown.title or name in world.values or name in world.flags:
            title, place = shown.title or title_of(name), shown.place.text if shown.place else ""
            what = f"{name} in {place}" if place else name
            row = ("What is shown", spoken(what)) if shown.title else ("", "")
            yield Printed(f"value:{name}", "Shown on the board", title, _said(row))


def _kinds(world: World) -> Iterator[Printed]:
    for kind in world.kinds.values():
        if kind.role == "option":
            continue
        titles = ", ".join(dict.fromkeys(each.title for each in kind.entries))
        yield Printed(f"kind:{kind.name}", "Kind", kind.title, _said(("There are", titles)))
        for entry in () if kind.fields else kind.entries:
            yield Printed(f"{kind.name}:{entry.id}", kind.title, entry.title, ())


def _options(setting: Setting, world: World) -> Iterator[Printed]:
    for option in world.options.values():
        value = setting.options[option.name]
        rows = _said(("Name", option.name), ("In this game", option_word(value)))
        yield Printed(f"option:{option.name}", "Option of the game", option.title, rows)


def _seats(labels: Labels) -> Iterator[Printed]:
    players = labels.layout.players
    for at, name in enumerate(labels.seats):
        kind = "Player" if at < players else "Rival, who never decides"
        yield Printed(f"seat:player {at + 1}", kind, name, (("Place at the table", str(at + 1)),))


def _choices(labels: Labels) -> Iterator[Printed]:
    """Yield the lines of menus and offers that have words of their own."""
    for proc in labels.program.procs.values():
        for node in ty.walk(proc.block):
            if isinstance(node, ty.Decide):
                for line in node.lines:
                    if line.label and line.text:
                        does, said = spoken(line.text), labels.heading(line.label)
                        yield Printed(f"{CHOICE}:{said}", "Choice", said, _does(does))


def _does(text: str) -> Rows:
    return _said(("What it does", text))


def _dims(dims: tuple[str, ...], world: World) -> str:
    return " and ".join(world.kinds[each].title if each in world.kinds else each for each in dims)


def _said(*rows: tuple[str, str]) -> Rows:
    return tuple(each for each in rows if each[1])
