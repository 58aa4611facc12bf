"""From sound to one utterance: wake word, speech detection, end of turn."""
