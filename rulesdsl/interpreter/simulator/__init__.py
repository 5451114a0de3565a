"""The second back end: the flat form as WebAssembly, for games by the thousand.

A module is made of text by the `wasmtime` package, which compiles it and runs it in a sandbox: it
sees its own memory and nothing else.  `module` puts the text together; `values`, `steps` and
`machines` write the functions of the form, the `.wat` files are the functions that are the same
for all games, and `host.wat` holds those that the host calls, each for many games at once.

`memory` says where everything lies, and `map` what the host has to know of that.  A position is
one piece of memory, so that a copy of it is a copy of the game:

    constants | box | core: arrays, piles | open: stack, frames, options | scratch | results

Arrays of the flat form are arrays, as narrow as their bounds allow.  Piles are linked lists.  A
machine is a function whose slots are locals.  It can stop at a decision: it writes its slots into
its frame (there is one for each machine, since no machine is ever under way twice), pushes where
it goes on, and returns; those that entered it do the same, down to the host.  To go on, each
function is called at the place where it stopped.  A game that is played through never stops, and
pays for none of that.

`simulator` is what people hold: `playouts`, `branch`, positions; what comes of them is in
`playouts`.  `runner` says what a back end can do: `wasm_runner` drives a module, `python_runner`
plays the same games with the Python back end, where `wasmtime` cannot be loaded;
`chance` draws the same random numbers in Python as the module does.  `weighing` says how often
options come, perhaps by what a player has (`holdings`); `asking.wat` draws and counts them.
`crossing` takes the states of sessions in and out.

Start with `host.wat`, then `machines`.  It may import what the interpreter may.
"""
