"""From the checked tree to the flat form that every back end starts from.

The middle of a compiler: the tree becomes basic blocks, these become a small imperative language
over integers, and passes improve that.

    Checked --settling--> steps, settled --lowering--> Form --flatten/--> Flat --passes/--> Flat
    bodies with guards     `Learn` marked              basic blocks       one setting

`settling` follows who knows what (information flow), and marks where somebody learns something;
what only the checker needed is gone after it.  `lowering` cuts procedures in which somebody
decides into basic blocks (`form`), at questions and at calls of other such procedures: what is
half done is then the number of a block and some locals, and can be saved.  `flatten` makes the
flat form (`flat`) for one setting: how many players there are and what the options are is known,
so `layout` gives every cell of the state a constant place, tables are printed out, and conditions
about absent rivals fold away.

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
nodes, `flat_walk` says what bodies read, set and end in, `sizes` bounds the buffers, and
`flat_verify` says whether a program is sound.  This layer may import the checker and what is
below it, no back end.  Start with `flat`, then `flatten/program`; of the first half with `form`.
"""
