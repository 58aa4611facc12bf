"""The edges: sound card, recordings, clock, button and light."""
