"""External engines, and other commits of Damka, as players of a match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from damka.engine.external import EngineDeadError, ExternalPlayer, connect
from damka.errors import MatchError
from damka.match.checkouts import program
from damka.rules import load, names

if TYPE_CHECKING:
    from damka.engine import Player, SearchLimits
    from damka.rules import Rules

__all__ = ["commit", "dxp", "hub"]


def hub(command: str, limits: SearchLimits, rules: Rules) -> Player:
    """Return the Hub engine that a command starts; raises EngineError when there is none."""
    engine = connect(command, rules=rules, limits=limits)
    return ExternalPlayer(engine, f"hub:{command}")


def dxp(address: str, limits: SearchLimits, rules: Rules) -> Player:
    """Return the DXP engine that listens at an address; raises EngineError when there is none.

    The protocol knows no limits but time for all the moves of a game.
    """
    engine = connect(address, "dxp", rules=rules, limits=limits)
    return ExternalPlayer(engine, f"dxp:{address}")


def commit(name: str, limits: SearchLimits, rules: Rules, hash_mb: int) -> Player:
    """Return our engine as it was at a commit of this repository.

    Raises MatchError when the commit cannot be built, is from before `damka hub` or cannot know
    the rules, which must be shipped ones.
    """
    if rules.name not in names() or load(rules.name) != rules:
        raise MatchError(f"only shipped rule sets can be played by other commits, not {rules.name}")
    command = (str(program(name)), "hub", rules.name)
    parameters = {"hash": str(hash_mb)}
    try:
        engine = connect(command, rules=rules, limits=limits, parameters=parameters, patience=60.0)
    except EngineDeadError as error:
        raise MatchError(
            f"the commit cannot play; is it older than `damka hub`? {error}"
        ) from error
    return ExternalPlayer(engine, f"commit:{name}")
