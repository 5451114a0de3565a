"""From lark's trees to the nodes of declarations."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from lark import Token, Tree

from rulesdsl.syntax import declarations as de
from rulesdsl.syntax.build_expressions import Shape, says
from rulesdsl.syntax.build_statements import StatementBuilder
from rulesdsl.syntax.node import Word
from rulesdsl.syntax.statements import Body, Ranking

if TYPE_CHECKING:
    from rulesdsl.syntax.build_expressions import Child
    from rulesdsl.syntax.expressions import Expr, Range
    from rulesdsl.syntax.statements import ChooseOne, Header, Menu

_S = StatementBuilder


class DeclarationBuilder(StatementBuilder):
    """Builds declarations."""

    def declarations(self, tree: Tree[Token]) -> list[de.Decl]:
        """Return the declarations of a parsed block."""
        return cast("list[de.Decl]", [*self.nodes(tree.children)])

    # ---------------------------------------------------------------- parts
    def _named(self, child: Child) -> Word | None:
        return None if child is None else self.word(cast("Tree[Token]", child).children[0])

    def _pers(self, child: Child) -> tuple[Word, ...]:
        found = (self._named(each) for each in cast("Tree[Token]", child).children)
        return tuple(word for word in found if word)

    def _title(self, child: Child) -> str:
        return self.text(child) or ""

    def _missing(self, child: Child) -> bool:
        return child is None

    def _time(self, child: Child) -> str:
        return " ".join(self.only(child).split())

    def _words(self, child: Child) -> tuple[Word, ...]:
        if child is None:
            return ()
        return tuple(self.word(each) for each in cast("Tree[Token]", child).children)

    # ---------------------------------------------------------------- things
    def _kind(self, tree: Tree[Token]) -> de.Decl:
        names, table, *rest = tree.children
        members: tuple[Word, ...] = ()
        if rest and isinstance(rest[0], Tree) and rest[0].data == "members":
            members, rest = self._words(rest[0]), rest[1:]
        return de.KindDecl(
            cast("de.Names", self.node(names)),
            cast("de.TableRef | None", self.optional(table)),
            members,
            cast("de.Fields", self.nodes(rest)),
            span=self.span(tree),
        )

    def _option(self, tree: Tree[Token]) -> de.Decl:
        name, title, setting = tree.children
        part = cast("Tree[Token]", setting)
        switch, number, bounds = None, None, None
        values: tuple[Word, ...] = ()
        if part.data == "switch":
            switch = self.only(part) == "on"
        elif part.data == "number_range":
            number = self.expr(part.children[0])
            bounds = cast("Range", self.expr(part.children[1]))
        elif part.data == "off_or":
            first, *more = part.children
            word = Word(self.only(first), span=self.span(cast("Tree[Token]", first)))
            values = (word, *(self.word(each) for each in more))
        else:
            values = self._words(part)
        return de.OptionDecl(
            self.word(name),
            self._title(title),
            switch,
            number,
            bounds,
            values,
            span=self.span(tree),
        )

    def _panel(self, tree: Tree[Token]) -> de.Decl:
        title, whose, shown = tree.children
        word = self._named(whose)
        of_rival = isinstance(whose, Tree) and whose.data == "of_rival"
        return de.PanelDecl(
            self._title(title),
            None if of_rival else word,
            word if of_rival else None,
            self._words(shown),
            span=self.span(tree),
        )

    # ---------------------------------------------------------------- what is done and counted
    def _verb(self, tree: Tree[Token]) -> de.Decl:
        return self._procedure(tree, verb=True)

    def _step(self, tree: Tree[Token]) -> de.Decl:
        return self._procedure(tree, verb=False)

    def _procedure(self, tree: Tree[Token], *, verb: bool) -> de.Decl:
        header, body = tree.children
        return de.ProcedureDecl(
            verb, cast("Header", self.node(header)), self.body(body), span=self.span(tree)
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
            cast("Header", self.node(header)),
            cast("Expr | None", self.optional(when)),
            Body((lines,), span=lines.span),
            span=self.span(tree),
        )

    def _win(self, tree: Tree[Token]) -> de.Decl:
        ranking = self.ranking(tree.children[0])
        return de.WinDecl(Ranking(ranking), span=self.span(tree))

    shapes = StatementBuilder.shapes | {
        "names": Shape(de.Names, (_S.word, _S.optional_word, _S.text)),
        "table": Shape(de.TableRef, (_S.text,)),
        "field": Shape(de.FieldDecl, (_S.word, _S.word, _S.optional_word, _named, _S.optional)),
        "piece": Shape(
            de.PieceDecl, (_S.node, _S.optional, _S.optional, _named, _S.optional), more=True
        ),
        "place": Shape(
            de.PlaceDecl,
            (says("stack"), _S.node, _S.optional, _pers, _named, _words),
            more=True,
        ),
        "track": Shape(de.TrackDecl, (_S.node, _pers, _named, _S.optional, _S.optional_word)),
        "flag": Shape(de.FlagDecl, (_S.word, _pers, _S.optional_word)),
        "constants": Shape(de.ConstantsDecl, (_S.node,)),
        "rival": Shape(de.RivalDecl, (_S.word, _title, _missing, _S.optional)),
        "entry": Shape(de.EntryDecl, (_S.word, _S.word, _S.text), more=True),
        "plain_field": Shape(de.PlainField, (_S.word, _S.expr)),
        "effect_field": Shape(de.EffectField, (_S.word, _S.body)),
        "source": Shape(de.SourceDecl, (_title,)),
        "value": Shape(de.ValueDecl, (_S.word, _S.optional, _S.optional, _S.formula)),
        "hook": Shape(de.HookDecl, (_time, _S.node, _S.optional, _S.body)),
        "value_hook": Shape(
            de.ValueHookDecl,
            (None, _S.word, _S.optional, _S.optional, _S.optional, _S.formula),
        ),
        "score": Shape(de.ScoreDecl, (_S.word, _title, _S.formula)),
        "verdict": Shape(de.VerdictDecl, (_S.word, _title, _S.optional)),
    }
