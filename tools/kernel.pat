# Additions to the generated stub of the kernel.

# An implementation detail that keeps the shared moves alive.
damka\._core\._shared_moves:

damka\._core\.__prefix__:
    \from collections.abc import Callable, Iterable
    \from pathlib import Path
    \from typing import Any, Self, TypeAlias, final
    \from damka.result import Reason
    \from damka.rules import Rules, Side
    # Counts of a table for a side to move: positions, wins, draws, losses, longest win and loss.
    Counts: TypeAlias = tuple[int, int, int, int, int, int]
    OnProgress: TypeAlias = Callable[[int, int, int], object] | None
    # Lines of a search: the score of each, and its moves.
    Lines: TypeAlias = tuple[tuple[int, tuple[Move, ...]], ...]
    # A game in a PDN text: tags; offsets of the game, its moves, their end and the next game; the
    # damaged tags, each with a code, start and end.
    Found: TypeAlias = tuple[
        dict[str, str | bytes], int, int, int, int, list[tuple[str, int, int]] | None
    ]
    # Move, comment, NAG, start (True) or end (False) of a variation, or set-up position.
    PdnEvent: TypeAlias = Move | str | bytes | int | bool | tuple[str, Side]
    # A problem in a movetext: code, start and end, whether it is in a variation, the skipped rest of
    # its line, the position there.
    Problem: TypeAlias = tuple[
        str, int, int, bool, tuple[int, int] | None, tuple[str, Side] | None
    ]
    # Moves of the main line, result, problems, events.
    PdnReplay: TypeAlias = tuple[int, str | bytes, list[Problem] | None, list[PdnEvent] | None]

# The runtime signature, set by damka.move.
damka._core.Move.__signature__:
