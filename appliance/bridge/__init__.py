"""What needs the network, in a process of its own: the core reaches it by a local socket, and has none itself."""
