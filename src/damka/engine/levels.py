"""Ten levels of play, from a newcomer to the full strength of the search.

Weak levels make human mistakes: they look only a few moves ahead, judge roughly and overlook
captures, especially captures far from the last move, backwards, or of several pieces. The weakest
often play a move without thinking. At levels 1 and 2 the computer may overlook its own compulsory
capture in a huffing game. `damka.engine.skill` defines the strength of each level.

No level resigns. A level offers a draw after its move when all of these are true: the game has 40
plies or more; the last 12 plies had no capture and no man's move, if the rules count such plies;
the score is within 30 hundredths of a man; both sides have kings, and such endings are commonly
drawn; and there was no offer in the last 40 plies. A draw offer to a level waits until the caller
calls `accepts_draw`.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeVar

from damka import _core
from damka._former import former_names
from damka.engine import skill
from damka.engine.search import BEYOND, WIN, Analysis, Handicap, SearchLimits
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
    "SearchTask",
    "accepts_draw",
    "choose",
    "computer_levels",
    "decision_steps",
    "describe",
    "draw_answer_steps",
    "player_names",
    "run_search_steps",
    "title",
]


def __dir__() -> list[str]:
    return __all__


T = TypeVar("T")

LEVELS: Final = range(1, skill.COUNT + 1)
"""All levels, in the order in which the page and the bench list them."""

DEFAULT: Final = 3
"""Default level: a beginner can beat it, and even random moves win occasionally."""

# In the first plies of a game strong levels add noise to the evaluation, in hundredths of a
# man, so that games do not repeat each other.
_OPENING_PLIES: Final = 10
_OPENING_NOISE: Final = 3

# Finishing a won ending: a first look, and the search if the win is not proved by then.
_ENDING_PIECES: Final = 5
_WINNING: Final = 40  # hundredths of a man
_LOOK: Final = SearchLimits(nodes=50_000, seconds=0.5)
_FINISH: Final = SearchLimits(nodes=1_000_000, seconds=1.0)

# Offers and answers to offers.
_EVEN: Final = 30  # hundredths of a man: no win for either side
_LOSING: Final = -150  # a level accepts a draw at this score or below
_ANSWER_LIMITS: Final = SearchLimits(nodes=30_000, seconds=0.5)  # at least, for an answer
_MIN_PLIES: Final = 40  # plies before a draw is offered
_IDLE_PLIES: Final = 12  # plies without progress before a draw is offered
_PLIES_BETWEEN_OFFERS: Final = 40  # plies between two offers


def describe(level: int, language: str) -> str:
    """Return a sentence in `language` that describes a level."""
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


def player_names(players: Mapping[Side, str], computer: Mapping[Side, int]) -> dict[Side, str]:
    """Return the players' names, with computer names for the sides that a level plays.

    >>> from damka.engine.levels import player_names
    >>> player_names({"W": "Ana"}, {"B": 3})
    {'W': 'Ana', 'B': 'Damka, level 3'}
    """
    names = {side: name for side, name in players.items() if name not in _NAMES}
    return names | {side: _name(level) for side, level in computer.items()}


def computer_levels(players: Mapping[Side, str]) -> dict[Side, int]:
    """Return the level of each computer side, by the players' names.

    >>> from damka.engine.levels import computer_levels
    >>> computer_levels({"W": "Ana", "B": "Damka, level 3"})
    {'B': 3}
    """
    return {side: _NAMES[name] for side, name in players.items() if name in _NAMES}


def _name(level: int) -> str:
    return f"Damka, level {level}"


_NAMES: Final = {_name(level): level for level in LEVELS}


@dataclass(frozen=True, slots=True, weakref_slot=True, kw_only=True)
class SearchTask:
    """A search that a level requests: the arguments of `Engine.search`."""

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
    the engine's transposition table. It may offer a draw (see the module's description) but never
    resigns. It does not answer the other side's draw offer, which lapses when `Game.apply` plays
    the decision; call `accepts_draw` first.

    Raises ValueError if the game is over.
    """
    return run_search_steps(engine, decision_steps(game, level, rng), stop)


def accepts_draw(
    engine: Engine,
    game: Game,
    side: Side,
    level: int | Level,
    *,
    stop: _core.Stop | None = None,
) -> bool:
    """Return whether `level`, playing `side`, accepts a draw.

    A level accepts when the score is within 30 hundredths of a man in an ending that is commonly
    drawn, or when it is a man and a half behind or more. The game is not changed.

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
    return run_search_steps(engine, draw_answer_steps(game, side, level), stop)


def run_search_steps(
    engine: Engine, thinking: Generator[SearchTask, Analysis, T], stop: _core.Stop | None = None
) -> T:
    """Run a level's generator, with searches by `engine`; return its result."""
    try:
        task = next(thinking)
        while True:
            task = thinking.send(
                engine.search(
                    task.board,
                    depth=task.limits.depth,
                    nodes=task.limits.nodes,
                    seconds=task.limits.seconds,
                    stop=stop,
                    moves=task.moves,
                    handicap=task.handicap,
                    contempt=task.contempt,
                    tables=task.tables,
                )
            )
    except StopIteration as end:
        result: T = end.value
        return result


def decision_steps(
    game: Game, level: int | Level, rng: random.Random
) -> Generator[SearchTask, Analysis, Decision]:
    """Decide as `choose` does, but let the caller perform the searches.

    The caller passes the result of each yielded task to `send`. So a server can search in another
    process and handle requests meanwhile.
    """
    if game.result is not None:
        raise ValueError("the game is over")
    settings = _level_of(level, game)
    handicap = _handicap(settings, game, rng)
    limits = settings.limits
    if settings.deeper and limits.depth is not None and rng.randrange(1000) < settings.deeper:
        limits = replace(limits, depth=limits.depth + 1)
    maker = _TaskMaker(limits, handicap, settings.contempt, tables=settings.tables)
    if settings.forget and game.offence_moves and _overlooks_captures(game, settings, rng):
        analysis = yield maker.task(game.board, game.offence_moves)
        return Decision(None, analysis.move, analysis.score)
    if settings.hasty and not game.offences and rng.randrange(1000) < settings.hasty:
        analysis = yield maker.task(game.board, [rng.choice(game.legal_moves)])
        return Decision(None, analysis.move, analysis.score)
    if settings.finishes and not game.offences:
        finish = yield from _finish(game)
        if finish is not None:
            return Decision(None, finish.move, finish.score)
    options = []
    for square in game.offences:
        options.append((yield from _huff_option(maker, game, square)))
    if game.legal_moves:
        analysis = yield maker.task(game.board, full_search=bool(options))
        options.append(Decision(None, analysis.move, analysis.score))
    best = max(options, key=_score)
    if best.huff is None and _offers_draw(game, _score(best)):
        return replace(best, offer_draw=True)
    return best


def draw_answer_steps(
    game: Game, side: Side, level: int | Level
) -> Generator[SearchTask, Analysis, bool]:
    """Decide as `accepts_draw` does, but let the caller search, as in `decision_steps`."""
    settings = _level_of(level, game)
    limits = SearchLimits(
        nodes=max(settings.limits.nodes or 0, _ANSWER_LIMITS.nodes or 0),
        seconds=max(settings.limits.seconds or 0, _ANSWER_LIMITS.seconds or 0),
    )
    analysis = yield _TaskMaker(limits, Handicap(), tables=settings.tables).task(game.board)
    score = analysis.score if game.turn == side else -analysis.score
    if score <= _LOSING:
        return True
    return abs(score) <= _EVEN and _core.drawish(game.board)


def _finish(game: Game) -> Generator[SearchTask, Analysis, Analysis | None]:
    """Search a won ending without a handicap; None for other positions."""
    pieces = sum(piece != "." for piece in game.board.pieces)
    if pieces > _ENDING_PIECES or len(game.legal_moves) < 2:
        return None
    analysis = None
    for limits in (_LOOK, _FINISH):
        analysis = yield _TaskMaker(limits, Handicap(), tables=True).task(game.board)
        if analysis.score < _WINNING:
            return None
        if analysis.score > BEYOND:
            break
    return analysis


@dataclass(frozen=True, slots=True)
class _TaskMaker:
    limits: SearchLimits
    handicap: Handicap
    contempt: int = 0
    tables: bool = False

    def task(
        self, board: Board, moves: list[Move] | None = None, *, full_search: bool = False
    ) -> SearchTask:
        """Return a task for `moves`, None for all; a forced move gets a short search by default."""
        choices = board.legal_moves if moves is None else moves
        limits = self.limits
        if len(choices) == 1 and not full_search:
            # Forced move: only the score is needed.
            limits = replace(limits, depth=min(limits.depth or 2, 2))
        return SearchTask(
            board=board,
            moves=moves,
            limits=limits,
            handicap=self.handicap,
            contempt=self.contempt,
            tables=self.tables,
        )


def _level_of(level: int | Level, game: Game) -> Level:
    return level if isinstance(level, Level) else skill.level(level, game.rules)


def _handicap(settings: Level, game: Game, rng: random.Random) -> Handicap:
    seed = rng.getrandbits(64)
    noise = settings.handicap.noise
    if len(game.history) < _OPENING_PLIES:
        noise = max(noise, _OPENING_NOISE)
    return replace(settings.handicap, seed=seed, noise=noise)


def _huff_option(
    maker: _TaskMaker, game: Game, square: int
) -> Generator[SearchTask, Analysis, Decision]:
    """Return the decision to huff the piece on `square`, with its score and the next move."""
    board = game.board.remove(square)
    opponent_pieces = "bB" if board.turn == "W" else "wW"
    if not any(piece in opponent_pieces for piece in board.pieces):
        # Without pieces the other side has lost, or won where the objective is to lose.
        score = -WIN if game.rules.objective == "losing" else WIN
        return Decision(square, None, score)
    analysis = yield maker.task(board, full_search=True)
    return Decision(square, analysis.move, analysis.score)


def _score(decision: Decision) -> int:
    return decision.score or 0


def _overlooks_captures(game: Game, settings: Level, rng: random.Random) -> bool:
    """Return whether the level overlooks all of its captures."""
    rules = game.rules
    last = rules.cell(game.history[-1].move.end) if game.history else None

    def overlooked(capture: Move) -> bool:
        row, column = rules.cell(capture.start)
        far = last is not None and max(abs(row - last[0]), abs(column - last[1])) > 2
        return rng.randrange(1000) < settings.forget * (2 if far else 1)

    return all(overlooked(capture) for capture in game.legal_moves)


def _offers_draw(game: Game, score: int) -> bool:
    """Return whether to offer a draw: in a long, even ending without a recent offer."""
    if abs(score) > _EVEN or len(game.history) < _MIN_PLIES or not _core.drawish(game.board):
        return False
    idle = next((c.n for c in game.counters if c.kind == "no_progress"), _IDLE_PLIES)
    if idle < _IDLE_PLIES:
        return False
    recent = 0
    for event in reversed(game.events):
        if isinstance(event, DrawOffered):
            return False
        recent += isinstance(event, Moved)
        if recent >= _PLIES_BETWEEN_OFFERS:
            break
    return True


if not TYPE_CHECKING:
    __getattr__ = former_names(
        __name__,
        {
            "Question": "SearchTask",
            "answered": "run_search_steps",
            "deciding": "decision_steps",
            "accepting": "draw_answer_steps",
            "seated": "player_names",
            "computers": "computer_levels",
        },
    )
