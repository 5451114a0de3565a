"""What is done: the statements of the checked tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import attrs

from rulesdsl.check.typed.base import StepNode, Typed
from rulesdsl.check.typed.cells import Cells
from rulesdsl.check.typed.values import NO, YES
from rulesdsl.source.tree import ASIDE

if TYPE_CHECKING:
    from rulesdsl.check.typed import Domain, Local, Step, Value


@attrs.frozen(cache_hash=True)
class SetLocal(StepNode):
    """Bind a local."""

    name: str
    value: Value


@attrs.frozen(cache_hash=True)
class Require(StepNode):
    """Possible only where a condition holds."""

    condition: Value


@attrs.frozen(cache_hash=True)
class Run(StepNode):
    """A verb or step is carried out."""

    proc: str
    me: Value
    arguments: tuple[Value, ...]


@attrs.frozen(cache_hash=True)
class DoField(StepNode):
    """The effect in a field is carried out."""

    kind: str
    field: str
    subject: Value
    key: Value | None
    me: Value


@attrs.frozen(cache_hash=True)
class MoveCounted(StepNode):
    """So many like pieces go from cells to a cell; `owner` where they belong to seats."""

    piece: str
    amount: Value | None  # None: all
    up_to: bool
    source: Cells
    target: Cells
    owner: Value | None
    me: Value


@attrs.frozen(cache_hash=True)
class MoveSingle(StepNode):
    """A single piece goes to a cell."""

    piece: str
    subject: Value
    target: Cells
    me: Value


@attrs.frozen(cache_hash=True)
class MovePrinted(StepNode):
    """One printed piece (or none) goes to a cell."""

    piece: str
    subject: Value
    target: Cells
    top: bool
    me: Value
    shown: bool = False  # somebody comes to see a face that they could not know


@attrs.frozen(cache_hash=True)
class MoveSome(StepNode):
    """Printed pieces of a domain go to a cell: all, or the first so many."""

    domain: Domain
    amount: Value | None
    up_to: bool
    target: Cells
    top: bool
    me: Value
    shown: bool = False


@attrs.frozen(cache_hash=True)
class ChangeTrack(StepNode):
    """A track goes up or down, within its bounds."""

    track: str
    dims: tuple[Value, ...]
    up: bool
    amount: Value
    me: Value
    followed: bool = False  # all can tell when it changes, and by which pieces' print


@attrs.frozen(cache_hash=True)
class ShiftPiece(StepNode):
    """A printed piece goes so many places up or down in the stack that it lies in."""

    piece: str
    subject: Value
    up: bool
    amount: Value
    me: Value


@attrs.frozen(cache_hash=True)
class SetFlag(StepNode):
    """A thing is marked or cleared."""

    flag: str
    dims: tuple[Value, ...]
    on: bool
    me: Value
    followed: bool = False  # all can tell when it is set, and of which piece


@attrs.frozen(cache_hash=True)
class ShuffleCells(StepNode):
    """A stack is shuffled."""

    cells: Cells
    me: Value


@attrs.frozen(cache_hash=True)
class Peek(StepNode):
    """The acting player learns what pieces are."""

    domain: Domain
    me: Value


Seen = Literal["all", "actor", "nobody"]


@attrs.frozen(cache_hash=True)
class Words(Typed):
    """What people read: `said` are the words around its values.

    `nouns` has for each value what it is an amount of, nothing for any other value.  Information
    flow says who provably knows a value (`seen`), and the pieces that it is as hidden as, if any
    (`faces`). Programs call an option by its words: `named` are those that a mod has replaced.
    """

    said: tuple[str, ...]
    values: tuple[Value, ...] = ()
    nouns: tuple[str, ...] = ()
    seen: tuple[Seen, ...] = ()
    faces: tuple[tuple[Local, ...], ...] = ()
    named: str = ""

    @property
    def fixed(self) -> str:
        """The words without the values: they are the same at all times."""
        return "".join(self.said)


@attrs.frozen(cache_hash=True)
class Tell(StepNode):
    """The log says something: a line (`say`), or what is done up to its `Told` (`act`, `part`).

    `part` is a part of the game, such as a round; nothing is said of what is `quiet`.
    """

    words: Words | None
    me: Value
    what: Literal["say", "act", "part"]
    quiet: bool = False


@attrs.frozen(cache_hash=True)
class Told(StepNode):
    """What the last open `Tell` spoke of is done."""


@attrs.frozen(cache_hash=True)
class Finish(StepNode):
    """The game ends."""


@attrs.frozen(cache_hash=True)
class Block(StepNode):
    """Steps in order; `reveals_at_end`: what it reveals that a loop or question comes again."""

    steps: tuple[Step, ...]
    reveals_at_end: tuple[Value, ...] = attrs.field(
        default=(), eq=False, repr=False, kw_only=True, metadata=ASIDE
    )


@attrs.frozen(cache_hash=True)
class Branching(StepNode):
    """The first branch whose condition holds, else the last block."""

    branches: tuple[tuple[Value, Block], ...]
    otherwise: Block

    @property
    def blocks(self) -> tuple[Block, ...]:
        """What is done, one way or another."""
        return (*(block for _, block in self.branches), self.otherwise)


@attrs.frozen(cache_hash=True)
class WhereAble(StepNode):
    """A block where it can be carried out, else the other."""

    block: Block
    otherwise: Block
    guard: Value = YES


@attrs.frozen(cache_hash=True)
class Line(Typed):
    """A line of a decision; with a variable, one for each thing of its domain.

    It is offered where its `guard` holds. People are asked again about what is to `confirm`.
    Information flow says who can tell: `might` holds where only hidden things can say no, to a
    thing of `wider` (None where all know nothing of them); `hidden`: not everybody can tell
    whether it is offered; `secret`: only who chooses is told that it was chosen; `bound`: the
    locals that there are, with who knows which thing each holds and who its face (None: all).
    """

    text: str
    block: Block
    label: Words | None = None
    variable: str | None = None
    domain: Domain | None = None
    once: bool = False
    confirm: bool = False
    guard: Value = YES
    might: Value = NO
    wider: Domain | None = None
    hidden: bool = False
    secret: bool = False
    bound: tuple[tuple[str, frozenset[str] | None, frozenset[str] | None], ...] = ()

    @property
    def named(self) -> str:
        """The words of its label that programs call it by; nothing where it has none."""
        return "" if self.label is None else self.label.named or self.label.fixed

    @property
    def about(self) -> tuple[str, Domain] | None:
        """The variable and the domain of a line that is about things."""
        if self.variable is None or self.domain is None:
            return None
        return self.variable, self.domain

    @property
    def effect(self) -> DoField | None:
        """The effect of a field that the line carries out, None where it does anything else."""
        done = [each for each in self.block.steps if not isinstance(each, Require)]
        only = done[0] if len(done) == 1 and not self.block.reveals_at_end else None
        return only if isinstance(only, DoField) and not only.reveals else None

    @property
    def perhaps(self) -> Line | None:
        """What is offered as far as all know where only hidden things say no; None: nothing."""
        if self.might == NO:
            return None
        line = attrs.evolve(self, guard=self.might, domain=self.wider)
        unknown = self.variable is not None and self.wider is None
        return attrs.evolve(line, variable=None, once=False) if unknown else line


@attrs.frozen(cache_hash=True)
class Decide(StepNode):
    """The acting player takes one of the lines that can be carried out.

    Where there is a word for it, nothing need be taken; `again`: offered again after each line
    that is taken, at most `limit` times (None: as often as it can be).
    """

    lines: tuple[Line, ...]
    me: Value
    prompt: Words | None = None
    stop: str | None = None
    again: bool = False
    limit: Value | None = None
    onward: bool = False  # the one line does nothing: its thing is chosen for what follows
    secret: bool = False  # only who chooses sees it: asked for even where there is one alone

    @property
    def choice(self) -> tuple[str, Domain] | None:
        """What is chosen for what follows, and from what; None where lines do something."""
        return self.lines[0].about if self.onward else None

    @property
    def blocks(self) -> tuple[Block, ...]:
        """What the lines do."""
        return tuple(line.block for line in self.lines)


DECLINE, DONE = "No", "Done"
"""The words under which nothing is taken: of one offer, of lines that are offered again."""


@attrs.frozen(cache_hash=True)
class RepeatTimes(StepNode):
    """So many times."""

    times: Value
    block: Block
    most: int | None = attrs.field(default=None, eq=False, kw_only=True)  # how often at the most
    eyes: frozenset[str] | None = attrs.field(default=None, eq=False, kw_only=True)
    """Who sees how often (None: everybody), as information flow says."""


@attrs.frozen(cache_hash=True)
class RepeatUntil(StepNode):
    """Until a condition holds, at most so many times."""

    limit: Value
    condition: Value
    block: Block


@attrs.frozen(cache_hash=True)
class ForEach(StepNode):
    """For each thing of a snapshot; `start` turns a circle of seats."""

    variable: str
    domain: Domain
    start: Value | None
    block: Block
    eyes: frozenset[str] | None = attrs.field(default=None, eq=False, kw_only=True)
    """Who sees how many things there are (None: everybody), as information flow says."""


@attrs.frozen(cache_hash=True)
class Secretly(StepNode):
    """All players choose at once, then the block runs for each in seat order."""

    variable: str
    me: str
    domain: Domain
    prompt: Words
    block: Block
    label: Words | None = None
    secret: bool = False  # a piece is chosen that others do not see
