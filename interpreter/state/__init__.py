"""What a match is made of: its cells, its cards, its seats."""
