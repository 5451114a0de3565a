"""Builder of the flat form that every back end starts from, and the passes that improve it.

The middle of a compiler: the checked tree becomes a small imperative language over integers.

    Program --flatten/--> Flat --passes/--> Flat
    bodies annotated      one setting

`flatten` reads the bodies as the checker leaves them, with guards and with what each step reveals.
It cuts procedures in which somebody decides into basic blocks, at questions and at calls of other
such procedures: what is half done is then the number of a block and some locals, and can be saved.
The flat form (`flat`) is made for one setting: how many players there are and what the options are
is known, so `layout` gives every cell of the state a constant place, tables are printed out, and
conditions about absent rivals fold away.

What the flat form looks like (`flat_text` prints it):

    function do:take/:token(me, n)
        for round.1 in 0 .. (n min 1000)
            source.1 := ($t3[me] + 2)
            @n:token[source.1] := (@n:token[source.1] - 1)

`@` is an array of the state (`n:` like pieces, `s:` single ones, `w:` where printed ones lie, `t:`
tracks, `f:` marks), `#` a pile of printed pieces, `$` a constant table, `&` a buffer, `%` a row of
the pool of constant lists.  A machine's locals are the slots of its frame.  An option of a
question is a thing, or `line << 16 | thing + 1`, or -1 for none.

`passes` improve the form: inlining, and sets as bits.  `fold` is the constant folding of flat
nodes, `flat_walk` says what bodies read, set and end in, and `sizes` bounds the buffers.  `schema`
says what the state consists of: with the form it is all that back ends know of a game.  This layer
may import the checker and what is below it, no back end.  Start with `flat`, then
`flatten/program`.
"""
