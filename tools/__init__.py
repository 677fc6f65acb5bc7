"""What helps to work on Damka and is no part of it."""
