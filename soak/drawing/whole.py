"""Draws whole packs: what is declared, the rules over it, and the tables."""

from __future__ import annotations

import random

from soak.drawing.blocks import Lines, indented
from soak.drawing.box import Param, Proc
from soak.drawing.declared import Files
from soak.drawing.entries import Entries
from soak.drawing.extremes import extreme
from soak.drawing.formulas import write_head
from soak.drawing.scope import OR, Scope
from soak.drawing.statements import HOOKS, MORE

STEPS = ("dawn", "dusk", "feast", "tax")
PREPS = ("from", "into", "on", "with")
OFTEN_EXTREME = 50


def pack_of(seed: int) -> Files:
    """Return the files of a drawn pack: what they are called, and their text."""
    chance = random.Random(f"scratch {seed}")
    if chance.random() * OFTEN_EXTREME < 1:
        return extreme(chance)
    drawn = Whole(chance)
    drawn.draw()
    return drawn.files


class Whole(Entries):
    """Draws a pack."""

    def draw(self) -> None:
        """Draw everything."""
        self.declare()
        box = self.box
        self._values()
        self._verbs()
        self._steps()
        self._hooks()
        self._entries()
        self._ends()
        least, most = box.least, box.most
        self.files["pack.toml"] = (
            'id = "drawn"\nname = "Drawn"\nversion = "1.0.0"\nkind = "game"\n'
            f"players = {{ least = {least}, most = {most} }}\n"
        )
        for path, lines in self._tables.items():
            self.files[path] = "\n".join(['source = "house"', *lines, ""])
        if box.constants:
            rows = [f"{name} = {text}" for name, text in box.constants.items()]
            self.files["numbers.toml"] = "\n".join(['source = "house"', *rows, ""])
        heads = [[line] for line in self._declarations()]
        whole = [*heads, *self._rules]
        if self.one_in(3):
            self.chance.shuffle(whole)
        self.files["game.rules"] = "\n".join(line for lines in whole for line in lines) + "\n"

    # ---------------------------------------------------------------- verbs and steps
    def _verbs(self) -> None:
        names = self.verbs
        cut = self.chance.randint(0, len(names))
        for at, name in enumerate(names):
            if at == cut:
                self.box.effect_reach = at
            self._verb(name, at, full=at >= cut)
        if cut == len(names):
            self.box.effect_reach = cut

    def _params(self) -> tuple[tuple[Param, ...], dict[str, str]]:
        box = self.box
        params: list[Param] = []
        names: dict[str, str] = {}
        for at in range(self.chance.choice((0, 0, 1, 1, 2))):
            prep = None if at == 0 and self.one_in(1.5) else self.chance.choice(PREPS)
            if prep in {each.prep for each in params}:
                continue
            kinds = ["number", "seat", "player", *(f"entry:{each.name}" for each in box.plain())]
            kinds += ["bundle"] if box.chargeable() else []
            kinds += [f"piece:{each.name}" for each in box.held("printed") for _ in range(2)]
            nouns = [each.plural for each in box.held("counted")] + [*box.tracks]
            name = self.write.fresh("n")
            if self.one_in(3) and nouns:
                params.append(Param(prep, "number", name, self.chance.choice(nouns)))
                names[name] = "number"
            else:
                kind = self.chance.choice(kinds)
                params.append(Param(prep, kind, name))
                names[name] = kind
        return tuple(params), names

    def _verb(self, name: str, at: int, *, full: bool) -> None:
        params, names = self._params()
        asks = self.one_in(1.5)
        scope = Scope(
            "seat", names=names, procs=at, chooses=asks, draws=True, inside=name, fields=full
        )
        has = ""
        lines: Lines = []
        if asks and self.one_in(3):
            has = "menu" if self.one_in(2) else "choices"
            lines = self.write.menu(scope) if has == "menu" else self.write.choose(scope)
            scope.dirty = True
        inner = scope.block()
        inner.depth = 1
        for _ in range(self.chance.choice((0, 1) if lines else (1, 2, 3))):
            lines += self.write.statement(inner)
        text = "\n".join(lines)
        if text.count("menu:") > 1 or text.count("choose one:") > 1:
            has = ""
        proc = Proc(name, params, at, asks=self._asks(text), risky=True, has=has)
        self._rules.append(self.write.put(f"verb {proc.header}", lines))
        self.box.procs.append(proc)

    def _asks(self, text: str) -> bool:
        words = set(text.replace(":", " ").split())
        asking = {each.name for each in self.box.procs if each.asks}
        return bool(words & ({"may", "choose", "menu", "else", "a", "an", "do"} | asking))

    def _steps(self) -> None:
        count = len(self.box.procs)
        for at, name in enumerate(self.some(STEPS, 0, 2)):
            params, names = self._params() if self.one_in(3) else ((), {})
            scope = Scope(
                None, names=names, procs=count + at, draws=True, flow=True, dirty=True, inside=name
            )
            lines: Lines = []
            for _ in range(self.chance.choice((1, 1, 2))):
                lines += self.write.statement(scope)
            proc = Proc(name, params, count + at, asks=True, verb=False)
            self._rules.append(self.write.put(f"step {proc.header}", lines))
            self.box.procs.append(proc)
        scope = Scope(None, draws=True, flow=True, dirty=True, inside="game")
        lines = []
        for _ in range(self.chance.choice((0, 1))):
            lines += self.write.statement(scope)
        lines += self._rounds(scope)
        for _ in range(self.chance.choice((0, 0, 1))):
            lines += self.write.statement(scope)
        self._rules.append(["step game:", *indented(lines)])

    def _rounds(self, scope: Scope) -> Lines:
        """Return the rounds in which all do what there is to do."""
        inner = Scope("player", "player", chooses=True, draws=True, flow=True, dirty=True)
        lines: Lines = []
        for proc in self.box.procs:
            if proc.verb and self.one_in(1.5):
                found = self.write.call_of(proc, inner)
                if found is not None:
                    guard = self.chance.choice(["if able", "if able", "may"])
                    lines += [f"{guard}: {found.text}"]
        for _ in range(self.chance.choice((0, 1))):
            lines += self.write.statement(inner.block())
        lines = self.write.put("for each player", lines or ["nothing"])
        for proc in self.box.procs:
            if not proc.verb and self.one_in(1.5):
                found = self.write.call_of(proc, scope)
                if found is not None:
                    lines += [found.text]
        if self.one_in(4):
            return lines
        return [f"repeat {self.chance.choice((1, 2, 3))} times:", *indented(lines)]

    # ---------------------------------------------------------------- hooks
    def _hooks(self) -> None:
        for _ in range(self.chance.choice((0, 1, 2, 3))):
            open_ = [each for each in self.box.procs if each.has]
            proc = self.chance.choice(open_ if open_ and self.one_in(1.2) else self.box.procs)
            names = {}
            words = [proc.name]
            for param in proc.params:
                name = self.write.fresh("h")
                names[name] = param.type
                words.append(Param(param.prep, param.type, name, param.noun).text)
            header = " ".join(words)
            time = self.chance.choice(["before", "after", "instead of"])
            scope = Scope(
                "seat" if proc.verb else None,
                names=dict(names),
                procs=proc.at,
                chooses=proc.verb and proc.asks,
                draws=True,
                flow=time != "instead of",
                dirty=time != "instead of",
                inside=proc.name,
                fields=proc.at >= self.box.effect_reach,
            )
            when = f" when {self.write.condition(scope.under()).at(OR)}" if self.one_in(2) else ""
            if proc.has and self.one_in(1.3):
                self._rules.append(self._more(proc, header, when, scope))
                continue
            lines: Lines = []
            self.write.aim = self.chance.choice(HOOKS) if self.one_in(3) else ""
            for _ in range(self.chance.choice((1, 1, 2))):
                lines += self.write.statement(scope)
            if time == "instead of" and self.one_in(2):
                words = [proc.name]
                for param, name in zip(proc.params, names, strict=True):
                    given = f"{name} {param.noun}" if param.noun else name
                    words += [param.prep, given] if param.prep else [given]
                lines = self.write.put("if able", [" ".join(words)]) if lines else lines
            self._rules.append(self.write.put(f"{time} {header}{when}", lines))

    def _more(self, proc: Proc, header: str, when: str, scope: Scope) -> Lines:
        inner = scope.block(flow=False, dirty=False)
        inner.depth = 2
        self.write.aim = self.chance.choice(MORE) if self.one_in(1.3) else ""
        if proc.has == "menu":
            lines = self.write.menu_line(inner)
            return [f"add to menu of {header}{when}:", *indented(lines)]
        return [f"add to choices of {header}{when}:", *indented(self.write.way(inner))]

    # ---------------------------------------------------------------- the end
    def _ends(self) -> None:
        write = self.write
        for at in range(self.chance.choice((0, 1, 2))):
            scope = Scope("seat")
            formula = self._formula("number", scope)
            if formula is not None:
                self._rules.append(write_head(f'score s{at} "Score {at}"', formula))
        if self.one_in(1.5):
            scope = Scope("seat")
            ranking = "most score" if self.one_in(2) else write.ranking(scope)
            self._rules.append([f"win with {ranking}"])
        for at in range(self.chance.choice((0, 0, 1, 2))):
            word = self.chance.choice(["won", "drawn", "lost"])
            scope = Scope("seat", ending=True)
            when = f" when {write.condition(scope).at(OR)}" if self.one_in(1.2) else ""
            self._rules.append([f'verdict {word} "Verdict {at}"{when}'])
        self._panels()

    def _panels(self) -> None:
        box = self.box
        shown = [each.name for each in box.places.values() if not each.dims]
        shown += [each.plural for each in box.places.values() if each.dims and self.one_in(2)]
        shown += [each.name for each in box.tracks.values() if not each.dims]
        shown += [each.name for each in box.values if not each.params]
        mine = [
            each.name for each in box.places.values() if each.dims[:1] in {("seat",), ("player",)}
        ]
        mine += [
            each.name for each in box.tracks.values() if each.dims in {("seat",), ("player",)}
        ]
        mine += [each.name for each in box.values if each.params in {("seat",), ("player",)}]
        if shown:
            self._rules.append([f'panel "Table": {", ".join(shown)}'])
        if mine:
            self._rules.append([f'panel "Own" per player: {", ".join(mine)}'])
            if box.rivals and self.one_in(2):
                self._rules.append([f'panel "Rival" of ghost: {", ".join(mine)}'])
