"""What can be carried out: weakest preconditions, and the proof that nothing gets stuck.

A procedure may need something in the middle: a price to pay, a thing to choose.  Nobody may begin
what cannot be ended, so every procedure has a guard, the condition under which all of it can be
carried out.  It is computed backwards over the steps, callees first, as Dijkstra does it:

    wp(needs C; rest)    = C and wp(rest)             C is known in the rest
    wp(let x = V; rest)  = let x = V: wp(rest)
    wp(run p(a); rest)   = guard of p, a put in, and wp(rest)
    wp(choose x; rest)   = any x: wp(rest)            these are the candidates
    wp(if C: a; else: b) = C ? wp(a); wp(b)

There is one turn to it.  All conditions are asked before anything has changed.  After a change, a
condition can still be asked beforehand if the change writes nothing that it reads.  Else it is
late: it has to follow from what is known there (`proofs`), or the rule is refused with E401.  A
`may` or an `if able` asks again at its own moment, so nothing in it is late.

The pass returns the bodies of procedures as new trees with guards in them, and puts the guards of
the procedures themselves into `Program.guards`:

    Line.guard            when a line of a decision is offered
    WhereAble.guard       when the block of an `if able` is carried out
    Decide, Secretly      the domain is narrowed to the candidates that keep the rest possible

`guards` is the pass, and where to start.  `known` is what it carries along (facts, what was
written, which locals came late), `calls` what single steps ask for, `candidates` how a choice is
narrowed down, `stuck` finds the place to blame where a condition comes too late.  A guard of up to
24 nodes is written out at a call; a longer one is asked by name (`Can`), as a function.

Imports the tree, the prover, effects and intervals; nothing here knows of syntax or of lowering.
"""
