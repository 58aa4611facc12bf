"""The models that the box fetches (manifest.toml), what was made for it (artefacts.toml), and how (training)."""
