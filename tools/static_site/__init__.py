"""`make site`: Damka as a folder of static files."""
