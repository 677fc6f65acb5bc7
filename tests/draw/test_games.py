"""Games as pictures: animated SVG, pages of diagrams, frames."""

from __future__ import annotations

import random
import re
from xml.etree import ElementTree as ET

import pytest

from damka import Game
from damka.draw import Style, svg
from damka.draw.drawable import turns
from damka.draw.replay import MAX_STEPS
from damka.draw.tracks import Track, tracks
from damka.rules import load, names

NS = "{http://www.w3.org/2000/svg}"


def played(name: str, plies: int = 400, seed: int = 1, fen: str | None = None) -> Game:
    """Return a game with random moves, offences and huffs."""
    rng = random.Random(seed)
    game = Game(name, fen)
    while game.result is None and len(game.history) < plies:
        if game.offences and rng.random() < 0.5:
            game.huff(rng.choice(game.offences))
            continue
        game.play(rng.choice(game.legal_moves + game.offence_moves))
    return game


def drawn(picture: str) -> ET.Element:
    return ET.fromstring(picture)  # noqa: S314  our own output


def piece_at(track: Track, time: float) -> str:
    """Return the letter of a piece at a time, "." after its capture."""
    if track.fade and time >= track.fade[1]:
        return "."
    return track.piece.upper() if track.crowned and time >= track.crowned else track.piece


def square(track: Track, time: float) -> int:
    return next((stop.square for stop in track.stops[::-1] if stop.arrival <= time), track.start)


@pytest.mark.parametrize("name", ["dama100", "russian", "turkish", "frisian", "american-3move"])
def test_tracks_reproduce_every_position(name: str) -> None:
    game = played(name)
    every = tracks(game.history[0].before, list(turns(game)), 1, 0.4)
    for time, ply in enumerate(game.history, start=1):
        position = ["."] * len(ply.pieces)
        for track in every:
            if piece_at(track, time) != ".":
                position[square(track, time) - 1] = piece_at(track, time)
        assert "".join(position) == ply.pieces, ply


def test_a_piece_is_drawn_above_what_it_captures() -> None:
    game = played("russian")
    every = tracks(game.history[0].before, list(turns(game)), 1, 0.4)
    captured_at = [track.fade[1] for track in every if track.fade]
    assert captured_at == sorted(captured_at)
    assert all(track.fade for track in every[: len(captured_at)])


@pytest.mark.parametrize("name", names())
def test_a_replay_is_well_formed_with_ascending_times(name: str) -> None:
    picture = svg.replay(played(name, 60))
    root = drawn(picture)
    for kind in ("animate", "animateTransform"):
        for each in root.iter(f"{NS}{kind}"):
            times = [float(time) for time in each.attrib["keyTimes"].split(";")]
            assert times[0] == 0
            assert times == sorted(times)
            assert times[-1] <= 1
            assert each.get("calcMode") == "discrete" or times[-1] == 1
            assert len(times) == len(each.attrib["values"].split(";"))
    assert not re.search(r'<(style|script)| (id|class|style)="', picture)


def test_the_steps_of_a_long_replay_are_limited() -> None:
    endless = load("international").replace(repetition=0, no_progress_moves=0, material_draws=())
    game = Game(endless, "W:WK46:BK4")
    while len(game.history) < 1000:
        for text in ("46-41", "4-15", "41-46", "15-4"):
            game.play(text)
    picture = svg.replay(game)
    assert len(picture) < 60_000
    assert f'dur="{MAX_STEPS + 3}s"' in picture
    assert sum(1 for _ in svg.frames(game)) == MAX_STEPS + 1


def test_a_game_without_moves_is_not_animated() -> None:
    assert "animate" not in svg.replay(Game("american"))
    assert len(list(svg.frames(Game("american")))) == 1
    assert svg.game(Game("american")).count("<svg ") == 2


def test_a_game_in_a_notebook_has_the_librarys_square_numbers() -> None:
    game = Game("russian")
    game.play("22-17")
    assert "1. 22-17" in game._repr_svg_()
    assert "1. c3-b4" in svg.replay(game)


def test_the_result_is_shown_at_the_end() -> None:
    game = Game("american")
    game.resign("B")
    assert "white wins" in svg.replay(game)
    assert "white wins" in svg.game(game)


def test_a_page_has_diagrams_at_the_given_interval() -> None:
    game = played("international", 25)
    root = drawn(svg.game(game, every=10, columns=2))
    diagrams = list(root.iter(f"{NS}svg"))[1:]
    assert len(diagrams) == 4
    assert {float(each.attrib["x"]) for each in diagrams} == {28.0, 356.0}
    texts = " ".join(each.text or "" for each in root.iter(f"{NS}text"))
    for turn in turns(game):
        assert turn.text in texts
    assert "13. " in texts
    for turn in turns(game):
        assert texts.split().count(turn.text) <= 2, (
            "each move appears once, unless it was played twice"
        )
    assert svg.game(game, every=1).count("<text") > 25


def test_a_page_shows_a_huff_without_a_following_move() -> None:
    game = Game("dama100", "W:W32,33,47:B27,8,9")
    game.play("33-29")
    game.huff(32)
    assert "After the huff" in svg.game(game)


def test_a_page_refuses_invalid_arguments() -> None:
    game = played("american", 4)
    with pytest.raises(ValueError, match="every: 1 or more"):
        svg.game(game, every=0)
    for columns in (0, 13):
        with pytest.raises(ValueError, match="columns: 1 to 12"):
            svg.game(game, columns=columns)


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf")])
def test_a_replay_needs_a_positive_duration(seconds: float) -> None:
    with pytest.raises(ValueError, match="seconds: a finite number above 0"):
        svg.replay(Game("american"), seconds=seconds)


def test_pages_and_replays_follow_the_style() -> None:
    game = played("american", 4)
    assert 'width="700"' in svg.game(game, Style(size=700))
    assert 'width="300"' in svg.replay(game, Style(size=300))
    assert svg.replay(game, Style(flip=True)) != svg.replay(game)
