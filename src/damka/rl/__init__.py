"""Draughts environments for Gymnasium and PettingZoo, in the `damka[rl]` extra.

Importing this package registers the Gymnasium environments: `gymnasium.make("damka/American-v0")`
is a game against an opponent, `gymnasium.make_vec` a batch of games. There is an id for each rule
set, and "damka/Draughts-v0" for any `rules`. `gymnasium.make("damka.rl:damka/American-v0")` imports
the package too.

>>> import damka.rl
>>> import gymnasium
>>> env = gymnasium.make("damka/American-v0", opponent="random")
>>> observation, info = env.reset(seed=1)
>>> observation.shape, int(info["action_mask"].sum())
((8, 8, 8), 7)
>>> action = int(info["action_mask"].argmax())
>>> observation, reward, terminated, truncated, info = env.step(action)
>>> reward, terminated, truncated
(0.0, False, False)

`env` is a PettingZoo environment for two agents:

>>> from damka import rl
>>> env = rl.env("american")
>>> env.reset(seed=1)
>>> env.agent_selection  # Black begins in American checkers
'black'
>>> observation, reward, terminated, truncated, info = env.last()
>>> int(observation["action_mask"].sum())
7
>>> env.step(int(observation["action_mask"].argmax()))
>>> env.agent_selection
'white'

Without the extra, importing this package raises MissingExtraError.
"""

from damka.errors import MissingExtraError

try:
    from damka.rl.aec import DraughtsEnv, env
    from damka.rl.opponents import Opponent, Policy
    from damka.rl.registration import id_of, register
    from damka.rl.single import DraughtsGymEnv
    from damka.rl.vector import DraughtsVectorEnv
except ModuleNotFoundError as error:
    raise MissingExtraError("damka.rl", "rl", error) from error

__all__ = [
    "DraughtsEnv",
    "DraughtsGymEnv",
    "DraughtsVectorEnv",
    "Opponent",
    "Policy",
    "env",
    "id_of",
]

register()


def __dir__() -> list[str]:
    return __all__
