"""Rules in the kernel, cached for each `damka.Rules`."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

from .kernel import NOT_PLAYED, KernelError, Object, call_bytes

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["RulesObject", "rules_of"]

_FIELDS = call_bytes("damka_fields", b"").decode().split()
_CACHE_SIZE = 256


class RulesObject(Object):
    """Rules in the kernel; `damka` is the corresponding `damka.Rules`."""

    __slots__ = ("bits", "damka", "data", "squares")

    def __init__(self, rules: Rules) -> None:
        numbers = _numbers(rules)
        data = struct.pack(f"<{len(numbers)}i", *numbers)
        try:
            super().__init__("damka_rules", data, len(data))
        except KernelError as error:
            if error.code != NOT_PLAYED:
                raise
            raise ValueError(f"unsupported rules: {error.reason}") from None
        self.damka = rules
        self.data = data
        """Input of `damka_rules`."""
        self.squares = call_bytes("damka_squares", b"", self.handle)
        """Squares by bit; 0 for none."""
        self.bits = {square: bit for bit, square in enumerate(self.squares) if square}


def _numbers(rules: Rules) -> list[int]:
    numbers: list[int] = []
    for name in _FIELDS:
        value: Any = rules.kernel[name]
        values = value if isinstance(value, tuple) else (value,)
        numbers += [len(values), *values]
    draws = rules.material_draws
    numbers += [rules.obligation == "huff", rules.repetition, rules.same_move]
    numbers += [rules.no_progress_plies, rules.move_limit_plies]
    numbers += [rules.repetition_of == "pieces", rules.same_move_in == "game", len(draws)]
    for draw in draws:
        numbers.append(2 * draw.moves)
        for force in (draw.strong, draw.weak):
            numbers += [*force.men, *force.kings, *force.pieces]
        numbers += [*draw.pieces, draw.main_road, draw.unchanged, draw.strong_main_road]
    return numbers


_cache: dict[int, RulesObject] = {}
"""By the id of the rules, which the entries keep alive."""


def rules_of(rules: Rules) -> RulesObject:
    """Return the kernel's rules. Raises ValueError for unsupported rules."""
    cached = _cache.get(id(rules))
    if cached is None:
        cached = RulesObject(rules)
        if len(_cache) >= _CACHE_SIZE:
            _cache.clear()
        _cache[id(rules)] = cached
    return cached
