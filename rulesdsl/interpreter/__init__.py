"""From the flat form to Python: states, decisions, random numbers, logs, saves.

`compile` takes a setting all the way: the flat form is made, improved by passes, and emitted as
syntax nodes (`emit_values`, `emit_statements`, `emit_blocks`, `emit_machines`), never as text.
`state` makes an attrs class with a field for each array and pile; `engine` is the driver, which
runs blocks until somebody has to choose and takes the choice.  `game` is what people hold;
`labels`, `logs`, `views`, `board`, `results` put it into words, `saves` and `stacks` into plain
data and back.  `simulator/` turns the same flat form into WebAssembly, for games by the thousand.
"""
