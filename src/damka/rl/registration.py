"""Ids of the Gymnasium environments."""

from __future__ import annotations

from gymnasium.envs.registration import register as add
from gymnasium.envs.registration import registry

from damka import rules

__all__ = ["id_of", "register"]


def register() -> None:
    """Register an environment for each rule set, and one for any rules; idempotent."""
    _add("damka/Draughts-v0", {})
    for name in rules.names():
        _add(id_of(name), {"rules": name})


def _add(id_: str, arguments: dict[str, object]) -> None:
    if id_ not in registry:
        add(
            id=id_,
            entry_point="damka.rl:DraughtsGymEnv",
            vector_entry_point="damka.rl:DraughtsVectorEnv",
            kwargs=arguments,
        )


def id_of(rules: str) -> str:
    """Return the id of a rule set's environment.

    >>> from damka.rl import id_of
    >>> id_of("american"), id_of("russian-giveaway"), id_of("dama64")
    ('damka/American-v0', 'damka/RussianGiveaway-v0', 'damka/Dama64-v0')
    """
    return f"damka/{''.join(word.capitalize() for word in rules.split('-'))}-v0"
