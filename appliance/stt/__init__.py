"""From an utterance to its text."""
