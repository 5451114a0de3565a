"""The Python back end: an event loop over plain-data frames, and the text shown to players.

`compile` lowers the program to the flat form, or reads it from the cache, and `python/` emits it
as Python syntax nodes, never as text; each node records the line of its rule, so tracebacks name
rules. `state.StateFactory` makes an attrs class with a field for each array of the flat form.

A waiting game is a stack of frames, and a frame is a list of numbers:

    st.frames   [ [block, me, s, spent, c, ...],     the number of the next block, then the
                  [block, ...] ]                     slots of the machine; the last frame runs
    st.options  [ 0, 131073, ... ]                   the legal choices: an entity, or
                                                     line << 16 | entity + 1, or -1 to stop
    st.answers  [ -1, 3 ]                            secret answers so far, -1 for none
    st.rng, st.learned, st.over, st.log

A block is a function of the state and its frame. It jumps to the next block, pushes a frame for
another machine, or fills `st.options` and returns true: a decision is open. `engine` runs blocks
until then; a choice writes a slot and a block number into the frame. Nothing is left on Python's
own stack, so a copy of these lists is a copy of the game. `saves` writes and reads them, and
checks them against the stacks that the program can have.

`labels`, `log`, `views`, `board`, `rulebook` and `reasons` turn a state into text and data for one
viewer; they know the engine and the labels, not the game. `setting.CompiledSetting` is one
configuration (player count, options) and holds one of each. `game` is one game of a setting, and
`pack` begins games; these two and `decisions` are the public interface. `simulator/` compiles the
same flat form to WebAssembly for bulk playouts. This layer imports `lower` and the layers below.
"""
