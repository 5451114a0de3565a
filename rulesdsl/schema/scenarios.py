"""The schemas of scenario files, of lesson files and of the checklist of rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.packs.shapes import (
    SOMETHING,
    YES_NO,
    Field,
    Json,
    array,
    described,
    table,
    table_of,
    text,
    whole,
    word,
)
from rulesdsl.scenarios.fields import scenario_fields
from rulesdsl.scenarios.lessons.lesson import lesson_fields
from rulesdsl.scenarios.lessons.reading import LIST as LESSON_LIST
from rulesdsl.scenarios.reading import CHECKS, LIST
from rulesdsl.schema.parts import document, named

if TYPE_CHECKING:
    from rulesdsl.check.world import OptionInfo, World
    from rulesdsl.packs.manifest import Players


def scenario_schema(name: str, players: Players, world: World) -> Json:
    """Return the schema of the scenario files of a pack."""
    options = table_of(_option(each) for each in world.options.values())
    steps = word(world.plain_steps).schema
    fields = scenario_fields(players, players.most, options=options, steps=steps)
    one = table_of(fields)
    one["anyOf"] = [{"required": [key]} for key in CHECKS]
    return document(f"Scenarios of {name}", table({LIST: array(one)}), {})


def lesson_schema(name: str, players: Players, world: World) -> Json:
    """Return the schema of the lesson files of a pack."""
    options = table_of(_option(each) for each in world.options.values())
    steps = word(world.plain_steps).schema
    one = table_of(lesson_fields(players, players.most, options=options, steps=steps))
    return document(f"Lessons of {name}", table({LESSON_LIST: array(one)}), {})


def checklist_schema(name: str) -> Json:
    """Return the schema of the checklist: rules with their words, and those left out."""
    rules = named(text(SOMETHING).schema)
    properties = {
        "ids": described(rules, "Every rule, in a few words."),
        "exempt": described(rules, "Rules that need no scenario, each with the reason."),
        "untold": described(rules, "Rules that no player is told, each with the reason."),
    }
    return document(f"Checklist of {name}", table(properties), {})


def _option(option: OptionInfo) -> Field:
    if option.switch:
        return Field(option.name, YES_NO, option.title, default=bool(option.default))
    if option.names:
        default = option.names[option.default]
        return Field(option.name, word(option.names), option.title, default=default)
    shape = whole(option.low, option.high)
    return Field(option.name, shape, option.title, default=option.default)
