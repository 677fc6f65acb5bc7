"""Measure how often capture routes branch."""
