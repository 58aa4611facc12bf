"""Secrets out of the line, text from outside fenced, structured text kept from the ear."""
