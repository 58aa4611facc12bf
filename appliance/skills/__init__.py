"""What the box can do: one folder an ability, each with typed functions as its tools; loader.py finds them."""
