"""The schemas of scenario files and of the checklist of rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.references import VERDICTS
from rulesdsl.scenarios.reading import CHECKS, LIST, NO_VERDICT
from rulesdsl.schema.parts import (
    SOMETHING,
    Json,
    array,
    described,
    document,
    named,
    table,
    text,
    words,
)

if TYPE_CHECKING:
    from rulesdsl.check.world import OptionInfo, World
    from rulesdsl.packs.manifest import Players


def scenario_schema(name: str, players: Players, world: World) -> Json:
    """Return the schema of the scenario files of a pack."""
    texts = array(text(SOMETHING))
    who = "|".join(str(number) for number in range(1, players.most + 1))
    players_open = array(text(rf"^p({who})$"))
    answers = array(text(rf"^\s*p({who}) +\S"))
    options = array(text(rf"^\s*p({who}) +(?!\*\s*$)\S"))
    numbers = array({"type": "integer"})
    steps = [
        name
        for name, overloads in world.procs.items()
        if any(not each.verb and not each.params for each in overloads)
    ]
    settings = {each.name: _option(each) for each in world.options.values()}
    properties = {
        "name": described(text(SOMETHING), "What the scenario shows."),
        "covers": described(texts, "The rules of the checklist that it is about."),
        "players": described(
            {"type": "integer", "minimum": players.least, "maximum": players.most},
            "How many play.",
            min(max(2, players.least), players.most),
        ),
        "seed": described({"type": "integer", "minimum": 0}, "The seed of chance.", 1),
        "options": described(table(settings), "What the table has agreed on."),
        "after": described(words(steps), "A step that is done first."),
        "given": described(texts, "Statements that set the position up."),
        "play": described(text(), "The statement that is then done."),
        "do": described(answers, 'Answers: a player and the id of an option, "p1 done".'),
        "offered": described(options, "Options that are open then."),
        "not-offered": described(options, "Options that are not open then."),
        "open": described(players_open, "Players who are still asked something in the end."),
        "expect": described(texts, "Conditions that have to hold in the end."),
        "log": described(texts, "Texts that the log has to contain."),
        "over": described({"type": "boolean"}, "Whether the game is over in the end."),
        "scores": described(numbers, "The points of the seats that score."),
        "places": described(numbers, "The places of the seats that score."),
        "verdicts": described(
            array(words([*VERDICTS, NO_VERDICT])), "What the end means for each player."
        ),
    }
    one = table(properties, ["name"])
    one["anyOf"] = [{"required": [key]} for key in CHECKS]
    return document(f"Scenarios of {name}", table({LIST: array(one)}), {})


def checklist_schema(name: str) -> Json:
    """Return the schema of the checklist: rules with their words, and those that are exempt."""
    rules = named(text(SOMETHING))
    properties = {
        "ids": described(rules, "Every rule, in a few words."),
        "exempt": described(rules, "Rules that need no scenario, each with the reason."),
    }
    return document(f"Checklist of {name}", table(properties), {})


def _option(option: OptionInfo) -> Json:
    if option.switch:
        return described({"type": "boolean"}, option.title, bool(option.default))
    if option.names:
        return described(words(option.names), option.title, option.names[option.default])
    schema: Json = {"type": "integer", "minimum": option.low, "maximum": option.high}
    return described(schema, option.title, option.default)
