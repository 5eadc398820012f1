"""Programs laid beside one another: what differs between two of them, and what modifiers do to one another.

`normal`, `meaning` and `skeleton` make programs comparable; `edits`, `diff` and `apply` say in which ways two differ.
On top of it `reads`, `touches`, `domains` and `verdicts` judge modifiers that are stacked, `stack` loads them.
"""
