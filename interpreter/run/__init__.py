"""The machine: operations as instructions, chance, and the only code that changes a state."""
