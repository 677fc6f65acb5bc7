"""Programs for working on Damka; the package does not use them."""
