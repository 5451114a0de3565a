"""From the checked tree to the flat form that every back end starts from.

Lowering goes in three steps.  `settling` writes the guards of the checker into decisions and marks
where somebody learns something.  `lowering` cuts procedures in which somebody decides into basic
blocks (`form`): what is half done is then the number of a block and some locals.  `flatten` turns
these into the flat form (`flat`), a small imperative language over integers, for one setting: how
many players there are and what the options are is known, so `layout` gives every cell of the state
a constant place, tables are printed out, and conditions about absent rivals fold away.

What the flat form looks like (`flat_text` prints it):

    function do:take/:token(me, n)
        for round.1 in 0 .. (n min 1000)
            source.1 := ($t3[me] + 2)
            @n:token[source.1] := (@n:token[source.1] - 1)

`@` is an array of the state (`n:` like pieces, `s:` single ones, `w:` where printed ones lie, `t:`
tracks, `f:` marks), `#` a pile of printed pieces, `$` a constant table, `&` a buffer, `%` a row of
the pool of constant lists.  A machine's locals are the slots of its frame.  An option of a
question is a thing, or `line << 16 | thing + 1`, or -1 for none.

`passes` improve the form, `fold` is the folding that all of them use, and `flat_verify` says
whether a program is sound.  This floor may import the checker and what is below it, no back end.
Start with `flat`, then `flatten/program`.
"""
