"""Measure how often the routes of captures branch."""
