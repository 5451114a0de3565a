"""Reasons why options are not offered, in the words of the author or of the things in a rule."""
