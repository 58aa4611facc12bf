"""What tools and memory gave: made short, read for what the line asks of it, reckoned with."""
