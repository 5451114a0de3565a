"""The second back end: the flat form compiled to WebAssembly, for bulk playouts.

`module` assembles the text of a module, which `wasmtime` compiles and runs in a sandbox with
access to nothing but its own memory. `expressions`, `statements` and `machines` emit the functions
of the flat form into `functions.FunctionText`; the `.wat` files contain the functions that all
games share, and `host.wat` has the entry points, which play many games in one call.

`memory` lays out linear memory; `state_transfer.MemoryMap` is the part that the host needs. A
position is one contiguous region, so copying it copies the game:

    constants | box | core: arrays, piles | open: stack, frames, options | scratch | results

Arrays of the flat form are arrays of the narrowest type that fits, and piles are linked lists. A
machine is one function whose slots are locals. At a decision it can unwind: it saves its slots in
its frame (one for each machine, since no machine is active twice), pushes its resume point and
returns, as do all its callers; to resume, each function is called at its resume point. Playouts
never unwind, and pay nothing for the possibility.

`simulator` is the public interface: playouts, branches, positions. It has one of two runners with
the same methods: `wasm_runner` drives a module, and `python_runner` plays the same games, random
numbers included, where `wasmtime` cannot be loaded. `action_space` numbers all options and weighs
them. Start with `host.wat`, then `machines`.
"""
