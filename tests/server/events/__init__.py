"""Events on a real server."""
