"""The fields of a scenario: one list for the reader and for editors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.references import VERDICTS
from rulesdsl.packs.shapes import (
    SOMETHING,
    YES_NO,
    Field,
    Json,
    Shape,
    array,
    is_number,
    is_table,
    list_of,
    matches,
    text,
    whole,
    word,
)
from rulesdsl.scenarios.scenario import Note, Numbers, Pick, RuleText, Why
from rulesdsl.source.ranges import SEED

if TYPE_CHECKING:
    from rulesdsl.packs.manifest import Players
    from rulesdsl.packs.place import Place

ANYTHING = "*"
NO_VERDICT = "none"
VERDICT_WORDS = (*VERDICTS, NO_VERDICT)


def scenario_fields(
    players: Players, at_table: int, *, options: Json | None = None, steps: Json | None = None
) -> tuple[Field, ...]:
    """Return what a scenario says where so many are at the table.

    `options` and `steps` are schemas of what only the declarations of a game can tell.
    """
    listed = ", ".join(VERDICT_WORDS)
    verdict = word(VERDICT_WORDS, "`{}` is not a verdict.", f"It is {listed}.").then(_note)
    answer = _pick(r"^\s*WHO +\S", at_table, *_SUCH)
    option = option_of(at_table)
    asked = _pick("^WHO$", at_table, "a player who is still asked something", "p1")
    settings = Shape(is_table, "a table, such as { name = true }", options or {})

    def several(key: str, each: Shape, about: str) -> Field:
        return Field(key, list_of(each, f'a list of texts: {key} = ["..."]'), about)

    return (
        Field("name", _NAME, "What the scenario shows.", needed=True),
        several("covers", _NOTE, "The rules of the checklist that it is about."),
        players_field(players),
        Field("seed", whole(*SEED, wanted=f"a whole number {SEED}"), "The seed of chance.", 1),
        Field("options", settings, "What the table has agreed on."),
        Field("after", attrs.evolve(_STEP, schema=steps or {}), "A step that is done first."),
        several("given", _RULES, "Statements that set the position up."),
        Field("play", _PLAY, "The statement that is then done."),
        several("do", answer, 'Answers: a player and the id of an option, "p1 done".'),
        several("offered", option, "Options that are open then."),
        several("not-offered", option, "Options that are not open then."),
        several("why-not", _reason(at_table), "Options that are not open then, and the reason."),
        several("open", asked, "Players who are still asked something in the end."),
        several("expect", _RULES, "Conditions that have to hold in the end."),
        several("log", _NOTE, "Texts that the log has to contain."),
        Field("over", YES_NO, "Whether the game is over in the end."),
        Field("scores", _NUMBERS, "The points of the seats that score."),
        Field("places", _NUMBERS, "The places of the seats that score."),
        several("verdicts", verdict, "What the end means for each player."),
    )


def players_field(players: Players) -> Field:
    """Return the field that says how many are at the table."""
    least, most = players.least, players.most
    shape = whole(least, most, f"a number of players from {least} to {most}")
    return Field("players", shape, "How many play.", min(max(2, least), most))


def _reason(at_table: int) -> Shape:
    """Return the shape of a player, the id of an option, and a part of why it is not offered."""
    wanted = "a player, the id of an option, `because`, and a part of the reason"
    picked = _pick(r"^\s*WHO +\S.* because \S", at_table, wanted, "p1 done because it is too late")

    def parse(found: Pick, _place: Place) -> Why:
        option, because, reason = found.option.partition(" because ")
        assert because
        return Why(attrs.evolve(found, option=option.strip()), reason.strip())

    return picked.then(parse)


def _note(found: str, place: Place) -> Note:
    return Note(found, place.span)


def _rule_text(found: str, place: Place) -> RuleText | None:
    return RuleText(found, place.span, place.string_map) if found.strip() else None


def option_of(at_table: int) -> Shape:
    """Return the shape of a player and the id of an option that has to be there."""
    return _pick(_OPTION, at_table, *_SUCH)


def _pick(pattern: str, at_table: int, wanted: str, such: str) -> Shape:
    """Return the shape of a player and, where the pattern wants it, the id of an option."""
    numbers = range(1, at_table + 1)
    whole_pattern = pattern.replace("WHO", f"p({'|'.join(map(str, numbers))})")

    def parse(found: str, place: Place) -> Pick | None:
        who, _, option = found.strip().partition(" ")
        if matches(whole_pattern, found.strip()):
            return Pick(int(who[1:]), option.strip(), place.span)
        known = ", ".join(f"p{number}" for number in numbers)
        advice = f'Such as "{such}"; the players here are {known}.'
        place.report("E005", f"This has to be {wanted}.", advice)
        return None

    return _TEXT.then(parse, text(whole_pattern).schema)


_OPTION = r"^\s*WHO +(?!\*\s*$)\S"
_SUCH = ("a player and the id of an option", "p1 done")
_TEXT = text(SOMETHING)
_NOTE, _RULES = _TEXT.then(_note), _TEXT.then(_rule_text)
_NAME = text(SOMETHING, "a text that says what the scenario shows")
_STEP = text(".", "the name of a step").then(_note)
_PLAY = text(wanted="a text: what is carried out, in the language of the rules").then(_rule_text)
_NUMBERS = Shape(
    lambda value: isinstance(value, list) and all(is_number(each) for each in value),
    "a list of numbers, one for each seat that scores",
    array(whole().schema),
    lambda found, place: Numbers(tuple(found), place.span),
)
