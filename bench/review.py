"""Games with planted mistakes: how many a review finds, how often it is wrong, how long it takes.

`python -m bench.review --make FOLDER` makes the games: the engine plays both sides, and now and
then a move that loses winning chance, for preference one whose punishment needs a deep search. Each
game is a JSON file with its moves and the planted mistakes, with the scores of the best and of the
planted move by searches with ten times the nodes of a review. `--check FOLDER` reviews the games of
a folder and prints each miss and each false alarm; with `--record` it also searches the planted
mistakes again, after a change of the evaluation, and adds the scores of the other moves that the
review calls mistakes, by such searches, as "truth". `python -m bench review` measures the games of
the tests.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bench.figures import Figure, Say
from damka import Board, Game, Move
from damka.engine import Engine, winning_chances
from damka.study.review import NODES, Review, Reviewer, review

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from damka.engine import Analysis

GAMES: Final = Path(__file__).parents[1] / "tests" / "study" / "games"
RULES: Final = (
    "dama64",
    "dama100",
    "american",
    "international",
    "russian",
    "brazilian",
    "italian",
    "frisian",
    "turkish",
    "american-giveaway",
)
EACH: Final = 4
"""Games for each rule set."""
TRUTH: Final = 10 * NODES

PLAY_NODES: Final = 20_000
LIST_NODES: Final = 400_000
OPENING: Final = 6
MAX_PLIES: Final = 90
PLANTED: Final = 4
LEAST: Final = 0.15
"""Expected score that a planted mistake loses at least."""
PLAUSIBLE: Final = 0.75
"""A planted mistake loses at most this, so that it is no plain gift."""
DEEP: Final = 9
FALSE: Final = 0.05
"""A move that loses less is no mistake: a review that says so is wrong."""


# Making the games


def expected(board: Board, score: int) -> float:
    """Return the expected score of the side to move."""
    pieces = board.pieces
    return winning_chances(board.rules, score, len(pieces) - pieces.count(".")).expected


def opening(rules: str, rng: random.Random, engine: Engine) -> Game:
    """Return a game after some random moves that leave it balanced."""
    while True:
        game = Game(rules)
        for _ in range(OPENING):
            game.play(rng.choice(game.legal_moves))
        score = engine.search(game, nodes=PLAY_NODES).score
        if abs(expected(game.board, score) - 0.5) < 0.1:
            return game


def depth_of(board: Board, move: Move, best: float, lost: float, engine: Engine) -> int:
    """Return the depth from which a search shows more than half of what a move loses."""
    seen: list[tuple[int, bool]] = []

    def note(analysis: Analysis) -> None:
        shown = best - expected(board, analysis.score)
        seen.append((analysis.depth, shown >= lost / 2))

    engine.clear()
    engine.search(board, nodes=TRUTH, moves=[move], on_info=note)
    depth = seen[-1][0] + 1 if seen else 1
    for at, shows in reversed(seen):
        if not shows:
            break
        depth = at
    return depth


def plant(game: Game, engine: Engine, *, deep: bool) -> tuple[Move, dict[str, Any]] | None:
    """Return a mistake for the side to move, and what it loses; None if there is none."""
    board, legal = game.board, game.legal_moves
    if len(legal) < 3:
        return None
    listed = engine.search(board, nodes=LIST_NODES, multi_pv=min(len(legal), 12))
    top = expected(board, listed.score)
    if top < 0.25:
        return None
    for line in listed.others:
        lost = top - expected(board, line.score)
        if not LEAST <= lost <= PLAUSIBLE or line.move is None:
            continue
        # A shallow search must not see it, or see it at once.
        shallow = engine.search(board, depth=DEEP - 3, moves=[line.move])
        if (top - expected(board, shallow.score) < lost / 2) != deep:
            continue
        best = engine.search(board, nodes=TRUTH).score
        played = engine.search(board, nodes=TRUTH, moves=[line.move]).score
        lost = expected(board, best) - expected(board, played)
        if lost < LEAST + 0.02:
            continue
        depth = depth_of(board, line.move, expected(board, best), lost, engine)
        if (depth >= DEEP) == deep:
            return line.move, {"best": best, "played": played, "depth": depth}
    return None


def make(rules: str, number: int, seed: int) -> dict[str, Any]:
    """Return a game with planted mistakes, as JSON values."""
    rng = random.Random(f"{seed} {rules} {number}")
    with Engine(hash_mb=32) as engine:
        while True:
            game, planted = play(rules, rng, engine)
            if len(planted) >= 2 and any(each["depth"] >= DEEP for each in planted):
                break
        engine.clear()
        reviewer = Reviewer(game, TRUTH)
        while (request := reviewer.next()) is not None:
            reviewer.receive(request, reviewer.search(engine, request))
    found = {moment.ply: moment for moment in reviewer.review().moments}
    for each in planted:
        moment = found.get(each["ply"])
        each["kind"] = moment.kind if moment is not None and moment.is_mistake else None
    # The longest search decides whether a planted move is a mistake.
    confirmed = [each for each in planted if each["kind"] is not None]
    return {
        "rules": rules,
        "fen": game.start_fen,
        "moves": [str(ply) for ply in game.history],
        "planted": confirmed,
        "truth": {},
    }


def play(rules: str, rng: random.Random, engine: Engine) -> tuple[Game, list[dict[str, Any]]]:
    """Return a game of the engine against itself, and the mistakes planted in it."""
    game = opening(rules, rng, engine)
    planted: list[dict[str, Any]] = []
    due = game.ply_count + rng.randint(2, 8)
    decided = 0
    while game.result is None and game.ply_count < MAX_PLIES and decided < 12:
        if game.ply_count >= due and len(planted) < PLANTED:
            deep = sum(each["depth"] >= DEEP for each in planted) * 3 <= 2 * len(planted)
            mistake = plant(game, engine, deep=deep)
            if mistake is not None:
                game.play(mistake[0])
                planted.append({"ply": game.ply_count} | mistake[1])
                due = game.ply_count + rng.randint(7, 14)
                continue
            due = game.ply_count + rng.randint(1, 2)
        analysis = engine.search(game, nodes=PLAY_NODES)
        if analysis.move is None:
            break
        chance = expected(game.board, analysis.score)
        decided = decided + 1 if not 0.03 < chance < 0.97 else 0
        game.play(analysis.move)
    return game, planted


def make_all(folder: Path, seed: int, each: int, jobs: int, rules: tuple[str, ...]) -> None:
    """Make the games that the folder lacks."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = [(name, number) for number in range(1, each + 1) for name in rules]
    missing = [
        (name, number) for name, number in wanted if not (folder / f"{name}-{number}.json").exists()
    ]
    with ProcessPoolExecutor(jobs) as pool:
        futures = {pool.submit(make, *task, seed): task for task in missing}
        for future, (name, number) in futures.items():
            game = future.result()
            write(folder / f"{name}-{number}.json", game)
            print(f"{name}-{number}: {len(game['moves'])} plies, {game['planted']}", flush=True)


def write(file: Path, game: dict[str, Any]) -> None:
    """Write a game with a line for each field."""
    lines = (f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in game.items())
    file.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


# Measuring


@dataclass
class Outcome:
    """The review of one game against what is known of it."""

    name: str
    planted: int
    missed: list[int]
    false_alarms: list[int]
    seconds: float
    first: float
    moves: int
    forms: list[str] = field(default_factory=list)
    review: Review | None = None


def load(file: Path) -> tuple[Game, dict[str, Any]]:
    """Return the game in a file, and its expected moments."""
    data = json.loads(file.read_text("utf-8"))
    game = Game(data["rules"], data["fen"])
    for move in data["moves"]:
        game.play(move)
    return game, data


def truth(game: Game, ply: int) -> tuple[int, int]:
    """Return the scores of the best move and of move number `ply`, by long searches."""
    board = game.board.copy()
    while board.move_count >= ply:
        board.pop()
    move = game.history[ply - 1]
    if move.huff is not None:
        board.huff(move.huff)
    with Engine(hash_mb=64) as engine:
        best = engine.search(board, nodes=TRUTH)
        played = engine.search(board, nodes=TRUTH, moves=[move.move])
    return max(best.score, played.score), played.score


def loss(game: Game, ply: int, scores: Sequence[int]) -> float:
    """Return the expected score that a move lost, from the scores of the best and of itself."""
    board = game.board.copy()
    while board.move_count >= ply:
        board.pop()
    best, played = scores
    return expected(board, best) - expected(board, played)


def examine(file: Path, nodes: int = NODES, *, record: bool = False) -> Outcome:
    """Review the game in a file."""
    game, data = load(file)
    first: list[float] = []
    started = time.process_time()
    found = review(game, nodes, on_progress=lambda _: first.append(time.process_time() - started))
    seconds = time.process_time() - started
    if record:
        for each in data["planted"]:
            each["best"], each["played"] = truth(game, each["ply"])
        data["truth"] = {}
    mistakes = {moment.ply: moment for moment in found.moments if moment.is_mistake}
    planted = [
        each["ply"]
        for each in data["planted"]
        if loss(game, each["ply"], (each["best"], each["played"])) >= LEAST
    ]
    known = {int(ply): tuple(scores) for ply, scores in data["truth"].items()}
    known |= {each["ply"]: (each["best"], each["played"]) for each in data["planted"]}
    for ply, moment in mistakes.items():
        if ply not in known and moment.kind != "offence":
            data["truth"][str(ply)] = known[ply] = truth(game, ply)
    if record:
        write(file, data)
    return Outcome(
        name=file.stem,
        planted=len(planted),
        missed=[ply for ply in planted if ply not in mistakes],
        false_alarms=[
            ply
            for ply, moment in mistakes.items()
            if moment.kind != "offence" and loss(game, ply, known[ply]) < FALSE
        ],
        seconds=seconds,
        first=first[0] if first else seconds,
        moves=game.ply_count,
        forms=[" ".join(clause.form for clause in moment.clauses) for moment in found.moments],
        review=found,
    )


def outcomes(folder: Path, nodes: int, jobs: int, *, record: bool) -> Iterator[Outcome]:
    """Yield the reviews of all games in a folder."""
    files = sorted(folder.glob("*.json"))
    if jobs == 1:
        yield from (examine(file, nodes, record=record) for file in files)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(partial(examine, nodes=nodes, record=record), files)


def run(*, quick: bool, say: Say) -> list[Figure]:
    """Return recall, false alarms and times on the games of the tests."""
    files = sorted(GAMES.glob("*.json"))
    found = []
    for file in files[::10] if quick else files:
        say(file.stem)
        found.append(examine(file))
    return figures(found)


def figures(found: list[Outcome]) -> list[Figure]:
    """Return the figures of some reviews."""
    planted = sum(each.planted for each in found)
    recall = 1 - sum(len(each.missed) for each in found) / planted
    false = statistics.mean(len(each.false_alarms) for each in found)
    # A game of 60 moves has 120 plies.
    seconds = max(each.seconds * 120 / each.moves for each in found)
    first = max(each.first for each in found)
    return [
        Figure("review: planted mistakes found", f"{recall:.1%}", "", None, "95%", recall >= 0.95),
        Figure("review: false alarms a game", f"{false:.2f}", "", None, "1", false <= 1),
        Figure(
            "review: slowest, for 60 moves", f"{seconds:.1f} s", "", None, "20 s", seconds <= 20
        ),
        Figure("review: first moment, at most", f"{first:.2f} s", "", None, "1 s", first <= 1),
    ]


def main() -> int:
    """Make or check games; the exit status is 1 for a missed goal."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.review",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--make", type=Path, metavar="FOLDER", help="make games in a folder")
    parser.add_argument("--check", type=Path, default=GAMES, metavar="FOLDER", help="review games")
    parser.add_argument("--seed", type=int, default=36)
    parser.add_argument("--each", type=int, default=EACH, help="games for each rule set")
    parser.add_argument("--rules", nargs="+", default=RULES, metavar="RULES")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--nodes", type=int, default=NODES)
    parser.add_argument("--record", action="store_true", help="write the scores of mistakes")
    parser.add_argument("--sentences", action="store_true", help="print every sentence")
    options = parser.parse_args()
    if options.make is not None:
        make_all(options.make, options.seed, options.each, options.jobs, tuple(options.rules))
        return 0
    found = []
    for outcome in outcomes(options.check, options.nodes, options.jobs, record=options.record):
        found.append(outcome)
        print(
            f"{outcome.name}: {outcome.planted} planted, missed {outcome.missed}, "
            f"false {outcome.false_alarms}, {outcome.seconds:.1f} s, first {outcome.first:.2f} s"
        )
        if options.sentences and outcome.review is not None:
            for moment in outcome.review.moments:
                print(f"  {moment.ply} {moment.kind} {moment.chance_lost}: {moment.sentence()}")
    for figure in figures(found):
        print(figure.what, figure.ours, "goal", figure.goal, "met" if figure.met else "MISSED")
    forms: dict[str, int] = {}
    for form in (form for outcome in found for form in outcome.forms):
        forms[form] = forms.get(form, 0) + 1
    for form, count in sorted(forms.items(), key=lambda item: -item[1]):
        print(f"{count:5} {count / sum(forms.values()):6.1%} {form}")
    return 0 if all(figure.met for figure in figures(found)) else 1


if __name__ == "__main__":
    sys.exit(main())
