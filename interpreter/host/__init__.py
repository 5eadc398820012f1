"""A match as a program or a person plays it, written down, simulated, summed up."""
