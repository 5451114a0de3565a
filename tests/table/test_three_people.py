"""Three people at one table, by the library alone: secret answers, undo, seats and a resume.

A case is a line of acts, and what a person expects. `1a` means that player 1 answers `a`; `u1`,
that player 1 takes back an own choice; `u1:2`, that player 1 takes back a choice of player 2;
`u1?`, that player 1 takes back whatever was last; `b2` and `t2` give seat 2 to a bot and to a
person; `r` closes the table and resumes the game from its journal. `!` after an act means that it
is refused. The table first asks all for a bid in secret (a to c), then each for a public choice.
"""

import re
from pathlib import Path

import pytest

from packs_on_the_fly import BOX, loaded
from rulesdsl import Pack
from rulesdsl.bots.bot import Bot, ByWeight, all_alike
from rulesdsl.table.journal import read_journal, set_up
from rulesdsl.table.opening import begin_journal, header_of, resume
from rulesdsl.table.seating import Seating
from rulesdsl.table.table import GameTable
from rulesdsl.table.undo import NotUndone

BIDS = BOX.replace(
    "step game: for each player: act",
    "step game:\n"
    "    all choose secretly a number n in 1..3: raise my fame by n\n"
    "    for each player: act",
)
PUBLIC = """
choose one:
    "one": raise my favour by 1
    "two": raise my favour by 2
    "three": raise my favour by 3
"""
TRACK = "track favour per player from 0..3"
ACT = re.compile(r"([1-3])([abc])|u([1-3])(\?|:[1-3])?|([bt])([1-4])|(r)")

# acts -> players who are asked then, and the public choices that stand (`-` for none)
CASES = """
                                -> 123 ---
1a                              -> 23 ---
2a                              -> 13 ---
1a 2b                           -> 3 ---
1a u1                           -> 123 ---
1a 2b u1                        -> 13 ---
1a 2b u2                        -> 23 ---
2b 1a u1                        -> 13 ---
2b 1a u2                        -> 23 ---
1a 2b u1 u2                     -> 123 ---
1a 2b u2 u1                     -> 123 ---
1a 2b u1 1c                     -> 3 ---
1a 2b u1 1c u2 2a u1            -> 13 ---
1a 2b u1 u1!                    -> 13 ---
1a 2b u3!                       -> 3 ---
1a u2!                          -> 23 ---
1a u2?!                         -> 23 ---
1a 2b u1?                       -> 13 ---
1a 3c u2:1                      -> 12 ---
1a 2b 3c                        -> 1 ---
1a 2b 3c u3!                    -> 1 ---
1a 2b 3c u1!                    -> 1 ---
1a 2b 3c 1b                     -> 2 b--
1a 2b 3c 1b u1                  -> 1 ---
1a 2b 3c 1b u2!                 -> 2 b--
1a 2b 3c 1b u2?                 -> 1 ---
1a 2b 3c 1b 2c u2               -> 2 b--
1a 2b 3c 1b 2c u1!              -> 3 bc-
1a 2b 3c 1b 2c u3? u3?          -> 1 ---
1a 2b 3c 1b 2c u2 u1            -> 1 ---
3a 2b u2 r                      -> 12 ---
1a 2b u1 r 1c                   -> 3 ---
1a r 2b                         -> 3 ---
1a 2b r u1                      -> 13 ---
1a 2b r u2 u1                   -> 123 ---
1a 2b 3c 1b r u1                -> 1 ---
1a 2b 3c 1b r 2c u2             -> 2 b--
b2 1a                           -> 3 ---
1a b2                           -> 3 ---
1a b2 u1                        -> 123 ---
1a b2 3c 1a                     -> 3 a*-
1a b2 3c 1a u1                  -> 1 ---
1a b2 t2 3c                     -> 1 ---
1a b2 3c t2 1a                  -> 2 a--
1a b2 3c t2 1a 2b u2            -> 2 a--
1a b2 r 3c 1a                   -> 3 a*-
b2 r t2                         -> 123 ---
b1 t1 r                         -> 23 ---
b1 b2                           -> 3 ---
b1 b2 3a 3b                     -> over **b
b4!                             -> 123 ---
"""


class Trial:
    """Table of three, with what its journal is resumed from."""

    def __init__(self, pack: Pack, path: Path) -> None:
        self.pack, self.path = pack, path
        game, seating = pack.new_game(3, 5), Seating(("", "", ""))
        journal = begin_journal(path, header_of(game, pack, seating, "unused"), seating)
        self.table = GameTable(game, seating, journal, self.bot)

    def bot(self, _: str) -> Bot:
        return ByWeight(all_alike)

    def act(self, text: str) -> None:
        """Carry out an act, and the choices of bots after it."""
        match = ACT.fullmatch(text)
        assert match, text
        player, answer, undoer, whose, change, seat, again = match.groups()
        if player:
            asked = [one for one in self.table.game.decisions if one.player == int(player)]
            self.table.choose(asked[0], "abc".index(answer))
        elif undoer:
            owner = {None: undoer, "?": ""}.get(whose, (whose or "")[1:])
            self.table.undo(int(undoer), owner)
        elif change:
            self.table.hand_over(int(seat), {"b": "random", "t": ""}[change])
        elif again:
            self.table.close()
            read = read_journal(self.path)
            self.table = resume(read, set_up(read, self.pack), self.bot)
        while self.table.let_a_bot_choose():
            pass

    def outcome(self) -> str:
        """Return the players who are asked, and the public choices; `*` is one of a bot."""
        game = self.table.game
        asked = "".join(str(one.player) for one in game.decisions) or "over"
        favours = game.position_data()["state"]["t_favour"][:3]
        marks = [
            "-" if not favour else "*" if self.table.seating.is_bot(seat) else "abc"[favour - 1]
            for seat, favour in enumerate(favours, start=1)
        ]
        return f"{asked} {''.join(marks)}"


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Pack:
    return loaded(tmp_path_factory.mktemp("bids"), PUBLIC, TRACK, box=BIDS)


@pytest.mark.parametrize("case", CASES.strip("\n").splitlines())
def test_a_person_gets_what_a_person_expects(case: str, pack: Pack, tmp_path: Path) -> None:
    acts, _, expected = case.partition("->")
    trial = Trial(pack, tmp_path / "game.toml")
    for act in acts.split():
        if act.endswith("!"):
            before = trial.table.game.to_data()
            with pytest.raises(NotUndone if act[0] == "u" else ValueError):
                trial.act(act[:-1])
            assert trial.table.game.to_data() == before
        else:
            trial.act(act)
    assert trial.outcome() == expected.strip()
    position = trial.table.position
    trial.act("r")
    assert trial.outcome() == expected.strip(), "the journal keeps all of it"
    assert trial.table.position == position
