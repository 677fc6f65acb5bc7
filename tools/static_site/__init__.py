"""`make site`: Damka as a folder of files that any host serves."""
