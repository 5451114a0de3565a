"""From TOML tables and entries in rules to the entries of kinds, every value checked."""
