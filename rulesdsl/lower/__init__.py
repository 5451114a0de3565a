"""Middle end: the builder of the flat form from the typed tree, and its optimiser passes.

    Program --builder/--> Flat --passes/--> Flat
    annotated bodies      one setting

`builder` translates the bodies that the checker has annotated with guards and revelations.
Procedures with decisions become machines: they are split into basic blocks at questions and at
calls to other machines, so a suspended effect is just a block number and some locals, and can be
saved. The flat form (`flat`) is specific to one setting: players and options are constants, so
`layout` gives every cell of the state a constant index, and conditions on absent rivals fold away.

An excerpt, printed by `flat.text`:

    function do:take/:token(me, n)
        for round.1 in 0 .. (n min 1000)
            source.1 := ($t3[me] + 2)
            @n:token[source.1] := (@n:token[source.1] - 1)

`@` marks an array of the state (`n:` counted pieces, `s:` single pieces, `w:` cells of printed
pieces, `t:` tracks, `f:` flags), `#` a pile of printed pieces, `$` a constant table, `&` a buffer,
`%` a row of the pool of constant lists. Locals of a machine are slots of its frame. An option of a
question is an entity, or `line << 16 | entity + 1`, or -1 to stop.

`passes` inline functions and introduce index sets; `flat.walk` has traversals and constant
folding; `layout` also computes the capacities of buffers; `schema` describes the parts of the
state. Back ends know a game only by its flat form and its schema. This layer imports the checker
and the layers below it. Start with `flat`, then `builder/program`.
"""
