"""From declarations to the world: who is called what, and with which parameters.

`hooks.declare` goes over all files three times: things first, then verbs, steps and values, whose
parameters name things, then hooks, which name verbs.  So the order of lines and files does not
matter.  All functions share the `Names`: the world that is filled, and who took which name.
Bodies are not looked at here; `check.resolve` does that.
"""
