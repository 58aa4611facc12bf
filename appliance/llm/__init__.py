"""The language model: llama.cpp in a process of its own, or a server on the LAN."""
