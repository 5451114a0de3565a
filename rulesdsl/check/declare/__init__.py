"""From declarations to the world: who is called what, and what each thing is like."""
