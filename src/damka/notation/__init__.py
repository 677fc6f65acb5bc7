"""Positions and moves as text: FEN, move text (numeric and algebraic) and Hub notation."""
