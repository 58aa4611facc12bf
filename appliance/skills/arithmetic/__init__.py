"""Sums, percentages, roots, and units."""
