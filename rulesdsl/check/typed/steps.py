"""Steps of the typed tree, traversal and substitution."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Literal, TypeVar

import attrs

from rulesdsl.check.symbols.types import NUMBER
from rulesdsl.check.typed.values import (
    NO,
    YES,
    AnyWhere,
    Arith,
    Cells,
    Comparison,
    Domain,
    EndOf,
    Filtered,
    FlagCell,
    Local,
    MessageText,
    StepNode,
    TrackCell,
    Typed,
    Value,
)
from rulesdsl.source import tree
from rulesdsl.source.tree import ASIDE


@attrs.frozen(cache_hash=True)
class SetLocal(StepNode):
    """Binding of a local."""

    name: str
    value: Value


@attrs.frozen(cache_hash=True)
class Require(StepNode):
    """Condition that must hold."""

    condition: Value


@attrs.frozen(cache_hash=True)
class Run(StepNode):
    """Call to a verb or step."""

    proc: str
    me: Value
    arguments: tuple[Value, ...]


@attrs.frozen(cache_hash=True)
class DoField(StepNode):
    """Call to the effect in a field."""

    kind: str
    field: str
    subject: Value
    key: Value | None
    me: Value


@attrs.frozen(cache_hash=True)
class MoveCounted(StepNode):
    """Move of a number of equal pieces to a cell; `owner` is set if the pieces belong to seats."""

    piece: str
    amount: Value | None  # None: all
    up_to: bool
    source: Cells
    target: Cells
    owner: Value | None
    me: Value


@attrs.frozen(cache_hash=True)
class MoveSingle(StepNode):
    """Move of a single piece to a cell."""

    piece: str
    subject: Value
    target: Cells
    me: Value


@attrs.frozen(cache_hash=True)
class MovePrinted(StepNode):
    """Move of one printed piece (or none) to a cell."""

    piece: str
    subject: Value
    target: Cells
    top: bool
    me: Value
    shown: bool = False  # reveals a face to a seat that could not know it


@attrs.frozen(cache_hash=True)
class MoveSome(StepNode):
    """Move of a domain's printed pieces to a cell: all, or the first `amount`."""

    domain: Domain
    amount: Value | None
    up_to: bool
    target: Cells
    top: bool
    me: Value
    shown: bool = False


@attrs.frozen(cache_hash=True)
class ChangeTrack(StepNode):
    """Increment or decrement of a track, within its bounds.

    A `set` raises it by the difference between the new value, its `result`, and the old one.
    """

    track: str
    dims: tuple[Value, ...]
    up: bool
    amount: Value
    me: Value
    followed: bool = False  # publicly traceable: time, and source of the amount
    timed: bool = False  # time and amount are public

    @property
    def counter(self) -> str:
        """The name of the track."""
        return self.track

    @property
    def result(self) -> Value | None:
        """The value to which the step sets the track, or None if it changes it by an amount."""
        old = TrackCell(self.track, self.dims, type=NUMBER)
        match self.amount:
            case Arith(op="-", left=new, right=right) if self.up and right == old:
                return new
        return None


@attrs.frozen(cache_hash=True)
class ShiftPiece(StepNode):
    """Shift of a printed piece up or down within its stack."""

    piece: str
    subject: Value
    up: bool
    amount: Value
    me: Value


@attrs.frozen(cache_hash=True)
class SetFlag(StepNode):
    """Setting or clearing of a flag."""

    flag: str
    dims: tuple[Value, ...]
    on: bool
    me: Value
    followed: bool = False  # publicly traceable: time, and marked piece
    timed: bool = False  # the time is public

    @property
    def counter(self) -> str:
        """The name of the flag."""
        return self.flag


@attrs.frozen(cache_hash=True)
class ShuffleCells(StepNode):
    """Shuffle of a stack."""

    cells: Cells
    me: Value


@attrs.frozen(cache_hash=True)
class Peek(StepNode):
    """A look at the faces of pieces where they lie by the seat `to`; by all if that is None.

    If it `keeps` them, the pieces are shown: they stay before these players' eyes.
    """

    domain: Domain
    me: Value
    to: Value | None
    keeps: bool = False

    @property
    def subject(self) -> Local | None:
        """The local with the piece, if it is a single one."""
        domain = self.domain
        if not isinstance(domain, Filtered) or not isinstance(domain.base, AnyWhere):
            return None
        test = domain.condition
        return (
            test.right if isinstance(test, Comparison) and isinstance(test.right, Local) else None
        )


@attrs.frozen(cache_hash=True)
class ShowCell(StepNode):
    """Revelation of a hidden track, flag or memory to the seat `to`; to all if that is None."""

    cell: TrackCell | FlagCell
    me: Value
    to: Value | None


@attrs.frozen(cache_hash=True)
class Tell(StepNode):
    """Log entry: a line (`say`), or a heading of the steps up to its `EndTell` (`act`, `part`).

    `part` is a part of the game, such as a round; a `quiet` heading suppresses the entries below
    it.
    """

    words: MessageText | None
    me: Value
    what: Literal["say", "act", "part"]
    quiet: bool = False


@attrs.frozen(cache_hash=True)
class EndTell(StepNode):
    """End of the innermost open `Tell`."""


@attrs.frozen(cache_hash=True)
class Finish(StepNode):
    """End of the game."""


@attrs.frozen(cache_hash=True)
class Block(StepNode):
    """Sequence of steps; `reveals_at_end` is like `reveals`, for the repetition of the block."""

    steps: tuple[Step, ...]
    reveals_at_end: tuple[Value, ...] = attrs.field(
        default=(), eq=False, repr=False, kw_only=True, metadata=ASIDE
    )


@attrs.frozen(cache_hash=True)
class Branching(StepNode):
    """Execution of the first branch whose condition holds, or else of the last block."""

    branches: tuple[tuple[Value, Block], ...]
    otherwise: Block

    @property
    def blocks(self) -> tuple[Block, ...]:
        """All alternatives."""
        return (*(block for _, block in self.branches), self.otherwise)


@attrs.frozen(cache_hash=True)
class WhereAble(StepNode):
    """Execution of one block if its guard holds, or else of the other."""

    block: Block
    otherwise: Block
    guard: Value = YES


@attrs.frozen(cache_hash=True)
class OptionLine(Typed):
    """Option of a decision; with a variable, one option for each element of its domain.

    `text` is the beginning of its effect as written, by which programs refer to it; `former` are
    the words by which they did in language 0.1; and `words` is its effect as players read it.
    It is offered if its `guard` holds. An option with `confirm` needs a confirmation. The
    information-flow annotation sets `might`, which holds if only hidden information rules the
    option out, for an element of `wider` (None: no public bound); `hidden`, true if some seat
    cannot know that it is offered; `secret`, true if only the chooser learns that it was chosen;
    and `bound`, the locals in scope with the labels of their identity and face (None: everybody),
    and the locals that are other seats. `preview` is the key of the verb or step that a preview
    carries out for an element.
    """

    text: str
    block: Block
    label: MessageText | None = None
    variable: str | None = None
    domain: Domain | None = None
    once: bool = False
    confirm: bool = False
    guard: Value = YES
    might: Value = NO
    wider: Domain | None = None
    hidden: bool = False
    secret: bool = False
    bound: tuple[
        tuple[str, frozenset[str] | None, frozenset[str] | None, frozenset[str]], ...
    ] = ()
    words: str = ""
    former: str = ""
    preview: str = ""

    @property
    def about(self) -> tuple[str, Domain] | None:
        """The variable and its domain, if the option has both."""
        if self.variable is None or self.domain is None:
            return None
        return self.variable, self.domain

    @property
    def effect(self) -> DoField | None:
        """The call to a field's effect, if the option does nothing else; otherwise None."""
        done = [each for each in self.block.steps if not isinstance(each, Require)]
        only = done[0] if len(done) == 1 and not self.block.reveals_at_end else None
        return only if isinstance(only, DoField) and not only.reveals else None

    @property
    def perhaps(self) -> OptionLine | None:
        """The option as it looks from outside if only hidden information rules it out, or None."""
        if self.might == NO:
            return None
        line = attrs.evolve(self, guard=self.might, domain=self.wider)
        unknown = self.variable is not None and self.wider is None
        return attrs.evolve(line, variable=None, once=False) if unknown else line


@attrs.frozen(cache_hash=True)
class Decide(StepNode):
    """Decision: the acting player takes one of the possible options.

    It is optional with `stop`, the label for taking none. With `again`, the options are offered
    again after each one taken, at most `limit` times (None: no limit).
    """

    lines: tuple[OptionLine, ...]
    me: Value
    prompt: MessageText | None = None
    stop: str | None = None
    again: bool = False
    limit: Value | None = None
    onward: bool = False  # the element of the only line is bound for the following steps
    secret: bool = False  # only the chooser sees the options
    always_asks: bool = False  # even a sole candidate: some seat cannot tell how many there are
    kept: bool = False  # the choice of a new value of a hidden track: only the chooser learns it

    @property
    def choice(self) -> tuple[str, Domain] | None:
        """The local that an `onward` decision binds, and its domain; None for other decisions."""
        return self.lines[0].about if self.onward else None

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks of the options."""
        return tuple(line.block for line in self.lines)


DECLINE, DONE = "No", "Done"
"""Labels for taking no option of a single offer, and of a repeated one."""


@attrs.frozen(cache_hash=True)
class RepeatTimes(StepNode):
    """Loop with a given number of rounds; it ends before a round if `until` holds."""

    times: Value
    block: Block
    until: Value | None = None
    most: int | None = attrs.field(default=None, eq=False, kw_only=True)  # upper bound of rounds
    eyes: frozenset[str] | None = attrs.field(default=None, eq=False, kw_only=True)
    """Visibility label of the number of rounds (None: everybody)."""


@attrs.frozen(cache_hash=True)
class ForEach(StepNode):
    """Loop over a snapshot of a domain; a loop over seats can begin at the seat `start`."""

    variable: str
    domain: Domain
    start: Value | None
    block: Block
    eyes: frozenset[str] | None = attrs.field(default=None, eq=False, kw_only=True)
    """Visibility label of the size of the domain (None: everybody)."""


@attrs.frozen(cache_hash=True)
class Secretly(StepNode):
    """Simultaneous choice by all players, then one run of the block for each, in seat order.

    Only players for whom `where` holds before anybody answers take part. `preview` is the key of
    the verb or step that a preview carries out for an element.
    """

    variable: str
    me: str
    domain: Domain
    prompt: MessageText
    block: Block
    label: MessageText | None = None
    secret: bool = False  # the chosen piece is hidden from others
    where: Value = YES
    preview: str = ""

    @property
    def by_position(self) -> SetLocal | None:
        """The first step of the block if it binds the piece at the position that is chosen."""
        first = self.block.steps[0] if self.block.steps else None
        if isinstance(first, SetLocal) and isinstance(first.value, EndOf):
            number = first.value.index
            return first if isinstance(number, Local) and number.name == self.variable else None
        return None


Move = MoveCounted | MoveSingle | MovePrinted | MoveSome
"""A move of pieces."""

_Change = Move | ChangeTrack | ShiftPiece | SetFlag
Leaf = _Change | SetLocal | Require | ShuffleCells | Peek | ShowCell | Tell | EndTell | Finish
"""An atomic step: no nested steps, no calls, no decisions."""

Asking = Decide | Secretly
"""A decision, of one player or of all simultaneously."""

_Control = Block | Branching | WhereAble | RepeatTimes | ForEach
Compound = Run | DoField | _Control | Asking
"""A step that may contain a decision."""

Step = Leaf | Compound
"""An action."""

Node = Value | Domain | Step | Cells | OptionLine | MessageText
"""Any node of the typed tree."""

NodeT = TypeVar("NodeT")

walk: Callable[[Node], Iterator[Node]] = tree.walk
walk_all: Callable[[Node], Iterator[Node]] = tree.walk_all  # texts of conditions included
children: Callable[[Node], list[Node]] = tree.children
rewrite = tree.rewrite


def substitute(node: NodeT, name: str, by: Value) -> NodeT:
    """Replace a local in a node with a value."""
    return substitute_all(node, {name: by})


def substitute_all(node: NodeT, given: Mapping[str, Value]) -> NodeT:
    """Replace locals in a node with values."""
    return rewrite(
        node, lambda each: given.get(each.name, each) if isinstance(each, Local) else each
    )
