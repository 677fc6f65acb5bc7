# What the generated stub of the kernel says beside what the kernel tells of itself.

# An implementation detail: what keeps the shared moves alive.
damka\._core\._shared_moves:

damka\._core\.__prefix__:
    \from collections.abc import Callable, Iterable
    \from pathlib import Path
    \from typing import Any, Self, TypeAlias, final
    \from damka.result import Reason
    \from damka.rules import Rules, Side
    # Results of a table for a side to move: positions, wins, draws, losses, longest win, longest
    # loss.
    Counts: TypeAlias = tuple[int, int, int, int, int, int]
    OnProgress: TypeAlias = Callable[[int, int, int], object] | None
    # Lines of a search: the score of each, and its moves.
    Lines: TypeAlias = tuple[tuple[int, tuple[Move, ...]], ...]
    # A game in a text of PDN: tags; where the game, its moves, their end and the next game are; the
    # damaged tags, each with a code, from where to where.
    Found: TypeAlias = tuple[
        dict[str, str | bytes], int, int, int, int, list[tuple[str, int, int]] | None
    ]
    # A move, a comment, a NAG, a variation that opens (True) or closes (False), a position.
    PdnEvent: TypeAlias = Move | str | bytes | int | bool | tuple[str, Side]
    # What is wrong in a movetext: a code, from where to where, whether it stands in a variation, the
    # rest of the line that it ends, the position there.
    Problem: TypeAlias = tuple[
        str, int, int, bool, tuple[int, int] | None, tuple[str, Side] | None
    ]
    # Moves of the main line, the result after them, what is wrong.
    Played: TypeAlias = tuple[int, str | bytes, list[Problem] | None, list[PdnEvent] | None]

# The signature that Python is told: damka.move gives it.
damka._core.Move.__signature__:
