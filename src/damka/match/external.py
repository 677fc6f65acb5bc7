"""External engines, and other commits of Damka, as match players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from damka.engine.external import EngineDeadError, ExternalPlayer, connect
from damka.errors import MatchError
from damka.match.checkouts import executable_of
from damka.rules import load, names

if TYPE_CHECKING:
    from damka.engine import Player, SearchLimits
    from damka.rules import Rules

__all__ = ["commit", "dxp", "hub"]


def hub(command: str, limits: SearchLimits, rules: Rules) -> Player:
    """Start a Hub engine with a command. Raises EngineError."""
    engine = connect(command, rules=rules, limits=limits)
    return ExternalPlayer(engine, f"hub:{command}")


def dxp(address: str, limits: SearchLimits, rules: Rules) -> Player:
    """Connect to the DXP engine that listens at an address. Raises EngineError.

    The protocol has only one limit: the time for all moves of a game.
    """
    engine = connect(address, "dxp", rules=rules, limits=limits)
    return ExternalPlayer(engine, f"dxp:{address}")


def commit(name: str, limits: SearchLimits, rules: Rules, hash_mb: int) -> Player:
    """Return the engine of another commit of this repository.

    Raises MatchError if the commit cannot be built, predates `damka hub` or lacks the rules, and
    for rules that are not shipped.
    """
    if rules.name not in names() or load(rules.name) != rules:
        raise MatchError(f"other commits can play only shipped rule sets, not {rules.name}")
    command = (str(executable_of(name)), "hub", rules.name)
    parameters = {"hash": str(hash_mb)}
    try:
        engine = connect(command, rules=rules, limits=limits, parameters=parameters, patience=60.0)
    except EngineDeadError as error:
        raise MatchError(
            f"the commit cannot be used; is it older than `damka hub`? {error}"
        ) from error
    return ExternalPlayer(engine, f"commit:{name}")
