"""The command with the fake game, for tests that need a process or a terminal of their own."""

import signal
import sys
from unittest.mock import patch

from cli.fake import RULES, FakePack
from coloma import bots, loading
from coloma.app import main
from rulesdsl.source.span import SourceFile

if __name__ == "__main__":
    # A shell starts what runs in the background with interrupts ignored, the tests among it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sources = {"fake/game.rules": SourceFile("fake/game.rules", RULES)}
    with patch.multiple(loading, load_pack=lambda *_: FakePack(), sources_of=lambda *_: sources):
        bots.USUAL = "random"  # others need a game that can be simulated
        main(sys.argv[1:])
