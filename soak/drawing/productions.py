"""Grammar for random phrases and statements, with types, weights and precedence levels.

    KIND weight [LEVEL] [?condition] [X=binding] [word]: template

A line of a kind is chosen with a probability in proportion to its weight. A condition is an
attribute of the scope. A binding generates the subject of the line (`Drawer.bind`). The level is
the precedence of the phrase. Words: `leaf` is allowed at any depth; `risky` may be impossible;
`still` changes nothing; `differ` has two different sides.

In a template, `{a|b}` is one of several words, and `[N ...]` appears once in N times (N is 2 by
default). Other braces are holes, each with a kind, a method or words of the box, optionally with a
level (phrases that bind less tightly are bracketed) and scope changes (`it=X`: the candidate is
one of X). For a binding, `{X}` is the phrase for all members, `{X.one}` a word for one, `{X!}` any
phrase for one, `{X?}` a local. `{y+X}` is a new name for the rest of the line, `{n:=X}` one for
the lines that follow. K is the subject that the line is for. Words of a hole: `bare` is never
bracketed; `alone` is a single statement; `indent` adds a level; `try` may fail and be undone;
`loop` may not; `spends` may not give back the cost.
"""

from __future__ import annotations

import re
from functools import cache

import attrs

LEVELS = ("ATOM OF AT AMOUNT IN PER PRODUCT SUM CAP COMPARE NOT AND OR WHERE LOOSE").split()
LEVEL = {name: at for at, name in enumerate(LEVELS)}
PHRASES = frozenset(
    "number small yes-no bundle seat player entry single printed list maybe ranking".split()
)
PART = re.compile(r"\[(?:([\d.]+) )?|\{([^}]*)\}|[^\[\]{]+")
PRODUCTIONS = r"""
number 4 leaf: {0|1|1|2|2|3|4|5|9|10}
number 0.1 leaf: {100|999|1000|1000000}
number 4 leaf: {local}
number 3: {constant}
number 1 AT: {chart} at {number OF}
number 1 AT X=column,number: tariff at {X! OF}
number 4: {cell track}
number 2: {field number}
number 1 ?me ?formulas: {field formula}
number 3 IN X=things: {X}
number 2 LOOSE X=differing: all {X IN} where {yes-no OR it=X}
number 0.3 LOOSE X=lying,counted: all {X IN}
number 1 OF X=kind: position of {X! OF}
number 0.5 IN X=list: position of {X! OF} in {X.place AT}
number 0.5 IN X=lying,printed: {X IN} other than {X! OF}
number 0.5 IN X=stack: position of {X! OF} in {X.place AT}
number 1 SUM: {number SUM} {+|-} {number PRODUCT}
number 0.5 PRODUCT: {number PRODUCT} * {number PER}
number 0.5 PRODUCT: {number PRODUCT} / ({number SUM} at least 1)
number 0.01 PRODUCT: {number PRODUCT} / {number PER}
number 1.5 CAP: {number CAP} {at most|at least} {number SUM}
number 1.5 PER X=things: {number IN it=X} per {X IN}
number 2: {value}
number 0.5 OF X=piece,counted: {X.many} of {bundle OF bare}
number 0.5 OF ?ending: {score|standing} of {seat OF}
number 0.5: {players|seats}
small 2 leaf: {1|1|1|2|2|3|0|4}
small 1: {number}
yes-no 4 COMPARE leaf differ: {number CAP} {=|<>|<|<=|>|>=} {number CAP}
yes-no 2 COMPARE differ X=type: {X! CAP} {=|<>} {X! CAP}
yes-no 1.5 COMPARE X=things: {any|any|no} {X IN}
yes-no 1.5 WHERE X=differing: {any|any|no} {X IN} where {yes-no OR it=X}
yes-no 0.5 COMPARE X=lying,one,single,printed: {any|no} {X! AMOUNT} in {X.place AT}
yes-no 0.5 COMPARE X=lying,printed: {any|no} {X IN} other than {X! OF}
yes-no 0.5 COMPARE X=list: {any|no} {X? AMOUNT} in {X.place AT}
yes-no 1 COMPARE: {any|no} {maybe IN}
yes-no 2: {cell flag}
yes-no 1: {field yes-no}
yes-no 1 COMPARE: {switch}
yes-no 1 COMPARE ?fields: any {field effect IN}
yes-no 1: {value}
yes-no 0.5 AND: {yes-no AND} and {yes-no NOT}
yes-no 0.5 OR: {yes-no OR} or {yes-no AND}
yes-no 1 NOT: not {yes-no NOT}
bundle 2 AMOUNT leaf X=piece,counted: {amount X}
bundle 2: {field bundle}
bundle 1 leaf: {local}
bundle 1: {price}
bundle 1 AT X=column,bundle: tariff at {X! OF}
seat 4 leaf: {me}
seat 4 leaf: {local}
seat 1 AMOUNT: {amount player} {before|after} {seat AT}
seat 1 OF X=piece,owned,single,printed: owner of {X! OF}
seat 1: {value}
player 4 leaf: {me}
player 4 leaf: {local}
player 1: {value}
entry 6 leaf: {local}
entry 3 leaf: {K.entry}
entry 1 AMOUNT: {amount K} {before|after} {K! AT}
entry 1: {field K.one}
entry 1: {value}
entry 0.5: {K.option}
entry 1 OF X=piece,kept,single,printed: {K.one} of {X! OF}
single 1: {single K}
printed 6 leaf: {local}
printed 1: {value}
list 1: {field K.many}
maybe 1 OF X=stack: {top|bottom} of {X.place OF}
maybe 1 LOOSE X=list: the first {X.one} in {X.place AT}[ after {X! AT}][ where {yes-no OR it=X}]
maybe 1 OF X=holder,single,printed: {X.one} of {X.place OF}
maybe 1 X=rival: {X.one}
maybe 1 X=memory: {X.place OF}
maybe 1 LOOSE X=chosen: the only {X.choice}[ where {yes-no OR it=X}]
maybe 1 LOOSE ?draws X=chosen: random {X.choice} where {yes-no OR it=X}
maybe 0.5 LOOSE ?draws X=lying,printed: random {X.choice} other than {X! OF}
maybe 1.5 LOOSE X=chosen: the {X.choice}[ where {yes-no OR it=X}] with {ranking it=X}
ranking 2: {most|least} {number OR}
ranking 1: {most|least} {number OR} then {most|least} {number OR}
a 1: {an K}[8  {y+K}]{K.inside}[ where {yes-no OR it=K}]
given 1 ?chooses: {a K}
given 2: {K! OR}
given-number 5: {amount K}
given-number 1 X=things: {amount K} per {X IN}
formula 3: : {K!}
formula 1: :\n    {K! OR} if {yes-no OR}\n    otherwise {K!}
formula 0.5: :\n    {K! OR} if {yes-no OR}\n    {K! OR} if {yes-no OR}\n    otherwise {K!}
formula 0.5 N=said,number: :\n    let {y+N} = {N}\n    {K!}
times 3: {0|1|2|3}
times 3: ({number SUM} at most {1|2|3})
times 1: {number OR}
line 5: {call} shown
line 3 risky X=piece,counted: move {amount X} from {home X AT} into {home X AT} shown
line 3 X=piece,counted: move up to {amount X} from {home X AT} into {home X AT} shown
line 1 X=lying,counted: move all {X IN} into {home X AT} shown
line 1 X=piece,single: move {X! OR} into {home X AT} shown
line 0.5 X=piece,single: move up to 1 {X.one} from {home X AT} into {home X AT} shown
line 1 X=stack: move {top|bottom} {|2 |3 }of {X.place OF} into {home X AT} shown
line 1 X=lying,one,printed: move all {X IN}[ where {yes-no OR it=X}] into {home X into AT} shown
line 0.5 risky X=lying,one,printed: move {small AT} {X.many} from {X.place AT} into {home X AT} shown
line 0.5 X=lying,one,printed: move up to {small AT} {X.entry} from {X.place AT} into {home X AT} shown
line 0.5 ?draws X=lying,one,printed: move (random {X.choice}[ where {yes-no OR it=X}]) into {home X into AT} shown
line 1 X=piece,printed: move {X? OR} into {home X AT} shown
line 1 risky ?chooses X=lying,one,printed: move {a X} into {home X into AT} shown
line 4: {raise|lower} {cell track changed AT} by {small OR} shown
line 2: set {cell track changed AT} to {small OR} shown
line 0.5: set {cell flag changed AT} to {on|off} shown
line 0.5: set {cell flag changed AT} to {yes-no OR} shown
line 1 X=memory: set {X.place AT} to {X! OR} shown
line 1 risky ?chooses X=memory: set {X.place AT} to {an X}
line 0.5 X=memory: clear {X.place AT} shown
line 0.5 X=memory,hidden: show {X.place AT} to {me|all}
line 0.5 X=stack: {raise|lower} {X! AT} by {small OR} shown
line 2: {mark|mark|clear} {cell flag changed AT} shown
line 2 risky ?fields ?me: do {field automatic AT}
line 2 risky ?fields ?chooses: do {field effect AT}
line 1 risky still: needs {yes-no OR}[3  {label}]
line 0.7 ?draws X=stack: shuffle {X.place AT}
line 0.5 still ?me X=stack: look at top {|2 |3 }of {X.place OF}
line 0.5 ?me X=stack: show top {|2 |3 }of {X.place OF} to {me|all}
line 0.5 ?me X=lying,one,printed: show all {X IN} to {me|all}
line 0.5 still ?me X=lying,one,printed: look at all {X IN}[ where {yes-no OR it=X}]
line 0.15: end game
line 0.4 still: nothing
line 0.5 still: say {label} shown
line 1.2 risky still ?chooses X=choosable: let {n:=X} = {a X}[3  {label}][9  each {label}]
line 1 still X=type: let {n:=X} = {X! LOOSE}
spent 1: {raise|lower} {cell track changed AT} by {small OR} shown
spent 1: {mark|clear} {cell flag changed AT} shown
spent 0.3: {line}
sequence 1: {plain}[3 , {sure}][ to {sure}[3 , {sure}]]
sequence 0.5 risky: {plain}[3 , {plain}] to {plain}[3 , {plain}]
block 3: if {yes-no WHERE}{body}[4 \notherwise if {yes-no OR}{body}][3 \notherwise{body}]
block 2: if able{body try}[\notherwise{body}]
block 2 X=looped: for each {X.one}[ {y+X}]{X.inside}[ where {yes-no OR it=X}]{body loop it=X}
block 1: repeat {times} times{body loop}
block 1: for {seat AT}{body loop me=seat}
block 0.5: for {player AT}{body loop me=player chooses}
block 2 X=said,maybe: let {y+X} = {X LOOSE}\nif any {y}{body}
block 1 risky: {sequence}
block 2 ?chooses: may[ {label}[9  confirm]]{body try}
block 1 ?chooses: may {plain try}
block 1 ?chooses: may[ {label}] up to {small OR} times{body try}
block 0.6 ?chooses: may[ {label}] any number of times:\n{cost indent}[\n{spent indent spends}]
block 0.15 ?chooses: may any number of times:\n{cost indent}\n{block indent spends}
block 1 ?chooses: {choose}
block 1 ?chooses: {menu}
block 1 ?chooses risky: {sequence} or else {sequence}
block 0.7 ?chooses: {sequence} or else {sequence} or else nothing
block 3 ?nobody: for each player[4  starting with {seat AT}][4  where {yes-no OR me=player it=player}]{body loop me=player it=player chooses}
block 1 ?nobody: for each seat[4  starting with {seat AT}][4  where {yes-no OR me=seat it=seat}]{body loop me=seat it=seat}
block 0.3: for each player{body loop me=player it=player chooses}
block 1.5 risky ?nobody X=choosable: all[4  where {yes-no OR}] choose secretly {an X}[ {y+X}]{X.inside}[3  where {yes-no OR it=X}]{body loop me=player it=none chooses}
block 0.5 ?nobody X=kind: all choose secretly {an X}[ {y+X}]{body loop me=player it=none chooses}
block 0.7 ?nobody: repeat at most {1|2|3|5|20} times until {yes-no OR}{body loop}
choose 1: choose one[4  {label}]:\n{way indent}[\n{way indent}][\n{way indent}]\n    {label}: nothing
way 2: {label}[9  confirm]{body try}
way 1: {plain try}
way 0.7: {block try alone}
menu 1: menu[4  {label}]:\n{menu-line indent}[\n{menu-line indent}][\n{menu-line indent}]
menu-line 2: once[ {label}[9  confirm]]{body try}
menu-line 1 X=lying,one,single,printed: once[ {label}] for each {X.one} {y+X} in {X.place AT}[ where {yes-no OR it=X}]{body try}
menu-line 1: any time[ {label}]:\n{cost indent}[\n{spent indent spends}]
menu-line 0.1: any time:\n{cost indent}\n{block indent spends}
"""  # noqa: E501 - one line per production


@attrs.frozen
class Hole:
    """Hole in a template, or an optional part that appears once in `often` times."""

    name: str = ""
    words: tuple[str, ...] = ()
    level: int = LEVEL["LOOSE"]
    often: float = 1
    parts: tuple[str | Hole, ...] = ()


@attrs.frozen
class Production:
    """Production: one line of the grammar."""

    weight: float
    level: int
    needs: tuple[str, ...]
    binds: tuple[tuple[str, str], ...]
    words: frozenset[str]
    parts: tuple[str | Hole, ...]

    @classmethod
    def of(cls, weight: str, words: list[str], template: str) -> Production:
        """Parse the head of a line and its template."""
        binds = tuple((each[0], each[2:]) for each in words if each[1] == "=")
        needs = tuple(each[1:] for each in words if each[0] == "?")
        level = max((LEVEL[each] for each in words if each in LEVEL), default=0)
        named = ["names"] if ":=" in template else []
        return cls(float(weight), level, needs, binds, {*words, *named}, parts_of(template))  # type: ignore[arg-type]


@cache
def parts_of(template: str) -> tuple[str | Hole, ...]:
    """Parse a template."""
    return _parts(template.replace("\\n", "\n"), 0)[0]


def _parts(text: str, at: int) -> tuple[tuple[str | Hole, ...], int]:
    """Parse a template up to its end, or to the closing bracket."""
    found: list[str | Hole] = []
    while at < len(text) and text[at] != "]":
        part = PART.match(text, at)
        assert part is not None, text
        at = part.end()
        if text[part.start()] == "[":
            inner, at = _parts(text, at)
            found.append(Hole(often=float(part[1] or 2), parts=inner))
        else:
            found.append(_hole(part[2]) if part[2] is not None else part[0])
    return tuple(found), at + 1


def _hole(text: str) -> Hole:
    if "|" in text:
        return Hole(text)
    name, *words = text.split()
    level = next((LEVEL[each] for each in words if each in LEVEL), LEVEL["LOOSE"])
    return Hole(name, tuple(words), level)


GRAMMAR: dict[str, list[Production]] = {}
for _line in filter(None, PRODUCTIONS.splitlines()):
    _head, _, _template = _line.partition(": ")
    _kind, _weight, *_words = _head.split()
    GRAMMAR.setdefault(_kind, []).append(Production.of(_weight, _words, _template))
