"""From lark's trees to the nodes of declarations."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from lark import Token, Tree

from rulesdsl.syntax import declarations as de
from rulesdsl.syntax.build_statements import StatementBuilder
from rulesdsl.syntax.node import Word
from rulesdsl.syntax.statements import Body, Ranking

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rulesdsl.syntax.build_expressions import Child
    from rulesdsl.syntax.expressions import Range
    from rulesdsl.syntax.statements import BadLine, ChooseOne, Menu


class DeclarationBuilder(StatementBuilder):
    """Builds declarations; one method for each rule of the grammar, named after it."""

    def declarations(self, tree: Tree[Token]) -> list[de.Decl]:
        """Return the declarations of a parsed block."""
        return [self._declaration(cast("Tree[Token]", each)) for each in tree.children]

    def _declaration(self, tree: Tree[Token]) -> de.Decl:
        build: Callable[[Tree[Token]], de.Decl] = getattr(self, f"_{tree.data}")
        return build(tree)

    # ---------------------------------------------------------------- parts
    def _names(self, child: Child) -> de.Names:
        tree = cast("Tree[Token]", child)
        singular, plural, title = tree.children
        return de.Names(
            self.word(singular),
            self.optional_word(plural),
            self.text(title),
            span=self.span(tree),
        )

    def _table(self, child: Child) -> de.TableRef | None:
        if child is None:
            return None
        tree = cast("Tree[Token]", child)
        return de.TableRef(str(tree.children[0])[1:-1], span=self.span(tree))

    def _per_word(self, child: Child) -> Word | None:
        return None if child is None else self.word(cast("Tree[Token]", child).children[0])

    def _pers(self, child: Child) -> tuple[Word, ...]:
        found = (self._per_word(each) for each in cast("Tree[Token]", child).children)
        return tuple(word for word in found if word)

    def _words(self, child: Child) -> tuple[Word, ...]:
        if child is None:
            return ()
        return tuple(self.word(each) for each in cast("Tree[Token]", child).children)

    def _seen(self, child: Child) -> Word | None:
        return None if child is None else self.word(cast("Tree[Token]", child).children[0])

    def _fields(self, children: Sequence[Child]) -> tuple[de.FieldDecl | BadLine, ...]:
        return tuple(self._field(cast("Tree[Token]", each)) for each in children if each)

    def _field(self, tree: Tree[Token]) -> de.FieldDecl | BadLine:
        if tree.data == "bad":
            return cast("BadLine", self._bad(tree))
        name, kind, per, seen, default = tree.children
        return de.FieldDecl(
            self.word(name),
            self.word(kind),
            self.optional_word(per),
            self._seen(seen),
            self.optional(default),
            span=self.span(tree),
        )

    # ---------------------------------------------------------------- things
    def _kind(self, tree: Tree[Token]) -> de.Decl:
        names, table, *rest = tree.children
        members: tuple[Word, ...] = ()
        if rest and isinstance(rest[0], Tree) and rest[0].data == "members":
            members, rest = self._words(rest[0]), rest[1:]
        return de.KindDecl(
            self._names(names),
            self._table(table),
            members,
            self._fields(rest),
            span=self.span(tree),
        )

    def _piece(self, tree: Tree[Token]) -> de.Decl:
        names, table, count, per, home, *fields = tree.children
        return de.PieceDecl(
            self._names(names),
            self._table(table),
            self.optional(count),
            self._per_word(per),
            self.optional(home),
            self._fields(fields),
            span=self.span(tree),
        )

    def _place(self, tree: Tree[Token]) -> de.Decl:
        order, names, table, pers, seen, holds, *fields = tree.children
        return de.PlaceDecl(
            self._only(order) == "stack",
            self._names(names),
            self._table(table),
            self._pers(pers),
            self._seen(seen),
            self._words(holds),
            self._fields(fields),
            span=self.span(tree),
        )

    def _track(self, tree: Tree[Token]) -> de.Decl:
        names, pers, seen, bounds, during = tree.children
        return de.TrackDecl(
            self._names(names),
            self._pers(pers),
            self._seen(seen),
            cast("Range | None", self.optional(bounds)),
            self.optional_word(during),
            span=self.span(tree),
        )

    def _flag(self, tree: Tree[Token]) -> de.Decl:
        name, pers, during = tree.children
        return de.FlagDecl(
            self.word(name),
            self._pers(pers),
            self.optional_word(during),
            span=self.span(tree),
        )

    def _constants(self, tree: Tree[Token]) -> de.Decl:
        table = cast("de.TableRef", self._table(tree.children[0]))
        return de.ConstantsDecl(table, span=self.span(tree))

    def _option(self, tree: Tree[Token]) -> de.Decl:
        name, title, setting = tree.children
        part = cast("Tree[Token]", setting)
        switch, number, bounds = None, None, None
        values: tuple[Word, ...] = ()
        if part.data == "switch":
            switch = self._only(part) == "on"
        elif part.data == "number_range":
            number = self.expr(part.children[0])
            bounds = cast("Range", self.expr(part.children[1]))
        elif part.data == "off_or":
            first, *more = part.children
            word = Word(self._only(first), span=self.span(cast("Tree[Token]", first)))
            values = (word, *(self.word(each) for each in more))
        else:
            values = self._words(part)
        return de.OptionDecl(
            self.word(name),
            self.text(title) or "",
            switch,
            number,
            bounds,
            values,
            span=self.span(tree),
        )

    def _rival(self, tree: Tree[Token]) -> de.Decl:
        name, title, without, when = tree.children
        return de.RivalDecl(
            self.word(name),
            self.text(title) or "",
            without is None,
            self.optional(when),
            span=self.span(tree),
        )

    def _entry(self, tree: Tree[Token]) -> de.Decl:
        kind, name, title, *parts = tree.children
        return de.EntryDecl(
            self.word(kind),
            self.word(name),
            self.text(title),
            tuple(self._entry_field(cast("Tree[Token]", each)) for each in parts),
            span=self.span(tree),
        )

    def _entry_field(self, tree: Tree[Token]) -> de.PlainField | de.EffectField | BadLine:
        if tree.data == "bad":
            return cast("BadLine", self._bad(tree))
        name, value = tree.children
        if tree.data == "plain_field":
            return de.PlainField(self.word(name), self.expr(value), span=self.span(tree))
        return de.EffectField(self.word(name), self.body(value), span=self.span(tree))

    def _panel(self, tree: Tree[Token]) -> de.Decl:
        title, whose, shown = tree.children
        word = self._per_word(whose)
        of_rival = isinstance(whose, Tree) and whose.data == "of_rival"
        return de.PanelDecl(
            self.text(title) or "",
            None if of_rival else word,
            word if of_rival else None,
            self._words(shown),
            span=self.span(tree),
        )

    def _source(self, tree: Tree[Token]) -> de.Decl:
        return de.SourceDecl(self.text(tree.children[0]) or "", span=self.span(tree))

    # ---------------------------------------------------------------- what is done and counted
    def _value(self, tree: Tree[Token]) -> de.Decl:
        name, first, second, formula = tree.children
        return de.ValueDecl(
            self.word(name),
            self.optional_param(first),
            self.optional_param(second),
            self.formula(formula),
            span=self.span(tree),
        )

    def _verb(self, tree: Tree[Token]) -> de.Decl:
        return self._procedure(tree, verb=True)

    def _step(self, tree: Tree[Token]) -> de.Decl:
        return self._procedure(tree, verb=False)

    def _procedure(self, tree: Tree[Token], *, verb: bool) -> de.Decl:
        header, body = tree.children
        return de.ProcedureDecl(verb, self.header(header), self.body(body), span=self.span(tree))

    def _hook(self, tree: Tree[Token]) -> de.Decl:
        time, header, when, body = tree.children
        return de.HookDecl(
            " ".join(self._only(time).split()),
            self.header(header),
            self.optional(when),
            self.body(body),
            span=self.span(tree),
        )

    def _more_lines(self, tree: Tree[Token]) -> de.Decl:
        time, header, when, *lines = tree.children
        return self._more(tree, time, header, when, self.menu(tree, lines))

    def _more_ways(self, tree: Tree[Token]) -> de.Decl:
        time, header, when, *lines = tree.children
        return self._more(tree, time, header, when, self.choose_one(tree, lines))

    def _more(
        self, tree: Tree[Token], time: Child, header: Child, when: Child, lines: Menu | ChooseOne
    ) -> de.Decl:
        return de.HookDecl(
            " ".join(str(time).split()),
            self.header(header),
            self.optional(when),
            Body((lines,), span=lines.span),
            span=self.span(tree),
        )

    def _value_hook(self, tree: Tree[Token]) -> de.Decl:
        _instead, name, first, second, when, formula = tree.children
        return de.ValueHookDecl(
            self.word(name),
            self.optional_param(first),
            self.optional_param(second),
            self.optional(when),
            self.formula(formula),
            span=self.span(tree),
        )

    def _score(self, tree: Tree[Token]) -> de.Decl:
        name, title, formula = tree.children
        return de.ScoreDecl(
            self.word(name), self.text(title) or "", self.formula(formula), span=self.span(tree)
        )

    def _win(self, tree: Tree[Token]) -> de.Decl:
        ranking = self.ranking(tree.children[0])
        return de.WinDecl(Ranking(ranking), span=self.span(tree))

    def _verdict(self, tree: Tree[Token]) -> de.Decl:
        word, text, when = tree.children
        return de.VerdictDecl(
            self.word(word), self.text(text) or "", self.optional(when), span=self.span(tree)
        )
