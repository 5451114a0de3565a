import json
import random
from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import BOX, loaded, rows_of, written
from rulesdsl import Form, Game, Grid, Map, Pack, Rank, Role, Rows, SaveError, Score, Table, When
from some import some

SCORED = BOX.replace('score fame-score "Fame": my fame', 'score fame-score "Fame": my fame\n{}')
OPEN = 'score coin-score "Coins": 2 * coins in my purse'
SECRET = 'score guess-score "Guess": my guess'
HAND = 'score hand-score "Hand": worth per cards in my hand'
DECK = 'score deck-score "Deck": worth per cards in deck'
ACT = "raise my guess by 3\nraise my fame by 2\nmove top of deck into my hand\nmay gain 1 coin"


def game_of(folder: Path, *lines: str, players: int = 2) -> Game:
    box = SCORED.format("\n".join(lines))
    game = loaded(folder, ACT, box=box).new_game(players)
    game.choose("yes")
    return game


def told(score: Score) -> tuple[dict[str, int | None], int | None, int | None]:
    return {each.title: each.points for each in score.lines}, score.total, score.place


def test_it_has_the_lines_of_the_final_result(tmp_path: Path) -> None:
    game = game_of(tmp_path, OPEN)
    first, second = game.score(1), game.score(2)
    assert (first.seat, first.name) == (1, "Player 1")
    assert told(first) == ({"Fame": 2, "Coins": 2}, 4, 1)
    assert told(second) == ({"Fame": 2, "Coins": 0}, 2, 2)


def test_at_the_end_it_is_the_result(tmp_path: Path) -> None:
    game = game_of(tmp_path, OPEN, SECRET, HAND)
    game.choose("no")

    result = some(game.result)
    for viewer in (None, 1, 2):
        scores = game.scores(viewer)
        assert tuple(each.total for each in scores) == result.scores
        assert tuple(each.place for each in scores) == result.places
        for at, (title, points) in enumerate(result.breakdown):
            assert [each.lines[at].title for each in scores] == [title, title]
            assert tuple(each.lines[at].points for each in scores) == points


def test_what_only_the_owner_sees_only_the_owner_is_told(tmp_path: Path) -> None:
    game = game_of(tmp_path, SECRET)
    mine, other = game.scores(1)
    assert told(mine) == ({"Fame": 2, "Guess": 3}, 5, None)
    assert told(other) == ({"Fame": 2, "Guess": None}, None, None)
    assert [told(each)[0]["Guess"] for each in game.scores(2)] == [None, 3]
    assert [told(each)[0]["Guess"] for each in game.scores(None)] == [None, None]
    assert told(game.score(2)) == ({"Fame": 2, "Guess": 3}, 5, 1)


def test_what_nobody_sees_nobody_is_told(tmp_path: Path) -> None:
    game = game_of(tmp_path, DECK)
    for viewer in (None, 1, 2):
        for score in game.scores(viewer):
            assert told(score)[0] == {"Fame": 2, "Deck": None}
            assert (score.total, score.place) == (None, None)


def test_a_rival_that_scores_has_a_score(tmp_path: Path) -> None:
    rivals = 'rival miser "Miser"\nrival clock "Clock" without score\n'
    game = loaded(tmp_path, "raise my fame by 2\nmay gain 1 coin", rivals).new_game(2)
    assert [each.name for each in game.scores(1)] == ["Player 1", "Player 2", "Miser"]
    assert told(game.score(3)) == ({"Fame": 0}, 0, 2)
    with pytest.raises(ValueError, match="Clock takes no part in the scoring"):
        game.score(4)


@pytest.mark.parametrize("seat", [0, -1, 3])
def test_a_seat_that_there_is_not(seat: int, tmp_path: Path) -> None:
    game = game_of(tmp_path)
    with pytest.raises(ValueError, match=f"no seat {seat}: seats are 1 to 2"):
        game.score(seat)
    with pytest.raises(ValueError, match=f"no player {seat}: players are 1 to 2"):
        game.scores(seat)


def test_to_look_changes_nothing(tmp_path: Path) -> None:
    game = game_of(tmp_path, OPEN, SECRET, HAND, DECK)
    before = game.to_data()
    game.score(1)
    game.scores(2)
    assert game.to_data() == before


@pytest.mark.parametrize("pack", ["content", "content/sutters_mill"])
def test_the_score_of_a_shipped_game_grows_into_its_result(pack: str) -> None:
    drawn = random.Random(5)
    loaded_pack = rulesdsl.load(Path(__file__).parents[2] / pack)
    game = loaded_pack.new_game(loaded_pack.players[0], 3)
    while decision := game.decision:
        scores = game.scores(decision.player)
        known = [each for each in scores if each.total is not None]
        assert all(sum(line.points or 0 for line in each.lines) == each.total for each in known)
        game.choose(drawn.randrange(decision.count))

    assert tuple(each.total for each in game.scores(None)) == some(game.result).scores


def test_the_result_says_by_what_places_were_given(tmp_path: Path) -> None:
    ranked = BOX.replace(
        "win with most score", "win with most score then least coins in my purse + my guess"
    )
    game = loaded(tmp_path, "raise my guess by 3\nmay gain 1 coin", box=ranked).new_game(2)
    for choice in ("yes", "no"):
        game.choose(choice)

    first, second = Rank(True, "score", (0, 0)), Rank(False, "coins in Purse and guess", (4, 3))
    assert some(game.result).places == (2, 1)
    assert some(game.result).ranking == (first, second)


def test_where_nothing_is_said_the_most_points_win(tmp_path: Path) -> None:
    plain = BOX.replace("win with most score\n", "")
    game = loaded(tmp_path, "raise my fame by 2\nmay gain 1 coin", box=plain).new_game(1)
    game.choose("no")
    assert some(game.result).ranking == (Rank(True, "score", (2,)),)


NAMED_ACT = """\
let p = a player
for p: raise my fame by 2
may move my pawn into one
"""


@pytest.fixture
def pack(tmp_path: Path) -> Pack:
    return loaded(tmp_path, NAMED_ACT, 'rival miser "Miser"')


def test_names_reach_questions_log_score_and_result(pack: Pack) -> None:
    game = pack.new_game(3, names=["Ann", "Bob"])

    assert game.seats == ("Ann", "Bob", "Player 3", "Miser")
    assert [each.label for each in some(game.decision).options] == ["Ann", "Bob", "Player 3"]
    game.choose("player:2")
    assert any("Bob" in line.text for line in game.log)
    assert [each.name for each in game.scores(None)] == list(game.seats)
    played(game)
    assert some(game.result).seats == game.seats


@pytest.mark.parametrize(
    "name",
    [
        "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627",  # Persian
        "\u0dc1\u0dca\u200d\u0dbb\u0dd3",  # Sinhala
        "\u0d05\u0d35\u0d28\u0d4d\u200d",  # Malayalam, with a joiner at the end
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",  # a family
        "\U0001f3f3\ufe0f\u200d\U0001f308",  # a flag
        "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",  # Scotland
    ],
)
def test_names_of_all_scripts(pack: Pack, name: str) -> None:
    assert pack.new_game(2, names=[name]).seats[0] == name


def test_names_are_composed_and_keep_their_spelling(pack: Pack) -> None:
    game = pack.new_game(2, names=["d'Arta", "zoe\u0308"])
    played(game)

    assert game.seats[:2] == ("d'Arta", "zo\u00eb")
    assert any(line.text.startswith("d'Arta chooses") for line in game.log)
    assert not any("D'Arta" in line.text or "Zo" in line.text for line in game.log)


def test_an_empty_name_is_the_usual_one(pack: Pack) -> None:
    assert pack.new_game(3, names=["", " ", "Ann"]).seats[:3] == ("Player 1", "Player 2", "Ann")


def test_games_with_other_names_share_what_is_compiled(pack: Pack) -> None:
    usual, one, other = (pack.new_game(2, names=each) for each in ((), ("Ann",), ("Bob", "Cy")))

    assert usual.setting.engine is one.setting.engine is other.setting.engine
    seats = [each.seats[:2] for each in (usual, one, other)]
    assert seats == [("Player 1", "Player 2"), ("Ann", "Player 2"), ("Bob", "Cy")]
    assert len({json.dumps(each.position_data()["state"]) for each in (usual, one, other)}) == 1


def test_copies_and_saves_keep_the_names(pack: Pack) -> None:
    game = pack.new_game(2, names=["Ann"])
    saved = json.loads(json.dumps(game.to_data()))
    assert game.clone().seats == game.seats
    assert pack.game_from_data(saved).seats == game.seats
    assert pack.game_from_data(saved).to_data() == game.to_data()


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (["Ann", "Bob", "Cy"], "3 names are too many for 2 players"),
        (["Ann", "ANN "], "two seats cannot both be called ANN"),
        (["Player 2"], "two seats cannot both be called Player 2"),
        (["miser"], "two seats cannot both be called Miser"),
        (["Zo\u00eb", "Zoe\u0308"], "two seats cannot both be called Zo\u00eb"),
        (["D'Arta", "d\u2019Arta"], "two seats cannot both be called d\u2019Arta"),
        (["Ann B", "Ann  B"], "two seats cannot both be called"),
        (["Ann", "An\u200dn"], "two seats cannot both be called"),
        (["An\nn"], "^'An\ufffdn' cannot be a name: it has characters that cannot be printed$"),
        (["An\u00adn"], "cannot be a name"),
        (["\u200d"], "cannot be a name"),
        (["An\U000e0061n"], "cannot be a name"),
        (["\x1b[2J"], "cannot be a name"),
        (["An\u202en"], "cannot be a name"),
        (["x" * 31], "'x{30}...' is too long: a name has at most 30 characters"),
    ],
)
def test_names_that_cannot_be(pack: Pack, names: list[str], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        pack.new_game(2, names=names)
    saved = pack.new_game(2).to_data()
    with pytest.raises(SaveError, match="`names` is invalid"):
        pack.game_from_data({**saved, "names": names})


@pytest.mark.parametrize("names", ["Ann", 0, None, [3], {"1": "Ann"}])
def test_names_of_a_save_that_are_no_texts(pack: Pack, names: object) -> None:
    with pytest.raises(SaveError, match="`names`"):
        pack.game_from_data({**pack.new_game(2).to_data(), "names": names})


def played(game: Game) -> None:
    while game.decision:
        game.choose(0)


STEPS = """
source = "house"
step.first = { name = "First", down = 1, across = 1, steep = true, view = "gain 1 coin" }
step.landing = { name = "Landing" }
step.last = { name = "Last", down = 2, across = 1 }
alley.up = { name = "Up", stops = ["first", "landing", "last"] }
alley.back = { name = "Back", stops = ["last", "landing", "first"] }
"""
MORE = """
kind face: sun, moon
piece bead "Bead" 9 in box
piece cat "Cat" 1 per seat in first
place box holds bead
place cloth "Cloth" per face per colour holds bead
place step "Step" from "steps.toml" holds cat:
    down: number = 0
    across: number = 0
    steep: yes-no = off
    view: effect
kind alley from "steps.toml":
    stops: steps
track heat "Heat" per face
track sales "Sales" per player per face
place quilt "Quilt" per player per face per colour holds bead
track snow "Snow" per step
flag wet "Slippery" per step
value warm of face f: heat of f > 1
rival ghost "Ghost" without score when players = 2
"""
LAID_OUT = """
raise heat of moon by 2
move up to 3 beads from box into cloth at moon at blue
move up to 2 beads from box into my quilt at sun at red
raise sales of me at moon by 5
raise snow of last by 2
mark wet of last
move my cat into landing
move top of deck into my hand
raise my guess by 4
may raise my fame by 1
"""


def panel(folder: Path, declared: str, viewer: int | None = 1) -> rulesdsl.BoardPanel:
    (folder / "steps.toml").write_text(STEPS)
    game = loaded(folder, LAID_OUT, f"{MORE}\n{declared}\n", box=BOX).new_game(2)
    return next(each for each in game.board(viewer) if each.title == "P")


def words(cells: tuple[rulesdsl.Cell | None, ...]) -> list[str | None]:
    return [None if each is None else rulesdsl.in_words(each) for each in cells]


def test_a_table_has_a_line_for_each_player(tmp_path: Path) -> None:
    body = panel(tmp_path, 'panel "P" as table per seat: fame, cards in hand "Cards", cat').body

    assert isinstance(body, Table)
    assert body.columns == ("Fame", "Cards", "Cat")
    assert [(each.label, each.seat) for each in body.lines] == [("Player 1", 1), ("Player 2", 2)]
    cells = [words(each.cells) for each in body.lines]
    assert cells == [["0", "1", "Landing"], ["0", "0", "First"]]


def test_a_table_of_a_kind_shows_fields_tracks_and_values(tmp_path: Path) -> None:
    of_faces = panel(tmp_path, 'panel "P" as table per face: heat, warm, cloth').body
    of_steps = panel(tmp_path, 'panel "P" as table per step: down, steps').body

    assert isinstance(of_faces, Table)
    assert isinstance(of_steps, Table)
    cells = [words(each.cells) for each in of_faces.lines]
    assert cells == [["0", "no", ""], ["2", "yes", "Blue: 3 Beads"]]
    assert [words(each.cells)[0] for each in of_steps.lines] == ["1", "0", "2"]
    assert of_steps.lines[1].cells[1][0].seat == 1


def test_a_grid_is_laid_out_by_kinds_or_by_fields(tmp_path: Path) -> None:
    by_kinds = panel(tmp_path, 'panel "P" as grid by face and colour: cloths').body
    by_fields = panel(tmp_path, 'panel "P" as grid by down and across: steps').body

    assert isinstance(by_kinds, Grid)
    assert isinstance(by_fields, Grid)
    assert (by_kinds.rows, by_kinds.columns) == (("Sun", "Moon"), ("Red", "Green", "Blue"))
    assert [words(each) for each in by_kinds.cells] == [["", "", ""], ["", "", "3 Beads"]]
    assert (by_fields.rows, by_fields.columns) == (("1", "2"), ("1",))
    assert words(by_fields.cells[0] + by_fields.cells[1]) == ["Cat of Player 2, Cat of Ghost", ""]


def test_a_grid_shows_what_its_places_are_and_have(tmp_path: Path) -> None:
    declared = 'panel "P" as grid by down and across: steps, steep "^", snow, wet "~"'
    body = panel(tmp_path, declared).body
    assert isinstance(body, Grid)
    first, last = words(body.cells[0] + body.cells[1])
    assert (first, last) == ("Cat of Player 2, Cat of Ghost, Steep, 0", "2, Slippery")
    assert [item.sign for item in body.cells[1][0] or ()] == ["", "~"]


def test_each_player_has_a_grid(tmp_path: Path) -> None:
    (tmp_path / "steps.toml").write_text(STEPS)
    declared = 'panel "P" as grid by face and colour per player: quilts'
    board = loaded(tmp_path, LAID_OUT, f"{MORE}\n{declared}\n", box=BOX).new_game(2).board(1)
    grids = {each.of: each.body for each in board if each.title == "P"}
    assert list(grids) == ["Player 1", "Player 2"]
    assert [
        [words(row) for row in body.cells] for body in grids.values() if isinstance(body, Grid)
    ] == [[["2 Beads", "", ""], ["", "", ""]], [["", "", ""], ["", "", ""]]]
    mine = panel(tmp_path, 'panel "P" as grid by face and colour of me: quilts').body
    assert mine == grids["Player 1"]


def test_a_table_of_a_kind_has_a_column_for_each_player(tmp_path: Path) -> None:
    sheet = panel(tmp_path, 'panel "P" as table per face: sales').body
    more = panel(tmp_path, 'panel "P" as table per face: heat, sales').body
    assert isinstance(sheet, Table)
    assert isinstance(more, Table)
    assert sheet.columns == ("Player 1", "Player 2")
    assert [words(line.cells) for line in sheet.lines] == [["0", "0"], ["5", "0"]]
    assert more.columns == ("Heat", "Sales, Player 1", "Sales, Player 2")


def test_a_map_has_its_ways_once_and_its_stops_nowhere(tmp_path: Path) -> None:
    declared = 'panel "P" as map along stops by down and across: steps, heat'
    body = panel(tmp_path, declared).body

    assert isinstance(body, Map)
    spots = [(each.name, each.at) for each in body.spots]
    assert spots == [("First", (1, 1)), ("Landing", None), ("Last", (2, 1))]
    assert body.ways == ((0, 1, 2),)
    assert rulesdsl.in_words(body.spots[1].cell) == "Cat of Player 1"
    assert rulesdsl.in_words(body.rest[0].cell) == "Sun 0, Moon 2"
    declared = 'panel "P" as map along stops: steps, view, steep'
    body = panel(tmp_path, declared).body
    assert isinstance(body, Map)
    assert [(row.label, rulesdsl.in_words(row.cell)) for row in body.rest] == [
        *(("View", "First: gain 1 coin"), ("Steep", "First")),
    ]


@pytest.mark.parametrize("form", ["line", "header", "columns", "rows"])
def test_labels_and_cells_come_in_four_forms(form: str, tmp_path: Path) -> None:
    shown = panel(tmp_path, f'panel "P" as {form}: heat "Warmth", beads in cloth')
    assert isinstance(shown.body, Rows)
    assert shown.body.form is Form(form)
    assert rows_of(shown) == (("Warmth", "Sun 0, Moon 2"), ("Bead", "3"))


def test_a_panel_of_me_is_of_whoever_looks(tmp_path: Path) -> None:
    declared = 'panel "P" always of me: guess, hand'
    mine, others = (panel(tmp_path, declared, each) for each in (1, 2))
    assert (mine.when, mine.seat, others.seat) == (When.ALWAYS, 1, 2)
    assert rows_of(mine) == (("Guess", "4"), ("Hand", "Dog"))
    assert rows_of(others) == (("Guess", "0"), ("Hand", "-"))
    with pytest.raises(StopIteration):
        panel(tmp_path, declared, None)


def test_a_table_hides_what_only_its_owner_sees(tmp_path: Path) -> None:
    body = panel(tmp_path, 'panel "P" as table per player: guess, hand', 2).body
    assert isinstance(body, Table)
    others, mine = body.lines
    assert words(mine.cells) == ["0", ""]
    assert words(others.cells) == ["?", "1 card"]
    assert {each.role for cell in others.cells for each in cell} == {Role.HIDDEN}


def test_a_panel_for_each_of_a_kind_shows_what_is_its_own(tmp_path: Path) -> None:
    (tmp_path / "steps.toml").write_text(STEPS)
    more = f'{MORE}\npanel "P" per face: heat, cloth\n'
    board = loaded(tmp_path, LAID_OUT, more, box=BOX).new_game(2).board(1)
    found = {each.of: dict(rows_of(each)) for each in board if each.title == "P"}
    assert [each["Heat"] for each in found.values()] == ["0", "2"]
    assert list(found) == ["Sun", "Moon"]


def test_a_game_without_panels_shows_all_there_is(tmp_path: Path) -> None:
    folder = written(tmp_path, "may raise my fame by 1", box=BOX)
    for file in folder.glob("*.rules"):
        kept = [line for line in file.read_text().splitlines() if not line.startswith("panel ")]
        file.write_text("\n".join(kept) + "\n")
    shared, players = rulesdsl.load(folder, cache=False).new_game(2).board(1)

    assert isinstance(shared.body, Rows)
    assert isinstance(players.body, Table)
    assert "Fame" in players.body.columns
    assert [each.label for each in players.body.lines] == ["Player 1", "Player 2"]
