"""From a path to a tree: bytes become text, text becomes YAML with positions, and its structure is checked."""
