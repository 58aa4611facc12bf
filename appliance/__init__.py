"""An offline voice appliance: ears, words, thought, memory, tools, voice and body."""

__version__ = "0.1.0"
