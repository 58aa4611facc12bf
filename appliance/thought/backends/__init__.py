"""From messages to text: llama.cpp in a process of its own, and chat servers on the LAN."""
