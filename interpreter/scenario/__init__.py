"""Scenarios: a position set up, choices made, expectations held against what came of them."""
