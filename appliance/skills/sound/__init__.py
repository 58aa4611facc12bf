"""Volume, repetition and silence."""
