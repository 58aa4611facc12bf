"""What must survive a power cut: one SQLite file the owner can open."""
