"""From the powers in a row of a card file to the text that people read on the card."""
