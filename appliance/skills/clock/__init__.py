"""Time and date, here and elsewhere; the days until another."""
