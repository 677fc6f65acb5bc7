"""Screenshots of every page in every look, with checks of the layout."""
