"""Learning an evaluation from self-play, for any rules: games, a fit, and a match to pass.

>>> from damka.training import TrainingSettings
>>> TrainingSettings(games=100, generations=1).nodes
700
"""

from damka.training.progress import View
from damka.training.run import Run
from damka.training.selfplay import Batch
from damka.training.settings import Options, TrainingSettings

__all__ = ["Batch", "Options", "Run", "TrainingSettings", "View"]
