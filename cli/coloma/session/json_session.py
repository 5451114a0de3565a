"""Session for a program: one JSON object per line of output, one option per line of input.

A number is an index, counted from 0. An id may be quoted, and must be quoted if it is a number.

The first object names the players and says which of them are people; it comes again after `bot N
[KIND]`, `take N` and `name N NAME`, which change this. Every question is one object with the
information that the player asked may see: `player`, `position` (a number that grows with each
choice, undo and new seat or name), `decision` (with its `options`), `board`, `score` (everybody's
score as if the game ended now; null if unknown), and `log`, the lines that are new to this player.
The last object has `result`. Invalid input is answered by an object with `error`, and the question
stays open. `undo` and `quit` are always accepted. `undo` takes back the last choice of a person;
`undo N`, that of player N (a number or a name), even if it was secret. An option is `final` if it
cannot be undone; after the `result`, nothing can. `why not ID` is answered by an object with
`why_not`: `label`, `text`, `rule` and `offered` for each option of the game with this id. `hint`
is answered by an object with `hint`: `index`, `id` and `estimate` (from 0, a loss, to 1, a win)
for each option that a bot examined, best first; if others choose at the same time, `share` (how
often a bot would choose it, up to 1) in place of `estimate`. `scene` is answered by an object with
`scene`: all cells, pieces, tracks and options with references, by which an option finds what it
names.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TypeAlias

import cattrs

from coloma.session.answers import OF_SEATS, Answers, SessionStopped, numbered, requested
from coloma.session.log_view import named
from coloma.session.screen import Screen
from coloma.session.seats import change_seat
from rulesdsl import BoardPanel, Decision, LogLine, Result
from rulesdsl.bots.mixing import mixes
from rulesdsl.source.render import escaped
from rulesdsl.table.news import EVERYBODY, News
from rulesdsl.table.table import GameTable
from rulesdsl.table.undo import NotUndone

_WHY_NOT = "why not "
_UNDO = "undo"
Json: TypeAlias = "str | int | float | bool | Sequence[Json] | dict[str, Json] | None"


class JsonSession:
    """Session played by a program."""

    def __init__(self, table: GameTable, screen: Screen, answers: Answers) -> None:
        self._table = table
        self._screen = screen
        self._answers = answers
        self._news = News(table.game, resumed=table.step > 0)

    def play(self) -> None:
        """Play to the end of the game; raise `SessionStopped` if the input ends earlier."""
        self._say_seats()
        while (decision := self._table.game.decision) is not None:
            if not self._table.let_a_bot_choose():
                self._ask(decision)
        game = self._table.game
        board, result = [*map(_panel, game.board(None))], _result(game.result)
        self._say({"log": self._log(EVERYBODY), "board": board, "result": result})

    def _say_seats(self) -> None:
        table = self._table
        people: Json = [*table.seating.people]
        self._say({"seats": [*table.game.seats], "people": people, "seed": table.game.seed})

    def _ask(self, decision: Decision) -> None:
        game = self._table.game
        self._say(
            {
                "player": decision.player,
                "position": self._table.position,
                "decision": _decision(decision, self._table.final_options(decision)),
                "board": [*map(_panel, game.board(decision.player))],
                "score": cattrs.unstructure([*game.scores(decision.player)]),
                "log": self._log(decision.player),
            }
        )
        while (reply := self._answer(decision, self._answers.next_line().strip())) is not None:
            self._say(reply)

    def _answer(self, decision: Decision, line: str) -> dict[str, Json] | None:
        ids = [option.id for option in decision.options]
        index, request = _index(line, ids), requested(line)
        if index is not None:
            self._table.choose(decision, index)
        elif line == "quit":
            raise SessionStopped("Stopped.")
        elif line == "hint":
            return {"hint": self._hint(decision)}
        elif line == "scene":
            return {"scene": cattrs.unstructure(self._table.game.scene(decision.player))}
        elif line.startswith(_WHY_NOT):
            return {"why_not": self._reasons(decision, line.removeprefix(_WHY_NOT).strip())}
        elif line == _UNDO or line.startswith(f"{_UNDO} "):
            try:
                self._table.undo(decision.player, line.removeprefix(_UNDO).strip())
            except NotUndone as error:
                return self._wrong(str(error))
            self._news.go_back(self._table.game)
        elif request and request.word in OF_SEATS:
            try:
                change_seat(self._table, request, decision.player)
            except ValueError as error:
                return self._wrong(str(error))
            self._say_seats()
        else:
            return self._wrong(
                f"`{line}` is not an option: expected an index from 0 to {len(ids) - 1}, or an id"
            )
        return None

    def _hint(self, decision: Decision) -> Json:
        options, typed = decision.options, numbered(decision.options)
        figure = "share" if mixes(self._table.game, decision.player) else "estimate"
        return [
            {
                "index": at,
                "id": options[at].id,
                "number": typed[at].number,
                figure: round(each, 3),
            }
            for at, each in self._table.hint(decision) or ()
        ]

    def _wrong(self, error: str) -> dict[str, Json]:
        return {"error": self._answers.refuse(error)}

    def _reasons(self, decision: Decision, words: str) -> Json:
        """Return the reasons why options are not offered, as shown to the player asked."""
        game = self._table.game
        found = named(game.actions, decision, words)
        every = [(each, game.why_not(each, decision.player)) for each in found]
        return [
            {
                "id": action.id,
                "label": action.label,
                "question": action.question,
                "text": reason.text,
                "rule": f"{reason.rule.file}:{reason.rule.line}",
                "offered": reason.offered,
            }
            for action, reason in every
        ]

    def _log(self, viewer: int) -> Json:
        game, start = self._table.game, self._news.read_up_to(viewer)
        story = self._news.fresh_lines(game, viewer)
        lines = game.log_since(start)[: self._news.read_up_to(viewer) - start]
        return {
            "story": [
                {"level": e.level, "depth": e.depth, "actor": e.actor, "text": e.text}
                for e in story
            ],
            "changes": [found for each in lines if (found := _change(each, viewer)) is not None],
        }

    def _say(self, message: dict[str, Json]) -> None:
        self._screen.line(escaped(json.dumps(message, ensure_ascii=False)))


def _index(line: str, ids: Sequence[str]) -> int | None:
    if line.isascii() and line.isdecimal():
        index = int(line) if len(line) < 10 else len(ids)  # noqa: PLR2004 - larger than any index
        return index if index < len(ids) else None
    wanted = line[1:-1] if len(line) > 1 and line[0] == line[-1] == '"' else line
    return ids.index(wanted) if wanted in ids else None


def _change(line: LogLine, viewer: int) -> Json:
    """Return a line of the log as JSON; None if the viewer may not see it, or it says nothing."""
    clause = line.seen(viewer)
    if clause is None or not clause.text:
        return None
    return {
        "kind": line.kind,
        "actor": line.actor_in(clause),
        "who": clause.who,
        "verb": clause.verb,
        "objects": list(clause.objects),
        "rest": clause.rest,
        "amounts": [
            {"seat": amount.seat + 1, "noun": amount.noun, "by": amount.by}
            for amount in (line.amounts if line.is_open_to(viewer) else ())
        ],
        "rules": [f"{rule.file}:{rule.line}" for rule in line.seen_rules(viewer)],
        "quiet": line.quiet,
    }


def _decision(decision: Decision, final: Sequence[bool]) -> Json:
    typed = numbered(decision.options)
    options: Json = [
        {
            "id": option.id,
            "label": option.label,
            "number": line.number,
            "final": is_final,
            "confirm": option.confirm,
        }
        for option, line, is_final in zip(decision.options, typed, final, strict=True)
    ]
    return {"prompt": decision.prompt, "sealed": decision.sealed, "options": options}


def _panel(panel: BoardPanel) -> Json:
    body: Json = cattrs.unstructure(panel.body)
    kind = type(panel.body).__name__.lower()
    return {
        "title": panel.title,
        "of": panel.of,
        "seat": panel.seat,
        "when": panel.when.value,
        "layout": kind,
        kind: body,
    }


def _result(result: Result | None) -> Json:
    if result is None:
        return None
    return {
        "seats": [*result.seats],
        "places": [*result.places],
        "scores": [*result.scores],
        "breakdown": [{"title": title, "points": [*each]} for title, each in result.breakdown],
        "ranking": [cattrs.unstructure(each) for each in result.ranking],
        "verdicts": cattrs.unstructure([*result.verdicts]),
    }
