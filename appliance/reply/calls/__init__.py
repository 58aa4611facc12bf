"""What a small model puts into a call, held against what was said."""
