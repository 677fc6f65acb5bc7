"""The JavaScript package `damka`: kernel, rules and board for other pages."""
