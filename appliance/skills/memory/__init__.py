"""Remembering, recalling, correcting and forgetting."""
