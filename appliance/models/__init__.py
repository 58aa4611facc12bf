"""Model files: manifest, store, download, verification, conversion."""
