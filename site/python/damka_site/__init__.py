"""Damka in a browser without a server: the Python side of a page's worker.

The worker runs this package in Pyodide. Games, refusals, rule books and house rules come from
`damka`; this package has only the browser's store, the search client, and the pages' requests.
"""

from damka_site.addresses import url
from damka_site.games import Games
from damka_site.requests import Answer, Requests
from damka_site.store import FullError, StorageError, Store

__all__ = ["Answer", "FullError", "Games", "Requests", "StorageError", "Store", "url"]
