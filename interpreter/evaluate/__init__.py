"""Terms as functions of the state."""
