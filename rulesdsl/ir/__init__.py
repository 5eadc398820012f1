"""The typed program, and what can be asked of one: walking it, its text form, its invariants."""
