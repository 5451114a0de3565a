import random
from pathlib import Path

import pytest

import rulesdsl
from adapters.secret_bids import SECRETS
from kept import shipped_pack
from packs_on_the_fly import MANIFEST, loaded
from rulesdsl.adapters.environment import SharedTable, limit, results, sums_to_nothing
from rulesdsl.adapters.observation import FeatureEncoder, Moves
from rulesdsl.interpreter.display.results import outcomes
from soak.worlds import replayed
from some import some

ROOT = Path(__file__).parents[2]
GAMES = [("content", 3), ("content/sutters_mill", 2), ("content/classics/breakthrough", 2)]


def pack_of(name: str) -> rulesdsl.Pack:
    if name.startswith("content"):
        return shipped_pack(ROOT / name)
    return rulesdsl.load(ROOT / name)


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_all_that_is_offered_has_a_number_and_a_name(name: str, players: int) -> None:
    table = SharedTable(pack_of(name), players, None)
    chance = random.Random(4)

    assert [each.number for each in table.moves.all] == list(range(len(table.moves.all)))
    assert len({each.name for each in table.moves.all}) == len(table.moves.all)
    assert len(set(table.observer.names)) == len(table.observer.names)
    for seed in range(1):
        playing = table.begin(seed)
        while (decision := playing.game.decision) is not None:
            offered = playing.offered
            assert len(offered) == decision.count
            assert offered == sorted(offered)
            names = {table.moves.all[each].option for each in offered}
            assert {each.id.split("-")[0] for each in decision.options} == {
                each.split("-")[0] for each in names
            }
            playing.take(chance.choice(offered))


def test_a_move_that_is_not_offered_changes_nothing() -> None:
    playing = SharedTable(rulesdsl.load(ROOT / "content/classics/tic_tac_toe"), 2, None).begin(0)
    playing.take(4)
    before = playing.game.to_data()

    with pytest.raises(rulesdsl.IllegalChoice, match=r"square/square:b2` is not offered at"):
        playing.take(4)
    with pytest.raises(rulesdsl.IllegalChoice, match="move 99 is not offered"):
        playing.take(99)
    assert playing.game.to_data() == before


@pytest.mark.parametrize(("name", "players"), GAMES[:2])
def test_a_row_is_the_same_in_worlds_that_look_the_same(name: str, players: int) -> None:
    pack, chance = pack_of(name), random.Random(7)
    observer = FeatureEncoder(pack.setting(players, {}, log=True))
    compared = swapped = 0
    game, choices = pack.new_game(players, 3), list[tuple[int, int]]()
    for at in range(80):
        decision = game.decision
        if decision is None:
            game, choices = pack.new_game(players, at), []
            continue
        who = decision.player
        made = replayed(pack, game, choices, who, chance) if at % 4 == 0 else None
        if made is not None:
            other, pieces = made
            row = observer.row(game, who)
            assert row == observer.row(other, who)
            assert len(row) == len(observer.names)
            compared, swapped = compared + 1, swapped + pieces
        choices.append((who, chance.randrange(decision.count)))
        game.choose(choices[-1][1], who)
    assert compared >= 5
    assert swapped > compared


def test_a_row_has_names(tmp_path: Path) -> None:
    pack = loaded(tmp_path, "nothing", SECRETS)
    table = SharedTable(pack, 2, None)
    playing = table.begin(5)
    first = _named(table, playing.row(1))

    assert first["I am in seat 1"] == 1
    assert first["cards in Player 1's Hand"] == 1
    assert first["cards in Player 2's Hand"] == 1
    assert sum("#" in each and "Hand" in each for each in first) == 1
    playing.take(playing.offered[2])
    second = _named(table, playing.row(2))
    playing.take(playing.offered[0])
    assert [each for each in second if "fame" in each] == []
    asked = _named(table, playing.row(1))
    assert asked["fame of Player 1"] == asked["value 1 in the question"] == 3
    assert asked["I am asked play"] == 1


def test_a_secret_choice_tells_the_others_nothing(tmp_path: Path) -> None:
    table = SharedTable(loaded(tmp_path, "nothing", SECRETS), 2, None)
    rows = []
    for choice in range(2):
        playing = table.begin(5)
        playing.take(playing.offered[choice])
        assert some(playing.game.decision).player == 2
        rows.append(playing.row(2))

    assert rows[0] == rows[1]


def test_results_are_shared_by_who_is_first(tmp_path: Path) -> None:
    table = SharedTable(loaded(tmp_path, "nothing", SECRETS), 2, None)
    found = set()
    for choices in [(0, 1, 0, 0), (1, 0, 0, 0), (1, 1, 0, 0)]:
        playing = table.begin(5)
        assert results(playing.game) == [0, 0]
        for choice in choices:
            rewards = playing.take(playing.offered[choice])
        found.add(tuple(rewards))

    assert sums_to_nothing(table.setting)
    assert found == {(-1, 1), (1, -1), (0, 0)}


@pytest.mark.parametrize(
    ("places", "shares"),
    [
        ((1, 2, 3), (1, -0.5, -0.5)),
        ((1, 1, 3), (0.25, 0.25, -0.5)),
        ((1, 1, 1), (0, 0, 0)),
        ((2, 1), (-1, 1)),
    ],
)
def test_winners_share_the_stakes(places: tuple[int, ...], shares: tuple[float, ...]) -> None:
    assert tuple(each.balance for each in outcomes(places)) == shares


def test_a_row_is_as_long_as_its_names_beside_a_rival(tmp_path: Path) -> None:
    rules = 'rival ghost "Ghost"\npiece dial 1 per player in hook\nplace hook holds dial\n'
    table = SharedTable(loaded(tmp_path, "nothing", rules), 2, None)
    assert len(table.begin(1).row(1)) == len(table.observer.names)
    assert sum("dial" in each.casefold() for each in table.observer.names) == 2


def test_a_game_that_asks_nobody_is_refused(tmp_path: Path) -> None:
    (tmp_path / "pack.toml").write_text(MANIFEST)
    (tmp_path / "game.rules").write_text("track hp per player\nstep game: nothing\n")
    with pytest.raises(ValueError, match="Fly has no decisions"):
        SharedTable(rulesdsl.load(tmp_path), 2, None)


@pytest.mark.parametrize("longest", [0, -1, 1.5, 10**10])
def test_a_game_is_broken_off_after_a_number_of_decisions(longest: int) -> None:
    with pytest.raises(ValueError, match="`longest` must be a whole number"):
        limit(longest)


def test_points_add_up_to_the_score() -> None:
    table = SharedTable(pack_of("content"), 2, None, "points")
    chance, playing = random.Random(3), table.begin(1)
    before = [playing.game.score(seat).total or 0 for seat in (1, 2)]
    total = [0.0, 0.0]
    while playing.game.decision is not None:
        found = playing.take(chance.choice(playing.offered))
        total = [old + new for old, new in zip(total, found, strict=True)]

    ends = some(playing.game.result).scores[:2]
    assert [old + new for old, new in zip(before, total, strict=True)] == list(ends)


def test_what_is_rewarded_is_one_of_two() -> None:
    with pytest.raises(ValueError, match="`reward` must be one of result, points, not 'gold'"):
        SharedTable(pack_of("content"), 2, None, "gold")  # type: ignore[arg-type]


def test_equal_pieces_are_moves_of_their_own() -> None:
    moves = Moves(pack_of("content/sutters_mill").setting(2, {}, log=True)).all
    names = [each.option for each in moves if each.option.startswith("prospector:miner")]
    assert names[:2] == ["prospector:miner", "prospector:miner-2"]


def _named(table: SharedTable, row: list[int]) -> dict[str, int]:
    return {name: each for name, each in zip(table.observer.names, row, strict=True) if each}
