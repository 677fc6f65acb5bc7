"""Builds the wheels that a Linux machine can build, checks them, and prints a table of both."""
