"""Damka in a browser without a server: what a page asks of its worker, in Python.

The worker runs this in Pyodide. Games, refusals, rule books and boxes are those of `damka`; here
are only the store of the browser, the searches of another worker, and the pages' requests.
"""

from damka_site.addresses import url
from damka_site.games import Games
from damka_site.requests import Answer, Requests
from damka_site.store import FullError, NotKeptError, Store

__all__ = ["Answer", "FullError", "Games", "NotKeptError", "Requests", "Store", "url"]
