"""What the makers learn from, and the makers: one command for each artefact that artefacts.toml lists."""
