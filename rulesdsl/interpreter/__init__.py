"""The Python back end: an event loop over frames that are plain data, and what says it in words.

`compile` takes one setting (so many players, given options) all the way.  The flat form is made,
or read from the cache; it is emitted as syntax nodes of Python, never as text, and each line keeps
the place in the rules that it stands for (`module`), so that tracebacks name rules.  `emit_values`
writes expressions, `emit_statements` statements, `emit_blocks` how a block ends, `emit_machines`
the whole.  `state` makes an attrs class with a field for each array and pile of the flat form.

A game that waits is a stack of frames, and a frame is a list of numbers:

    st.frames   [ [block, me, s, spent, c, ...],     the number of the block to go on in, then the
                  [block, ...] ]                     slots of the machine; the last frame runs
    st.options  [ 0, 131073, ... ]                   what may be chosen now: a thing, or
                                                     line << 16 | thing + 1, or -1 for no line
    st.answers  [ -1, 3 ]                            secret answers so far, -1 for none
    st.rng, st.learned, st.over, st.log

A block is a function of the state and its frame.  It calls the next block, pushes the frame of
another machine, or writes `st.options` and returns true: somebody has to choose.  `engine` is the
driver: it runs blocks until then, and a choice is a write into the frame and a number of a block.
Nothing of Python's own stack is needed to go on, so a copy of these lists is a copy of the game.

`game` is what people hold, a `decision` what they are asked, in `asked_words`; `choices` logs what
they choose.  `asks` says what each decision leads to; `labels`, `logs`, `views`, `board`,
`printed`, `standings` and `results` say in words what a viewer may know.  `saves` writes
plain data, and reads it back only where `stacks` could have led to it.  Checked packs, flat forms
and modules are kept on disk (`source.cache`); `kinds` lists what they consist of.  `stages` is for
`coloma dump`.  `simulator/` turns the same flat form into WebAssembly, for games by the
thousand.

`reasons/` says why an option is not offered, by code that is compiled when somebody asks.

This layer may import `lower` and what is below it.  Start with `engine`, then `game`.
"""
