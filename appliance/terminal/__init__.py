"""What a person at a terminal sees: chat, doctor, simulation, pictures of a turn."""
