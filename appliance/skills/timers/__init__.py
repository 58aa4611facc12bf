"""Countdowns that survive power cuts."""
