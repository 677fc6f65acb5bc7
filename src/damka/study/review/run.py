"""Review by an engine of this process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from damka.engine import Engine
from damka.study.review.reviewer import NODES, Reviewer

if TYPE_CHECKING:
    from collections.abc import Callable

    from damka.game import Game
    from damka.study.review.moment import Review

__all__ = ["review"]

_HASH_MB = 64


def review(
    game: Game,
    nodes: int = NODES,
    engine: Engine | None = None,
    on_progress: Callable[[Review], object] | None = None,
) -> Review:
    """Return the review of a game.

    `nodes` is the number of nodes for a position where the game turns. `engine` does the searches;
    without one, they use the installed endgame tablebases. `on_progress` is called with what is
    known so far whenever a moment has been found or has changed.

    Raises ValueError for `nodes` below 1, and as `Engine.search` does.

    >>> import damka
    >>> game = damka.Game("dama64", "W:W30,31,32:B9,17,18")
    >>> for move in ("30-26", "9-13", "31-27"):
    ...     _ = game.play(move)
    >>> review = damka.review(game, nodes=2000)
    >>> len(review.graph)
    4
    """
    from damka.tablebase import default_folder  # noqa: PLC0415  loaded on first use

    reviewer = Reviewer(game, nodes)
    searcher = engine or Engine(_HASH_MB, tablebases=default_folder())
    known: Review | None = None
    try:
        while (request := reviewer.next()) is not None:
            reviewer.receive(request, reviewer.search(searcher, request))
            if on_progress is not None:
                review = reviewer.review()
                if known is None or review.moments != known.moments:
                    on_progress(review)
                    known = review
    finally:
        if engine is None:
            searcher.close()
    return reviewer.review()
