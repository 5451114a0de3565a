"""The names of a game, sorted by where they can be."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.types import SEAT_WORDS

if TYPE_CHECKING:
    from rulesdsl.check.world import World

SEATS = frozenset({"seat", "player"})
FIELD_TYPES = ("number", "yes-no", "text", "bundle", "effect", "automatic", "formula")
_EFFECTS = frozenset({"effect", "automatic"})


@attrs.frozen(slots=False, eq=False)
class Nouns:
    """Sets of the names of a world."""

    world: World

    @cached_property
    def places(self) -> set[str]:
        """Places, stacks and tables of places, and the places that these name."""
        world = self.world
        entries = {
            name
            for each in world.places.values()
            if each.table
            for name in world.kinds[each.name].index
        }
        return set(world.places) | entries | {each.plural for each in world.places.values()}

    @cached_property
    def stacks(self) -> set[str]:
        """Places with an order."""
        return {each.name for each in self.world.places.values() if each.stack}

    @cached_property
    def own_places(self) -> set[str]:
        """Places that somebody has."""
        return {each.name for each in self.world.places.values() if set(each.dims) & SEATS}

    @cached_property
    def mine(self) -> set[str]:
        """What a seat has: places, tracks, flags, values, pieces."""
        world = self.world
        found = self.own_places | {
            name
            for name in (*world.tracks, *world.flags)
            if (info := world.counter(name)) is not None and set(info.dims) & SEATS
        }
        found |= {
            each.name
            for each in world.values.values()
            if each.params and each.params[0].type.family in SEATS
        }
        owned = [each for each in world.pieces.values() if each.owned]
        return found | {each.plural for each in owned} | {each.name for each in owned}

    @cached_property
    def counted(self) -> set[str]:
        """Pieces and tracks, of which there are so many."""
        pieces = {each.plural for each in self.world.pieces.values()} | set(self.world.pieces)
        return (
            pieces | {each.plural for each in self.world.tracks.values()} | set(self.world.tracks)
        )

    @cached_property
    def pieces(self) -> set[str]:
        """Pieces, in singular and plural, and what is printed on them."""
        every = self.world.pieces.values()
        names = {name for each in every for name in (each.name, each.plural)}
        return names | {name for each in every for name in self.entries(each.name)}

    @cached_property
    def kinds(self) -> set[str]:
        """Kinds of things that are gone through or chosen."""
        return set(self.world.kinds) | set(self.world.pieces) | SEATS

    @cached_property
    def several(self) -> set[str]:
        """Plurals of kinds and pieces."""
        kinds = {each.plural for each in self.world.kinds.values()}
        return kinds | {each.plural for each in self.world.pieces.values()} | {"players", "seats"}

    @cached_property
    def asked(self) -> set[str]:
        """What `any` and `no` ask for."""
        return self.several | self.pieces | self.fields_of_type(_EFFECTS)

    def entries(self, kind: str) -> set[str]:
        """Return the names of the entries of a kind."""
        found = self.world.kinds.get(kind)
        return set(found.index) if found else set()

    def fields_of_type(self, types: frozenset[str]) -> set[str]:
        """Return the fields of some types."""
        kinds = self.world.kinds.values()
        return {
            name for kind in kinds for name, field in kind.fields.items() if field.type in types
        }

    @cached_property
    def effects(self) -> set[str]:
        """Fields that are carried out."""
        return self.fields_of_type(_EFFECTS)

    @cached_property
    def attributes(self) -> set[str]:
        """What is before `of`: fields, tracks, flags, values, places."""
        world = self.world
        fields = {name for kind in world.kinds.values() for name in kind.fields}
        kept = {each.name for each in world.tracks.values() if each.dims}
        marks = {each.name for each in world.flags.values() if each.dims}
        values = {each.name for each in world.values.values() if each.params}
        return fields | kept | marks | values | {"position", "owner", "score", "standing"}

    @cached_property
    def alone(self) -> set[str]:
        """What has a value by itself: numbers, options, values and tracks of nothing, entries."""
        world = self.world
        tracks = {each.name for each in world.tracks.values() if not each.dims}
        flags = {each.name for each in world.flags.values() if not each.dims}
        values = {each.name for each in world.values.values() if not each.params}
        settings = set(world.constants) | set(world.options) | set(world.rivals)
        return tracks | flags | values | settings | set(world.owners) | {"players", "seats"}

    @cached_property
    def types(self) -> set[str]:
        """What a field can hold."""
        return {
            *FIELD_TYPES,
            *self.world.kinds,
            *(each.plural for each in self.world.kinds.values()),
        }

    @cached_property
    def param_kinds(self) -> set[str]:
        """What a parameter can be."""
        simple = {"number", "bundle", "yes-no", *SEATS}
        return simple | set(self.world.kinds) | set(self.world.pieces) | set(self.world.places)

    def owners_of(self, name: str) -> set[str]:
        """Return the kinds of the things that have something of a name, `seat` among them."""
        world = self.world
        found = {kind.name for kind in world.kinds.values() if name in kind.fields}
        value = world.values.get(name)
        if value is not None and value.params:
            found.add(value.params[0].type.of or value.params[0].type.family)
        counter = world.counter(name)
        found.update(counter.dims if counter else ())
        place = world.places.get(world.singular(name))
        found.update(place.dims if place else ())
        return found

    def key_of(self, name: str) -> set[str]:
        """Return the kinds by whose entries something has a value each: after `at`."""
        world = self.world
        found = {
            kind.fields[name].per or "" for kind in world.kinds.values() if name in kind.fields
        }
        counter = world.counter(name) or world.places.get(world.singular(name))
        found.update(counter.dims if counter else ())
        value = world.values.get(name)
        if value is not None and len(value.params) > 1:
            found.add(value.params[1].type.of)
        return found - SEAT_WORDS - {""}

    def value_kind(self, name: str) -> set[str]:
        """Return the kinds of which something of this name is an entry."""
        world = self.world
        found = {kind.fields[name].type for kind in world.kinds.values() if name in kind.fields}
        found |= {name} & set(world.options)
        return {each for each in found if each in world.kinds}
