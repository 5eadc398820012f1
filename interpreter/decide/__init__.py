"""Decisions: which answers a seat has, counted, drawn, checked, and taken step by step."""
