"""The rules by phase, in the order of the book; each is found by its English name."""
