"""What can be carried out: the guard of every procedure, and the proof that nothing gets stuck.

A guard holds all conditions that are met along a procedure, asked before anything has changed.
Behind a change, a condition is asked beforehand too, as long as the change writes nothing that it
reads.  A condition that can only be asked when it may be too late has to follow from what is
known there; otherwise the content is refused.
"""
