"""Analysis of positions and reviews of games, searched on the server for pages and programs.

`Analyses` and `Reviews` share searches between viewers, stop those that nobody watches, and store
the results. `Budgets` limits the nodes of an address and of an account.
"""

from damka.server.analysis.budgets import Budgets
from damka.server.analysis.reviews import Reviews
from damka.server.analysis.service import Analyses
from damka.server.analysis.tables import EndgameTables

__all__ = ["Analyses", "Budgets", "EndgameTables", "Reviews"]
