"""Measures the interpreter against what a good programmer would write by hand."""
