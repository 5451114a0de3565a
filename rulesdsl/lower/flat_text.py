"""Printer of the flat form, for `coloma dump` and for tests of the passes."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from rulesdsl.lower import flat as fl

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def function_text(function: fl.Function) -> str:
    """Return a function as text."""
    head = f"function {function.name}({', '.join(function.params)})"
    buffers = (f"    buffer {name}[{most}]" for name, most in function.buffers)
    return "\n".join([head, *buffers, *_body(function.body, 1)])


def machine_text(machine: fl.Machine) -> str:
    """Return a machine as text, block by block."""
    lines = [f"machine {machine.name}({', '.join(machine.params)})"]
    lines += [f"    slot {each}" for each in machine.slots if each not in machine.params]
    lines += [f"    buffer {name}[{most}]" for name, most in machine.buffers]
    for at, block in enumerate(machine.blocks):
        lines += [f"    block {at}", *_body(block, 2)]
    return "\n".join(lines)


def _body(body: fl.Body, depth: int) -> Iterator[str]:
    for stmt in body:
        yield from _stmt(stmt, depth)


def _stmt(stmt: fl.Stmt, depth: int) -> Iterator[str]:
    margin = "    " * depth
    match stmt:
        case fl.Conditional(condition=condition, yes=yes, no=no):
            yield f"{margin}if {expr_text(condition)}"
            yield from _body(yes, depth + 1)
            if no:
                yield f"{margin}else"
                yield from _body(no, depth + 1)
        case fl.For(local=local, source=source, body=body):
            yield f"{margin}for {local} in {_source(source)}"
            yield from _body(body, depth + 1)
        case _:
            yield margin + _line(stmt)


def _line(stmt: fl.Stmt) -> str:  # noqa: C901, PLR0912 - one case per statement
    match stmt:
        case fl.Set(local=local, value=value):
            return f"{local} := {expr_text(value)}"
        case fl.Store(array=array, index=index, value=value):
            return f"@{array}[{expr_text(index)}] := {expr_text(value)}"
        case fl.Fill(array=array, value=number):
            return f"fill @{array} {number}"
        case fl.Break():
            return "break"
        case fl.Return(value=value):
            return "return" if value is None else f"return {expr_text(value)}"
        case fl.RunFunction(function=name, arguments=arguments, index=index):
            return f"do {_called(name, arguments, index)}"
        case fl.Clear(buffer=buffer, many=many):
            return f"clear {_source(buffer)}{'' if many is None else f' x {many}'}"
        case fl.Push(buffer=buffer, value=value):
            return f"push {_source(buffer)} {expr_text(value)}"
        case fl.Distinct(buffer=buffer, piece=piece, prints=prints, where=where, marks=marks):
            told = [prints, *(["where"] if where else []), *(f"{a}/{t}/{n}" for a, t, n in marks)]
            return f"distinct {piece} {_source(buffer)} by {' '.join(told)}"
        case fl.Draw(local=local, buffer=buffer):
            return f"draw {local} from {_source(buffer)}"
        case fl.PlacePiece(piece=piece, thing=thing, cell=cell, top=top):
            end = "top" if top else "bottom"
            return f"place {piece} {expr_text(thing)} {end} {expr_text(cell)}"
        case fl.PermutePile(operation=operation, pile=pile):
            return f"{operation} {_source(pile)}"
        case fl.Shift(piece=piece, thing=thing, by=by, old=old, new=new):
            return f"shift {piece} {expr_text(thing)} {expr_text(by)} ({old}, {new})"
        case fl.Note(event=event, values=values):
            return f"note {event} ({_listed(values)})"
        case fl.FinishGame():
            return "finish"
        case fl.Goto(block=block):
            return f"goto {block}"
        case fl.Enter(machine=name, arguments=arguments, then=then, index=index):
            return f"enter {_called(name, arguments, index)} then {then}"
        case fl.Leave():
            return "leave"
        case fl.Ask(decision=decision):
            return f"ask {decision}"
        case fl.Conditional() | fl.For():
            raise AssertionError(stmt)
        case _:
            assert_never(stmt)


def expr_text(expr: fl.Expr) -> str:  # noqa: C901, PLR0912 - one case per expression
    """Return an expression as text."""
    match expr:
        case fl.Literal(value=value):
            return str(value)
        case fl.LocalVar(name=name):
            return name
        case fl.Load(array=array, index=index):
            return f"@{array}[{expr_text(index)}]"
        case fl.TableCell(table=table, index=index):
            return f"${table}[{expr_text(index)}]"
        case fl.ListItem(of=of, index=index):
            return f"{_source(of)}[{expr_text(index)}]"
        case fl.Length(of=of):
            return f"length {_source(of)}"
        case fl.Contains(of=of, value=value):
            return f"({expr_text(value)} in {_source(of)})"
        case fl.Op(op=op, left=left, right=right):
            return f"({expr_text(left)} {op} {expr_text(right)})"
        case fl.Negate(value=value):
            return f"not {expr_text(value)}"
        case fl.ShortCircuit(op=op, parts=parts):
            return f"({f' {op} '.join(map(expr_text, parts))})"
        case fl.Select(condition=condition, yes=yes, no=no):
            return f"({expr_text(condition)} ? {expr_text(yes)} : {expr_text(no)})"
        case fl.CallFunction(function=name, arguments=arguments, index=index):
            return _called(name, arguments, index)
        case _:
            assert_never(expr)


def _source(source: fl.Source) -> str:
    match source:
        case fl.Buffer(name=name, at=at):
            return f"&{name}" if at is None else f"&{name}{{{expr_text(at)}}}"
        case fl.ConstRow(number=number):
            return f"%{expr_text(number)}"
        case fl.Pile(piece=piece, cell=cell):
            return f"#{piece}[{expr_text(cell)}]"
        case fl.IntRange(low=low, high=high):
            return f"{expr_text(low)} .. {expr_text(high)}"
        case fl.Bits(value=value):
            return f"bits {expr_text(value)}"
        case _:
            assert_never(source)


def _called(name: str, arguments: tuple[fl.Expr, ...], index: fl.Expr | None) -> str:
    of = name if index is None else f"{name}[{expr_text(index)}]"
    return f"{of}({_listed(arguments)})"


def _listed(values: Iterable[fl.Expr | fl.Buffer]) -> str:
    return ", ".join(
        _source(each) if isinstance(each, fl.Buffer) else expr_text(each) for each in values
    )
