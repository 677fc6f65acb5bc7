"""Training of an evaluation by self-play under any rules: games, a fit, and a gate match.

This needs the `train` extra: `pip install "damka[train]"` (NumPy and SciPy), and on a cluster the
`ray` extra. Without it, importing this package raises TrainingError.

>>> from damka.training import TrainingSettings
>>> TrainingSettings(games=100, generations=1).nodes
700
"""

from damka.errors import TrainingError

try:
    import numpy as np  # noqa: F401
    import scipy  # noqa: F401
except ImportError as error:  # pragma: no cover
    raise TrainingError(f"training needs pip install 'damka[train]' ({error})") from error

from damka.training.progress import View
from damka.training.run import Run
from damka.training.selfplay import Batch
from damka.training.settings import Options, TrainingSettings

__all__ = ["Batch", "Options", "Run", "TrainingSettings", "View"]


def __dir__() -> list[str]:
    return __all__
