"""Tournaments on a real server."""
