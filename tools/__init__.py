"""Development tools. The package does not use them."""
