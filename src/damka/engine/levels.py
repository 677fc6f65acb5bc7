"""Ten levels of play, from a newcomer to the full strength of the search.

Weak levels err as people do: they look few moves ahead, judge roughly and overlook captures,
especially captures far from the last move, backwards, or of several pieces. The weakest often play
a move without thinking. At levels 1 and 2 the computer may overlook its own compulsory capture in a
huffing game. `damka.engine.skill` describes the strength of each level.

No level resigns. Every level offers a draw after its move when the game is at least 40 plies old,
no capture and no man's move occurred for 12 plies, where the rules count these, its score is
within 30 hundredths of a man of even, both sides have kings, and endings with such pieces are
commonly drawn; it does not repeat the offer for 40 plies. An offer made to a level waits until the
caller calls `accepts_draw`.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeVar

from damka import _core
from damka.engine import skill
from damka.engine.search import WIN, Analysis, Handicap, SearchLimits
from damka.engine.skill import Level
from damka.game import Decision, DrawOffered, Moved
from damka.locales import translate

if TYPE_CHECKING:
    import random

    from damka.board import Board
    from damka.engine.search import Engine
    from damka.game import Game
    from damka.move import Move
    from damka.rules import Side

__all__ = [
    "DEFAULT",
    "LEVELS",
    "Decision",
    "Level",
    "Question",
    "accepting",
    "accepts_draw",
    "answered",
    "choose",
    "computers",
    "deciding",
    "describe",
    "seated",
    "title",
]


def __dir__() -> list[str]:
    return __all__


T = TypeVar("T")

LEVELS: Final = range(1, skill.COUNT + 1)
"""All levels, in the order in which the page and the bench list them."""

DEFAULT: Final = 3
"""Default level: a beginner can beat it, and even random moves do now and then."""

# In the first plies of a game strong levels add noise to the evaluation, in hundredths of a
# man, so that games do not repeat each other.
_OPENING_PLIES: Final = 10
_OPENING_NOISE: Final = 3

# Offers and answers to offers.
_EVEN: Final = 30  # hundredths of a man: no win for either side
_LOSING: Final = -150  # at this score and below a draw is welcome
_ANSWER_LIMITS: Final = SearchLimits(nodes=30_000, seconds=0.5)  # minimum search before an answer
_LONG_GAME: Final = 40  # plies before a draw is offered
_PATIENCE: Final = 12  # plies without progress before a draw is offered
_AGAIN: Final = 40  # plies between two offers


def describe(level: int, language: str) -> str:
    """Return one sentence in `language` that describes how a level plays."""
    if level not in LEVELS:
        raise ValueError(f"level: 1 to {len(LEVELS)}, not {level}")
    return translate(language, f"level.{level}")


def title(level: int, language: str) -> str:
    """Return a level's name in `language`.

    >>> from damka.engine.levels import title
    >>> title(3, "en")
    'Learner'
    """
    if level not in LEVELS:
        raise ValueError(f"level: 1 to {len(LEVELS)}, not {level}")
    return translate(language, f"level.{level}.name")


def seated(players: Mapping[Side, str], computer: Mapping[Side, int]) -> dict[Side, str]:
    """Return the players' names, with computer names for the sides that a level plays.

    >>> from damka.engine.levels import seated
    >>> seated({"W": "Ana"}, {"B": 3})
    {'W': 'Ana', 'B': 'Damka, level 3'}
    """
    people = {side: name for side, name in players.items() if name not in _NAMES}
    return people | {side: _name(level) for side, level in computer.items()}


def computers(players: Mapping[Side, str]) -> dict[Side, int]:
    """Return the level of each computer side, by the players' names.

    >>> from damka.engine.levels import computers
    >>> computers({"W": "Ana", "B": "Damka, level 3"})
    {'B': 3}
    """
    return {side: _NAMES[name] for side, name in players.items() if name in _NAMES}


def _name(level: int) -> str:
    return f"Damka, level {level}"


_NAMES: Final = {_name(level): level for level in LEVELS}


@dataclass(frozen=True, slots=True, weakref_slot=True, kw_only=True)
class Question:
    """A search request of a level: the arguments of `Engine.search`."""

    board: Board
    moves: list[Move] | None
    """The moves to choose from, None for all legal ones."""
    limits: SearchLimits
    handicap: Handicap
    contempt: int = 0
    tables: bool = False


def choose(
    engine: Engine,
    game: Game,
    level: int | Level,
    rng: random.Random,
    *,
    stop: _core.Stop | None = None,
) -> Decision:
    """Return the decision of `level` in `game`, which must not be over and is not changed.

    `level` is a number from 1 to 10 or a `Level`. The decision depends on the game, on `rng` and on
    the engine's transposition table. It may offer a draw, as this module says, and never resigns:
    `Decision.resign` is for other players. The decision does not answer a draw offer of the other
    side, which lapses when `Game.apply` plays it; call `accepts_draw` first.

    Raises ValueError if the game is over.
    """
    return answered(engine, deciding(game, level, rng), stop)


def accepts_draw(
    engine: Engine,
    game: Game,
    side: Side,
    level: int | Level,
    *,
    stop: _core.Stop | None = None,
) -> bool:
    """Return whether `level`, playing `side`, accepts a draw.

    A level accepts when the score is even, within 30 hundredths of a man, in an ending that is
    commonly drawn, and when it is losing: a man and a half behind or more. The game is not changed.

    >>> import damka
    >>> from damka.engine import Engine, levels
    >>> engine = Engine(hash_mb=1)
    >>> game = damka.Game("american", "W:WK32:BK1")
    >>> game.offer_draw("W")
    >>> if levels.accepts_draw(engine, game, "B", 3):
    ...     game.accept_draw("B")
    ... else:
    ...     game.decline_draw("B")
    >>> game.result
    Result(winner=None, reason='agreement')
    """
    return answered(engine, accepting(game, side, level), stop)


def answered(
    engine: Engine, thinking: Generator[Question, Analysis, T], stop: _core.Stop | None = None
) -> T:
    """Run a level's generator with searches by `engine`; return its result."""
    try:
        question = next(thinking)
        while True:
            question = thinking.send(
                engine.search(
                    question.board,
                    depth=question.limits.depth,
                    nodes=question.limits.nodes,
                    seconds=question.limits.seconds,
                    stop=stop,
                    moves=question.moves,
                    handicap=question.handicap,
                    contempt=question.contempt,
                    tables=question.tables,
                )
            )
    except StopIteration as end:
        result: T = end.value
        return result


def deciding(
    game: Game, level: int | Level, rng: random.Random
) -> Generator[Question, Analysis, Decision]:
    """Decide as `choose` does, with the searches left to the caller.

    The caller answers each yielded question with `send`, passing the result of the search. So
    the search can run elsewhere while the server handles other requests.
    """
    if game.result is not None:
        raise ValueError("the game is over")
    how = _of(level, game)
    handicap = _handicap(how, game, rng)
    limits = how.limits
    if how.deeper and limits.depth is not None and rng.randrange(1000) < how.deeper:
        limits = replace(limits, depth=limits.depth + 1)
    ask = _Asker(limits, handicap, how.contempt, tables=how.tables)
    if how.forget and game.offence_moves and _forgets(game, how, rng):
        found = yield ask.about(game.board, game.offence_moves)
        return Decision(None, found.move, found.score)
    if how.hasty and not game.offences and rng.randrange(1000) < how.hasty:
        found = yield ask.about(game.board, [rng.choice(game.legal_moves)])
        return Decision(None, found.move, found.score)
    options = []
    for square in game.offences:
        options.append((yield from _huffing(ask, game, square)))
    if game.legal_moves:
        found = yield ask.about(game.board, compared=bool(options))
        options.append(Decision(None, found.move, found.score))
    best = max(options, key=_score)
    if best.huff is None and _offers_draw(game, _score(best)):
        return replace(best, offer_draw=True)
    return best


def accepting(game: Game, side: Side, level: int | Level) -> Generator[Question, Analysis, bool]:
    """Decide as `accepts_draw` does, with the search left to the caller as in `deciding`."""
    how = _of(level, game)
    mine = how.limits
    limits = SearchLimits(
        nodes=max(mine.nodes or 0, _ANSWER_LIMITS.nodes or 0),
        seconds=max(mine.seconds or 0, _ANSWER_LIMITS.seconds or 0),
    )
    found = yield _Asker(limits, Handicap(), tables=how.tables).about(game.board)
    score = found.score if game.turn == side else -found.score
    if score <= _LOSING:
        return True
    return abs(score) <= _EVEN and _core.drawish(game.board)


@dataclass(frozen=True, slots=True)
class _Asker:
    limits: SearchLimits
    handicap: Handicap
    contempt: int = 0
    tables: bool = False

    def about(
        self, board: Board, moves: list[Move] | None = None, *, compared: bool = False
    ) -> Question:
        """Return a question about `moves`, None for all; `compared` scores are searched in full."""
        choices = board.legal_moves if moves is None else moves
        limits = self.limits
        if len(choices) == 1 and not compared:
            # Forced move: only the score is needed.
            limits = replace(limits, depth=min(limits.depth or 2, 2))
        return Question(
            board=board,
            moves=moves,
            limits=limits,
            handicap=self.handicap,
            contempt=self.contempt,
            tables=self.tables,
        )


def _of(level: int | Level, game: Game) -> Level:
    return level if isinstance(level, Level) else skill.level(level, game.rules)


def _handicap(how: Level, game: Game, rng: random.Random) -> Handicap:
    seed = rng.getrandbits(64)
    noise = how.handicap.noise
    if len(game.history) < _OPENING_PLIES:
        noise = max(noise, _OPENING_NOISE)
    return replace(how.handicap, seed=seed, noise=noise)


def _huffing(ask: _Asker, game: Game, square: int) -> Generator[Question, Analysis, Decision]:
    """Return the decision to huff the piece on `square`, with its score and the next move."""
    board = game.board.remove(square)
    other = "bB" if board.turn == "W" else "wW"
    if not any(piece in other for piece in board.pieces):
        # Without pieces the other side has lost, or won where the objective is to lose.
        score = -WIN if game.rules.objective == "losing" else WIN
        return Decision(square, None, score)
    found = yield ask.about(board, compared=True)
    return Decision(square, found.move, found.score)


def _score(decision: Decision) -> int:
    return decision.score or 0


def _forgets(game: Game, how: Level, rng: random.Random) -> bool:
    """Return whether the player overlooks all of its captures."""
    rules = game.rules
    last = rules.cell(game.history[-1].move.end) if game.history else None

    def overlooked(capture: Move) -> bool:
        row, column = rules.cell(capture.start)
        far = last is not None and max(abs(row - last[0]), abs(column - last[1])) > 2
        return rng.randrange(1000) < how.forget * (2 if far else 1)

    return all(overlooked(capture) for capture in game.legal_moves)


def _offers_draw(game: Game, score: int) -> bool:
    """Return whether to offer a draw: a long even ending, and no offer of late."""
    if abs(score) > _EVEN or len(game.history) < _LONG_GAME or not _core.drawish(game.board):
        return False
    idle = next((c.n for c in game.counters if c.kind == "no_progress"), _PATIENCE)
    if idle < _PATIENCE:
        return False
    recent = 0
    for event in reversed(game.events):
        if isinstance(event, DrawOffered):
            return False
        recent += isinstance(event, Moved)
        if recent >= _AGAIN:
            break
    return True
