"""Generator of whole packs: rules that use the declarations, and tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soak.drawing.box import QUIET, SEATS, Box, Chance, Param, Proc, Value
from soak.drawing.drawer import Drawer, Scope, Things, indented
from soak.drawing.extremes import extreme
from soak.drawing.productions import LEVEL

if TYPE_CHECKING:
    from soak.drawing.box import Field, Noun

STEPS = ("dawn", "dusk", "feast", "tax")
VALUES = ("weight", "pride", "grace", "depth", "reach", "might", "cheer")
PREPS = ("from", "into", "on", "with")
OFTEN_EXTREME = 50
IN_RULES = {"number", "yes-no", "effect", "automatic"}  # fields that rules can set
MANIFEST = """\
id = "drawn"
name = "Drawn"
version = "1.0.0"
kind = "game"
language = "0.2"
players = {{ least = {least}, most = {most} }}
"""

Files = dict[str, str]
Lines = list[str]


def pack_of(seed: int) -> Files:
    """Generate a pack; return the text of its files, keyed by name."""
    chance = Chance(f"scratch {seed}")
    if chance.one_in(OFTEN_EXTREME):
        return {"pack.toml": MANIFEST.format(least=2, most=3), "game.rules": extreme(chance)}
    return Whole(chance).files()


class Whole:
    """Generator of one pack."""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        self.box = Box(chance)
        self.write = Drawer(self.box)
        self.rules: list[Lines] = []  # groups of lines, which may come in any order
        self.tables: dict[str, Lines] = {}

    def files(self) -> Files:
        """Generate all parts of the pack, and return its files, keyed by name."""
        self._values()
        self._procedures()
        for _ in range(self.chance.choice((0, 1, 2, 3))):
            self._hook()
        for noun in [*self.box.plain(options=False), *self.box.pieces("printed")]:
            if noun.fields or noun.role != "kind":
                self._entries(noun)
        self._ends()
        files = {"pack.toml": MANIFEST.format(least=self.box.least, most=self.box.most)}
        if self.box.constants:
            rows = [f"{name} = {value}" for name, value in self.box.constants.items()]
            self.tables["numbers.toml"] = rows
        for path, lines in self.tables.items():
            files[path] = "\n".join(['source = "house"', *lines, ""])
        whole = [*([each] for each in self.box.declarations()), *self.rules]
        if self.chance.one_in(3):
            self.chance.shuffle(whole)
        files["game.rules"] = "\n".join(line for lines in whole for line in lines) + "\n"
        return files

    def _text(self, kind: str, s: Scope, about: Things | None = None) -> str:
        found = self.write.draw(kind, s, about)
        return found.at(LEVEL["OR"]) if found else ""

    # ---------------------------------------------------------------- values
    def _values(self) -> None:
        box, chance = self.box, self.chance
        names = chance.some(VALUES, 0, 5)
        box.formula_reach = chance.randint(0, len(names))
        kinds = [f"entry:{each.name}" for each in box.plain()]
        of = ["seat", "seat", "player", "number", *kinds]
        of += [f"piece:{each.name}" for each in box.pieces("printed")]
        for at, name in enumerate(names):
            params = tuple(chance.sample(of, chance.choice((0, 1, 1, 2))))
            kind = chance.choice(["number", "number", "number", "yes-no", *kinds])
            value = Value(name, params, kind, at)
            if self._value(value, f"value {name}"):
                number = chance.choice((0, 0, 1, 2))
                for _ in range(number):
                    when = "always" if number == 1 and chance.one_in(2) else "when"
                    self._value(value, f"instead of value {name}", when)
                box.values.append(value)

    def _value(self, value: Value, head: str, when: str = "") -> bool:
        """Add a value, or a hook on one; return True on success."""
        scope = Scope(values=value.at, formulas=value.at >= self.box.formula_reach)
        scope.beneath = value if when else None
        for number, kind in enumerate(value.params):
            word = kind.rpartition(":")[2]
            acts = kind in SEATS and not number
            name = word if acts else self.write.fresh("q")
            head += f" {'at' if number else 'of'} {word}{'' if acts else f' {name}'}"
            scope.names[name] = kind
            scope.me = kind if acts else scope.me
        head += f" when {self._text('yes-no', scope)}" if when == "when" else ""
        return self._formula(head, value.type, scope)

    def _formula(self, head: str, kind: str, scope: Scope) -> bool:
        found = self.write.draw("formula", scope, Things("", "", kind))
        self.rules += [[head + found.text]] if found else []
        return found is not None

    # ---------------------------------------------------------------- verbs and steps
    def _procedures(self) -> None:
        verbs = self.box.verbs
        self.box.effect_reach = self.chance.randint(0, len(verbs))
        for at, name in enumerate([*verbs, *self.chance.some(STEPS, 0, 2)]):
            self._procedure(name, at, verb=at < len(verbs))
        scope = Scope(draws=True, flow=True, dirty=True, inside="game")
        lines = self.write.statement(scope) if self.chance.one_in(2) else []
        lines += self._rounds(scope)
        lines += self.write.statement(scope) if self.chance.one_in(3) else []
        self.rules.append(["step game:", *indented(lines)])

    def _procedure(self, name: str, at: int, *, verb: bool) -> None:
        chance, params = self.chance, self._params()
        asks, full = verb and chance.one_in(1.5), at >= self.box.effect_reach
        names = {each.name: each.type for each in params}
        scope = Scope("seat" if verb else None, None, names, procs=at, draws=True, inside=name)
        scope.chooses, scope.fields, scope.flow, scope.dirty = asks, full, not verb, not verb
        title = f" {self.write.label(scope)}" if chance.one_in(6) else ""
        has = chance.choice(["menu", "choices"]) if asks and chance.one_in(3) else ""
        lines = self._text("menu" if has == "menu" else "choose", scope).split("\n") if has else []
        scope.dirty = scope.dirty or bool(has)
        for _ in range(chance.choice((0, 1) if lines else (1, 2, 3))):
            lines += self.write.statement(scope)
        text = "\n".join(lines)
        only = text.count("menu") + text.count("choose one") == 1
        proc = Proc(name, params, at, verb, not verb or self._asks(text), has if only else "")
        head = proc.header([each.name for each in params]) + title + chance.text(QUIET)
        self.rules.append(self.write.put(f"{'verb' if verb else 'step'} {head}", lines))
        self.box.procs.append(proc)

    def _params(self) -> tuple[Param, ...]:
        box, chance = self.box, self.chance
        params: list[Param] = []
        for at in range(chance.choice((0, 0, 1, 1, 2))):
            prep = None if at == 0 and chance.one_in(1.5) else chance.choice(PREPS)
            kinds = ["number", "seat", "player", "bundle"]
            kinds += [f"entry:{each.name}" for each in box.plain()]
            kinds += [f"piece:{each.name}" for each in box.pieces("printed") * 2]
            kind = chance.choice(kinds)
            one, many = kind.rpartition(":")[2], ""
            if chance.one_in(3):
                piece = chance.choice(box.pieces("counted"))
                kind, one, many = "number", piece.name, piece.plural
            if prep not in {each.prep for each in params}:
                params.append(Param(prep, kind, self.write.fresh("n"), one, many))
        return tuple(params)

    def _asks(self, text: str) -> bool:
        words = set(text.replace(":", " ").split())
        asking = {each.name for each in self.box.procs if each.asks}
        return bool(words & ({"may", "choose", "menu", "else", "a", "an", "do"} | asking))

    def _rounds(self, scope: Scope) -> Lines:
        inner = Scope("player", "player", chooses=True, draws=True, flow=True, dirty=True)
        acts: Lines = []
        steps: Lines = []
        for proc in self.box.procs:
            call = self.write.call(proc, inner if proc.verb else scope)
            if call is not None and self.chance.one_in(1.4):
                guard = self.chance.text("{if able|if able|may}")
                acts += [f"{guard}: {call.text}"] if proc.verb else []
                steps += [] if proc.verb else [call.text]
        acts += self.write.statement(inner.block()) if self.chance.one_in(2) else []
        lines = [*self.write.put("for each player", acts or ["nothing"]), *steps]
        head = self.chance.text("[1.3 repeat {1|2|3} times:]")
        return [head, *indented(lines)] if head else lines

    # ---------------------------------------------------------------- hooks
    def _hook(self) -> None:
        chance = self.chance
        open_ = [each for each in self.box.procs if each.has]
        proc = chance.choice(open_ if open_ and chance.one_in(1.5) else self.box.procs)
        names = [self.write.fresh("h") for _ in proc.params]
        types = {name: each.type for name, each in zip(names, proc.params, strict=True)}
        time = chance.choice(["before", "after", "instead of", "instead of"])
        late = time != "instead of"
        scope = Scope("seat" if proc.verb else None, None, types, procs=proc.at, draws=True)
        scope.flow, scope.dirty, scope.inside, scope.chooses = late, late, proc.name, proc.asks
        scope.chooses = scope.chooses and proc.verb
        scope.fields = proc.at >= self.box.effect_reach
        header = proc.header(names)
        when = f" when {self._text('yes-no', scope)}" if chance.one_in(2) else ""
        if chance.one_in(8):
            self.rules.append([f"instead of text of {header}: {self.write.label(scope)}"])
        elif proc.has and chance.one_in(1.3):
            inner = scope.block(flow=False, dirty=False)
            lines = self._text("menu-line" if proc.has == "menu" else "way", inner).split("\n")
            self.rules.append([f"add to {proc.has} of {header}{when}:", *indented(lines)])
        else:
            lines = self.write.body(scope, 2)
            if not late and chance.one_in(2):  # the call of the original procedure
                lines = self.write.put("if able", [proc.header(names, called=True)])
            self.rules.append(self.write.put(f"{time} {header}{when}", lines))

    # ---------------------------------------------------------------- entries
    def _entries(self, noun: Noun) -> None:
        simple = all(each.per is None and each.type in IN_RULES for each in noun.fields)
        if simple and noun.fields and self.chance.one_in(2):
            for entry in noun.entries:
                lines = [line for field in noun.fields for line in self._in_rules(field)]
                lines = lines or [f"{noun.fields[0].name} = {noun.fields[0].default}"]
                title = self.box.title(entry)
                self.rules.append([f"{noun.name} {entry}{title}:", *indented(lines)])
            return
        noun.table = self.chance.choice([f"{noun.plural}.toml", "all.toml"])
        lines = self.tables.setdefault(noun.table, [])
        for entry in noun.entries:
            lines.append(f"[{noun.name}.{entry}]" if noun.table == "all.toml" else f"[{entry}]")
            title = self.box.title(entry)
            lines += [f"name ={title}"] if title else []
            copies = self.chance.text("[copies = {1|2|3|5}]")
            lines += [copies] if noun.role == "piece" else []
            lines += [line for field in noun.fields for line in self._in_table(field)]

    def _in_rules(self, field: Field) -> Lines:
        if field.default is not None and self.chance.one_in(2):
            return []
        if field.type in {"effect", "automatic"}:
            return self.write.put(field.name, self._effect(field))
        says = self.chance.text("{on|off}" if field.type == "yes-no" else "{0|1|2|4}")
        return [f"{field.name} = {says}"]

    def _in_table(self, field: Field) -> Lines:
        if field.default is not None and self.chance.one_in(2):
            return []
        if field.per is None or field.per == "number":
            value = self.box.chart() if field.per else self._toml(field)
            return [f"{field.name} = {value}"]
        entries = self.box.nouns[field.per].entries
        some = [each for each in entries if field.type != "effect" or self.chance.one_in(1.5)]
        return [f"{field.name}.{each} = {self._toml(field)}" for each in some]

    def _toml(self, field: Field) -> str:
        chance, nouns = self.chance, self.box.nouns
        simple = {"number": "{0|1|1|2|3|4}", "yes-no": "{true|false}", "text": '"Some words"'}
        if field.type in simple:
            return chance.text(simple[field.type])
        if field.type == "bundle":
            return self.box.price()
        if field.type == "formula":
            scope = Scope("seat", values=self.box.formula_reach, fields=False, formulas=False)
            return f"'{self._text('number', scope)}'"
        if field.type in nouns:
            return f'"{chance.choice(nouns[field.type].entries)}"'
        some = self._effect(field)
        if field.type not in {"effect", "automatic"}:
            entries = next(each.entries for each in nouns.values() if each.plural == field.type)
            some = chance.some(entries, 1, len(entries))
        quoted = (f"'{each}'" for each in some)
        return f"[{', '.join(quoted)}]"

    def _effect(self, field: Field) -> Lines:
        asks = field.type == "effect"
        scope = Scope("seat", procs=self.box.effect_reach, chooses=asks, draws=asks, auto=not asks)
        scope.effects, scope.depth = int(field.name[1:]), 2
        return self.write.body(scope, 1)

    # ---------------------------------------------------------------- the end, and the board
    def _ends(self) -> None:
        chance = self.chance
        for at in range(chance.choice((0, 1, 2))):
            self._formula(f'score s{at} "Score {at}"', "number", Scope("seat"))
        if chance.one_in(1.5):
            ranking = chance.choice(["most score", self._text("ranking", Scope("seat"))])
            self.rules.append([f"win with {ranking}"])
        for at in range(chance.choice((0, 0, 1, 2))):
            when = f" when {self._text('yes-no', Scope('seat', ending=True))}"
            verdict = chance.text(f'verdict {{won|drawn|lost}} "Verdict {at}"')
            self.rules.append([verdict + when * chance.one_in(1.2)])
        nouns = [each for each in self.box.nouns.values() if each.role in {"place", "track"}]
        one = {("seat",), ("player",)}
        mine = ", ".join(each.name + self.box.title("of") for each in nouns if each.dims in one)
        shown = [each.name for each in nouns if not each.dims]
        shown += [each.plural for each in nouns if each.dims and each.role == "place"]
        shown += [each.name for each in self.box.values if not each.params]
        form = chance.text("[ {always|apart}][ as line]")
        self.rules.append([f'panel "Table"{form}: {", ".join(shown)}'])
        if mine:
            rival = any("rival" in each for each in self.box.lines)
            self.rules.append([f'panel "Own" per player: {mine}'])
            self.rules += [[f'panel "Rival" of ghost: {mine}']] if rival else []
