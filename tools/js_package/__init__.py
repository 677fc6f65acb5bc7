"""The package `damka` for JavaScript: the kernel, the rules and the board for other pages."""
