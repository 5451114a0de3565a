"""From the checked tree to the intermediate form: plain functions and resumable blocks."""
