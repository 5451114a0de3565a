"""Small packs written as text: a fixed box, and the rules of a test."""

import textwrap
from collections.abc import Sequence
from pathlib import Path

import attrs

import rulesdsl
from game_texts import texts
from soak.playouts import compare

FLY = texts("fly")
MANIFEST, CARDS, BOX = FLY["pack.toml"], FLY["cards.toml"], FLY["box.rules"]
SEEDS = 4  # random games of every pack, by both back ends


@attrs.frozen
class Played:
    """A finished game, and the options of each question."""

    game: rulesdsl.Game
    asked: list[list[str]]

    @property
    def state(self) -> dict[str, list[int]]:
        return dict(self.game.position_data()["state"])

    def fame(self, seat: int = 1) -> int:
        return self.state["t_fame"][seat - 1]

    @property
    def note(self) -> object:
        return self.state["t_note"]

    def row(self, title: str, seat: int | None = None) -> str:
        rows = {
            label: text
            for panel in self.game.board(None)
            if panel.seat == seat
            for label, text in rows_of(panel)
        }
        return rows[title]


PANELS = """
panel "Table": heap, field, pile, stalls, note
panel "Seat" per seat: purse, shelf, fame
"""


def rows_of(panel: rulesdsl.BoardPanel) -> tuple[tuple[str, str], ...]:
    assert isinstance(panel.body, rulesdsl.Rows)
    return tuple((row.label, rulesdsl.in_words(row.cell) or "-") for row in panel.body.rows)


def box_with_game(*lines: str) -> str:
    body = "\n".join(f"    {line}" for line in lines)
    whole = f"step game:\n{body}\n    for each player: act"
    return BOX.replace("step game: for each player: act", whole)


def written(folder: Path, act: str, more: str = "", *, box: str = BOX) -> Path:
    body = textwrap.indent(textwrap.dedent(act).strip("\n"), "    ")
    rules = f"{box}\nverb act:\n{body}\n{textwrap.dedent(more)}\n{PANELS}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pack.toml").write_text(MANIFEST)
    (folder / "cards.toml").write_text(CARDS)
    (folder / "box.rules").write_text(rules)
    return folder


def loaded(folder: Path, act: str, more: str = "", *, box: str = BOX) -> rulesdsl.Pack:
    return rulesdsl.load(written(folder, act, more, box=box), cache=False)


def played(
    folder: Path,
    act: str,
    *choices: str,
    more: str = "",
    players: int = 1,
    seed: int = 1,
    box: str = BOX,
) -> Played:
    pack = loaded(folder, act, more, box=box)
    compare(pack, players, {}, seed, SEEDS)
    return carried_on(pack.new_game(players, seed), choices)


def carried_on(game: rulesdsl.Game, choices: Sequence[str]) -> Played:
    asked: list[list[str]] = []
    left = list(choices)
    while decision := game.decision:
        offered = [option.id for option in decision.options]
        asked.append(offered)
        assert left, f"asked {offered}, and no choice is left"
        game.choose(left.pop(0))
    assert not left, f"never asked for {left}"
    return Played(game, asked)


def findings(folder: Path, act: str, more: str = "", *, box: str = BOX) -> list[str]:
    report = rulesdsl.lint(written(folder, act, more, box=box))
    return [each.code for each in report.diagnostics if each.severity.value == "error"]
