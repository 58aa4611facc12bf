"""What the words of a line say by themselves, without the model: requests in full, and signs of what it is about."""
